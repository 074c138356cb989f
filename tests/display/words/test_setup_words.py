"""Every sentence of the first start is said somewhere, in every language."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from display.draw.pictures import new_surface
from display.draw.theme import Theme
from display.i18n import LANGUAGES, words
from firmware.cli.commands.setup import first_screen
from firmware.cli.first_start.wifi import Hotspot, WifiFault
from tests.display.covering import LANGUAGE_SIZES, PRINTS
from tests.display.drawn import draw_watch
from vision.board.measure import Fault


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_fault_has_a_sentence_of_its_own(language: str) -> None:
    keys = (*(f"fault_{fault.value}" for fault in Fault), *(f"wifi_{fault.value}" for fault in WifiFault))
    assert len({words(language).say(f"setup.{key}", board_mm="40", tag_mm="20", pitch_mm="24") for key in keys}) == len(
        keys
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_filled_in_on_the_page_has_its_place_in_every_language(language: str) -> None:
    say = words(language).say
    for key in ("wifi_now", "missing", "measured", "turned"):
        assert say(f"setup.{key}", board_mm="40", tag_mm="20", pitch_mm="24").count("…") == 1


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("hotspot", [None, Hotspot("En Garde", "abcdefghjk")])
def test_the_screen_names_address_and_network(language: str, hotspot: Hotspot | None) -> None:
    view, picture = first_screen(language, "http://10.42.0.1:8766/#234567", hotspot)
    assert "http://10.42.0.1:8766/#234567" in view.frame
    assert ("abcdefghjk" in view.agreed) == (hotspot is not None)
    asking, _ = first_screen(language, "http://10.42.0.1:8766/#234567", hotspot, asking=True)
    assert (asking.buttons[0], asking.buttons[1] == view.buttons[1]) == (view.buttons[0], False)
    assert len(picture.bgr) == picture.width_px * picture.height_px * 3


@pytest.mark.parametrize(("language", "size"), LANGUAGE_SIZES)
@pytest.mark.parametrize("theme", PRINTS.values(), ids=PRINTS)
def test_the_first_starts_words_and_buttons_have_room(
    language: str, size: tuple[int, int], theme: Theme, check_texts: Callable[..., None]
) -> None:
    network = Hotspot("engarde-WWWW", "mmmmwwww")
    for asking, fault in ((False, None), (True, None), (False, WifiFault.BLOCKED), (False, WifiFault.NO_MANAGER)):
        surface = new_surface(*size)
        trouble = words(language).say(f"setup.wifi_{fault.value}") if fault is not None else ""
        shown = None if trouble else network
        view, picture = first_screen(language, "http://10.42.255.255:8766/#mmmmwwww", shown, trouble, asking=asking)
        texts = draw_watch(surface, view, picture, theme)
        check_texts(texts, surface.get_rect(), theme.name)
        for _, told in view.buttons:
            assert told in " ".join(text.text for text in texts)
