"""The scoreboard and the strip for streams, in a browser: a running match, a lost line, hostile names."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from functools import partial
from types import SimpleNamespace
from typing import Any, Final

import pytest

from display.view import Situation, ViewModel
from display.words.present import present
from engine.rules.track import BySide, Side
from firmware.web.scoreboard import Scoreboard, WebServer, public
from tests.browser.conftest import HOSTILE, Browser
from tests.display.showcase import situations

pytestmark = pytest.mark.slow
SHOWN: Final = situations()


def moment(view: ViewModel) -> Any:
    return SimpleNamespace(match=view, desk=SimpleNamespace(course=None))


def view_of(name: str, **facts: Any) -> ViewModel:
    situation: Situation = replace(SHOWN[name], **facts)
    return present(situation)


def served(scoreboard: Scoreboard, port: int = 0) -> closing[WebServer]:
    return closing(WebServer(scoreboard, port=port))


def turns_of(browser: Browser, selector: str) -> list[str | None]:
    return [each.get_dom_attribute("id") for each in browser.all(selector)]


def test_every_moment_of_a_match_is_shown(browser: Browser) -> None:
    """In French, whose spaces before signs stay as the words have them."""
    scoreboard, sides = Scoreboard(), [side.value for side in Side]

    def seen() -> dict[str, object]:
        (distance,) = browser.all("#distance")
        return {
            "title": browser.driver.title,
            "score": [browser.text(f"#score .{side}") for side in sides],
            "names": [browser.text(f"#{side} b") for side in sides],
            "turn": turns_of(browser, ".player.turn"),
            "verdict": browser.text("#verdict div"),
            "rounds": len(browser.all("#history i")),
            "distance": browser.text("#distance b").isdigit(),
            "attack": distance.get_dom_attribute("class") == "attack",
        }

    with served(scoreboard) as server:
        browser.open(server.url)
        for name in SHOWN:
            view = view_of(name, language="fr")
            scoreboard.attend(moment(view))
            names, score = ([str(value[side]) for side in Side] for value in (view.match.names, view.match.score))
            fenced = bool(view.match.points) and not (view.ending is not None and view.ending.match_over)
            verdict = public(view)["verdict"]["headline"] or view.turn_text
            wanted = {
                "title": f"{names[0]} {score[0]} : {score[1]} {names[1]}",
                "score": score,
                "names": names,
                "turn": [view.piste.to_act.value] if view.piste.to_act is not None else [],
                "verdict": verdict.replace("\u00a0", " "),
                "rounds": len(view.match.history),
                "distance": fenced,
                "attack": fenced and view.piste.attack is not None,
            }
            assert browser.until(partial(shown_as, seen, wanted)), (name, wanted, seen())
        assert browser.driver.execute_script("return document.documentElement.lang") == "fr"


def shown_as(seen: Callable[[], dict[str, object]], wanted: dict[str, object]) -> bool:
    return seen() == wanted


def test_the_piste_has_both_fencers_where_they_stand_and_turns_with_the_phone(browser: Browser) -> None:
    scoreboard, view = Scoreboard(), view_of("advance")
    with served(scoreboard) as server:
        scoreboard.attend(moment(view))
        browser.open(server.url)
        spaces = {str(view.piste.fencers[side].space) for side in Side}
        assert browser.until(lambda: len(browser.all("#piste use")) == 3)
        assert {each.text for each in browser.all("#piste text")} == spaces
        drawn = {each.get_dom_attribute("href") for each in browser.all("#piste use")}
        known = {"#" + str(each.get_dom_attribute("id")) for each in browser.all(".symbols [id]")}
        assert drawn <= known, "a figure that the page does not have"

        def seen() -> float:
            return float(str(browser.all("#piste")[0].get_dom_attribute("viewBox")).split()[2])

        wide = seen()
        browser.driver.set_window_size(500, 1000)
        try:
            assert browser.until(lambda: seen() < wide), "held upright, a phone has no more than the fencers need"
        finally:
            browser.driver.set_window_size(1280, 720)
        assert browser.until(lambda: seen() == wide)


def test_a_match_that_is_over_leads_to_its_page(browser: Browser) -> None:
    name = next(name for name, each in SHOWN.items() if (end := present(each).ending) and end.match_over)
    scoreboard = Scoreboard(number=lambda: 7)
    with served(scoreboard) as server:
        scoreboard.attend(moment(view_of("advance")))
        browser.open(server.url)
        assert browser.until(lambda: browser.text("#distance b").isdigit())
        assert not browser.all("#page")[0].is_displayed()
        scoreboard.attend(moment(view_of(name)))
        assert browser.until(lambda: browser.all("#page")[0].is_displayed())
        assert "/7" in str(browser.all("#page")[0].get_dom_attribute("href"))
        assert " : " in browser.text("#distance b")


@pytest.mark.parametrize(("path", "lost"), [("", "#gone"), ("overlay", "")])
def test_a_page_that_lost_the_table_says_so_and_comes_back_by_itself(browser: Browser, path: str, lost: str) -> None:
    scoreboard = Scoreboard()
    scoreboard.attend(moment(view_of("advance")))
    with served(scoreboard) as server:
        port = server.port
        browser.open(server.url + path)
        assert browser.until(lambda: browser.text("#score").split() not in ([], ["–", "–"]))
        score = browser.text("#score").split()
        assert browser.all("body.lost") == []
    assert browser.until(lambda: browser.all("body.lost"))
    assert (browser.text("#score").split() == ["–", "–"]) is (path == "overlay"), "an old score is not on the air"
    if lost:
        assert browser.all(lost)[0].is_displayed()
    later = Scoreboard()
    later.attend(moment(view_of("advance", names=BySide("Somebody", "Else"))))
    with served(later, port):
        assert browser.shows("#white", "Somebody")
        assert browser.all("body.lost") == []
        assert browser.text("#score").split() == score
        if lost:
            assert not browser.all(lost)[0].is_displayed()
    assert browser.until(lambda: browser.all("body.lost")), "the second time too"


@pytest.mark.parametrize("path", ["", "overlay"])
@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_name_is_a_name(browser: Browser, path: str, name: str) -> None:
    scoreboard = Scoreboard()
    with served(scoreboard) as server:
        scoreboard.attend(moment(view_of("advance", names=BySide(name, "Black"))))
        browser.open(server.url + path)
        assert browser.shows("#white", name)
        assert browser.unharmed()


@pytest.mark.parametrize("path", ["", "overlay"])
def test_all_is_written_in_the_letters_of_the_screen(browser: Browser, path: str) -> None:
    board = Scoreboard()
    board.attend(moment(view_of("advance")))
    loaded = "return [...document.fonts].map(each => each.family.replaceAll('\"', '') + ' ' + each.status)"
    with served(board) as server:
        browser.open(server.url + path)
        assert browser.until(lambda: browser.driver.execute_script(loaded) == ["Source Sans Pro loaded"] * 2)


def test_the_strip_follows_the_match(browser: Browser) -> None:
    scoreboard = Scoreboard()

    def seen() -> dict[str, object]:
        return {
            "said": browser.text("#told").split(" · ")[0],
            "score": browser.text("#score").split(),
            "turn": turns_of(browser, "#bar .turn"),
        }

    with served(scoreboard) as server:
        browser.open(server.url + "overlay")
        for name in SHOWN:
            view = view_of(name)
            scoreboard.attend(moment(view))
            told = public(view)
            attack = told["attack"] and "{text} {cards}".format(**told["attack"])
            said = told["ending"]["title"] if told["ending"] else attack or told["verdict"]["headline"]
            if not said and view.match.points:
                said = f"{view.piste.distance_text} {told['distance']}"
            wanted = {
                "said": said.replace("\u00a0", " "),
                "score": [str(view.match.score[side]) for side in Side],
                "turn": [view.piste.to_act.value] if view.piste.to_act is not None else [],
            }
            assert browser.until(partial(shown_as, seen, wanted)), (name, wanted, seen())
            used = {str(each.get_dom_attribute("href")) for each in browser.all("#bar use")}
            assert used <= {"#" + str(each.get_dom_attribute("id")) for each in browser.all(".symbols [id]")}
