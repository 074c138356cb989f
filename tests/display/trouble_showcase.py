"""What players see when the eyes fail: every reason, and turns that are proposed then. For people, and tests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from display.view import Situation, TableSituation, TroubleSpot
from engine.rules.referee import judge
from engine.rules.track import Side
from engine.table.observation import Sight, TableObservation, Why
from engine.table.presses import Note, NoteKind
from engine.table.table_reading import OpenTurn
from tests.display.showcase import APPROACH, CLOSE, NAMES, cards, play, table, turn

_Outline = tuple[tuple[float, float], ...]
_WHOLE: Final[_Outline] = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
_ARM: Final[_Outline] = ((0.52, 0.45), (0.66, 0.4), (0.83, 1.0), (0.62, 1.0), (0.6, 0.7), (0.53, 0.6))


def _square(x: float, y: float, half: float) -> _Outline:
    return ((x - half, y - half), (x + half, y - half), (x + half, y + half), (x - half, y + half))


_CORNERS: Final = tuple(_square(x, y, 0.04) for x, y in ((0.07, 0.2), (0.93, 0.2), (0.97, 0.45), (0.03, 0.45)))


def _seen(why: Why | None, side: Side | None = None) -> TableObservation:
    blind = why in (Why.DARK, Why.MOVED, Why.BOARD_LOST, Why.CAMERA_LOST)
    return table(9, 19, "", Sight.STEADY if why is None else Sight.BLIND if blind else Sight.CHECKING, why, side)


def _situation(why: Why | None, *outlines: _Outline, side: Side | None = None, of: Side | None = None) -> Situation:
    state, ruling = play(*APPROACH)
    spots = tuple(TroubleSpot(why, outline, of) for outline in outlines)
    return Situation(
        state,
        ruling,
        9.0,
        1,
        table=TableSituation(observation=_seen(why, side if why is Why.TAG_HIDDEN else None), trouble=spots),
        names=NAMES,
    )


def _offered(before: Situation, laid: str, white: int, black: int) -> Situation:
    state = before.state
    assert state is not None
    assert state.to_act is not None
    event = turn(laid, white, black)
    return replace(
        before,
        table=replace(
            before.table,
            offer=OpenTurn(state.to_act, cards(laid), event.spaces, judge(state, event)[1], None),
            by_hand=True,
        ),
    )


def trouble_situations() -> Mapping[str, Situation]:
    """Each by name, with English words and long names: Black on 19 is to act, ten spaces from White."""
    tag = _square(0.83, 0.5, 0.02)
    hand = _situation(Why.HAND, _ARM)
    hidden = _situation(Why.TAG_HIDDEN, tag, side=Side.BLACK, of=Side.BLACK)
    small, lost = _situation(Why.BLUR, _WHOLE), _situation(Why.BOARD_LOST, _WHOLE)
    close, attacked = play(*CLOSE), play(*CLOSE, turn("5b 5c", 9, 14))
    parried = replace(hidden, state=attacked[0], ruling=attacked[1])
    return {
        "trouble_hand": hand,
        "trouble_dark": _situation(Why.DARK, _WHOLE),
        "trouble_glare": _situation(Why.GLARE, _WHOLE),
        "trouble_glare_card": _situation(Why.GLARE, _square(0.4, 0.75, 0.03)),
        "trouble_glare_tag": _situation(Why.GLARE, tag, of=Side.BLACK),
        "trouble_blur": _situation(Why.BLUR, _WHOLE),
        "trouble_blur_small": replace(
            small,
            table=replace(
                small.table, trouble=tuple(replace(spot, too_small=True) for spot in small.table.trouble or ())
            ),
        ),
        "trouble_moved": _situation(Why.MOVED, *_CORNERS),
        "trouble_board_lost": _situation(Why.BOARD_LOST, *_CORNERS),
        "trouble_mirrored": replace(
            lost,
            table=replace(lost.table, trouble=tuple(replace(spot, mirrored=True) for spot in lost.table.trouble or ())),
        ),
        "trouble_tag_hidden": _situation(Why.TAG_HIDDEN, tag),
        "trouble_tag_hidden_side": hidden,
        "trouble_tag_twice": _situation(Why.TAG_HIDDEN, tag, _square(0.6, 0.5, 0.02), side=Side.BLACK, of=Side.BLACK),
        "trouble_camera_lost": _situation(Why.CAMERA_LOST),
        "trouble_unread": _situation(None, _square(0.5, 0.8, 0.015)),
        "trouble_waiting": replace(hand, table=replace(hand.table, waiting=True)),
        "trouble_asked": replace(
            hand, table=replace(hand.table, by_hand=True, note=Note(NoteKind.CANNOT_SEE, 9.0, None, Why.HAND))
        ),
        "trouble_by_hand": replace(hidden, table=replace(hidden.table, by_hand=True)),
        "trouble_offer": _offered(hidden, "4d", 9, 15),
        "trouble_offer_parry": _offered(parried, "5d 5e 2a 3a", 9, 12),
        "trouble_offer_attack": _offered(replace(hand, state=close[0], ruling=close[1]), "5d 5e", 9, 14),
    }
