"""Every sheet by its name, and which of them a print job asks for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from vision.sheets.cards import backs, cards, labels, notches, spares
from vision.sheets.leaflets import certificate, guide, start
from vision.sheets.markers import corners, tabs
from vision.sheets.mat import mat, track
from vision.sheets.page import Job, Sheet

SHEETS: Final[Mapping[str, Callable[[Job], Sheet]]] = {
    "start": start,
    "labels": labels,
    "spares": spares,
    "tabs": tabs,
    "corners": corners,
    "mat": mat,
    "guide": guide,
    "cards": cards,
    "backs": backs,
    "track": track,
    "certificate": certificate,
    "notches": notches,
}
"""All sheets, in the order in which they are used."""


def wanted(
    *, with_cards: bool, with_track: bool, with_companion: bool = False, with_spares: bool = False
) -> tuple[str, ...]:
    """The names of the sheets to make: what every table needs, and what was asked for besides.

    Spares are the labels once more, and nobody may have both on the table: they are made only on demand. So are a
    certificate and the strips to feel.

    The track carries its markers: with ``corners`` as well, two of each would come to lie in view.
    """
    left_out = {"certificate", "notches"}
    left_out |= set() if with_cards else {"cards"}
    left_out |= set() if with_companion else {"backs"}
    left_out |= set() if with_spares else {"spares"}
    left_out |= {"corners"} if with_track else {"track"}
    return tuple(name for name in SHEETS if name not in left_out)
