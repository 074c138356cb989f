"""A sitting at the simulated table as a file: one JSON object a line. Source: FORMATS.md, "A sitting as a file"."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final, TextIO, TypeVar

from engine.rules.cards import CARD_BY_NAME, DECK, Card
from engine.rules.track import SPACES, Side
from engine.strict.values import did_you_mean
from engine.table.presses import Button
from firmware.errors import EngardeError
from firmware.hands.acts import Act, Clear, Cover, Deal, Lay, MoveFigure, MoveTo, PressButton, Take, TimedAct
from firmware.io.files import MOST_LIST, read_text

E = TypeVar("E", Side, Button)

LONGEST_S: Final = 86_400.0
FARTHEST_MM: Final = 2_000.0
_MOST_DEG: Final = 36_000.0


def read_acts(path: Path) -> tuple[TimedAct, ...]:
    """What the file says is done, in the order of its times. Raises EngardeError with file, line and cure."""
    try:
        text = read_text(path, MOST_LIST)
    except OSError as error:
        raise EngardeError(f"--acts {path}: {error.strerror}; FORMATS.md shows what such a file holds.") from error
    acts = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            acts.append(act_from_json(json.loads(line)))
        except RecursionError as error:
            raise EngardeError(f"--acts {path}, line {number}: nested too deeply; expected one object.") from error
        except json.JSONDecodeError as error:
            raise EngardeError(
                f"--acts {path}, line {number}: expected one JSON object, found {line[:40]!r}; each line has one."
            ) from error
        except ValueError as error:
            raise EngardeError(f"--acts {path}, line {number}: {error}") from error
    return tuple(sorted(acts, key=lambda timed: timed.t_s))


def act_from_json(said: Any) -> TimedAct:
    """One act. Raises ValueError with a sentence that says what was expected, what was found and what to write."""
    if not isinstance(said, dict):
        raise ValueError(f"expected a JSON object, found {_short(said)}; write one a line.")
    t_s = _number(said, "t", 0.0, LONGEST_S)
    what = said.get("do")
    if not isinstance(what, str) or what not in _READERS:
        known = ", ".join(_READERS)
        guess = did_you_mean(what, _READERS) if isinstance(what, str) else ""
        raise ValueError(f"do: expected one of {known}, found {_short(what)}{guess or '.'}")
    return TimedAct(t_s, _READERS[what](said))


def act_to_json(timed: TimedAct) -> dict[str, Any]:
    """The same as ``act_from_json`` reads."""
    return {"t": timed.t_s, **_said(timed.act)}


class ActWriter:
    """Writes every act down as it is done."""

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def __call__(self, timed: TimedAct) -> None:
        """One line, in the file at once."""
        self._out.write(json.dumps(act_to_json(timed)) + "\n")
        self._out.flush()

    def close(self) -> None:
        """Let go of the file."""
        self._out.close()


def open_new(path: Path) -> TextIO:
    """A new file for acts. Raises EngardeError where something is in it already, OSError where none can be made."""
    if path.is_file() and path.stat().st_size == 0:
        return path.open("w", encoding="utf-8")
    try:
        return path.open("x", encoding="utf-8")
    except FileExistsError:
        raise EngardeError(
            f"--acts-out {path}: there is something in that file already; name another one, or remove it."
        ) from None


def _said(act: Act) -> dict[str, Any]:
    match act:
        case Deal(deck):
            return {"do": "deal", "deck": [str(card) for card in deck]}
        case Lay(card, x_mm, y_mm, turn_deg, face_up):
            down = {} if face_up else {"face_up": False}
            return {"do": "lay", "card": str(card), "x_mm": x_mm, "y_mm": y_mm, "turn_deg": turn_deg, **down}
        case Take(card):
            return {"do": "take", "card": str(card)}
        case MoveFigure(side, x_mm, y_mm):
            return {"do": "move", "side": side.value, "x_mm": x_mm, "y_mm": y_mm}
        case MoveTo(side, space):
            return {"do": "move", "side": side.value, "space": space}
        case Cover(x_mm, y_mm, s, held, figure):
            holds = {} if held is None else {"card": str(held)}
            lifts = {} if figure is None else {"side": figure.value}
            return {"do": "cover", "x_mm": x_mm, "y_mm": y_mm, "s": s, **holds, **lifts}
        case PressButton(button):
            return {"do": "press", "button": button.value}
        case Clear():
            return {"do": "clear"}


def _deal(said: Mapping[str, Any]) -> Act:
    deck = said.get("deck")
    names = deck if isinstance(deck, list) else []
    cards = tuple(CARD_BY_NAME[name] for name in names if isinstance(name, str) and name in CARD_BY_NAME)
    if len(names) != len(cards) or set(cards) != set(DECK) or len(cards) != len(DECK):
        raise ValueError(
            f"deck: expected all {len(DECK)} cards, 1a to 5e, each once, from the top, found {_short(deck)}; "
            "write the whole deck in the order in which it is dealt."
        )
    return Deal(cards)


def _lay(said: Mapping[str, Any]) -> Act:
    face_up = said.get("face_up", True)
    if not isinstance(face_up, bool):
        raise ValueError(f"face_up: expected true or false, found {_short(face_up)}; leave it out for true.")
    turn_deg = _number(said, "turn_deg", -_MOST_DEG, _MOST_DEG) if "turn_deg" in said else 0.0
    return Lay(_card(said), *_place(said), turn_deg, face_up)


def _take(said: Mapping[str, Any]) -> Act:
    return Take(_card(said))


def _move(said: Mapping[str, Any]) -> Act:
    side = _one_of(said, "side", Side)
    if "space" not in said:
        return MoveFigure(side, *_place(said))
    space = said["space"]
    if isinstance(space, bool) or not isinstance(space, int) or not 1 <= space <= SPACES:
        raise ValueError(f"space: expected a space from 1 to {SPACES}, found {_short(space)}; or give x_mm and y_mm.")
    return MoveTo(side, space)


def _cover(said: Mapping[str, Any]) -> Act:
    card = _card(said) if "card" in said else None
    side = _one_of(said, "side", Side) if "side" in said else None
    if card is not None and side is not None:
        raise ValueError("card and side: a hand holds a card or a fencer; leave one of them out.")
    return Cover(*_place(said), _number(said, "s", 0.0, LONGEST_S), card, side)


def _press(said: Mapping[str, Any]) -> Act:
    return PressButton(_one_of(said, "button", Button))


def _clear(said: Mapping[str, Any]) -> Act:
    return Clear()


_READERS: Final[Mapping[str, Callable[[Mapping[str, Any]], Act]]] = {
    "deal": _deal,
    "lay": _lay,
    "take": _take,
    "move": _move,
    "cover": _cover,
    "press": _press,
    "clear": _clear,
}


def _place(said: Mapping[str, Any]) -> tuple[float, float]:
    return tuple(_number(said, name, -FARTHEST_MM, FARTHEST_MM) for name in ("x_mm", "y_mm"))  # type: ignore[return-value]


def _number(said: Mapping[str, Any], name: str, least: float, most: float) -> float:
    value = said.get(name)
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not number or not math.isfinite(float(value)) or not least <= float(value) <= most:  # type: ignore[arg-type]
        raise ValueError(f"{name}: expected a number from {least:g} to {most:g}, found {_short(value)}; give one.")
    return float(value)  # type: ignore[arg-type]


def _card(said: Mapping[str, Any]) -> Card:
    name = said.get("card")
    if not isinstance(name, str) or name not in CARD_BY_NAME:
        raise ValueError(f"card: expected a card such as 3b, found {_short(name)}; values are 1 to 5, letters a to e.")
    return CARD_BY_NAME[name]


def _one_of(said: Mapping[str, Any], name: str, kind: type[E]) -> E:
    value = said.get(name)
    for each in kind:
        if each.value == value:
            return each
    known = ", ".join(str(each.value) for each in kind)
    raise ValueError(f"{name}: expected one of {known}, found {_short(value)}; choose one of those.")


def _short(value: Any) -> str:
    """As much of what was found as a sentence holds; nothing for a member that is not there."""
    if value is None:
        return "nothing"
    told = json.dumps(value)
    return told if len(told) <= 60 else told[:57] + "..."
