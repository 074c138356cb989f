"""Which sentence the verdict band says now, and how it is said.

One thing at a time, the most urgent first: an answer to a press, the question whether somebody gives up, a refusal,
what cannot be read, an open turn, the last accepted verdict.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from display.i18n import Words
from display.view import AttackView, EndingView, Situation, Tone, VerdictView
from display.words.ends import TurnTold, last_turn, reason_text
from display.words.sentences import eyes_reason, figure_problem, listed, refusal, side_name, verdict
from display.words.trouble import offer_view, stuck_view
from engine.record.corrections import Correction, Setting
from engine.record.course import CourseStep, Fallen
from engine.rules.events import TimeEvent
from engine.rules.legal import Play
from engine.rules.rulings import ATTACKS, ActionKind, RemedyKind, Ruling, RulingCode
from engine.rules.state import AttackKind, Phase, PublicState
from engine.rules.track import Side
from engine.table.comparison import Comparing, Difference
from engine.table.observation import FigureProblem, Sight
from engine.table.possible_turns import NextStep, next_step, possible_kinds, possible_plays
from engine.table.presses import Note, NoteKind
from engine.table.table_reading import OpenTurn


def verdict_view(words: Words, situation: Situation, told: TurnTold | None, ending: EndingView | None) -> VerdictView:
    """The verdict band for this situation."""
    state, ruling = situation.state, situation.ruling
    attack = state.attack if state is not None else None
    if situation.paused:
        return verdict(words, Tone.PAUSED, words.say("menu.paused"), hint=words.say("menu.paused_hint"))
    if situation.table.offer is not None and state is not None:
        turn = open_turn_text(words, situation.table.offer, state)
        return offer_view(words, situation.table.offer, turn, state)
    comparing = situation.table.comparing
    differs = comparing is not None and comparing.difference
    if situation.table.note is not None and not (differs and situation.table.note.kind in _NEWS):
        return _note(words, situation.table.note, by_hand=situation.table.by_hand)
    if comparing is not None:
        return comparison_view(words, situation, comparing)
    if situation.table.confirm_give_up and ruling is not None:
        hint = words.say("hint.again_to_give_up")
        return verdict(words, Tone.QUESTION, refusal(words, ruling, attack), hint=hint)
    if ruling is not None and not ruling.ok:
        text = refusal(words, ruling, attack)
        if (
            state is not None
            and ruling.code is RulingCode.ATTACK_VALUE
            and any(
                remedy.side is state.to_act and remedy.space != state.spaces[state.to_act]
                for remedy in situation.table.remedies
                if state.to_act is not None and remedy.kind is RemedyKind.MOVE_FIGURE
            )
        ):
            text = words.say("refused.not_moved", side=side_name(words, state.to_act))
        return verdict(words, Tone.REFUSED, text, hint=words.say("hint.put_right"))
    if situation.table.waiting:
        return verdict(words, Tone.UNSEEN, words.say("hint.waiting"), _eyes(words, situation))
    if state is None:
        return verdict(words, Tone.READY, words.say("ready.no_match"), hint=words.say("ready.no_match_hint"))
    if ending is not None:
        return _ended(words, situation, state, ending, told)
    stuck = stuck_view(words, situation, state)
    if stuck is not None:
        return stuck
    unread = _unread_figure(words, situation)
    if unread is not None:
        return unread
    if situation.table.open_turn is not None:
        return _open_turn(words, situation.table.open_turn, state)
    return _accepted(words, situation, state, told)


def _note(words: Words, note: Note, *, by_hand: bool) -> VerdictView:
    side = side_name(words, note.side)
    if note.kind is NoteKind.NOT_YOUR_TURN:
        return verdict(words, Tone.REFUSED, words.say("note.not_your_turn", side=side))
    if note.kind is NoteKind.CANNOT_SEE:
        detail = eyes_reason(words, note.why, note.side) if note.why is not None else ""
        hint = words.say("byhand.again" if by_hand else "note.try_again")
        return verdict(words, Tone.UNSEEN, words.say("note.cannot_see"), detail, hint)
    if note.kind is NoteKind.FIGURE_UNREADABLE:
        problem = figure_problem(words, note.side, note.problem or FigureProblem.HIDDEN)
        return verdict(words, Tone.UNSEEN, problem, words.say("note.figure_unreadable"), words.say("note.figure_cure"))
    if note.kind is NoteKind.ROUND_NOT_SET_UP:
        headline = words.say("note.round_not_set_up")
        return verdict(words, Tone.REFUSED, headline, hint=words.say("ready.setup_hint"))
    if note.kind in (NoteKind.CARD_UNSURE, NoteKind.CARD_COVERED):
        key = f"note.{note.kind.value}"
        headline = words.say(key, cards=listed(words, [card.value for card in note.cards], "and"))
        detail = words.say(f"{key}_detail")
        return verdict(words, Tone.UNSEEN, headline, detail, words.say("note.card_unsure_hint"))
    if note.kind is NoteKind.CARD_HIDDEN and note.why is not None and by_hand:
        said, cured, again = words.say("note.card_glares"), words.say("cure.glare_card"), words.say("byhand.again")
        return verdict(words, Tone.UNSEEN, said, cured, again)
    if note.kind is NoteKind.CARD_HIDDEN:
        said, hint = ("card_glares", "cure.glare_card") if note.why else ("card_hidden", "note.card_unsure_hint")
        detail = words.say(f"note.{said}_detail")
        return verdict(words, Tone.UNSEEN, words.say(f"note.{said}"), detail, words.say(hint))
    if note.kind in _PLAIN_NOTES:
        key = note.kind.value
        return verdict(
            words,
            _PLAIN_NOTES[note.kind],
            words.say(f"note.{key}", count=note.count),
            hint=words.say(f"note.{key}_hint"),
            tag="note.book" if note.kind in (*_NEWS, NoteKind.NOT_KEPT) else "",
        )
    return verdict(words, Tone.REFUSED, words.say("note.hands_not_shown"))


_NEWS: Final = (NoteKind.BOOK_SALVAGED, NoteKind.BOOK_LOST)
"""What may wait while something has to be chosen."""

_PLAIN_NOTES: Final = {
    NoteKind.CAME_LATER: Tone.UNSEEN,
    NoteKind.ROUND_TAKEN_UP: Tone.READY,
    NoteKind.TABLE_AGREES: Tone.READY,
    NoteKind.TABLE_IMPOSSIBLE: Tone.REFUSED,
    NoteKind.CORRECTION_REFUSED: Tone.REFUSED,
    NoteKind.BOOK_SALVAGED: Tone.UNSEEN,
    NoteKind.BOOK_LOST: Tone.UNSEEN,
    NoteKind.NOT_KEPT: Tone.REFUSED,
}
"""Notes that are a sentence and a hint."""


def _eyes(words: Words, situation: Situation) -> str:
    seen = situation.table.observation
    return "" if seen is None or seen.why is None else eyes_reason(words, seen.why, seen.why_side)


def _unread_figure(words: Words, situation: Situation) -> VerdictView | None:
    """A fencer who is in plain view but stands on no space; only while the eyes are steady."""
    seen = situation.table.observation
    if seen is None or seen.sight is not Sight.STEADY:
        return None
    for side, figure in seen.figures.items():
        if figure.problem is not None:
            headline = figure_problem(words, side, figure.problem)
            return verdict(words, Tone.UNSEEN, headline, hint=words.say("note.figure_cure"))
    return None


def _open_turn(words: Words, turn: OpenTurn, state: PublicState) -> VerdictView:
    """The turn as it lies on the table before its player ends it: already legal, or not yet."""
    side = side_name(words, turn.player)
    if turn.ruling.ok:
        headline = open_turn_text(words, turn, state)
        if turn.may_attack_with is not None:
            more = words.say("hint.may_attack", value=turn.may_attack_with)
            return verdict(words, Tone.PREVIEW, headline, more, words.say("hint.press"))
        return verdict(words, Tone.PREVIEW, headline, hint=words.say("hint.press"))
    step = next_step(state, turn.cards, turn.spaces)
    if step.parried and step.choose:
        headline = words.say("accepted.parry", side=side)
    elif turn.cards:
        runs = [(value, len(list(run))) for value, run in groupby(card.value for card in turn.cards)]
        laid = listed(words, [words.say("open.card", value=value, count=count) for value, count in runs], "and")
        headline = words.say("open.cards", side=side, cards=laid)
    else:
        headline = words.say("open.figure", side=side)
    return verdict(words, Tone.PREVIEW, headline, next_text(words, state, step))


def next_text(words: Words, state: PublicState, step: NextStep) -> str:
    """What a player who has begun a turn does next, in one sentence; mistakes are not mentioned yet."""
    side = state.to_act
    if step.back is not None:
        return words.say("open.stands", side=side_name(words, step.back), space=state.spaces[step.back])
    if step.moves and side is not None:
        moves = [
            words.say(
                "open.forward" if move > 0 else "open.back",
                moved=abs(move),
                space=state.spaces[side] + move * side.forward,
            )
            for move in step.moves
        ]
        return words.say("open.move_or_parry" if step.parried else "open.move", moves=listed(words, moves, "or"))
    if step.lay:
        return words.say("open.lay", value=step.lay[0], count=step.lay.count(step.lay[0]))
    if step.choose:
        return choice_text(words, side, step.choose)
    return words.say("open.time")


def open_turn_text(words: Words, turn: OpenTurn, state: PublicState) -> str:
    """What a legal turn that is not ended yet does, in one sentence without its full stop."""
    ruling = turn.ruling
    moved = abs(turn.spaces[turn.player] - state.spaces[turn.player])
    count = ruling.attack_count(len(turn.cards))
    distance = turn.spaces.black - turn.spaces.white
    return action_text(words, turn.player, ruling.action, ruling.parry is not None, moved, distance, count)


def action_text(
    words: Words, side: Side, action: ActionKind | None, parried: bool, moved: int, value: int, count: int
) -> str:
    """``White parries and advances 3``."""
    name = "" if action is None else action.value
    key = "_".join(part for part in ("parry" if parried else "", name) if part)
    return words.say(f"accepted.{key}", side=side_name(words, side), moved=moved, value=value, count=count)


def play_sentence(words: Words, side: Side, distance: int, play: Play) -> str:
    """What this play at this distance does: ``White parries and advances 3``."""
    action: ActionKind | None = None
    if play.attack:
        action = ActionKind.INDIRECT_ATTACK if play.move else ActionKind.DIRECT_ATTACK
    elif play.move:
        action = ActionKind.ADVANCE if play.move > 0 else ActionKind.RETREAT
    left = distance - play.move
    return action_text(words, side, action, bool(play.parry), abs(play.move), left, play.attack)


def attack_view(words: Words, state: PublicState | None) -> AttackView | None:
    """The attack that waits for its answer, and what the defender can do."""
    if state is None or state.attack is None:
        return None
    attack, answer = state.attack, answer_hint(words, state)
    text = words.say(f"attack.{attack.kind.value}")
    return AttackView(attack.by, attack.kind, attack.value, attack.count, text, answer)


def turn_text(words: Words, told: TurnTold) -> str:
    """What the last turn did, in one sentence."""
    return action_text(words, told.side, told.action, told.parried, told.moved, told.attack_value, told.attack_count)


def answer_hint(words: Words, state: PublicState, *, counted: bool = True) -> str:
    """What the defender can do now; empty where no attack waits for an answer.

    ``counted``: without what no hand can do, by all that was played. Else what the rules allow, which answers nothing.
    """
    attack = state.attack
    if attack is None:
        return ""
    plays = possible_plays(state) if counted else ()
    indirect = attack.kind is AttackKind.INDIRECT
    parries = not plays or any(play.parry for play in plays)
    retreats = indirect and (not plays or any(play.move < 0 and not play.parry for play in plays))
    ways = "_or_".join(name for name, may in (("parry", parries), ("retreat", retreats)) if may)
    key = f"final_{ways}" if state.phase is Phase.FINAL else ways
    return words.say(f"hint.{key}", side=side_name(words, attack.by.other), value=attack.value, count=attack.count)


def _ended(
    words: Words, situation: Situation, state: PublicState, ending: EndingView, told: TurnTold | None
) -> VerdictView:
    """How the round ended, and the turn that ended it. If somebody gave up, the title says so already."""
    last = turn_text(words, told) + "." if told is not None else ""
    ruling = situation.ruling
    if ending.winner is None:
        last = words.say("working.nobody_scores")
    hints = [] if situation.devices.tidies else [words.say("hint.next_round")]
    if ruling is not None and ruling.event == TimeEvent.name:
        last = f"{words.say('ready.time')} {words.say('ready.time_detail')}"
    if ending.match_over:
        last = ending.because + "."
        hints = [_following(words, situation)] if situation.mode == "play" and not situation.devices.tidies else []
    if situation.helped.can_retell:
        hints.append(words.say("retold.offer"))
    return verdict(words, Tone.WON, ending.title, last, " ".join(hints))


def _following(words: Words, situation: Situation) -> str:
    if situation.next_pair is not None:
        return words.say("hint.next_pair", one=situation.next_pair.white, other=situation.next_pair.black)
    return words.say("hint.new_match")


def _accepted(words: Words, situation: Situation, state: PublicState, told: TurnTold | None) -> VerdictView:
    """The last verdict and what to do now, for when nothing is wrong and no question is open."""
    hint = situation.helped.asked_end or ("" if situation.helped.asked else now_hint(words, state))
    if told is not None and not situation.helped.asked:
        draws = words.say("draws.cards", side=side_name(words, told.side), count=told.drawn) if told.drawn else ""
        return verdict(words, Tone.LEGAL, turn_text(words, told), draws and draws + ".", hint)
    event = situation.ruling.event if situation.ruling is not None else ""
    if event == Correction.name:
        return verdict(words, Tone.LEGAL, words.say("corrected.done"), fallen_text(words, situation.fallen), hint)
    if event == "undo":
        detail = "" if situation.devices.tidies else words.say("ready.undone_detail")
        return verdict(words, Tone.LEGAL, words.say("ready.undone"), detail, hint)
    if event == TimeEvent.name:
        return verdict(words, Tone.READY, words.say("ready.time"), words.say("ready.time_detail"), hint)
    if state.phase is Phase.SETUP:
        headline = situation.helped.asked or words.say("ready.setup")
        return verdict(words, Tone.READY, headline, hint=words.say("ready.setup_hint"))
    if event == "round" and not situation.helped.asked:
        starter = words.say("ready.round_detail", side=side_name(words, state.starter))
        return verdict(words, Tone.READY, words.say("ready.round", round=state.round), starter, hint)
    if state.to_act is None:
        key = "reveal.waiting" if state.distance <= 5 else "reveal.waiting_far"
        headline = situation.helped.asked or words.say(key, value=state.distance)
        return verdict(words, Tone.READY, headline, hint=hint)
    headline = situation.helped.asked or words.say("ready.turn", side=side_name(words, state.to_act))
    return verdict(words, Tone.READY, headline, hint=hint)


def choice_text(words: Words, side: Side | None, kinds: frozenset[ActionKind]) -> str:
    """Which of these the player may do; all of them where there is none."""
    ways = {
        "advance": ActionKind.ADVANCE in kinds,
        "retreat": ActionKind.RETREAT in kinds,
        "attack": not kinds.isdisjoint(ATTACKS),
    }
    key = "_".join(name for name, may in ways.items() if may or not kinds)
    return words.say(f"hint.{key}", side=side_name(words, side))


def now_hint(words: Words, state: PublicState) -> str:
    """What has to happen next at the table."""
    if state.phase is Phase.REVEAL:
        return words.say("hint.reveal")
    if state.attack is not None:
        return answer_hint(words, state)
    if state.to_act is not None:
        return choice_text(words, state.to_act, possible_kinds(state))
    return words.say("hint.next_round") if state.phase is Phase.ROUND_OVER else ""


def step_text(say: Words, step: CourseStep) -> str:
    """What this entry did: ``White advances 3``."""
    if isinstance(step.entry, Setting) and step.entry.won is not None:
        return reason_text(say, step.state)
    if isinstance(step.entry, Setting):
        return say.say("event.correct")
    return ruled_text(say, step.ruling, step.state)


def ruled_text(say: Words, ruling: Ruling, state: PublicState) -> str:
    """What was ruled on, and led to this state: ``White advances 3``."""
    told = last_turn(state, ruling)
    if told is not None:
        return turn_text(say, told)
    if ruling.event == "yield" and ruling.player is not None:
        return say.say("accepted.yield", side=side_name(say, ruling.player))
    return say.say(f"event.{ruling.event}")


MUCH: Final = 3
"""So many sentences are too long to be read at a glance."""


def comparison_view(words: Words, situation: Situation, comparing: Comparing) -> VerdictView:
    """What differs between table and record, and which button says which of them is right."""
    difference, seen = comparing.difference, situation.table.observation
    if not difference:
        why = eyes_reason(words, seen.why, seen.why_side) if seen is not None and seen.why is not None else ""
        return verdict(words, Tone.UNSEEN, words.say("compare.looking"), why, words.say("compare.looking_hint"))
    detail = difference_text(words, difference)
    if comparing.rebuilding:
        hint = words.say("compare.rebuild_hint")
        return verdict(words, Tone.REFUSED, words.say("compare.rebuild"), detail, hint, tag="compare.tag")
    if situation.table.waiting:
        return verdict(words, Tone.UNSEEN, words.say("hint.waiting"), detail)
    if comparing.insisted_s is not None:
        hint = words.say("compare.put_back_hint")
        return verdict(words, Tone.REFUSED, words.say("compare.put_back"), detail, hint, tag="compare.tag")
    hint = words.say("compare.which")
    return verdict(words, Tone.QUESTION, words.say("compare.differs"), detail, hint, tag="compare.tag")


def difference_text(words: Words, difference: Difference) -> str:
    """Every figure that stands elsewhere and every card the record does not know, by name; many in short."""
    figures = sum(space is not None for _, space in difference.figures.items())
    brief = "_brief" if figures + bool(difference.cards) + (difference.unreadable is not None) >= MUCH else ""
    said = [
        words.say(
            f"compare.figure{brief}", side=side_name(words, side), recorded=difference.recorded[side], found=space
        )
        for side, space in difference.figures.items()
        if space is not None
    ]
    if difference.cards:
        count = len(difference.cards)
        said.append(words.say(f"compare.cards{brief}", count=count, cards=listed(words, difference.cards, "and")))
    if difference.unreadable is not None:
        said.append(figure_problem(words, difference.unreadable.side, difference.unreadable.problem) + ".")
    return " ".join(said)


def fallen_text(words: Words, fallen: Sequence[Fallen]) -> str:
    """How many turns no longer hold after a correction, and why the first does not."""
    if not fallen:
        return words.say("corrected.all_hold")
    said = words.say("corrected.fallen", count=len(fallen), turn=fallen[0].turn)
    why = refusal(words, fallen[0].ruling) if fallen[0].ruling is not None else ""
    return f"{said} {why}".strip()
