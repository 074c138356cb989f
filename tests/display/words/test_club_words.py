"""Every sentence of a club is said somewhere: on the wall, on phones, at a table between matches, in results."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from display.draw.picture import new_surface
from display.draw.theme import LOOKS
from display.i18n import LANGUAGES, words
from display.screens.table import draw_table
from display.view import Situation
from display.words.club import Call, called
from display.words.present import present
from engine.rules.events import Limit, MatchEvent
from engine.rules.referee import judge
from engine.rules.state import Reason
from engine.rules.track import BySide, Side
from firmware.extras.club.server import words_json

PAGES: Final = Path(__file__).parents[3] / "firmware" / "extras" / "club"


def test_every_key_is_said(topic_keys: Callable[[str], set[str]]) -> None:
    pages = "".join(path.read_text(encoding="utf-8") for path in (PAGES / "pages").glob("*.html"))
    said = {f"club.{key}" for key in re.findall(r'(?:words\.|say\(")(\w+)', pages)}
    doubts = {f"club.{code}" for code in ("gone", "gap", "doubted", "floods", "unknown", "differs")}
    results = "".join((PAGES / name).read_text(encoding="utf-8") for name in ("results.py", "results_pdf.py"))
    said |= {f"club.{key}" for key in re.findall(r"""["'](?:club\.)?(\w+)["']""", results)}
    tables = (Path(__file__).parents[3] / "display" / "words" / "club.py").read_text(encoding="utf-8")
    said |= {f"club.{key}" for key in re.findall(r'["\'](?:club\.)?(call_\w+)["\']', tables)}
    sentences = (PAGES / "publisher.py").read_text(encoding="utf-8")
    said |= {f"club.{key}" for key in re.findall(r'"club\.(said_\w+)"', sentences)}
    said |= {f"club.call_{way}" for way in ("lot", "extra")} | {"club.said_time"}
    said |= {f"club.said_by_{reason.value}" for reason in Reason if reason is not Reason.DRAW}
    said |= {f"club.said_{kind}" for kind in ("undo", "correct", "turn", "yield", "reveal", "advance", "retreat")}
    keys = topic_keys("club")
    assert keys - said - doubts == set()
    codes = set(re.findall(r'doubt\([^"]*"(\w+)"', (PAGES / "hall.py").read_text(encoding="utf-8")))
    codes |= set(re.findall(r'doubt\([^"]*"(\w+)"', (PAGES / "wall.py").read_text(encoding="utf-8")))
    assert {f"club.{code}" for code in codes - {"table"}} == doubts


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_call_is_asked_in_every_language(language: str) -> None:
    state, _ = judge(None, MatchEvent("ferti-advanced"))
    call = Call(BySide("Anna Maria von Hohenstein", "Ben"), 5, BySide(0, 2))
    for here in ((), (Side.WHITE,), (Side.WHITE, Side.BLACK)):
        view = present(called(Situation(state, language=language), call, here))
        assert view.panel is not None
        assert "Anna Maria von Hohenstein" in view.verdict.headline
        assert len(view.panel.lines) == 4
        for limit in (Limit(180), Limit(540, 0, Side.WHITE), Limit(180, 60, Side.BLACK)):
            timed = present(called(Situation(state, language=language), replace(call, limit=limit), here))
            assert timed.panel is not None
            told = timed.panel.lines[2].text
            say = words(language)
            assert say.say("club.call_minutes", count=limit.time_s // 60) in told
            assert (say.say("club.call_minutes", count=1) in told) == bool(limit.extra_s)
            assert not re.search(r"\d:\d", told)  # which a voice reads as an hour of the day
            assert [name in told for _, name in call.names.items()] == [side is limit.priority for side in Side]
        surface = new_surface(640, 480)
        draw_table(surface, view, theme=LOOKS["large"])
    assert words_json(language) != words_json(LANGUAGES[LANGUAGES.index(language) - 1])
    assert words(language).say("club.piste", table=3).endswith("3")
