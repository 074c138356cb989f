"""Words of the club, the first start, the survey and the welcome: each said, in every language."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Final

import pytest

from display.draw.pictures import new_surface
from display.draw.theme import LOOKS
from display.i18n import LANGUAGES, words
from display.menu.model import Act, Open, Page
from display.view import Situation
from display.words.club import Call, called
from display.words.present import present
from engine.lessons.lesson import LESSONS
from engine.players.bots.strengths import rival_name, rivals_in
from engine.rules.events import Limit, MatchEvent
from engine.rules.referee import judge
from engine.rules.state import Phase, Reason, Result
from engine.rules.track import BySide, Side
from firmware.cli.commands.setup import first_screen
from firmware.cli.first_start.wifi import Hotspot, WifiFault
from firmware.extras.club.publisher import said
from firmware.extras.club.server import words_json
from firmware.ui.screen.asking import WELCOME, Asking, Guests
from tests.display.drawn import draw_table
from vision.board.measure import Fault
from vision.printed.arrangements import ARRANGEMENTS, Laid

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


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_way_has_its_sentence(language: str) -> None:
    ways = {way.value for way in Laid} | {
        f"{each.laid.value}_alone" for each in ARRANGEMENTS if each.held and not each.cards
    }
    assert len({words(language).say(f"survey.{way}", cards="3b", held="2a") for way in ways}) == len(ways)


def asked(language: str, page: Open, guests: Guests | None = None, *, at_table: bool = False) -> Page:
    """What is asked before a match, on this page."""
    asking = Asking(language, guests or Guests(), at_table=at_table)
    asking.open(page)
    return asking.page


NAMES = BySide("Ana", rival_name("master"))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("at_table", [False, True])
def test_the_welcome_says_how_many_lessons_the_course_has(language: str, at_table: bool) -> None:
    items = {item.key: item for item in asked(language, WELCOME, at_table=at_table).items}
    assert str(len(LESSONS)) in items[Act("learn")].note


def test_bots_are_known_by_their_names() -> None:
    assert rivals_in(NAMES) == {Side.BLACK: "master"}
    assert rivals_in(BySide("Ana", "Ben")) == {}
