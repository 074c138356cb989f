"""What is shown and said in every situation worth seeing: one snapshot a language, to be read whole.

What coach, teacher and companion say is told in English alone.

After a change that is meant, ``pytest tests/display/words/test_sentences.py --snapshot-update`` writes them anew; the
difference is read like code.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from enum import Enum
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion
from syrupy.extensions.single_file import SingleFileSnapshotExtension, WriteMode

from display.i18n import LANGUAGES
from display.view import Situation, ViewModel
from display.words.present import present
from engine.companion.backs import CardShown
from engine.lessons.lesson import StepStage
from engine.rules.track import Side
from tests.display.coach_showcase import coach_situations
from tests.display.lesson_showcase import lesson_situations


class TextFile(SingleFileSnapshotExtension):
    """A snapshot that is a text file."""

    _write_mode = WriteMode.TEXT
    file_extension = "txt"

    def serialize(self, data: Any, **kwargs: Any) -> str:
        return str(data)


def told(view: ViewModel) -> Iterator[tuple[str, object]]:
    """What a view tells, as names and values; what it leaves open is left out."""
    verdict = view.verdict
    yield from (("verdict", verdict.tone), ("headline", verdict.headline), ("detail", verdict.detail))
    yield from (("hint", verdict.hint), ("tag", verdict.tag), ("cue", view.heard.cue), ("call", view.heard.call))
    yield from (("call key", view.heard.call_key), ("turn", view.turn_text), ("eyes", view.eyes.text))
    for remedy in view.remedies:
        places = " -> ".join(str(each) for each in (remedy.from_space, remedy.to_space) if each is not None)
        what = (remedy.kind.name, remedy.side and remedy.side.value, *remedy.cards, places, remedy.text)
        yield "remedy", " ".join(str(each) for each in what if each)
    if view.trouble is not None:
        yield from (("trouble", view.trouble.text), ("cure", view.trouble.cure))
    if view.piste.attack is not None:
        attack = view.piste.attack
        yield "attack", f"{attack.by.value} {attack.kind.name} {attack.count} x {attack.value}: {attack.text}"
    if view.ending is not None:
        ending = view.ending
        yield from (("ending", ending.title), ("reason", ending.reason), ("decided by", ending.decided_by))
        yield from (("counts", ending.counts), ("source", ending.source))
        yield from (("working", line) for line in ending.working)
    if view.reveal is not None:
        yield "reveal", f"{view.reveal.hands} {view.reveal.counts} {view.reveal.sizes}"
    for side in Side:
        fencer = view.piste.fencers[side]
        seen = "" if fencer.from_space is None else f", recorded on {fencer.from_space}"
        pending = " pending" if fencer.pending else ""
        yield side.value, f"{view.match.names[side]} {fencer.pose.name} on {fencer.space}{seen}{pending}"
    yield (
        "distance",
        f"{view.piste.distance}{' pending' if view.piste.distance_pending else ''} {view.piste.distance_text}",
    )
    yield "pile", view.piles.pile_text and f"{view.piles.pile_text} {view.piles.pile}"
    yield (
        "score",
        f"{view.match.score.white} : {view.match.score.black} of {view.match.points}, {view.match.round_text}",
    )
    yield "history", " ".join("-" if winner is None else winner.value for winner in view.match.history)
    usual = present(Situation(None, language=view.language)).keys
    yield from ((f"key {name}", text) for name, text in view.keys.items() if text != usual[name])
    yield "lamps", " ".join(name for name, lit in view.lamps.items() if lit)
    if view.panel is not None:
        yield "panel", view.panel.title
        for line in view.panel.lines:
            cards = " ".join(map(str, line.cards))
            yield f"{line.mark.value} line", f"[{cards}] {line.text}" if cards else line.text
    yield from (("aloud", line) for line in view.heard.aloud)


def shown_text(name: str, view: ViewModel) -> str:
    lines = [f"== {name}"]
    for what, value in told(view):
        text = value.name if isinstance(value, Enum) else "" if value is None else str(value)
        if text:
            lines.append(f"{what}: {text}")
    return "\n".join(lines)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_situation_is_told(shown: Mapping[str, Situation], language: str, snapshot: SnapshotAssertion) -> None:
    views = {name: present(replace(situation, language=language)) for name, situation in shown.items()}
    text = "\n\n".join(shown_text(name, view) for name, view in views.items()) + "\n"
    assert text == snapshot(extension_class=TextFile)


def test_every_helper_is_told(snapshot: SnapshotAssertion) -> None:
    every = {**coach_situations("en"), **lesson_situations("en")}
    assert {f"lesson_{stage.value}" for stage in StepStage} | {f"register_{said.value}" for said in CardShown} <= set(
        every
    )
    text = "\n\n".join(shown_text(name, present(situation)) for name, situation in every.items()) + "\n"
    assert text == snapshot(extension_class=TextFile)
