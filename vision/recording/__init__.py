"""Frames kept in a file, and read back as a camera gives them."""
