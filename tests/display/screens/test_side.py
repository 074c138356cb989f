"""What stands beside the table leaves no place dark, and takes nothing from the verdict."""

from __future__ import annotations

import pytest

from display.draw.canvas import Canvas
from display.draw.pictures import new_surface
from display.draw.theme import DEFAULT, LARGE, Theme
from display.screens.camera import CameraPicture
from display.screens.compose import compose
from display.screens.qr import ScanCode, draw_codes
from display.words.present import present
from tests.display.drawn import SIZE, capital_mm, every_situation

MIN_CAPTION_MM = 1.3
"""What a caption has on the whole screen, too."""
PICTURE = CameraPicture(bytes(64 * 36 * 3), 64, 36)


COARSE, FINE = ScanCode(((True,) * 29,) * 29, "a"), ScanCode(((True,) * 89,) * 89, "b")


def drawn(width: int, height: int) -> tuple[Canvas, dict[int, int]]:
    """Both codes on such a place, and how many pixels wide the dark of each row of pixels is."""
    surface = new_surface(width, height)
    canvas = Canvas(surface, DEFAULT)
    draw_codes(canvas, (COARSE, FINE), surface.get_rect())
    return canvas, {y: sum(surface.get_at((x, y)).r == 0 for x in range(width)) for y in range(height)}


def test_the_finer_of_two_codes_has_more_of_the_width() -> None:
    canvas, dark_px = drawn(500, 300)
    assert dark_px[120] == 2 * 89 + 3 * 29, "side by side"
    assert [text.text for text in canvas.texts if not text.cut] == ["a", "b"]


def test_where_it_is_larger_then_the_finer_code_stands_below_the_other() -> None:
    canvas, dark_px = drawn(397, 476)
    rows = [dark_px[y] for y in range(476) if dark_px[y]]
    assert (rows[0], rows[-1]) == (4 * 29, 3 * 89)
    assert rows.count(3 * 89) == 3 * 89
    assert [text.text for text in canvas.texts if not text.cut] == ["a", "b"]


@pytest.mark.parametrize("height", [317, 269])
def test_no_module_is_one_pixel_on_the_smallest_screen(height: int) -> None:
    """Beside the table of a 7-inch screen, in usual and in large print: 0.2 mm can't be scanned, 0.4 can."""
    fine = ScanCode(((True,) * 81,) * 81, "b")
    surface = new_surface(800, 480)
    surface.fill(DEFAULT.paper)
    draw_codes(Canvas(surface, DEFAULT), (COARSE, fine), surface.get_rect(size=(248, height)))
    widths = {sum(surface.get_at((x, y)).r == 0 for x in range(248)) for y in range(height)}
    assert 2 * 81 in widths
    assert widths & {2 * 29, 3 * 29}


@pytest.mark.slow
@pytest.mark.parametrize("theme", [DEFAULT, LARGE], ids=lambda theme: theme.name)
@pytest.mark.parametrize("language", ["de", "nl"])
def test_every_caption_can_be_read_beside_lamps_and_camera(language: str, theme: Theme) -> None:
    captions = 0
    for name, situation in every_situation(language).items():
        view = present(situation)
        if not view.remedies:
            continue
        drawn = compose(new_surface(*SIZE), view, PICTURE, with_buttons=True, theme=theme)
        size_of = {text.text: text.size_px for text in drawn if not text.cut}
        for remedy in view.remedies:
            captions += 1
            assert capital_mm(size_of[remedy.text]) >= MIN_CAPTION_MM, (name, remedy.text)
    assert captions > 40
