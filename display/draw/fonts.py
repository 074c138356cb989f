"""Which fonts letters are drawn in: one family in two weights, and behind it what the system has of other scripts.

Letters are set one after the other from left to right: scripts that run the other way, or whose signs join or stand
over one another, are not written.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import cache, lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

FAMILY: Final = "font_source_sans_pro", ("files/SourceSansPro-Semibold.ttf", "files/SourceSansPro-Black.ttf")
"""The package that brings the family, and its files: usual text, and what stands out."""
LAST: Final = "freesansbold.ttf"
"""What letters are drawn in where the family is not installed: pygame's own, of one weight."""
SYSTEM_FONTS: Final = (
    Path("/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf"),
    Path("/usr/share/fonts/truetype/wqy/wqy-microhei.ttc"),
)
"""Debian's fonts-dejavu-core (Vietnamese, Armenian, Georgian …) and fonts-wqy-microhei (Chinese, Japanese, Korean)."""
PACKAGES: Final = "fonts-dejavu-core fonts-wqy-microhei"
REPLACEMENT: Final = "?"
_RIGHT_TO_LEFT: Final = ("R", "AL")
_UNSEEN: Final = "ZC"  # blanks of every width, and what has no picture
_MARKS: Final = ("Mn", "Mc", "Me")


def font_files(*, heavy: bool = False) -> tuple[Path, ...]:
    """The fonts that are there, the first one to be tried first."""
    return _files(heavy, SYSTEM_FONTS)


@cache
def _files(heavy: bool, system: tuple[Path, ...]) -> tuple[Path, ...]:
    there = (path for path in system if path.is_file())
    return (*family()[heavy : heavy + 1], _folder("pygame") / LAST, *there)


@cache
def _folder(package: str) -> Path:
    found = find_spec(package)  # not imported: names are looked through long before a window is opened
    return Path(*list((found and found.submodule_search_locations) or ("",))[:1])


@cache
def family() -> tuple[Path, ...]:
    """The files of the family, in usual weight and in heavy; none where it is not installed."""
    package, weights = FAMILY
    files = tuple(_folder(package) / file for file in weights)
    return files if all(file.is_file() for file in files) else ()


def font_faces(addresses: Sequence[str]) -> str:
    """The style that gives a page the family from these addresses, as large to the eye as on the screen.

    Source: CSS Fonts 5, "@font-face"."""
    rule = '@font-face{{font-family:"Source Sans Pro";src:url({});font-weight:{};size-adjust:111%;font-display:swap}}'
    return "".join(map(rule.format, addresses, ("1 600", "601 1000")))


def runs(text: str, *, heavy: bool = False) -> Sequence[tuple[Path, str]]:
    """The text in pieces, each with the font it is drawn in; what none has is a question mark in the first."""
    fonts = font_files(heavy=heavy)
    return [(fonts[0], text)] if text.isascii() else _runs(text, fonts)


@lru_cache(maxsize=1024)
def _runs(text: str, fonts: tuple[Path, ...]) -> Sequence[tuple[Path, str]]:
    own, *others = fonts
    strange = {each for each in text if unicodedata.category(each)[0] not in _UNSEEN and not has_letter(own, each)}
    if not strange:
        return [(own, text)]
    found: list[tuple[Path, str]] = []
    for letter in text:
        file, piece = own, letter
        if letter in strange:
            having = (each for each in others if has_letter(each, letter) and not _runs_left(letter))
            file, piece = next(((each, letter) for each in having), (own, REPLACEMENT))
        if found and found[-1][0] == file:
            piece = found.pop()[1] + piece
        found.append((file, piece))
    return found


def unwritable(text: str) -> str:
    """The letters of a composed (NFC) text that are not written, each once; empty for none."""
    return "".join(letter for letter in dict.fromkeys(text) if not (letter.isascii() or _is_written(letter)))


def _is_written(letter: str) -> bool:
    alone = not _runs_left(letter) and unicodedata.category(letter) not in _MARKS
    return alone and any(has_letter(file, letter) for file in font_files())


def _runs_left(letter: str) -> bool:
    return unicodedata.bidirectional(letter) in _RIGHT_TO_LEFT


@cache
def _font(file: Path) -> Any:
    from pygame import error, freetype  # names are looked through long before a window is opened

    freetype.init()
    try:
        return freetype.Font(str(file), 12)
    except (OSError, ValueError, error):
        return None


@lru_cache(maxsize=4096)
def has_letter(file: Path, letter: str) -> bool:
    """Whether a font has a picture of this letter; a file that is no font has none."""
    font = _font(file)
    return font is not None and font.get_metrics(letter)[0] is not None
