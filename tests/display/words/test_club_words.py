"""Every sentence of a club is said somewhere: on the wall, on phones, at a table between matches, in results."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from display.draw.pictures import new_surface
from display.draw.theme import LOOKS
from display.i18n import LANGUAGES, words
from display.view import Situation
from display.words.club import Call, called
from display.words.present import present
from engine.rules.events import Limit, MatchEvent
from engine.rules.referee import judge
from engine.rules.state import Phase, Reason, Result
from engine.rules.track import BySide, Side
from firmware.extras.club.publisher import said
from firmware.extras.club.server import words_json
from tests.display.drawn import draw_table

CLUB: Final = Path(__file__).parents[3] / "firmware" / "extras" / "club"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_doubt_of_the_hall_and_its_wall_has_a_sentence(language: str) -> None:
    """The wall's page looks them up by their codes."""
    sources = "".join((CLUB / name).read_text(encoding="utf-8") for name in ("hall.py", "wall.py"))
    codes = set(re.findall(r'doubt\([^"]*"(\w+)"', sources)) - {"table"}
    assert len({words(language).say(f"club.{code}", table=3) for code in codes}) == len(codes) > 5


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_way_to_win_a_round_is_told_to_the_club(language: str) -> None:
    state, ruling = judge(None, MatchEvent("ferti-advanced"))
    assert state is not None
    over = state._replace(phase=Phase.ROUND_OVER, round=1, score=BySide(2, 1))
    shown, names = ruling._replace(event="reveal"), BySide("Ana", "Ben")
    told = {
        said(shown, over._replace(result=Result(Side.WHITE, reason)), names, language)
        for reason in set(Reason) - {Reason.DRAW}
    }
    assert all("Ana" in each for each in told)
    assert len(told) >= len(Reason) - 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_call_is_asked_in_every_language(language: str) -> None:
    state, _ = judge(None, MatchEvent("ferti-advanced"))
    call = Call(BySide("Anna Maria von Hohenstein", "Ben"), 5, BySide(0, 2))
    for here in ((), (Side.WHITE,), (Side.WHITE, Side.BLACK)):
        view = present(called(Situation(state, language=language), call, here))
        assert view.panel is not None
        assert "Anna Maria von Hohenstein" in view.verdict.headline
        assert len(view.panel.lines) == 4
        for limit in (Limit(180), Limit(150), Limit(540, 0, Side.WHITE), Limit(180, 60, Side.BLACK)):
            timed = present(called(Situation(state, language=language), replace(call, limit=limit), here))
            assert timed.panel is not None
            told = timed.panel.lines[2].text
            say = words(language)
            assert say.say("club.call_minutes", count=limit.time_s // 60) in told
            assert (say.say("club.call_minutes", count=1) in told) == bool(limit.extra_s)
            assert (say.say("club.call_seconds", count=30) in told) == (limit.time_s == 150)
            assert not re.search(r"\d:\d", told)  # which a voice reads as an hour of the day
            assert [name in told for _, name in call.names.items()] == [side is limit.priority for side in Side]
        surface = new_surface(640, 480)
        draw_table(surface, view, theme=LOOKS["large"])
    assert words_json(language) != words_json(LANGUAGES[LANGUAGES.index(language) - 1])
    assert words(language).say("club.piste", table=3).endswith("3")
