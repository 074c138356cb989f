"""A broker and its lines, without a network or threads: what Mosquitto 2.0.11 and 2.1.2 do with MQTT 3.1.1, QoS 1.

Sessions by client id, messages held until they are acknowledged and delivered again, kept messages, last wills, rights
by the club's own ``access`` file, and ``use_username_as_clientid`` where the settings have it. A second client of the
same id takes the first one's place. Source: mosquitto.conf(5); MQTT 3.1.1, sections 3.1.3, 3.1.4, 4.4.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from firmware.extras.club.card import JoinCard


def fits(pattern: str, topic: str) -> bool:
    """Whether a subscription's or a right's pattern covers this topic."""
    parts, names = pattern.split("/"), topic.split("/")
    for at, part in enumerate(parts):
        if part == "#":
            return True
        if at >= len(names) or part not in ("+", names[at]):
            return False
    return len(parts) == len(names)


@dataclass
class Session:
    """What the broker holds for one client id."""

    user: str
    topics: set[str] = field(default_factory=set)
    waiting: dict[int, tuple[str, bytes]] = field(default_factory=dict)
    line: FakeLink | None = None


class FakeBroker:
    """``access`` and ``settings`` are the texts of the club's files; ``reached``: whether machines can reach it."""

    def __init__(self, folder: Path) -> None:
        text = (folder / "access").read_text()
        self.rights: dict[str, list[tuple[str, str]]] = {}
        for line in text.splitlines():
            word, _, rest = line.partition(" ")
            if word == "user":
                self.rights[rest] = rights = []
            elif word == "topic":
                way, _, pattern = rest.partition(" ")
                rights.append((way, pattern))
        self.names_by_user = "use_username_as_clientid true" in (folder / "mosquitto.conf").read_text()
        self.sessions: dict[str, Session] = {}
        self.kept: dict[str, bytes] = {}
        self.reached = True
        self._number = 0

    def may(self, user: str, way: str, topic: str) -> bool:
        """Whether this user may ``read`` or ``write`` there."""
        return any(has in (way, "readwrite") and fits(pattern, topic) for has, pattern in self.rights.get(user, ()))

    def connect(self, line: FakeLink) -> None:
        """Take a machine in; whoever had its client id is parted with and comes again by itself."""
        if not self.reached or line.closed:
            return
        name = line.card.user if self.names_by_user else line.client_id
        session = self.sessions.get(name)
        before = session.line if session is not None else None
        if session is None or line.passing:
            session = self.sessions[name] = Session(line.card.user)
        session.user, session.line = line.card.user, None
        if before is not None and before is not line:
            before.session = None
            self._gone(before)
        session.line, line.session, line.up = line, session, True
        session.topics |= set(line.topics)
        if line.on_change is not None:
            line.on_change(True)
        for number in sorted(session.waiting):
            self._deliver(session, number)
        for topic, payload in list(self.kept.items()):
            if any(fits(pattern, topic) for pattern in line.topics):
                self._hold(session, topic, payload)

    def cut(self, line: FakeLink) -> None:
        """Cut a machine's cable."""
        session, line.session = line.session, None
        if session is not None:
            session.line = None
            if line.passing:
                self.sessions = {name: each for name, each in self.sessions.items() if each is not session}
            self._gone(line)

    def restart(self, *, forgets: bool) -> None:
        """Start again; ``forgets``: killed before it saved what waits. What is kept is kept."""
        for session in list(self.sessions.values()):
            if session.line is not None:
                self.cut(session.line)
            if forgets:
                session.waiting.clear()

    def publish(self, user: str, topic: str, payload: bytes, *, keep: bool) -> None:
        """Pass on what this user says, where he may; nobody is told where he may not."""
        if not self.may(user, "write", topic):
            return
        if keep:
            self.kept[topic] = payload
            if not payload:
                del self.kept[topic]
        for session in list(self.sessions.values()):
            if any(fits(pattern, topic) for pattern in session.topics):
                self._hold(session, topic, payload)

    def _hold(self, session: Session, topic: str, payload: bytes) -> None:
        if not self.may(session.user, "read", topic):
            return
        self._number += 1
        session.waiting[self._number] = topic, payload
        self._deliver(session, self._number)

    def _deliver(self, session: Session, number: int) -> None:
        line = session.line
        if line is None or number not in session.waiting:
            return
        topic, payload = session.waiting[number]
        if not line.own_acks:
            del session.waiting[number]
        if line.on_message is not None:
            line.on_message(topic, payload, number)

    def _gone(self, line: FakeLink) -> None:
        was, line.up = line.up, False
        if was and line.on_change is not None:
            line.on_change(False)
        if was and line.will is not None:
            self.publish(line.card.user, line.will[0], line.will[1].encode(), keep=True)


class FakeLink:
    """Stands for ``firmware.extras.club.link.Link``; ``broker`` is set for a test."""

    broker: ClassVar[FakeBroker]
    made: ClassVar[list[FakeLink]]

    def __init__(
        self,
        card: JoinCard,
        *,
        will: tuple[str, str] | None = None,
        topics: tuple[str, ...] = (),
        on_message: Callable[[str, bytes, int], None] | None = None,
        on_change: Callable[[bool], None] | None = None,
        on_sent: Callable[[int], None] | None = None,
        own_acks: bool = False,
        name: str = "",
        passing: bool = False,
    ) -> None:
        self.card, self.will, self.topics, self.on_message, self.on_change = card, will, topics, on_message, on_change
        self.own_acks, self.passing, self.client_id = own_acks, passing, name or f"engarde-{card.club}-{card.table}"
        self.on_sent, self._number = on_sent, 0
        self.up = self.closed = False
        self.refusal = ""
        self.session: Session | None = None
        self.made.append(self)

    def start(self) -> None:
        self.broker.connect(self)

    def publish(self, topic: str, text: str, *, keep: bool = False) -> int | None:
        if not self.up:
            return None
        self._number += 1
        self.broker.publish(self.card.user, topic, text.encode(), keep=keep)
        if self.on_sent is not None:
            self.on_sent(self._number)
        return self._number

    def ack(self, number: int) -> None:
        if self.session is not None:
            self.session.waiting.pop(number, None)

    def close(self, last: tuple[str, str] | None = None) -> None:
        self.closed, self.will = True, None
        self.broker.cut(self)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"a line has no {name}")
