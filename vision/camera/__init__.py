"""Where frames come from: cameras, videos, folders of pictures."""
