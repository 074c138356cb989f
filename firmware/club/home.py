"""What a home learns of a table: entities for Home Assistant, found by its MQTT discovery. We discover nothing.

Source: Home Assistant's manual, "MQTT discovery": what is kept under ``homeassistant/COMPONENT/NODE/OBJECT/config``.
"""

from __future__ import annotations

from typing import Any

from firmware.club.chain import dumped
from firmware.club.topics import topic


class HomeAssistant:
    """Makes each table known once; its entities follow the table's own topics."""

    def __init__(self, club: str) -> None:
        self._club = club
        self._known: set[str] = set()

    def configurations(self, table: str) -> list[tuple[str, str]]:
        """Topics and what to keep there for a table that was not made known yet; nothing for any other."""
        if table in self._known:
            return []
        self._known.add(table)
        node = f"engarde-{self._club}-{table}"
        event = topic(self._club, table, "event")
        common: dict[str, Any] = {
            "device": {"identifiers": [node], "name": f"En Garde {table}", "manufacturer": "En Garde Companion"},
            "availability_topic": topic(self._club, table, "status"),  # in the very words that are expected there
        }
        state = "value_json.ruling.state"
        touched = f"{state}.result and {state}.result.winner and value_json.ruling.ruling != 'time'"
        score = f"{{{{ {state}.score.white }}}}:{{{{ {state}.score.black }}}}"
        sensors: dict[str, dict[str, Any]] = {
            "score": {"name": "Score", "value_template": score},
            "turn": {"name": "Turn", "value_template": f"{{{{ {state}.to_act or '' }}}}"},
            "phase": {"name": "Phase", "value_template": f"{{{{ {state}.phase }}}}"},
        }
        switches: dict[str, dict[str, Any]] = {
            "attack": {"name": "Attack", "value_template": f"{{{{ 'ON' if {state}.attack else 'OFF' }}}}"},
            "touch": {
                "name": "Touch",
                "value_template": f"{{{{ 'ON' if {touched} else 'OFF' }}}}",
                "off_delay": 5,
            },
        }
        found = []
        for component, entities in (("sensor", sensors), ("binary_sensor", switches)):
            for key, entity in entities.items():
                told = {
                    **common,
                    **entity,
                    "state_topic": event,
                    "unique_id": f"{node}-{key}",
                    "object_id": f"{node}-{key}",
                }
                found.append((f"homeassistant/{component}/{node}/{key}/config", dumped(told)))
        return found
