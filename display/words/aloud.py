"""The screen as sentences to be read aloud to somebody who cannot see it: complete, the most important first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from display.i18n import Words
from display.view import AttackView, EndingView, Mark, PanelView, RemedyView, Situation, Tone, TroubleView, VerdictView
from display.words.ends import ending_view
from display.words.sentences import listed, shown_name, side_name
from display.words.verdicts import now_hint
from engine.rules.cards import Card
from engine.rules.state import Attack, Phase, PublicState
from engine.rules.track import BySide
from engine.table.observation import TableObservation

_SAID_FIRST: Final = (Tone.LEGAL, Tone.REFUSED, Tone.UNSEEN, Tone.QUESTION)
_ENDS: Final = (".", "!", "?")
"""What a whole sentence ends with."""


def aloud(
    say: Words,
    situation: Situation,
    verdict: VerdictView,
    remedies: tuple[RemedyView, ...],
    ending: EndingView | None,
    trouble: TroubleView | None,
    missing: str = "",
) -> tuple[str, ...]:
    """Everything this moment shows that has to be known at the table."""
    if situation.helped.aloud:
        return situation.helped.aloud
    # Whether it counts is said first: the screen says it by its colour.
    tag = verdict.tag if verdict.tone in _SAID_FIRST else ""
    whose = "" if situation.state is None else say.say("ready.turn", side=side_name(say, situation.state.to_act))
    known = verdict.hint and verdict.headline == whose  # what is to be done begins with the name
    told = [tag, "" if known else verdict.headline, verdict.detail]
    if ending is not None:
        if situation.helped.panel is None or not situation.helped.panel.explains:
            told += [*ending.working, ending.decided_by]
        told.append(_score(say, situation))
    elif not _sets_up(situation.helped.panel):
        told += [remedy.text for remedy in remedies]
    if trouble is not None:
        told += [trouble.text, trouble.cure]
    told += [*_panel(say, situation), *_attack(say, situation.state), verdict.hint]
    # With more to clear away the hint says what all of it is.
    if ending is not None and len(remedies) == 1 and not _sets_up(situation.helped.panel):
        told += [remedy.text for remedy in remedies]
    told += [*_there(say, situation), *_sides(say, situation), missing]
    return tuple(dict.fromkeys(sentence for sentence in told if sentence))


def _sets_up(panel: PanelView | None) -> bool:
    """Whether the panel already names everything to set up and nothing of it was found wrong: a list of what is left
    to do would tell a listener nothing new."""
    if panel is None or not any(line.stands for line in panel.lines):
        return False
    return all(line.mark is not Mark.BAD for line in panel.lines)


def standing(say: Words, situation: Situation) -> tuple[str, ...]:
    """Where the match stands: round, score, how it ended if it has, fencers and distance, the pile, what waits for an
    answer, whose turn, and in a match what the table waits for. A teacher tells the task, and of which pile."""
    state = situation.state
    if state is None or state.round == 0:
        return (say.say("ready.no_match"),)
    ending = ending_view(say, state, None)
    told = [say.say("label.round", round=state.round), *_sides(say, situation), _score(say, situation)]
    played = situation.mode == "play"
    told += [] if ending is None else list(dict.fromkeys((ending.title, ending.because)))
    told += [*tuple(_table(say, state))[: None if played else 1], *_attack(say, state)]
    if state.to_act is not None:
        told.append(say.say("ready.turn", side=side_name(say, state.to_act)))
    if played:
        told.append(now_hint(say, state))
    return tuple(sentence for sentence in told if sentence)


def _score(say: Words, situation: Situation) -> str:
    score = BySide(0, 0) if situation.state is None else situation.state.score
    told = ", ".join(f"{shown_name(say, side, name)} {score[side]}" for side, name in situation.names.items())
    return say.say("aloud.score", score=told)


def attack_aloud(say: Words, attack: Attack | AttackView) -> str:
    """An attack that waits for its answer, complete: its kind, whose it is, how many cards of which value."""
    by = side_name(say, attack.by)
    what = say.say("aloud.attack", side=by, count=attack.count, value=attack.value)
    return say.say("aloud.told", what=say.say(f"attack.{attack.kind.value}"), told=what)


def hand_aloud(say: Words, seen: TableObservation, played: tuple[Card, ...]) -> str:
    """The cards somebody shows the camera, by value: those in view that were not played; empty for none."""
    values = sorted(reading.card.value for reading in seen.cards if reading.card not in played)
    return say.say("aloud.hand", cards=listed(say, values, "and")) if values else ""


def _panel(say: Words, situation: Situation) -> Iterator[str]:
    """The panel's lines. Where the fencers stand is said as it is said of the table, so that it is heard only once."""
    panel, stand = situation.helped.panel, next(_there(say, situation), "")
    if panel is not None:
        yield panel.title
        for line in panel.lines:
            if line.stands and stand:
                yield stand
                continue
            cards = ", ".join(str(card.value) for card in line.cards)
            if not cards:
                yield line.text
            elif line.text.endswith(_ENDS):  # what these cards do: they are named before it
                yield say.say("aloud.told", what=cards, told=line.text)
            else:
                yield say.say("aloud.told", what=line.text, told=cards)


def _there(say: Words, situation: Situation) -> Iterator[str]:
    """What there is on the table, of which a lesson may leave something out."""
    state, panel = situation.state, situation.helped.panel
    if state is not None and panel is not None and panel.asks:
        yield say.say("aloud.stands", white=state.spaces.white, black=state.spaces.black)
        return
    told = tuple(_table(say, state))
    yield from told[:1] if panel is not None and panel.loose else told


def _table(say: Words, state: PublicState | None) -> Iterator[str]:
    """Where the fencers stand, and how many cards are left; whose turn it is stands in what is to be done."""
    if state is None or state.phase is Phase.SETUP:
        return
    yield say.say("aloud.table", white=state.spaces.white, black=state.spaces.black, distance=state.distance)
    yield say.say("aloud.pile" if state.pile else "aloud.pile_empty", count=state.pile)


def _attack(say: Words, state: PublicState | None) -> Iterator[str]:
    if state is not None and state.attack is not None:
        yield attack_aloud(say, state.attack)


def _sides(say: Words, situation: Situation) -> Iterator[str]:
    """Who plays which colour, and on which side, of those whose names are known: it is new only once."""
    for side, name in situation.names.items():
        if say.players.get(side_name(say, side)) == name:
            yield say.say(f"aloud.plays_{side.value}")
