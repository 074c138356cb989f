"""Hooks: commands that are run and addresses that are called when something happens at the table.

Each is given what a table tells of an event, as JSON, and ``timeout_s`` to be done. Where too much waits already,
what comes is left out and that is said once: lamps that lag behind a match tell nothing.
"""

from __future__ import annotations

import json
import os
import queue
import shlex
import subprocess
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from contextlib import closing
from typing import Any, Final

from firmware.extras.club.messages import read, told
from firmware.table.loop.moment import Moment, People
from firmware.table.loop.watched import Part
from firmware.table.service.extras import ExtraMatch, Joined

MAX_WAITING: Final = 20
WORKERS: Final = 2
WEB: Final = ("http://", "https://")
_CLOSING_S: Final = 1.0


def happened(before: Mapping[str, Any] | None, body: Mapping[str, Any]) -> tuple[str, ...]:
    """The kinds of events that this is, as read: ``match``, ``round``, ``turn``, ``attack``, ``touch``, ``won``."""
    found = [body["kind"]] if body["kind"] in ("match", "round", "turn") else []
    old = before or {}
    if body["kind"] in ("undo", "correct"):
        return ()
    if body["attack"] is not None and (body["attack"] != old.get("attack") or body["player"] != old.get("player")):
        found.append("attack")
    touched = body["result"] is not None and body["result"] != old.get("result") and body["kind"] != "time"
    if touched and body["result"]["winner"] is not None:
        found.append("touch")
    over = body["phase"] == "match_over" and old.get("phase") != "match_over"
    if over and body["result"]["winner"] is not None:
        found.append("won")
    return tuple(found)


class Hooks:
    """Attends every moment, until ``close``. ``wanted`` says what to do at which kind of event."""

    part: Final = Part.HOUSE

    def __init__(
        self,
        wanted: Mapping[str, tuple[str, ...]],
        timeout_s: float,
        people: People,
        said: Callable[[str], None] = lambda _: None,
    ) -> None:
        self._wanted, self._timeout_s, self._people, self._said = wanted, timeout_s, people, said
        self._queue: queue.Queue[tuple[str, str, str] | None] = queue.Queue(MAX_WAITING)
        self._before: dict[str, Any] | None = None
        self._complained: set[str] = set()
        self._threads = [threading.Thread(target=self._work, name="events", daemon=True) for _ in range(WORKERS)]
        for thread in self._threads:
            thread.start()

    def attend(self, moment: Moment) -> None:
        """Put what is to be done into the queue; where it is full, leave it out."""
        for entry in moment.entries:
            body = told(entry, self._people.names)
            if body is not None:
                self.tell(body)

    def tell(self, body: dict[str, Any]) -> None:
        """The same for whoever has no loop."""
        now = read(body)
        kinds, self._before = happened(self._before, now), now
        for kind in kinds:
            for action in self._wanted.get(kind, ()):
                try:
                    self._queue.put_nowait((kind, action, json.dumps({"event": kind, **body}, ensure_ascii=False)))
                except queue.Full:
                    self._complain("full", "Commands and addresses under [events] take too long: some are left out.")

    def close(self) -> None:
        """Let go; what still runs ends by itself."""
        for _ in self._threads:
            try:
                self._queue.put_nowait(None)
            except queue.Full:
                break
        for thread in self._threads:
            thread.join(_CLOSING_S / WORKERS)

    def _work(self) -> None:
        while (given := self._queue.get()) is not None:
            kind, action, text = given
            try:
                _call(action, text, self._timeout_s) if action.startswith(WEB) else _run(
                    action, kind, text, self._timeout_s
                )
            except subprocess.TimeoutExpired:
                self._complain(action, f"events.{kind}: {action} was not done within {self._timeout_s:g} s.")
            except (OSError, ValueError, urllib.error.URLError) as error:
                self._complain(action, f"events.{kind}: {action} did not work ({error}).")

    def _complain(self, about: str, sentence: str) -> None:
        if about not in self._complained:
            self._complained.add(about)
            self._said(sentence)


def _run(command: str, kind: str, text: str, timeout_s: float) -> None:
    """Run a command, without a shell. What it was given is on its standard input, the kind in ENGARDE_EVENT."""
    subprocess.run(
        shlex.split(command),
        input=text.encode(),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        timeout=timeout_s,
        env={**os.environ, "ENGARDE_EVENT": kind},
        check=False,
    )


def _call(address: str, text: str, timeout_s: float) -> None:
    """Send it to an address, and take the answer for read."""
    request = urllib.request.Request(address, text.encode(), {"Content-Type": "application/json"}, method="POST")
    with urllib.request.urlopen(request, timeout=timeout_s):
        pass


def join(match: ExtraMatch) -> Joined:
    """Does at this match's events what the settings want done."""
    events = match.settings.events
    hooks = Hooks(events.wanted, events.timeout_s, match.people, match.say)
    return (), (match.held.enter_context(closing(hooks)),)
