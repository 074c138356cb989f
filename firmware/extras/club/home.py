"""A table, a club's or one alone, as entities that Home Assistant finds by its MQTT discovery.

Source: Home Assistant's manual, "MQTT discovery": what is kept under ``homeassistant/COMPONENT/NODE/OBJECT/config``.
``default_entity_id`` came with 2025.10 and is all that names an entity since 2026.4, which took ``object_id`` out; an
older one passes over keys that it does not know and names the entity after table and sensor.
"""

from __future__ import annotations

import importlib.metadata
import re
import socket
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any, Final

from firmware.core.config import HomeSettings
from firmware.extras.club.card import JoinCard
from firmware.extras.club.link import Link
from firmware.extras.club.messages import OFFLINE, ONLINE, RESUMED, ClubError, dumped, told, told_state, topic
from firmware.table.loop.moment import Moment, People
from firmware.table.loop.watched import Part
from firmware.table.service.extras import ExtraMatch, Joined

DEFAULT_PORT: Final = 1883
BIRTH: Final = "homeassistant/status"
"""Where Home Assistant says ``online`` when it has begun. Source: its manual, "Birth and last will messages"."""
HOME: Final = "home"
"""Stands in topics where a table of a club has the club's name."""
_STATE: Final = "value_json.ruling.state"
_TOUCHED: Final = f"{_STATE}.result and {_STATE}.result.winner and value_json.ruling.ruling not in ('time', 'resumed')"
_ENTITIES: Final[tuple[tuple[str, str, dict[str, Any]], ...]] = (
    ("sensor", "score", {"value_template": f"{{{{ {_STATE}.score.white }}}}:{{{{ {_STATE}.score.black }}}}"}),
    ("sensor", "turn", {"value_template": f"{{{{ {_STATE}.to_act or '' }}}}"}),
    ("sensor", "phase", {"value_template": f"{{{{ {_STATE}.phase }}}}"}),
    ("binary_sensor", "attack", {"value_template": f"{{{{ 'ON' if {_STATE}.attack else 'OFF' }}}}"}),
    ("binary_sensor", "touch", {"value_template": f"{{{{ 'ON' if {_TOUCHED} else 'OFF' }}}}", "off_delay": 5}),
)


def configurations(club: str, table: str) -> Iterator[tuple[str, str]]:
    """Topics that make a table known to Home Assistant and what to keep there; its entities follow its own topics."""
    node = f"engarde-{club}-{table}"
    common: dict[str, Any] = {
        "device": {"identifiers": [node], "name": f"En Garde {table}", "manufacturer": "En Garde Companion"},
        "origin": {"name": "En Garde Companion", "sw_version": importlib.metadata.version("engarde-companion")},
        "availability_topic": topic(club, table, "status"),  # in the very words that are expected there
        "state_topic": topic(club, table, "event"),
        "qos": 1,
    }
    for component, key, entity in _ENTITIES:
        names = {
            "name": key.capitalize(),
            "unique_id": f"{node}-{key}",
            "default_entity_id": f"{component}.{node}_{key}".replace("-", "_"),
        }
        yield f"homeassistant/{component}/{node}/{key}/config", dumped({**common, **entity, **names})


def table_name(hostname: str, hardware: int) -> str:
    """This machine's name as it may stand in a topic, with the end of its hardware address (``uuid.getnode``).

    Machines from one image have the same name, and a broker parts with one of two that come under the same.
    """
    name = re.sub(r"[^a-z0-9]+", "-", hostname.partition(".")[0].lower()).strip("-")[:15].rstrip("-") or "table"
    made_up = hardware >> 40 & 1  # another one at each start, where no address is found (RFC 9562, section 6.10)
    return name if made_up else f"{name}-{hardware & 0xFFFF:04x}"


class HomeTable:
    """Tells a home's broker what happens at this table, and Home Assistant that it is there, until ``close``.

    Nothing is kept for a broker that is away: once it is back it is told where the match stands, as is Home Assistant
    when it says that it has begun.
    """

    part: Final = Part.HOME

    def __init__(self, settings: HomeSettings, people: People, said: Callable[[str], None] = lambda _: None) -> None:
        """``said`` hears what people should know, in one sentence. Raises ClubError."""
        host, _, port = settings.broker.partition(":")
        self._table = settings.name or table_name(socket.gethostname(), uuid.getnode())
        card = JoinCard(HOME, self._table, host, int(port or DEFAULT_PORT), settings.user, settings.password)
        self._people, self._said, self._host = people, said, host
        self._stands: dict[str, Any] | None = None
        self._refused = ""
        self._link = Link(
            card,
            will=(topic(HOME, self._table, "status"), OFFLINE),
            topics=(BIRTH,),
            on_message=lambda _name, payload, _number: self._greet() if payload == ONLINE.encode() else None,
            on_change=lambda up: self._greet() if up else None,
            name=f"engarde-{HOME}-{self._table}",
        )
        self._link.start()

    @property
    def up(self) -> bool:
        """Whether the line stands now."""
        return self._link.up

    def attend(self, moment: Moment) -> None:
        """Hand over what fell; nothing here waits."""
        state, names = moment.desk.state, self._people.names
        first = self._stands is None and state is not None
        if state is not None and (first or moment.entries):
            self._stands = told_state(RESUMED, state, names, moment.frame.t_s)
        bodies = [body for entry in moment.entries if (body := told(entry, names)) is not None]
        if first and not bodies:
            bodies = [self._stands] if self._stands is not None else []
        for body in bodies:
            self._link.publish(topic(HOME, self._table, "event"), dumped(body))
        if self._link.refusal and self._link.refusal != self._refused:
            self._said(
                f"The broker {self._host} does not take this table ({self._link.refusal}): "
                "write its user and password under [home] in the settings."
            )
        self._refused = self._link.refusal

    def close(self) -> None:
        self._link.close((topic(HOME, self._table, "status"), OFFLINE))

    def _greet(self) -> None:
        """In the line's own thread: say who is there, and where the match stands."""
        self._link.publish(topic(HOME, self._table, "status"), ONLINE, keep=True)
        for name, text in configurations(HOME, self._table):
            self._link.publish(name, text, keep=True)
        if self._stands is not None:
            self._link.publish(topic(HOME, self._table, "event"), dumped(self._stands))


def join(match: ExtraMatch) -> Joined:
    """Tells the home's broker of this match; where it cannot be told, that is said."""
    settings = match.settings.home
    try:
        home = match.held.enter_context(closing(HomeTable(settings, match.people, match.say)))
    except ClubError as error:
        match.say(f"The broker {settings.broker} is not told of this table: {error}")
        return (), ()
    match.watch.there(Part.HOME, lambda: home.up)
    return (), (home,)
