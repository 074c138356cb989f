"""Large print: words notably taller wherever there is room, and nothing cut off anywhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from itertools import product
from statistics import median

import pytest

from display.draw.canvas import DrawnText, line_height
from display.draw.picture import new_surface
from display.draw.theme import CLEAR, CLEAR_LARGE, LARGE, PARCHMENT, Theme
from display.i18n import LANGUAGES
from display.menu.board import is_card
from display.screens.camera import CameraPicture
from display.screens.compose import BUTTONS, Arrangement, compose
from display.screens.menu import MenuPart, draw_menu
from display.screens.table import draw_table
from display.screens.watch import draw_watch
from display.view import Situation, ViewModel
from display.words.present import present
from display.words.watching import Watched, watch_view
from display.workshop.menu_showcase import shown_pages

pytestmark = pytest.mark.slow

LARGER = 1.25
SIZES = ((800, 480), (1024, 600), (1280, 720), (1920, 1080), (819, 666), (640, 480))
Check = Callable[..., None]
Draw = Callable[[ViewModel, Theme], list[DrawnText]]
PICTURE = CameraPicture(bytes(64 * 36 * 3), 64, 36)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES)
def test_every_text_fits_in_large_print(
    check_texts: Check, shown: Mapping[str, Situation], language: str, size: tuple[int, int]
) -> None:
    for name, situation in shown.items():
        surface = new_surface(*size)
        view = present(replace(situation, language=language))
        check_texts(draw_table(surface, view, theme=LARGE), surface.get_rect(), name)


@pytest.mark.parametrize("arrangement", Arrangement)
@pytest.mark.parametrize("size", SIZES[:4])
def test_the_whole_window_fits_in_large_print(
    check_texts: Check, shown: Mapping[str, Situation], arrangement: Arrangement, size: tuple[int, int]
) -> None:
    for language in LANGUAGES:
        for name in ("must_answer", "draw", "attack_four", "reveal", "compare_many"):
            surface = new_surface(*size)
            view = present(replace(shown[name], language=language))
            texts = compose(surface, view, PICTURE, arrangement=arrangement, with_buttons=True, theme=LARGE)
            check_texts(texts, surface.get_rect(), (name, language))


@pytest.mark.parametrize(
    ("theme", "size"),
    [
        (PARCHMENT, SIZES[0]),
        (CLEAR, SIZES[0]),
        (LARGE, SIZES[0]),
        (LARGE, SIZES[2]),
        (LARGE, SIZES[5]),
        (CLEAR_LARGE, SIZES[0]),
    ],
)
def test_menu_and_watching_fit_in_every_theme(
    check_texts: Check, shown: Mapping[str, Situation], theme: Theme, size: tuple[int, int]
) -> None:
    seen = shown["open_attack"].observation
    assert seen is not None
    for language in LANGUAGES:
        for page in shown_pages(language):
            surface = new_surface(*size)
            texts = draw_menu(surface, page.page, page.menu, language, theme).texts
            check_texts(texts, surface.get_rect(), (page.name, language))
        surface = new_surface(*size)
        cards = [reading.card for reading in seen.cards]
        spaces = seen.figures.map(lambda figure: figure.space)
        view = watch_view(Watched(seen, spaces, cards, (0.31, 0.12), 9.4, 1234.5, paused=True), language)
        check_texts(draw_watch(surface, view, PICTURE, theme), surface.get_rect(), language)


def kinds(view: ViewModel) -> Iterator[tuple[str, str]]:
    """The texts that large print is for, by kind."""
    yield "headline", view.verdict.headline
    yield "score", str(view.score.white)
    yield "distance", view.distance_text
    yield "eyes", view.eyes.text
    yield "name", view.names.white
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
    found = ratios(shown, lambda view, theme: draw_table(new_surface(*size), view, theme=theme))
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
        return compose(new_surface(*size), view, PICTURE, with_buttons=True, names=BUTTONS, theme=theme)

    few = {name: shown[name] for name in ("advance", "must_answer", "attack_direct", "blind", "setup", "score")}
    for kind, found in ratios(few, draw).items():
        assert median(ratio for ratio, _, _ in found) >= LARGER, kind


def test_the_distance_stays_the_biggest_thing_in_large_print(shown: Mapping[str, Situation]) -> None:
    for size in SIZES:
        texts = draw_table(new_surface(*size), present(shown["advance"]), theme=LARGE)
        assert max(texts, key=lambda text: text.size_px).text == "10", size


@pytest.mark.parametrize("language", LANGUAGES)
def test_where_a_turn_is_tapped_nothing_is_smaller_and_nothing_left_out(language: str) -> None:
    """Puzzles and turns by hand, on the smallest screen; the figure that fills a field may make room for words."""
    pages = [each for each in shown_pages(language) if each.page.board is not None]
    assert pages
    for each in pages:
        usual, large = (
            draw_menu(new_surface(800, 480), each.page, each.menu, language, theme).texts
            for theme in (PARCHMENT, LARGE)
        )
        sizes: dict[str, int] = {}
        for text in large:
            sizes[text.text] = max(text.size_px, sizes.get(text.text, 0))
        words = [text for text in usual if text.size_px < 100]
        assert all(sizes[text.text] >= text.size_px for text in words), (each.name, language)
        assert median(sizes[text.text] / text.size_px for text in words if not text.text.isdigit()) >= 1.15, each.name


def test_cards_to_tap_are_no_smaller_in_large_print_and_clear_of_the_question() -> None:
    """What is asked stands apart from the piste over it and the cards under it; words keep their size (above)."""
    tapped = [each for each in shown_pages("en") if any(is_card(item.key) for item in each.page.items)]
    assert tapped
    for size, each in product(SIZES[:4], tapped):
        heights: list[int] = []
        for theme in (PARCHMENT, LARGE):
            drawn = draw_menu(new_surface(*size), each.page, each.menu, "en", theme)
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


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_stay_clear_of_the_edges_of_what_is_tapped(language: str) -> None:
    """Of turns and buttons in both sizes of print; and clear of the tick of the turn that was chosen."""
    boards = [each for each in shown_pages(language) if each.page.board is not None]
    for size, theme, each in product(SIZES[:4], (PARCHMENT, LARGE), boards):
        drawn = draw_menu(new_surface(*size), each.page, each.menu, language, theme)
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
        texts = draw_menu(new_surface(*size), home.page, home.menu, language, LARGE).texts
        (again,) = (text for text in texts if text.text == home.page.items[0].text)
        assert again.rect.height == line_height(again.size_px), (size, again)
