"""What a table tells, as events that hang together: each continues the sum of the one before it in its match.

So nothing can be left out, doubled or changed on the way without its being found, whoever carried it. The sum is no
signature: a table can lie about its own match from the beginning, and the broker sees to it that it can lie about no
other's.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final

SUM_LENGTH: Final = 32
START: Final = "0" * SUM_LENGTH
"""What the first event of a match continues."""


def dumped(value: object) -> str:
    """One value as one line of JSON, always the same."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)


def sum_of(before: str, body: Mapping[str, Any]) -> str:
    """The sum of an event that continues ``before``; ``body`` is the event without ``prev`` and ``sum``."""
    return hashlib.sha256(f"{before}{dumped(body)}".encode()).hexdigest()[:SUM_LENGTH]


def sealed(before: str, body: Mapping[str, Any]) -> dict[str, Any]:
    """The event with the sum it continues, and its own."""
    return {**body, "prev": before, "sum": sum_of(before, body)}


def is_sealed(event: Mapping[str, Any]) -> bool:
    """Whether nothing of it was changed since."""
    body = {key: value for key, value in event.items() if key not in ("prev", "sum")}
    return bool(event.get("sum") == sum_of(str(event.get("prev")), body))
