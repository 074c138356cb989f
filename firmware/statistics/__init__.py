"""What a scorebook tells about the people who play: values made from refereed matches; no file, no printing."""
