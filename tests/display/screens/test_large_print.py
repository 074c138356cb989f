"""Large print: words notably taller wherever there is room, and nothing cut off anywhere.

The table alone: ``tests/display/screens/test_screens.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import product
from statistics import median

import pygame
import pytest

from display.draw.canvas import DrawnText, line_height
from display.draw.pictures import new_surface
from display.draw.theme import LARGE, PARCHMENT, Theme
from display.i18n import LANGUAGES
from display.menu.model import Act, is_card, kind_of
from display.screens import board, distance
from display.screens.camera import CameraPicture
from display.screens.compose import BUTTONS, Arrangement, compose
from display.screens.menu import MenuPart
from display.view import Mark, Situation, Tone, ViewModel
from display.words.present import present
from display.words.watching import Watched, watch_view
from tests.display.covering import LANGUAGE_SIZES, WINDOW_SIZES
from tests.display.drawn import draw_menu, draw_table, draw_watch
from tests.display.lesson_showcase import lesson_situations
from tests.display.menu_showcase import shown_pages
from tests.display.print_sizes import unpainted

pytestmark = pytest.mark.slow

LARGER = 1.25
SIZES = ((800, 480), (1024, 600), (1280, 720), (1920, 1080), (819, 666), (640, 480))
AIR_PX = 4
"""Words nearer to the edge of a button seem to fall out of it."""
READ_PX = 38
"""A card so wide has a number on it nearly as tall as the names of the players."""
FIGURE_PX = 60
"""A figure as high as that fills its field: the distance beside the fencers."""
OFF_PX = 3
"""Less than that from the edge of a screen 1024 wide a letter seems to be cut."""
Check = Callable[..., None]
Draw = Callable[[ViewModel, Theme], list[DrawnText]]
PICTURE = CameraPicture(bytes(64 * 36 * 3), 64, 36)


@pytest.mark.parametrize("arrangement", Arrangement)
@pytest.mark.parametrize(("language", "size"), LANGUAGE_SIZES)
def test_the_whole_window_fits_in_large_print(
    check_texts: Check, shown: Mapping[str, Situation], arrangement: Arrangement, language: str, size: tuple[int, int]
) -> None:
    for name in ("must_answer", "draw", "attack_four", "reveal", "compare_many"):
        surface = unpainted(*size)
        view = present(replace(shown[name], language=language))
        texts = compose(surface, view, PICTURE, arrangement=arrangement, with_buttons=True, theme=LARGE)
        check_texts(texts, surface.get_rect(), (name, language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_cards_of_an_attack_are_large_enough_to_be_read(
    language: str, shown: Mapping[str, Situation], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Beside a long name of the attack too: what has to be parried is the number on them."""
    widths: list[float] = []
    monkeypatch.setattr(distance, "draw_value_card", lambda canvas, value, place, width_px: widths.append(width_px))
    for name in ("attack_direct", "attack_indirect", "attack_four", "last_attack", "must_parry", "parry_attack"):
        widths.clear()
        texts = draw_table(unpainted(800, 480), present(replace(shown[name], language=language)), theme=LARGE)
        assert widths, name
        on_blade = max((text.size_px for text in texts if " \u00d7 " in text.text), default=0)
        assert max(min(widths), on_blade) >= READ_PX, (name, widths, on_blade)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_word_on_the_stripe_keeps_off_its_edge(language: str, shown: Mapping[str, Situation]) -> None:
    for name, situation in shown.items():
        view = present(replace(situation, language=language))
        drawn = draw_table(unpainted(1024, 600), view, theme=LARGE)
        attacks = view.piste.attack is not None and view.verdict.tone is Tone.LEGAL
        word = view.piste.attack.text if attacks and view.piste.attack is not None else view.verdict.tag
        tag = min((text for text in drawn if text.text == word), key=lambda text: text.rect.left)
        assert tag.rect.left >= OFF_PX, (name, tag)


@pytest.mark.parametrize(("language", "size"), WINDOW_SIZES)
def test_the_menu_fits_a_window_in_large_print(check_texts: Check, language: str, size: tuple[int, int]) -> None:
    """At the sizes of screens: ``tests/display/workshop/test_print_sizes.py``."""
    for page in shown_pages(language):
        surface = unpainted(*size)
        texts = draw_menu(surface, page.page, page.menu, language, LARGE).texts
        check_texts(texts, surface.get_rect(), (page.name, language))


@pytest.mark.parametrize("theme", [PARCHMENT, LARGE])
@pytest.mark.parametrize(("language", "size"), [*LANGUAGE_SIZES, *WINDOW_SIZES])
def test_watching_fits(
    check_texts: Check, shown: Mapping[str, Situation], theme: Theme, language: str, size: tuple[int, int]
) -> None:
    seen = shown["open_attack"].table.observation
    assert seen is not None
    surface = unpainted(*size)
    cards = [reading.card for reading in seen.cards]
    spaces = seen.figures.map(lambda figure: figure.space)
    view = watch_view(Watched(seen, spaces, cards, (0.31, 0.12), 9.4, 1234.5, paused=True), language)
    check_texts(draw_watch(surface, view, PICTURE, theme), surface.get_rect(), language)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_button_that_goes_on_has_air_round_its_words(language: str) -> None:
    """Two lines of it filled it from edge to edge."""
    seen = 0
    for page in shown_pages(language):
        if page.page.board is None:
            continue
        drawn = draw_menu(unpainted(800, 480), page.page, page.menu, language, LARGE)
        for target in (each for each in drawn.targets if each.part is MenuPart.ROW):
            item = page.page.items[target.number]
            if kind_of(item.key) not in (Act("round"), Act("answer"), Act("next_puzzle")):
                continue
            words = [text.rect for text in drawn.texts if text.text == item.text]
            assert any(target.box.inflate(-2 * AIR_PX, -2 * AIR_PX).contains(rect) for rect in words), (page.name, item)
            seen += 1
    assert seen


def kinds(view: ViewModel) -> Iterator[tuple[str, str]]:
    """The texts that large print is for, by kind."""
    yield "headline", view.verdict.headline
    yield "score", str(view.match.score.white)
    yield "distance", view.piste.distance_text
    yield "eyes", view.eyes.text
    yield "name", view.match.names.white
    for remedy in view.remedies:
        yield "remedy", remedy.text


def ratios(shown: Mapping[str, Situation], draw: Draw) -> dict[str, list[tuple[float, str, str]]]:
    """How many times taller each text is in large print, with the situation and the text."""
    found: dict[str, list[tuple[float, str, str]]] = {}
    for name, situation in shown.items():
        view = present(replace(situation, language="de"))
        usual, large = ({text.text: text.size_px for text in draw(view, theme)} for theme in (PARCHMENT, LARGE))
        for kind, text in kinds(view):
            if text in usual and text in large:
                found.setdefault(kind, []).append((large[text] / usual[text], name, text))
    return found


@pytest.mark.parametrize("size", [(800, 480), (1280, 720), (819, 666)])
def test_words_are_notably_taller(shown: Mapping[str, Situation], size: tuple[int, int]) -> None:
    found = ratios(shown, lambda view, theme: draw_table(unpainted(*size), view, theme=theme))
    assert set(found) == {"headline", "score", "distance", "eyes", "name", "remedy"}
    for kind in ("distance", "eyes", "name", "remedy"):
        assert min(found[kind])[0] >= LARGER, kind
    for kind in ("headline", "score"):
        assert median(ratio for ratio, _, _ in found[kind]) >= LARGER, kind
    # A long sentence beside pictures has no room; a sentence that has the band for itself always has.
    alone = [found for found in found["headline"] if not present(shown[found[1]]).remedies and len(found[2]) < 30]
    assert len(alone) > 10
    assert min(alone)[0] >= LARGER


@pytest.mark.parametrize("size", [(800, 480), (1280, 720)])
def test_in_the_whole_window_too(shown: Mapping[str, Situation], size: tuple[int, int]) -> None:
    def draw(view: ViewModel, theme: Theme) -> list[DrawnText]:
        return compose(unpainted(*size), view, PICTURE, with_buttons=True, names=BUTTONS, theme=theme)

    few = {name: shown[name] for name in ("advance", "must_answer", "attack_direct", "blind", "setup", "score")}
    for kind, found in ratios(few, draw).items():
        assert median(ratio for ratio, _, _ in found) >= LARGER, kind


@pytest.mark.parametrize("language", LANGUAGES)
def test_where_a_turn_is_tapped_nothing_is_smaller_and_nothing_left_out(language: str) -> None:
    """Puzzles and turns by hand, on the smallest screen; the figure that fills a field may make room for words."""
    pages = [each for each in shown_pages(language) if each.page.board is not None]
    assert pages
    for each in pages:
        assert each.page.board is not None
        told = "" if any(is_card(item.key) for item in each.page.items) else each.page.board.told
        usual, large = (
            [
                text
                for text in draw_menu(unpainted(800, 480), each.page, each.menu, language, theme).texts
                if text.text not in told  # a solution stands on leaves
            ]
            for theme in (PARCHMENT, LARGE)
        )
        sizes: dict[str, int] = {}
        for text in large:
            sizes[text.text] = max(text.size_px, sizes.get(text.text, 0))
        words = [text for text in usual if not (text.text.isdigit() and text.size_px >= FIGURE_PX)]
        assert all(sizes[text.text] >= text.size_px for text in words), (each.name, language)
        assert median(sizes[text.text] / text.size_px for text in words if not text.text.isdigit()) >= 1.15, each.name


def test_cards_to_tap_are_no_smaller_in_large_print_and_clear_of_the_question() -> None:
    """What is asked stands apart from the piste over it and the cards under it; words keep their size (above)."""
    tapped = [each for each in shown_pages("en") if any(is_card(item.key) for item in each.page.items)]
    assert tapped
    for size, each in product(SIZES[:4], tapped):
        heights: list[int] = []
        for theme in (PARCHMENT, LARGE):
            drawn = draw_menu(unpainted(*size), each.page, each.menu, "en", theme)
            cards = [
                target.box
                for target in drawn.targets
                if target.part is MenuPart.ROW and is_card(each.page.items[target.number].key)
            ]
            assert each.page.board is not None
            asked = next(text for text in drawn.texts if text.text == each.page.board.ask)
            assert min(card.top for card in cards) - asked.rect.bottom >= size[1] / 160, (each.name, size, theme.name)
            heights.append(cards[0].height)
        assert heights[1] >= heights[0], (each.name, size)


def test_the_tick_of_a_chosen_turn_stands_clear_of_its_words(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the tick is: what is other without it."""
    nothing = pygame.Surface((1, 1), pygame.SRCALPHA)
    for (language, size), theme in product(LANGUAGE_SIZES, (PARCHMENT, LARGE)):
        each = next(each for each in shown_pages(language) if each.name == "manual-attack_indirect")
        chosen = [item.text for item in each.page.items if item.value]
        assert len(chosen) == 1
        with_tick, without = new_surface(*size), new_surface(*size)
        draw_menu(with_tick, each.page, each.menu, language, theme)
        with monkeypatch.context() as patched:
            patched.setattr(board, "sign", lambda *_: nothing)
            texts = draw_menu(without, each.page, each.menu, language, theme).texts
        words = next(text.rect for text in texts if text.text == chosen[0])
        same = pygame.mask.from_threshold(with_tick, (0, 0, 0), (1, 1, 1, 255), without)
        same.invert()
        other = same.get_bounding_rects()
        ticks = [tick for tick in other if tick.top < words.bottom]
        assert ticks, (language, size, theme.name)
        assert all(tick.left > words.right for tick in ticks), (language, size, theme.name)


def test_both_buttons_of_an_answer_stand_on_one_leaf() -> None:
    for language, size in LANGUAGE_SIZES:
        view = present(lesson_situations(language)["lesson_ask_wrong"])
        assert view.panel is not None
        answers = [line.text for line in view.panel.lines if line.mark is Mark.NOW]
        assert len(answers) == 2
        drawn = {text.text for text in draw_table(unpainted(*size), view, theme=LARGE)}
        assert len(drawn.intersection(answers)) in (0, 2), (language, size)


@pytest.mark.parametrize(("language", "size"), LANGUAGE_SIZES)
def test_words_stay_clear_of_the_edges_of_what_is_tapped(language: str, size: tuple[int, int]) -> None:
    """Of turns and buttons in both sizes of print; and clear of the tick of the turn that was chosen."""
    boards = [each for each in shown_pages(language) if each.page.board is not None]
    for theme, each in product((PARCHMENT, LARGE), boards):
        drawn = draw_menu(unpainted(*size), each.page, each.menu, language, theme)
        margin = size[1] // 140
        for target in drawn.targets:
            if target.part is not MenuPart.ROW:
                continue
            item, box = each.page.items[target.number], target.box
            for text in drawn.texts:
                if text.text != item.text or not box.colliderect(text.rect):
                    continue
                told = (each.name, item.text, size, theme.name)
                assert box.inflate(-2 * margin, -2).contains(text.rect), told
                assert not item.value or text.rect.right + box.height * 0.28 + margin <= box.right, told


@pytest.mark.parametrize("language", ["en", "fr", "nl"])
def test_who_plays_again_stands_in_one_row_of_the_start_screen(language: str) -> None:
    """Two rows filled the line from edge to edge, and were hardly larger: but for German, whose word is longer."""
    (home,) = (each for each in shown_pages(language) if each.name == "home-again")
    for size in SIZES[:4]:
        texts = draw_menu(unpainted(*size), home.page, home.menu, language, LARGE).texts
        (again,) = (text for text in texts if text.text == home.page.items[0].text)
        assert again.rect.height == line_height(again.size_px), (size, again)
