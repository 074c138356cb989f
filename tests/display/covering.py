"""Which languages are drawn at which sizes and in which print.

What fits is decided where words have the least room, at the smallest size and at the narrowest: every language is drawn
there. At each other size one language, another each time, tells whether the layout grows with the screen. A look of the
same print scale differs in colours alone.
"""

from __future__ import annotations

from typing import Final

from display.draw.theme import DEFAULT, LARGE
from display.i18n import LANGUAGES

SMALLEST: Final = (800, 480)
LANGUAGE_SIZES: Final = [
    *((language, SMALLEST) for language in LANGUAGES),
    ("nl", (1024, 600)),
    ("de", (1280, 720)),
    ("fr", (1920, 1080)),
]
WINDOW_SIZES: Final = [
    *((language, (640, 480)) for language in LANGUAGES),
    ("en", (819, 666)),
]
"""Windows that are no screen's."""
PRINTS: Final = {theme.name: theme for theme in (DEFAULT, LARGE)}
