"""What keeps the eyes from seeing, and what the players can do about it, in words; and a turn that is proposed then."""

from __future__ import annotations

from display.i18n import Words
from display.view import RemedyView, Situation, Tone, TroubleSpot, TroubleView, VerdictView
from display.words.sentences import eyes_reason, listed, side_name, verdict
from engine.rules.rulings import RemedyKind
from engine.rules.state import PublicState
from engine.rules.track import Side
from engine.table.observation import Aim, TableObservation, Why
from engine.table.table_reading import OpenTurn


def trouble_view(words: Words, situation: Situation) -> TroubleView | None:
    """The trouble to be shown, None while there is none to show."""
    spots, seen = situation.table.trouble, situation.table.observation
    if spots is None or seen is None:
        return None
    return TroubleView(seen.why, trouble_text(words, seen, spots), cure(words, seen, spots), spots)


def trouble_text(words: Words, seen: TableObservation, spots: tuple[TroubleSpot, ...]) -> str:
    """What is wrong; with steady eyes, a code that nobody can read, or that light burns out."""
    why = _why(seen)
    if why is Why.TAG_HIDDEN and seen.why_side is not None and _twice(spots):
        return words.say("why.tag_twice", side=side_name(words, seen.why_side))
    if _mirrored(spots):
        return words.say("why.mirrored")
    return words.say("why.unread") if why is None else eyes_reason(words, why, seen.why_side)


def cure(words: Words, seen: TableObservation, spots: tuple[TroubleSpot, ...]) -> str:
    """What the players do about it.

    Where something shines, it depends on what: a card, a fencer's tag, or more. Where cards are too small in the
    picture no clean lens helps, and where it is a mirror image no clear corners do.
    """
    why = _why(seen)
    if why is None:
        return words.say("cure.unread")
    if why is Why.TAG_HIDDEN and seen.why_side is not None:
        if _twice(spots):
            return words.say("cure.tag_twice")
        return words.say("cure.tag_hidden_side", side=side_name(words, seen.why_side))
    if why is Why.GLARE:
        return _glare_cure(words, seen.why_side, tuple(spot for spot in spots if spot.why is why))
    if why is Why.BLUR and any(spot.too_small for spot in spots):
        return words.say("cure.blur_small")
    if _mirrored(spots):
        return words.say("cure.mirrored")
    return words.say(f"cure.{why.value}")


def _twice(spots: tuple[TroubleSpot, ...]) -> bool:
    """Whether two tags of one fencer are in sight: of a hidden one nothing but its place is outlined."""
    return sum(spot.why is Why.TAG_HIDDEN for spot in spots) > 1


def _mirrored(spots: tuple[TroubleSpot, ...]) -> bool:
    """Whether the board is out of sight because the picture is a mirror image."""
    return any(spot.mirrored for spot in spots)


def _why(seen: TableObservation) -> Why | None:
    """Why something is not seen: glare, too, where every code that nobody can read lies in it, or where one may lie."""
    labels = seen.unread or seen.outshone
    burnt = seen.why is None and bool(labels) and all(label.glares for label in labels)
    return Why.GLARE if burnt else seen.why


def _glare_cure(words: Words, side: Side | None, spots: tuple[TroubleSpot, ...]) -> str:
    whose = side or next((spot.side for spot in spots if spot.side is not None), None)
    if whose is not None:
        return words.say("cure.glare_tag", side=side_name(words, whose))
    return words.say("cure.glare_card" if spots and not any(spot.is_everything for spot in spots) else "cure.glare")


def stuck_view(words: Words, situation: Situation, state: PublicState) -> VerdictView | None:
    """A turn that the eyes cannot see for long, and that may be entered by hand; None where there is none.

    Steady eyes do not either where a card shines.
    """
    seen = situation.table.observation
    if not situation.table.by_hand or seen is None or _why(seen) is None:
        return None
    hint, spots = words.say("byhand.hint", side=side_name(words, state.to_act)), situation.table.trouble or ()
    return verdict(words, Tone.UNSEEN, trouble_text(words, seen, spots), cure(words, seen, spots), hint)


def offer_view(words: Words, offer: OpenTurn, turn: str, state: PublicState) -> VerdictView:
    """The question whether this was the turn; ``turn`` says it in one sentence without its full stop."""
    side, other = side_name(words, offer.player), side_name(words, offer.player.other)
    space = offer.spaces[offer.player]
    where = "stays" if space == state.spaces[offer.player] else "to"
    return verdict(
        words,
        Tone.QUESTION,
        words.say("byhand.ask", turn=turn),
        words.say(f"byhand.{where}", side=side, space=space),
        words.say("byhand.answer", side=side, other=other),
        tag="byhand.tag",
    )


def offer_pictures(words: Words, offer: OpenTurn, state: PublicState) -> tuple[RemedyView, ...]:
    """The cards of the proposed turn and, if its fencer moves, the new space: to be pictured."""
    side = offer.player
    before, space = state.spaces[side], offer.spaces[side]
    values = listed(words, [card.value for card in offer.cards], "and")
    laid = RemedyView(RemedyKind.LAY_CARDS, words.say("byhand.cards", cards=values), side=side, cards=offer.cards)
    if before == space:
        return (laid,)
    text = words.say("byhand.figure", side=side_name(words, side), space=space)
    return laid, RemedyView(RemedyKind.MOVE_FIGURE, text, side=side, from_space=before, to_space=space)


def aim_text(words: Words, aim: Aim) -> str:
    """What is to be done with the camera, in one sentence."""
    if aim.mirrored:
        return words.say("cure.mirrored")
    if aim.turn is not None:
        return words.say(f"aim.{aim.turn.value}")
    return words.say("aim.hidden" if aim.seen else "aim.nothing")


def aim_view(words: Words, situation: Situation) -> TroubleView | None:
    """The camera's picture with what is to be done; None while nobody aims."""
    aim = situation.devices.aim
    if aim is None:
        return None
    return TroubleView(None, words.say("aim.count", seen=aim.seen, of=aim.of), aim_text(words, aim), ())


def aim_verdict(words: Words, situation: Situation) -> VerdictView | None:
    """The same in the verdict band, and how to go on all the same; None while nobody aims."""
    aim = situation.devices.aim
    if aim is None:
        return None
    count, hint = words.say("aim.count", seen=aim.seen, of=aim.of), words.say("aim.go_on")
    return verdict(words, Tone.UNSEEN, aim_text(words, aim), count, hint)
