"""Moves and victories staged: the poses in between, how long they take, and that nothing else waits for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import astuple, fields, replace
from itertools import product
from math import hypot

import pygame
import pytest

from display.draw.animation import Animator
from display.draw.pictures import new_surface
from display.draw.poses import MAX_S, MIN_S, POSES, Skeleton, between, length_s, staged
from display.view import NO_NAMES, Pose, Situation, ViewModel
from display.words.lessons import in_his_place
from display.words.present import present
from engine.rules.track import BySide
from tests.display.drawn import draw_table
from tests.display.showcase import APPROACH, play, situations, turn

SHARES = [number / 10 for number in range(11)]


@pytest.fixture(scope="module")
def views() -> dict[str, ViewModel]:
    shown = situations()
    state, ruling = play(*APPROACH, turn("4d", 9, 23))
    shown = {
        **shown,
        "retreat": replace(
            shown["advance"], state=state, ruling=ruling, table=replace(shown["advance"].table, observation=None)
        ),
    }
    return {name: present(situation) for name, situation in shown.items()}


@pytest.mark.parametrize(("before", "now"), list(product(Pose, Pose)))
@pytest.mark.parametrize("moved", [0, 1, 5, -4])
def test_every_way_begins_and_ends_in_its_poses_and_stays_in_its_room(before: Pose, now: Pose, moved: int) -> None:
    way = [staged(before, now, moved, share) for share in SHARES]
    assert way[-1] == POSES[now]
    if before is not now or moved:
        for row in fields(Skeleton):
            assert getattr(way[0], row.name) == pytest.approx(getattr(POSES[before], row.name))
    for pose in way:
        for row in fields(Skeleton):
            x, y = getattr(pose, row.name)
            assert -0.72 < x < 1.12, row.name
            assert 0.0 < y < 1.55, row.name


@pytest.mark.parametrize(
    ("before", "now", "moved"),
    [
        (Pose.GUARD, Pose.LUNGE, 0),
        (Pose.GUARD, Pose.PARRY, 0),
        (Pose.GUARD, Pose.HIT, 0),
        (Pose.GUARD, Pose.GUARD, 3),
        (Pose.GUARD, Pose.GUARD, -3),
        (Pose.LUNGE, Pose.SALUTE, 0),
    ],
)
def test_a_move_is_seen(before: Pose, now: Pose, moved: int) -> None:
    """Many poses, none of them a mere straight way from the first to the last."""
    way = [staged(before, now, moved, share) for share in SHARES]
    assert len(set(way)) >= 6
    first, last = POSES[before], POSES[now]

    def off(pose: Skeleton, share: float) -> float:
        """How far the joint that is farthest from the straight way is off it."""
        straight = [between(getattr(first, row.name), getattr(last, row.name), share) for row in fields(Skeleton)]
        return max(hypot(at[0] - x, at[1] - y) for at, (x, y) in zip(astuple(pose), straight, strict=True))

    assert max(off(pose, share) for pose, share in zip(way, SHARES, strict=True)) > 0.04
    assert MIN_S <= length_s((before, 8), (now, 8 + moved)) <= MAX_S


@pytest.mark.parametrize("name", ["touch", "match_over"])
def test_nobody_but_people_is_celebrated(shown: Mapping[str, Situation], name: str) -> None:
    """Ribbons and a raised blade for a bot or a teacher who has won over a person; between two bots, as for people."""
    over = shown[name]
    assert over.state is not None
    assert over.state.result is not None
    winner = over.state.result.winner
    assert winner is not None
    bot = replace(over, names=over.names.put(winner, "Bot (novice)"))
    companion = replace(over, names=over.names.put(winner, "Companion (club)"))
    taught = replace(in_his_place(over, winner.other), verdicts=over.verdicts)
    people, bots = replace(over, names=NO_NAMES), replace(over, names=BySide("Bot (club)", "Bot (novice)"))
    lost = replace(over, names=over.names.put(winner.other, "Bot (novice)"))
    for situation, joyful in ((people, 1), (bots, 1), (lost, 1), (bot, 0), (companion, 0), (taught, 0)):
        view, animator = present(situation), Animator()
        animator.step(present(replace(shown["round"], names=situation.names)), 0.0)
        animator.step(view, 1.0)
        shows = [animator.step(view, now_s)[0] for now_s in (2.0, 3.0)]
        assert all(each.piste.joy_s is not None for each in shows), "the touch and the score are shown of every round"
        raised = {each.piste.fencers[winner].pose is Pose.TRIUMPH for each in shows}
        assert raised == ({True, False} if joyful else {False})
        pictures = []
        for joy_s in (None, 2.5):
            surface = new_surface(800, 480)
            draw_table(surface, replace(view, piste=replace(view.piste, joy_s=joy_s)))
            pictures.append(pygame.image.tobytes(surface, "RGB"))
        assert (pictures[0] != pictures[1]) is bool(joyful)


def test_switched_off_everything_is_shown_at_once(views: dict[str, ViewModel]) -> None:
    animator = Animator(on=False)
    animator.step(views["round"], 0.0)
    shown, progress = animator.step(views["touch"], 1.0)
    assert progress == 1.0
    assert shown.piste.joy_s is None
    assert not animator.moving
    assert shown.piste.fencers == views["touch"].piste.fencers
