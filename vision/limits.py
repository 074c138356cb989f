"""How large a picture may be, whatever a file says."""

from typing import Final

MAX_PIXELS: Final = 25_000_000
"""Of one picture: more than any camera gives that a Raspberry Pi or a web camera's plug can carry (16 million), and as
much as good cameras photograph (24 million). What has more was made to cost time and memory, or can be made smaller."""
