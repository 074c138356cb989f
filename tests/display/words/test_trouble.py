"""The trouble on the screen: what to do in words, where it is in amber, a proposed turn, a camera that is aimed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pygame
import pytest

from display.draw.canvas import Canvas
from display.draw.pictures import new_surface
from display.draw.theme import DEFAULT, LOOKS
from display.i18n import LANGUAGES, words
from display.screens.camera import AMBER, CameraPicture, draw_spots
from display.screens.compose import Arrangement, compose, layout
from display.view import DeviceSituation, Situation, TroubleSpot, ViewModel
from display.words.present import present
from display.words.trouble import aim_text, aim_verdict, aim_view
from engine.rules.track import Side
from engine.table.observation import Aim, CameraTurn, Doubt, DoubtReason, Why
from tests.display.drawn import PRINTS, draw_table, unpainted

CAMERA = CameraPicture(bytes((96, 110, 118)) * (64 * 36), 64, 36)
PLACE = pygame.Rect(40, 20, 480, 270)


def marked(spot: TroubleSpot) -> pygame.Rect:
    """The rectangle of what is drawn in amber for this spot."""
    surface = new_surface(600, 400)
    draw_spots(Canvas(surface, DEFAULT), PLACE, (spot,))
    amber = pygame.mask.from_threshold(surface, AMBER, (1, 1, 1, 255))
    boxes = amber.get_bounding_rects()
    assert boxes
    return boxes[0].unionall(boxes[1:])


def test_a_small_spot_has_a_ring_around_it_and_an_arrow_from_the_middle() -> None:
    spot = TroubleSpot(Why.TAG_HIDDEN, ((0.2, 0.2), (0.24, 0.2), (0.24, 0.26), (0.2, 0.26)), Side.WHITE)
    box = marked(spot)
    x, y = PLACE.left + 0.22 * PLACE.width, PLACE.top + 0.23 * PLACE.height
    assert box.collidepoint(x, y)
    assert box.width > 0.1 * PLACE.width  # seen from across the table
    assert box.right - x > 1.5 * (x - box.left)  # the arrow comes from where there is room
    assert PLACE.contains(box)


def test_a_large_one_is_outlined_and_everything_is_framed() -> None:
    arm = TroubleSpot(Why.HAND, ((0.4, 0.5), (0.6, 0.5), (0.7, 1.0), (0.3, 1.0)))
    box = marked(arm)
    assert abs(box.left - (PLACE.left + 0.3 * PLACE.width)) < 8
    assert abs(box.top - (PLACE.top + 0.5 * PLACE.height)) < 8
    whole = TroubleSpot(Why.DARK, ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)))
    assert whole.is_everything
    assert marked(whole).width > 0.97 * PLACE.width


def test_nothing_is_drawn_beside_the_picture() -> None:
    outside = TroubleSpot(Why.BOARD_LOST, ((0.97, -0.1), (1.2, -0.1), (1.2, 0.1), (0.97, 0.1)))
    assert PLACE.contains(marked(outside))


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("theme", PRINTS)
def test_what_to_do_is_said_wherever_the_picture_is(shown: Mapping[str, Situation], language: str, theme: str) -> None:
    for name, situation in shown.items():
        if situation.table.trouble is None:
            continue
        view = present(replace(situation, language=language))
        assert view.trouble is not None
        for arrangement in Arrangement:
            surface = unpainted(800, 480)
            texts = compose(surface, view, CAMERA, arrangement=arrangement, with_buttons=True, theme=LOOKS[theme])
            assert view.trouble.cure in [text.text for text in texts], (name, arrangement)
            assert not [text for text in texts if text.cut], (name, arrangement)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_mirrored_picture_is_said_to_be_one_wherever_the_why_is_told(
    shown: Mapping[str, Situation], language: str
) -> None:
    view, lost = (present(replace(shown[f"trouble_{name}"], language=language)) for name in ("mirrored", "board_lost"))
    assert view.trouble is not None
    assert view.eyes.text == view.trouble.text == words(language).say("why.mirrored") != lost.eyes.text


def test_a_shining_card_may_be_entered_by_hand_although_the_eyes_are_steady(shown: Mapping[str, Situation]) -> None:
    noted = present(replace(shown["card_glares"], table=replace(shown["card_glares"].table, by_hand=True))).verdict
    assert noted is not None
    assert (noted.headline, noted.hint) == ("A card is shining: I can’t read it.", words("en").say("byhand.again"))
    seen = shown["card_glares"].table.observation
    assert seen is not None
    burnt = replace(seen, doubts=(Doubt(300.0, -100.0, 0.0, DoubtReason.BURNT),))
    stuck = present(
        replace(
            shown["card_glares"], table=replace(shown["card_glares"].table, note=None, observation=burnt, by_hand=True)
        )
    ).verdict
    assert stuck is not None
    assert (stuck.headline, stuck.hint) == (words("en").say("why.glare"), "Black’s button: enter the turn by hand.")


def test_the_picture_takes_the_stage_only_where_it_has_no_place_of_its_own(shown: Mapping[str, Situation]) -> None:
    view, calm = (
        present(shown["trouble_hand"]),
        present(replace(shown["trouble_hand"], table=replace(shown["trouble_hand"].table, trouble=None))),
    )
    stage = pygame.Rect(0, 80, 480, 150)

    def drawn(view: ViewModel, arrangement: Arrangement) -> bytes:
        surface = new_surface(800, 480)
        compose(surface, view, CAMERA, arrangement=arrangement, with_buttons=True)
        return pygame.surfarray.array3d(surface.subsurface(stage)).tobytes()

    assert drawn(view, Arrangement.BOTH) == drawn(calm, Arrangement.BOTH)
    assert drawn(view, Arrangement.TABLE) != drawn(calm, Arrangement.TABLE)
    assert layout((800, 480), Arrangement.TABLE, with_buttons=True).camera.width == 0


def test_without_a_picture_the_words_stand_alone(shown: Mapping[str, Situation]) -> None:
    view = present(shown["trouble_camera_lost"])
    texts = [text.text for text in draw_table(unpainted(800, 480), view)]
    assert view.trouble is not None
    assert view.trouble.spots == ()
    assert {view.trouble.text, view.trouble.cure} <= {*texts}


def test_without_entering_by_hand_one_tries_again(shown: Mapping[str, Situation]) -> None:
    asked = replace(shown["trouble_asked"], table=replace(shown["trouble_asked"].table, by_hand=False))
    assert present(asked).verdict.hint == words("en").say("note.try_again")


@pytest.mark.parametrize("theme", PRINTS)
def test_what_to_do_is_written_once(shown: Mapping[str, Situation], theme: str) -> None:
    """Beside the picture, or in the verdict where that speaks of it; there the distance has the place of the words."""
    heights: dict[str, int] = {}
    for name in ("trouble_tag_hidden_side", "trouble_by_hand"):
        view = present(shown[name])
        assert view.trouble is not None
        texts = draw_table(unpainted(800, 480), view, theme=LOOKS[theme])
        assert [text.text for text in texts].count(view.trouble.cure) == 1, name
        heights[name] = next(
            text.size_px for text in texts if text.text == str(view.piste.distance) and text.size_px > 20
        )
    assert heights["trouble_by_hand"] > 1.5 * heights["trouble_tag_hidden_side"]


AIMS = [Aim(0, 4), Aim(0, 4, mirrored=True), Aim(3, 4), *(Aim(2, 4, turn) for turn in CameraTurn)]
LONGEST = 90


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_turn_of_the_camera_has_its_own_short_words(language: str) -> None:
    say = words(language)
    told = set()
    for aim in AIMS:
        situation = Situation(None, language=language, devices=DeviceSituation(aim=aim))
        seen, verdict = aim_view(say, situation), aim_verdict(say, situation)
        assert seen is not None
        assert verdict is not None
        assert seen.cure == verdict.headline == aim_text(say, aim)
        assert str(aim.seen) in seen.text
        assert len(seen.cure) <= LONGEST
        told.add(seen.cure)
    assert len(told) == len(AIMS)


def test_nothing_is_said_while_nobody_aims() -> None:
    situation = Situation(None)
    assert aim_view(words("en"), situation) is None
    assert aim_verdict(words("en"), situation) is None
