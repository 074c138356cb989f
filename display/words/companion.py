"""What the companion says while it plays and while a deck is registered: the verdict band and the panel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from display.i18n import Words
from display.view import Mark, PanelLine, PanelView, Tone, VerdictView
from display.words.sentences import listed, side_name, verdict
from engine.companion.backs import CardShown, Registration
from engine.companion.companion import Asked, CompanionWish, Plan, Strange, TurnProgress, slot_marks
from engine.rules.cards import DECK, VALUES
from engine.rules.legal import GiveUp, Turn
from engine.rules.rulings import ActionKind
from engine.rules.track import Side


def asked_text(words: Words, asked: Asked, side: Side) -> str:
    """What the companion asks for now, to be shown large and spoken; nothing where it asks for nothing."""
    if asked.wish is CompanionWish.NOTHING:
        return ""
    say, slots = words.say, listed(words, asked.slots, "and")
    if asked.wish is CompanionWish.TURN and asked.plan is not None:
        lay = say("companion.lay", slots=slots, count=asked.count)
        space = moved_to(asked.plan, side)
        return f"{lay} {say('companion.move', space=space) if space is not None else say('companion.stay')}"
    if asked.wish is CompanionWish.YIELD and asked.plan is not None:
        return say("companion.yield_parry" if asked.plan.cards else "companion.yield", count=asked.count)
    if asked.wish is CompanionWish.STRANGE:
        return say(f"companion.strange.{(asked.strange or Strange.UNKNOWN).value}", slots=slots, count=len(asked.slots))
    if asked.wish is CompanionWish.REVEAL:
        return say("companion.reveal", count=asked.count, side=side_name(words, side))
    return say(f"companion.{asked.wish.value}", slots=slots, count=asked.count)


def moved_to(plan: Plan, side: Side) -> int | None:
    """The space its own fencer is to go to; None where it stays."""
    choice = plan.choice
    if isinstance(choice, GiveUp) or choice.step is None:
        return None
    return plan.spaces[side]


def what_it_does(words: Words, choice: Turn | GiveUp) -> str:
    """The turn as the companion means it: parry and action."""
    if isinstance(choice, GiveUp):
        return words.say("companion.does.yield")
    parry = words.say("companion.does.parry", count=len(choice.parry))
    action = choice.play.action
    if action is None:
        return parry
    told = words.say(f"companion.does.{_DOES[action]}", count=len(choice.attack) or 1)
    return f"{parry} {told}" if choice.parry else told


_DOES: Final = {
    ActionKind.ADVANCE: "advance",
    ActionKind.RETREAT: "retreat",
    ActionKind.DIRECT_ATTACK: "direct",
    ActionKind.INDIRECT_ATTACK: "indirect",
}


def companion_verdict(
    words: Words, asked: Asked, side: Side, progress: TurnProgress | None, *, by_button: bool
) -> VerdictView | None:
    """The verdict band when the companion speaks; None when the referee does."""
    if asked.wish is CompanionWish.TURN and asked.plan is not None:
        if progress is not None and progress.done:
            return None  # the referee says what is seen, and how the turn ends
        detail = what_it_does(words, asked.plan.choice)
        wrong = "" if progress is None else progress_text(words, progress)
        hint = words.say("companion.then_press", side=side_name(words, side)) if by_button else ""
        return verdict(
            words, Tone.PREVIEW if wrong else Tone.READY, asked_text(words, asked, side), wrong or detail, hint
        )
    if asked.wish is CompanionWish.YIELD and asked.plan is not None:
        return verdict(words, Tone.READY, asked_text(words, asked, side), what_it_does(words, asked.plan.choice))
    if asked.wish in (CompanionWish.DEAL, CompanionWish.TOO_MANY, CompanionWish.STRANGE):
        hint = words.say(f"companion.hint.{asked.wish.value}")
        return verdict(words, Tone.QUESTION, asked_text(words, asked, side), hint=hint, tag="companion.tag")
    if asked.wish is CompanionWish.THINKING:
        return verdict(words, Tone.READY, asked_text(words, asked, side))
    return None


def progress_text(words: Words, progress: TurnProgress) -> str:
    """In what the turn on the table differs so far from the one asked for; empty if in nothing."""
    if progress.unasked:
        return words.say("companion.unasked", cards=listed(words, progress.unasked, "and"), count=len(progress.unasked))
    if progress.misplaced is not None:
        return words.say("companion.misplaced", space=progress.goes_to, found=progress.misplaced)
    return ""


def companion_panel(
    words: Words,
    title: str,
    asked: Asked,
    side: Side,
    progress: TurnProgress | None,
    otherwise: Plan | None,
    held: Sequence[bool],
) -> PanelView:
    """The panel: whom one plays against, what it asks for, what was done otherwise, and its slots.

    ``held``: which of them hold something, from the left.
    """
    lines: list[PanelLine] = []
    if otherwise is not None:
        lines.append(PanelLine(words.say("companion.otherwise"), Mark.BAD))
    if asked.wish is not CompanionWish.NOTHING:
        lines.append(PanelLine(asked_text(words, asked, side), Mark.NOW))
    if asked.wish is CompanionWish.TURN and asked.plan is not None:
        lines += _steps(words, asked, side, progress)
    return PanelView(title, tuple(lines), slots=slot_marks(asked, held))


def _steps(words: Words, asked: Asked, side: Side, progress: TurnProgress | None) -> Sequence[PanelLine]:
    assert asked.plan is not None
    lines = [PanelLine(what_it_does(words, asked.plan.choice))]
    if progress is None:
        return lines
    wrong = progress_text(words, progress)
    if wrong:
        lines.append(PanelLine(wrong, Mark.BAD))
    elif progress.done:
        lines.append(PanelLine(words.say("companion.done"), Mark.GOOD))
    return lines


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
    """Whether the card shown last was registered, in words."""
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
