"""Reads bytes from outside: text to plain values within bounds, plain values to frozen dataclasses within ranges."""
