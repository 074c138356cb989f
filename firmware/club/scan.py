"""A table's card held under its own camera: the code is read, and nobody types nine hundred letters."""

from __future__ import annotations

from typing import Final

from firmware.club.card import BEGINNING, JoinCard, card_of
from firmware.club.topics import ClubError
from vision.camera.sources import Source
from vision.marks.foreign import ZXING, Run

PATIENCE_S: Final = 60.0
"""So long a live camera is waited for: somebody fetches the card, and holds it nearer and nearer."""


def scan_card(source: Source, run: Run) -> JoinCard:
    """The card that this camera sees. ``run`` has the reader of codes look at a picture.

    Raises ClubError where none was seen by then or until the pictures end, or one is seen that cannot be used.
    """
    pictures = answered = 0
    began_s: float | None = None
    while (frame := source.read()) is not None:
        began_s = frame.t_s if began_s is None else began_s
        if frame.t_s - began_s > PATIENCE_S:
            break
        if not frame.y.size:
            continue
        pictures += 1
        answer = run(ZXING, frame.y, True)
        if answer is None:
            continue
        answered += 1
        for text, _ in answer[0]:
            if text.startswith(BEGINNING):
                return card_of(text)
    if not answered:
        raise ClubError(
            f"expected a card's code in view, found {pictures} pictures of which none could be read; look at the "
            "camera with engarde doctor, or name the card's file."
        )
    raise ClubError(
        f"expected a card's code in view, found none in {pictures} pictures; hold the card flat and in good light, so "
        "near that its code fills a third of the picture's height, or name the card's file."
    )
