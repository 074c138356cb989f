"""The table screen in every situation, and each fencer on every space.

Whether texts fit: ``tests/display/workshop/``.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import pairwise

import pygame
import pytest

from display.draw.pictures import new_surface, png_of
from display.draw.poses import STEPS, staged
from display.draw.theme import DEFAULT, LARGE, PARCHMENT, Theme
from display.screens import header
from display.screens.areas import areas, track
from display.screens.fencer import fencer_sprite
from display.screens.piste import on_stage
from display.screens.table import fencer_height
from display.view import Pose, Situation, Tone
from display.words.present import present
from engine.rules.track import BySide, Side
from tests.display.drawn import PRINTS, draw_table, unpainted
from tests.display.showcase import situations

Check = Callable[..., None]
SIZES = ((800, 480), (1024, 600), (1280, 720), (1920, 1080), (819, 666), (640, 480))


@pytest.mark.parametrize("size", SIZES)
def test_a_portrait_stands_between_the_score_and_the_name(
    size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stood at the other end of the room for the name, where nobody saw whose it was."""
    plain = new_surface(400, 400)
    plain.fill((255, 0, 255))
    monkeypatch.setattr(header, "portrait", lambda _, face_px: plain.subsurface((0, 0, face_px, face_px)))
    view = present(replace(situations()["setup"], names=BySide("Ana", "Ben"), portraits=BySide("fox", "owl")))
    surface = new_surface(*size)
    names = {text.text: text.rect for text in draw_table(surface, view)}
    found = pygame.mask.from_threshold(surface, (255, 0, 255), (2, 2, 2, 255)).get_bounding_rects()
    white, black = sorted(found, key=lambda box: box.left)
    assert 0 <= names["Ana"].left - white.right <= white.width / 2
    assert 0 <= black.left - names["Ben"].right <= black.width / 2


@pytest.mark.slow
def test_names_of_any_length_fit(check_texts: Check, shown: Mapping[str, Situation]) -> None:
    names = BySide(
        "Wolfeschlegelsteinhausenbergerdorff", "Jo \u00c5ngstr\u00f6m the Unexpectedly Long-Winded, Third of His Name"
    )
    for size in SIZES:
        surface = unpainted(*size)
        for name in ("round", "more_cards", "match_over", "reveal"):
            texts = draw_table(surface, present(replace(shown[name], names=names)))
            check_texts(texts, surface.get_rect(), (name, size))
            assert any(text.text.endswith("\u2026") for text in texts)


@pytest.mark.slow
def test_the_reasons_are_on_the_screen(shown: Mapping[str, Situation]) -> None:
    for name, situation in shown.items():
        view = present(situation)
        drawn = [text.text for text in draw_table(unpainted(800, 480), view)]
        attacked = view.piste.attack is not None and view.verdict.tone is Tone.LEGAL
        tag = view.piste.attack.text if view.piste.attack is not None and attacked else view.verdict.tag
        wanted = [view.verdict.headline, tag, view.eyes.text, *(remedy.text for remedy in view.remedies)]
        wanted += [text for text in (view.verdict.detail, view.verdict.hint) if text]
        wanted += [
            str(view.match.score.white),
            str(view.match.score.black),
            view.match.names.white,
            view.match.names.black,
        ]
        if view.ending is None and view.reveal is None:
            wanted.append(str(view.piste.distance))
        if view.panel is not None:
            wanted += [view.panel.title, str(view.piste.distance)]
        elif view.ending is not None:
            wanted += [view.ending.decided_by]
        missing = [text for text in wanted if not any(text in line for line in drawn)]
        assert missing == [], name


@pytest.mark.parametrize("theme", PRINTS.values(), ids=PRINTS)
def test_the_distance_is_the_biggest_thing(shown: Mapping[str, Situation], theme: Theme) -> None:
    view = present(shown["advance"])
    for size in SIZES:
        texts = draw_table(unpainted(*size), view, theme=theme)
        biggest = max(texts, key=lambda text: text.size_px)
        assert biggest.text == "10", size


def test_an_attack_is_told_until_it_is_answered(shown: Mapping[str, Situation]) -> None:
    for name, told in (("attack_direct", True), ("must_parry", True), ("open_parry", False), ("advance", False)):
        drawn = [text.text for text in draw_table(unpainted(800, 480), present(shown[name]))]
        assert ("Direct attack" in drawn) == told, name


@pytest.mark.parametrize("theme", [PARCHMENT, LARGE], ids=lambda theme: theme.name)
def test_what_is_still_unseen_is_said_once(shown: Mapping[str, Situation], theme: Theme) -> None:
    far = replace(shown["round"], state=shown["unseen_counts"].state)
    for situation in (shown["unseen_counts"], far):
        for size in ((800, 480), (1280, 720), (640, 666)):
            view = present(situation)
            assert view.piles.unseen
            drawn = [text.text for text in draw_table(unpainted(*size), view, theme=theme)]
            assert drawn.count(view.piles.unseen_text) == 1


def test_a_screen_can_be_a_part_of_a_picture(check_texts: Check, shown: Mapping[str, Situation]) -> None:
    surface = new_surface(1280, 720)
    surface.fill((1, 2, 3))
    box = pygame.Rect(100, 50, 800, 480)
    check_texts(draw_table(surface, present(shown["must_answer"]), box=box), box, "part")
    outside = [(10, 10), (99, 300), (901, 300), (500, 49), (500, 531), (1279, 719)]
    assert [tuple(surface.get_at(place))[:3] for place in outside] == [(1, 2, 3)] * len(outside)


def test_spaces_are_in_order_and_inside() -> None:
    for size in SIZES:
        places = areas(pygame.Rect(0, 0, *size))
        piste = track(places.stage, places.unit_px)
        middles = [piste.x_of(space) for space in range(1, 24)]
        steps = {round(right - left, 6) for left, right in pairwise(middles)}
        assert steps == {round(piste.pitch_px, 6)}
        assert piste.box.left <= middles[0]
        assert middles[-1] <= piste.box.right
        assert abs(piste.x_of(12) - places.stage.centerx) <= 1
        parts = [places.header, places.stage, places.status, places.band]
        assert [part.bottom for part in parts[:-1]] == [part.top for part in parts[1:]]
        assert places.band.bottom == size[1]


@pytest.mark.parametrize(("before", "now"), [(one, other) for one in Pose for other in Pose if one is not other])
def test_nothing_of_a_fencer_is_cut_off_on_his_way_from_pose_to_pose(before: Pose, now: Pose) -> None:
    for step in range(0, STEPS, 2):
        for moved in (-4, 0, 4):
            image = fencer_sprite(Side.BLACK, staged(before, now, moved, step / STEPS), 210, PARCHMENT).image
            ink, whole = image.get_bounding_rect(), image.get_rect()
            assert ink.inflate(2, 2).clamp(whole) == ink.inflate(2, 2), (step, moved, ink, whole)
            assert whole.width * whole.height < 1.5 * ink.width * ink.height


@pytest.mark.parametrize("pose", list(Pose))
@pytest.mark.parametrize("size", [(640, 480), (800, 480), (1280, 720), (1920, 1080)])
def test_a_fencer_is_wholly_on_the_stage_on_every_space(size: tuple[int, int], pose: Pose) -> None:
    places = areas(pygame.Rect(0, 0, *size))
    piste = track(places.stage, places.unit_px)
    for side in Side:
        sprite = fencer_sprite(side, pose, fencer_height(places, piste, 0.5), PARCHMENT)
        drawn = sprite.image.get_bounding_rect()
        for space in range(1, 24):
            stands_px = round(piste.x_of(space))
            left_px = on_stage(stands_px - sprite.anchor[0], sprite.image, piste)
            assert places.stage.left <= left_px + drawn.left
            assert left_px + drawn.right <= places.stage.right
            assert abs(left_px + sprite.anchor[0] - stands_px) < 3 * piste.pitch_px


def test_pictures_are_png_and_sizes_checked(shown: Mapping[str, Situation]) -> None:
    surface = new_surface(800, 480)
    draw_table(surface, present(shown["touch"]))
    read = pygame.image.load(io.BytesIO(png_of(surface)), "touch.png")
    assert pygame.surfarray.array3d(read).tobytes() == pygame.surfarray.array3d(surface).tobytes()
    with pytest.raises(ValueError, match="100x50 is too small"):
        new_surface(100, 50)


def test_no_video_driver_is_needed() -> None:
    assert not pygame.display.get_init()
    draw_table(new_surface(800, 480), present(situations()["round"]))
    assert not pygame.display.get_init()


def test_no_eye_stands_before_a_line_that_no_camera_says(shown: Mapping[str, Situation]) -> None:
    """Who keeps the score by hand read "the camera is not used" beside an eye."""

    def has_eye(situation: Situation) -> bool:
        surface, view = new_surface(800, 480), present(situation)
        (words,) = (text for text in draw_table(surface, view) if text.text == view.eyes.text)
        before = pygame.Rect(0, words.rect.top, words.rect.left, words.rect.height)
        inked = pygame.mask.from_threshold(surface.subsurface(before), DEFAULT.ink_soft, (40, 40, 40, 255))
        return inked.count() > 0

    assert has_eye(shown["advance"])
    assert not has_eye(replace(shown["advance"], devices=replace(shown["advance"].devices, kept_by_hand=True)))
