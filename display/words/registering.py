"""What the screen says while a deck's backs are registered: the verdict band, and the panel of what is missing."""

from __future__ import annotations

from typing import Final

from display.i18n import Words
from display.view import Mark, PanelLine, PanelView, Tone, VerdictView
from display.words.comparison import verdict
from engine.companion.backs import CardShown, Registration
from engine.rules.cards import DECK, VALUES

_TONES: Final = {
    CardShown.WAITING: Tone.READY,
    CardShown.TURN_OVER: Tone.PREVIEW,
    CardShown.FACE_FIRST: Tone.REFUSED,
    CardShown.ONE_AT_A_TIME: Tone.REFUSED,
    CardShown.REGISTERED: Tone.LEGAL,
    CardShown.CORRECTED: Tone.LEGAL,
    CardShown.AGREES: Tone.LEGAL,
    CardShown.BACK_TAKEN: Tone.REFUSED,
    CardShown.MOVED: Tone.LEGAL,
    CardShown.DIFFERS: Tone.REFUSED,
    CardShown.NOT_KNOWN: Tone.REFUSED,
}


def registering_text(words: Words, registration: Registration) -> str:
    """What came of the card that was shown last."""
    card, other = registration.card or "", registration.other or ""
    return words.say(f"companion.register.{registration.said.value}", card=card, other=other)


def registering_verdict(words: Words, registration: Registration) -> VerdictView:
    """The band: what was made of the last card, and what to do now."""
    done = registration.backs.complete and not registration.checking
    hint = "done_hint" if done else "taken_hint" if registration.said is CardShown.BACK_TAKEN else "hint"
    if registration.said is CardShown.TURN_OVER:
        hint = "turn_hint"
    waits = registration.said is CardShown.WAITING and not done  # nothing lies there that could be taken away
    return verdict(
        words,
        _TONES[registration.said],
        registering_text(words, registration),
        hint="" if waits else words.say(f"companion.register.{hint}"),
    )


def registering_panel(words: Words, registration: Registration, *, leaves: bool = False) -> PanelView:
    """What is still to be shown, value by value; ``leaves``: and how to go back to the game that waits."""
    missing = registration.backs.missing
    known = len(DECK) - len(missing)
    lines = [PanelLine(words.say("companion.register.known", count=known, all=len(DECK)), Mark.NOW)]
    for value in VALUES:
        cards = tuple(card for card in missing if card.value == value)
        if cards:
            names = " ".join(str(card) for card in cards)
            lines.append(PanelLine(words.say("companion.register.missing", cards=names)))
        else:
            lines.append(PanelLine(words.say("companion.register.all_of", value=value), Mark.GOOD))
    if leaves:
        lines.append(PanelLine(words.say("companion.register.leave")))
    return PanelView(words.say("companion.register.title", deck=registration.backs.deck), tuple(lines))
