"""Letters of other scripts: drawn in a font that has them, a question mark where none has, and known beforehand."""

from __future__ import annotations

import struct
from pathlib import Path

import pygame
import pytest

from display.draw import fonts
from display.draw.canvas import Canvas, text_width
from display.draw.fonts import font_files, has_letter, runs, unwritable
from display.draw.theme import PARCHMENT

KANA = "\uff71"
"""A letter that neither the family nor pygame's own font has."""


LAST_LETTER = "\ufe9e"
"""The last one that pygame's own font has."""


@pytest.fixture
def other_font(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """pygame's own font, its last letter standing for one of Japanese."""
    _, last = font_files()
    data = bytearray(last.read_bytes())
    (tables,) = struct.unpack_from(">H", data, 4)
    places = {name: at for name, _, at, _ in (struct.unpack_from(">4sLLL", data, 12 + 16 * n) for n in range(tables))}
    at = places[b"cmap"]
    (count,) = struct.unpack_from(">H", data, at + 2)
    for _, _, offset in (struct.unpack_from(">HHL", data, at + 4 + 8 * n) for n in range(count)):
        segments = struct.unpack_from(">H", data, at + offset + 6)[0] // 2
        if struct.unpack_from(">H", data, at + offset) == (4,):
            end = at + offset + 14 + 2 * (segments - 2)  # of the last that holds letters
            start, delta = end + 2 + 2 * segments, end + 2 + 4 * segments
            by = 0xFF71 - struct.unpack_from(">H", data, start)[0]
            for place, moved in ((start, by), (end, by), (delta, -by)):
                struct.pack_into(">H", data, place, (struct.unpack_from(">H", data, place)[0] + moved) & 0xFFFF)
    made = tmp_path / "other.ttf"
    made.write_bytes(data)
    monkeypatch.setattr("display.draw.fonts.SYSTEM_FONTS", (tmp_path / "gone.ttf", made))
    return made


def test_a_text_is_drawn_in_the_first_font_that_has_its_letters(other_font: Path) -> None:
    own = font_files()[0]
    assert has_letter(other_font, KANA)
    assert list(runs(f"Ana {KANA} Őrs")) == [(own, "Ana "), (other_font, KANA), (own, " Őrs")]
    assert list(runs("Ольга")) == [(own, "Ольга")]
    assert list(runs("山 ש 🤺")) == [(own, "? ? ?")]
    assert list(runs("11\u00a0:\u202f3")) == [(own, "11\u00a0:\u202f3")], "blanks are blanks in every font"
    assert runs("") == [(own, "")]


def test_the_width_of_a_text_is_that_of_its_pieces(other_font: Path) -> None:
    together = text_width(f"Ana{KANA}", 40)
    assert abs(together - text_width("Ana", 40) - text_width(KANA, 40)) <= 1
    assert text_width(KANA, 40) > 10


@pytest.fixture
def no_family(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The package of the family is not installed."""
    monkeypatch.setattr("display.draw.fonts.family", tuple)
    monkeypatch.setattr("display.draw.fonts.SYSTEM_FONTS", (*fonts.SYSTEM_FONTS, tmp_path / "another.ttf"))


@pytest.mark.parametrize("heavy", [False, True])
def test_the_family_is_drawn_in_two_weights_and_without_it_pygames_own_font(
    no_family: None, monkeypatch: pytest.MonkeyPatch, heavy: bool
) -> None:
    (stands_in,) = font_files(heavy=heavy)
    assert stands_in.name == pygame.font.get_default_font()
    assert text_width("Ana Őrs", 40, heavy=heavy) > 40
    monkeypatch.undo()
    assert "SourceSansPro" in font_files(heavy=heavy)[0].name
    assert font_files(heavy=True)[0] != font_files()[0]


def test_letters_of_two_fonts_stand_on_one_line(other_font: Path, no_family: None) -> None:
    def ink(text: str) -> pygame.Rect:
        surface = pygame.Surface((400, 80), pygame.SRCALPHA)
        Canvas(surface, PARCHMENT).text(text, pygame.Rect(0, 0, 400, 80), 40, (255, 255, 255))
        return surface.get_bounding_rect()

    own, other = ink(LAST_LETTER), ink(KANA[0])  # one drawing in two fonts
    assert own.size[0] > 5
    assert abs(own.top - other.top) <= 2  # hinted by a pixel more in the SDL_ttf that pygame-ce brings
    assert abs(own.bottom - other.bottom) <= 1


def test_what_cannot_be_written_is_known_beforehand(other_font: Path) -> None:
    assert unwritable(f"Ana-María O’Neill {KANA} Łukasz Ольга 3") == ""
    assert unwritable("山田") == "山田"
    assert unwritable("שרה שרה") == "שרה"
    assert unwritable("m\u0303") == "\u0303", "a sign over another that is no letter with it"
    assert unwritable("Ana 🤺🤺") == "🤺"


@pytest.mark.parametrize("data", [b"", b"\0\1\0\0", b"OTTO" + bytes(20), b"ttcf" + bytes(8), bytes(range(256)) * 4])
def test_a_file_that_is_no_font_has_no_letters(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "font.ttf").write_bytes(data)
    assert not any(has_letter(tmp_path / "font.ttf", letter) for letter in "aŁ")
