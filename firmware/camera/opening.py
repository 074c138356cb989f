"""A camera whose driver may not come back from opening it: waited for so long and no longer.

The opening goes on in a thread of its own. Whoever asks for the same camera again meanwhile waits for the same opening:
a driver that hangs is asked once, not every few seconds, and what it brings in the end is used.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from vision.camera.sources import Source, SourceError

OPENS_WITHIN_S: Final = 8.0
"""A Pi's camera takes two seconds, a webcam behind a slow hub four. Chosen."""


@dataclass(slots=True)
class _Opening:
    """One that is under way, or has brought a camera or what was raised instead."""

    done: threading.Event = field(default_factory=threading.Event)
    brought: Source | BaseException | None = None


_under_way: Final[dict[str, _Opening]] = {}


def opened_in_time(name: str, opens: Callable[[], Source], within_s: float = OPENS_WITHIN_S) -> Source:
    """What ``opens`` gives for the camera of this name, or what it raises.

    Raises SourceError where nothing came in time.
    """
    opening = _under_way.get(name)
    if opening is None:
        opening = _under_way[name] = _Opening()
        # A daemon: a driver that never returns must not keep the program from ending.
        threading.Thread(target=_open, args=(opening, opens), name=f"opening {name}", daemon=True).start()
    if not opening.done.wait(within_s):
        raise SourceError(
            f"camera {name}: expected it to open within seconds, its driver has not answered yet; unplug it and plug "
            "it in again, or start the machine anew"
        )
    del _under_way[name]
    if isinstance(opening.brought, BaseException):
        raise opening.brought
    assert opening.brought is not None
    return opening.brought


def _open(opening: _Opening, opens: Callable[[], Source]) -> None:
    try:
        opening.brought = opens()
    except BaseException as error:  # it is raised again where the camera was asked for
        opening.brought = error
    opening.done.set()
