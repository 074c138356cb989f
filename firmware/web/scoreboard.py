"""The scoreboard: two pages for phones and streams, and the public view sent to them whenever it changes. Read-only.

The public part of a view is score, piste and verdict, never a hand or an unseen card.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any, Final

from display.i18n import LANGUAGES, words
from display.page.svg import symbols
from display.view import AttackView, Pose, Tone, ViewModel
from display.words.review import share_text
from display.words.sentences import side_name, words_for
from display.words.verdicts import step_text
from engine.record.course import Course
from engine.rules.state import Phase
from engine.rules.track import BySide, Side
from firmware.table.loop.moment import Moment
from firmware.table.loop.watched import Part
from firmware.web.address import LOOPBACK, Port, address_of
from firmware.web.match_pages import MATCHES, MatchPages
from firmware.web.serving import Changing, Route, SmallServer, json_answer, page, page_file

_PAGES: Final = Path(__file__).with_name("pages")
_ADDRESSES: Final = {"/": "scoreboard.html", "/overlay": "overlay.html"}
MAX_TURNS: Final = 4
_TOLD: Final = {Tone.LEGAL: "legal", Tone.READY: "ready", Tone.PAUSED: "ready", Tone.WON: "won"}


Turns = tuple[dict[str, str | None], ...]
"""Turns of a round in words, each with its ``side``."""


def last_turns(course: Course | None, view: ViewModel) -> Turns:
    """The last few turns of this round as they were ruled, the newest first, in the words of the screen."""
    if course is None:
        return ()
    say = words_for(view.language, view.match.names)
    told = []
    for step in reversed(course.round_steps[-MAX_TURNS:]):
        side = step.state.previous.to_act if step.state.previous is not None else None
        told.append({"text": step_text(say, step), "side": None if side is None else side.value})
    return tuple(told)


def public(view: ViewModel, turns: Turns = ()) -> dict[str, Any]:
    """The view as plain values for a scoreboard, everything in words in the language of the screen.

    ``turns``: the last ones of this round.

    Hands, counts of unseen cards and what the eyes read of a turn that is not ended stay here, during a round and
    after it. Source: engine/RULES.md ruling 11.
    """
    spaces = view.piste.fencers.map(lambda fencer: fencer.space if fencer.from_space is None else fencer.from_space)
    return {
        "language": view.language,
        "serial": view.serial,
        "names": {side.value: name for side, name in view.match.names.items()},
        "sides": {side.value: name for side, name in view.match.side_names.items()},
        "score": {side.value: points for side, points in view.match.score.items()},
        "points": view.match.points,
        "points_text": view.match.points_text,
        "history": [winner.value if winner is not None else None for winner in view.match.history],
        "round_text": view.match.round_text,
        "clock_s": view.match.clock_s,
        "to_act": view.piste.to_act.value if view.piste.to_act is not None else None,
        "turn_text": view.turn_text,
        "spaces": {side.value: space for side, space in spaces.items()},
        "distance": spaces.black - spaces.white,
        "distance_text": view.piste.distance_text,
        "pile": view.piles.pile,
        "pile_text": view.piles.pile_text,
        "poses": {
            side.value: (fencer.pose if fencer.from_space is None else Pose.GUARD).value
            for side, fencer in view.piste.fencers.items()
        },
        "attack": None if view.piste.attack is None else _attack(view.piste.attack),
        "turns": list(turns),
        "verdict": _verdict(view),
        "ending": None if view.ending is None else _ending(view),
        "preset_text": view.match.preset_text,
    }


def _attack(attack: AttackView) -> dict[str, str]:
    return {"by": attack.by.value, "text": attack.text, "cards": f"{attack.count} \u00d7 {attack.value}"}


def _verdict(view: ViewModel) -> dict[str, str]:
    """The verdict of a ruling. Others may name cards that go back into a hand: they say whose turn it is."""
    said = view.verdict
    if said.tone in _TOLD:
        return {"tone": _TOLD[said.tone], "tag": said.tag, "headline": said.headline}
    refused = said.tone is Tone.REFUSED
    say = words_for(view.language, view.match.names)
    turn = "" if view.piste.to_act is None else say.say("ready.turn", side=side_name(say, view.piste.to_act))
    return {"tone": said.tone.value if refused else "ready", "tag": said.tag if refused else "", "headline": turn}


def _ending(view: ViewModel) -> dict[str, Any]:
    assert view.ending is not None
    winner = view.ending.winner
    return {
        "winner": winner.value if winner is not None else None,
        "reason": view.ending.reason.value,
        "title": view.ending.title,
        "match_over": view.ending.match_over,
    }


class Scoreboard(Changing):
    """The public view as JSON, and the streams that wait for its changes. ``attend`` may be called from another thread.

    ``language`` is the screen's, once it is known.
    """

    part: Final = Part.PORT

    def __init__(self, number: Callable[[], int | None] = lambda: None, language: str = LANGUAGES[0]) -> None:
        """``number`` gives that of the match in the scorebook, None where it is in none that is served."""
        super().__init__()
        self.language = language
        self._number = number
        self._told: tuple[Course | None, str, BySide[str]] | None = None
        self._turns: Turns = ()

    def attend(self, moment: Moment) -> None:
        course, language = moment.desk.course, moment.match.language
        self.language = language
        if self._told is None or self._told[0] is not course or self._told[1:] != (language, moment.match.match.names):
            self._told = course, language, moment.match.match.names
            self._turns = last_turns(course, moment.match)
        told = {**public(moment.match, self._turns), **self._page(moment.match)}
        self.put(json.dumps(told, ensure_ascii=False))

    def _page(self, view: ViewModel) -> dict[str, dict[str, str]]:
        """Path and link text of the page of a match that is over."""
        number = self._number() if view.phase is Phase.MATCH_OVER else None
        if number is None:
            return {}
        return {"page": {"address": address_of(number), "text": share_text(words(view.language), "match")}}


class WebServer(SmallServer):
    """Serves a scoreboard in a thread of its own until ``close``. ``url`` is where, at ``port``."""

    def __init__(
        self,
        scoreboard: Scoreboard,
        host: str = LOOPBACK,
        port: int = Port.SCOREBOARD,
        book: Path | None = None,
        names: Iterable[str] = (),
    ) -> None:
        """Port 0 takes any that is free; ``book``: the scorebook whose matches have pages here, None for none;
        ``names``: what it answers to besides this machine's own names.

        Raises WebError when the address cannot be had.
        """
        self._scoreboard = scoreboard
        routes = {
            **{path: Route(lambda asked: _page(asked.path)) for path in _ADDRESSES},
            "/events": Route(lambda asked: scoreboard),
            "/state.json": Route(lambda asked: json_answer(scoreboard.now)),
        }
        if book is not None:
            routes[MATCHES] = Route(MatchPages(book, self._language_now).answer)
        super().__init__(routes, host, port, usual=Port.SCOREBOARD, names=names, language=self._language_now)

    def _language_now(self) -> str:
        return self._scoreboard.language


@cache
def _page(path: str) -> bytes:
    """The scoreboard for a phone or a television, or the strip for a stream; fencers as on the screen."""
    figures = symbols(frozenset((side, pose) for side in Side for pose in Pose)).encode()
    return page(page_file(_PAGES / _ADDRESSES[path]).replace(b"<!--figures-->", figures))
