"""The JSON Schemas that are handed to other programs: real output conforms to them, spoiled output does not."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import replace
from enum import Enum
from pathlib import Path
from typing import Any, Final

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from display.i18n import LANGUAGES
from display.words.present import present
from engine.record.corrections import Correction, Insert, Remove, Replace, Setting
from engine.record.course import CORRECTED
from engine.record.notation import parse_record, replay
from engine.rules.cards import Card
from engine.rules.events import EventError, MatchEvent, TurnEvent, YieldEvent, event_from_json, event_to_json
from engine.rules.rulings import ActionKind, RulingCode
from engine.rules.state import AttackKind, Phase, Reason
from engine.rules.track import BySide, Side
from engine.table.desk import EndTurn, Entry, ruled_to_json
from engine.table.observation import Sight, Why
from engine.table.presses import Button
from firmware.book.scorebook.book import open_scorebook
from firmware.book.scores.history import How
from firmware.cli.commands.calibrate import report_json, run_calibrate
from firmware.cli.commands.judge import LineReferee
from firmware.cli.commands.watch import run_watch
from firmware.cli.main import main
from firmware.table.panel.buttons import load_presses
from firmware.web.public import public
from tests.display.showcase import situations
from tests.fakes.pictured import Pictured
from vision.board.calibration_text import load_calibration
from vision.frame import GONE, Frame
from vision.printed.table import Table
from vision.recording.recording import RecordedFrames
from vision.synthetic import PRESETS, Renderer, Scene, SceneCard, figure_at

ROOT: Final = Path(__file__).parents[2]
FILES: Final = sorted((ROOT / "firmware" / "schemas").glob("*.json"))
SCHEMAS: Final = {path.name: json.loads(path.read_text(encoding="utf-8")) for path in FILES}
REGISTRY: Final = Registry().with_resources(
    [(name, Resource.from_contents(schema)) for name, schema in SCHEMAS.items()]
)
STATE: Final = SCHEMAS["judge-answer.json"]["$defs"]["state"]["properties"]

MAY_BE_MISSING: Final = {
    *(("", key) for key in ("by_hand", "confirmed", "match")),
    *(("verdict", key) for key in ("by_hand", "confirmed")),
    *(("event", key) for key in ("starter", "points", "cards")),
    *(("entries", key) for key in ("starter", "points")),
    *(("changes", key) for key in ("figures", "score", "cards")),
}
"""Members that an object may do without, with the name under which the object stands. Cards are of a yield."""
EVENTS: Final = {"event", "entries"}
"""Names under which table events stand, whose other members are ignored."""
NAMES_ARE_FREE: Final = {"reasons", "presets", "programs", "tokens"}
"""Objects that are keyed by what was found."""
CODES: Final = {
    *("event", "change", "ruling", "code", "player", "action", "phase", "to_act", "by", "kind", "winner", "reason"),
    *("why", "verdict", "tone", "button", "rules", "mode", "end_turn", "number"),
}


def faults(schema: str, value: object) -> list[str]:
    """What is wrong with a value by this schema, or by a part of it: ``scores.json#/$defs/player``."""
    checker = Draft202012Validator({"$ref": schema}, registry=REGISTRY)
    return [f"{error.json_path}: {error.message}" for error in checker.iter_errors(value)]


def mutants(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """The value with one thing wrong in it: a member missing or one too many, a value of another kind, a new code."""
    if isinstance(value, dict):
        for key, each in value.items():
            others = {other: kept for other, kept in value.items() if other != key}
            if name not in NAMES_ARE_FREE and (name, key) not in MAY_BE_MISSING:
                yield f"without {key}", others
            # Why something was corrected is said in anybody's words.
            for what, spoiled in mutants(each, "" if key == "why" and "changes" in value else key):
                yield f"{key}: {what}", {**others, key: spoiled}
        if name not in EVENTS:
            yield "one too many", {**value, "unheard_of": True}
    elif isinstance(value, list):
        yield "no list", {"unheard_of": value}
        for place in range(min(len(value), 3)):
            for what, spoiled in mutants(value[place], name):
                yield f"[{place}] {what}", [*value[:place], spoiled, *value[place + 1 :]]
    else:
        yield f"{value!r} of another kind", {"unheard_of": value}
        if name in CODES and isinstance(value, str):
            yield f"{value} is a new code", "unheard_of"


def conforms(schema: str, values: list[Any], spoil: int = 6) -> None:
    """All the values do, and none of the mutants of some of them."""
    assert values
    assert [(value, wrong) for value in values for wrong in faults(schema, value)] == []
    step = max(1, len(values) // spoil)
    for value in values[::step]:
        assert [what for what, spoiled in mutants(value) if not faults(schema, spoiled)] == []


@pytest.mark.parametrize("name", SCHEMAS)
def test_each_is_a_schema_of_the_draft_it_names(name: str) -> None:
    assert SCHEMAS[name]["$schema"] == Draft202012Validator.META_SCHEMA["$id"]
    Draft202012Validator.check_schema(SCHEMAS[name])


def test_the_formats_list_them_all() -> None:
    told = (ROOT / "FORMATS.md").read_text(encoding="utf-8")
    assert [name for name in SCHEMAS if f"`{name}`" not in told] == []


@pytest.mark.parametrize(
    ("listed", "kind"),
    [
        (SCHEMAS["judge-answer.json"]["$defs"]["refused"]["properties"]["code"]["enum"], RulingCode),
        (SCHEMAS["judge-answer.json"]["$defs"]["turn"]["properties"]["action"]["enum"], ActionKind),
        (STATE["phase"]["enum"], Phase),
        (STATE["attack"]["anyOf"][1]["properties"]["kind"]["enum"], AttackKind),
        (STATE["result"]["anyOf"][1]["properties"]["reason"]["enum"], Reason),
        (SCHEMAS["watch-line.json"]["properties"]["state"]["enum"], Sight),
        (SCHEMAS["watch-line.json"]["properties"]["why"]["enum"], Why),
        (SCHEMAS["buttons.json"]["items"]["properties"]["button"]["enum"], Button),
        (list(SCHEMAS["scores.json"]["$defs"]["how"]["properties"]), How),
    ],
)
def test_the_schemas_have_every_code(listed: list[str | None], kind: type[Enum]) -> None:
    assert {word for word in listed if word is not None} == {each.value for each in kind}


@pytest.mark.slow
def test_every_event_and_every_answer() -> None:
    """Whole matches, and at each of their states a dozen things that may not happen there."""
    events, answers = [], []
    wrong: list[dict[str, Any]] = [
        *({"event": name} for name in ("round", "undo", "fight", "reveal")),
        {"event": "turn", "cards": [], "white": 1, "black": 23},
        {"event": "reveal", "white": ["1a"], "black": []},
        {"event": "turn", "cards": ["9z"], "white": 1, "black": 23},
        {"event": "turn", "cards": ["1a", "1a"], "white": 2, "black": 23},
        *(
            {"event": "turn", "cards": [f"{value}{letter}" for letter in "abc"[:count]], "white": white, "black": black}
            for value in (1, 2, 4)
            for count in (1, 2)
            for white, black in ((1, 23), (5, 23), (0, 23), (12, 12))
        ),
    ]
    for record in sorted((ROOT / "tests" / "golden").glob("*.record")):
        answers.append(json.loads((referee := LineReferee()).answer(b"{")))
        for event, _, _ in replay(parse_record(record.read_text(encoding="utf-8"))):
            assert not isinstance(event, Setting)
            for attempt in wrong:
                other = copy(referee)  # what is legal after all leaves the match where it is
                answers.append(json.loads(other.answer(json.dumps(attempt).encode())))
            events.append(event_to_json(event))
            answers.append(json.loads(referee.answer(json.dumps(event_to_json(event)).encode())))
    told = {json.dumps(answer, sort_keys=True): answer for answer in answers}
    assert len({answer["code"] for answer in told.values() if not answer["ok"]}) >= 12
    assert {answer["state"]["phase"] for answer in told.values() if answer["state"]} == {each.value for each in Phase}
    by_shape = {(answer.get("ruling"), answer.get("code"), answer.get("action")): answer for answer in told.values()}
    conforms("judge-answer.json", list(by_shape.values()), spoil=len(by_shape))
    conforms("judge-answer.json", list(told.values())[::7])
    assert [(event, wrong) for event in events for wrong in faults("judge-event.json", event)] == []


EVENTS_TO_READ: Final[list[Any]] = [
    *({"event": name} for name in ("match", "round", "turn", "yield", "reveal", "undo", "correct", "", None)),
    *({"event": "match", "rules": rules} for rules in ("ferti-classic", "brettspielnetz", "house", 1, None)),
    *({"event": "match", "rules": "ferti-classic", "starter": starter} for starter in ("white", "black", "lot", None)),
    *({"event": "match", "rules": "ferti-classic", "points": points} for points in (1, 10**9, 0, 10**9 + 1, True, 1.5)),
    {"event": "turn", "cards": ["3b"], "white": 4, "black": 23, "why": "because"},
    {"event": "turn", "cards": [], "white": -1, "black": 99},
    *({"event": "turn", "cards": cards, "white": 4, "black": 23} for cards in (["3f"], ["6a"], ["3b "], [3], "3b")),
    *({"event": "turn", "cards": ["3b"], "white": white, "black": 23} for white in (True, 4.5, "4", None)),
    *({"event": "yield", "cards": cards} for cards in ([], ["1a", "1b"], ["1a", 2], None)),
    {"event": "reveal", "white": [], "black": ["1a"]},
    {"event": "reveal", "white": []},
    [{"event": "round"}],
    None,
    "round",
]


@pytest.mark.parametrize("event", EVENTS_TO_READ, ids=repr)
def test_an_event_conforms_exactly_when_it_can_be_read(event: object) -> None:
    try:
        event_from_json(event)
    except EventError:
        assert faults("judge-event.json", event)
    else:
        assert faults("judge-event.json", event) == []


PRESSES: Final[list[Any]] = [
    [],
    [{"t": 4.2, "button": button.value} for button in Button],
    [{"t": 4, "button": "white", "who": "Anna"}],
    *([{"t": t, "button": "white"}] for t in ("4.2", None, True)),
    *([{"t": 4.2, "button": button}] for button in ("White", "space", None)),
    [{"t": 4.2}],
    [{"button": "undo"}],
    [[4.2, "white"]],
    {"t": 4.2, "button": "white"},
    None,
]


@pytest.mark.parametrize("presses", PRESSES, ids=repr)
def test_presses_conform_exactly_when_they_can_be_read(presses: object, tmp_path: Path) -> None:
    (tmp_path / "clip.mp4.buttons.json").write_text(json.dumps(presses))
    try:
        load_presses(tmp_path / "clip.mp4")
    except ValueError:
        assert faults("buttons.json", presses)
    else:
        assert faults("buttons.json", presses) == []


def some_frames(table: Table, count: int = 10) -> Pictured:
    """A camera that shows a table, loses it, and is gone; the first of its frames."""
    renderer = Renderer(table, None, PRESETS["typical"], 2)
    cards = (SceneCard(Card.parse("3b"), 200.0, -150.0),)
    scene = Scene(cards, figure_at(table, Side.WHITE, 4), figure_at(table, Side.BLACK, 19))

    def picture(number: int) -> Frame | None:
        frame = renderer.render(scene, number, number / 10)
        shown = frame if number < 6 else Frame(number, number / 10, frame.y // 16 if number < 8 else GONE)
        return shown if number < count else None

    return Pictured(picture)


@pytest.mark.slow
def test_what_the_camera_sees(table: Table) -> None:
    out = io.StringIO()
    run_watch(some_frames(table), table, None, out, as_json=True)
    lines = [json.loads(line) for line in out.getvalue().splitlines()]
    assert {line["state"] for line in lines} == {each.value for each in Sight}
    assert any(line["table"]["white"] is None for line in lines)
    assert any(line["seen"]["cards"] for line in lines)
    conforms("watch-line.json", lines, spoil=len(lines))


@pytest.mark.slow
def test_how_well_the_board_is_found(table: Table, tmp_path: Path) -> None:
    out, file = io.StringIO(), tmp_path / "found.toml"
    run_calibrate(some_frames(table, 6), table, out, as_json=True, file=file)
    found = load_calibration(file)
    untold = report_json(replace(found, worst_mm=None, off_mm=()), table)
    assert untold["worst_mm"] is None
    conforms("calibration-report.json", [json.loads(out.getvalue()), untold, report_json(found, table)])


@pytest.mark.slow
def test_what_is_read_off_a_table(recorded: tuple[Path, list[Any]]) -> None:
    lines = recorded[1]
    assert any(not line["ruling"]["ok"] for line in lines)
    assert lines[-1]["ruling"]["ruling"] == "correct"
    conforms("play-line.json", lines, spoil=len(lines))


@pytest.mark.slow
def test_what_is_entered_by_hand(recorded: tuple[Path, list[Any]]) -> None:
    *_, (event, state, ruling) = replay(parse_record("Round 1\n1. +5a +5b\n"))
    assert isinstance(event, TurnEvent)
    turn = TurnEvent((Card.parse("2a"),), 3, 23)
    changes = (Replace(1, turn), Insert(0, YieldEvent()), Remove(2))
    outright = Setting(BySide(4, 9), BySide(1, 0), (Card.parse("5c"),))
    entries = [
        Entry(1.0, event, ruling, state, by_hand=True),
        Entry(2.0, event, ruling, state, by_hand=True, confirmed=True),
        Entry(3.0, Correction(changes, "misread"), CORRECTED, state),
        Entry(4.0, Correction((outright,)), CORRECTED, state, by_hand=True),
    ]
    lines = [json.loads(json.dumps(ruled_to_json(entry))) for entry in entries]
    conforms("play-line.json", lines)
    del lines[1]["by_hand"]
    assert faults("play-line.json", lines[1])
    nothing = {"event": "correct", "changes": [{"change": "set"}], "why": ""}
    assert faults("play-line.json", {**lines[2], "event": nothing})


@pytest.mark.slow
def test_a_recording(recorded: tuple[Path, list[Any]]) -> None:
    with RecordedFrames(recorded[0]) as frames:
        conforms("recording-header.json", [frames.header])
        assert faults("recording-header.json", {key: frames.header[key] for key in {*frames.header} - {"match"}}) == []
        notes = list(frames.all_notes())
    assert {key for note in notes for key in note} >= {"press", "verdict", "enter"}
    done: list[Any] = [
        *({"end_turn": way.value} for way in EndTurn),
        *({"agreed": ["open"]}, {"afresh": True}, {"compare": True}),
        *({"enter": {"event": "round"}}, {"hold": "menu"}, {"release": "menu"}),
        {"begin": {"match": event_to_json(MatchEvent("ferti-advanced")), "names": {"white": "Anna", "black": "Ben"}}},
    ]
    assert [(note, wrong) for note in done for wrong in faults("recording-note.json", note)] == []
    conforms("recording-note.json", [dict(note) for note in notes])
    assert faults("recording-note.json", {})


@pytest.mark.slow
def test_matches_and_players(
    bot_match: Callable[..., Any],
    keep_match: Callable[..., Any],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("ENGARDE_SCOREBOOK", str(tmp_path / "book.sqlite"))

    def told(*words: str) -> Any:
        assert main(["scores", "--json", *words]) == 0
        return json.loads(capsys.readouterr().out)

    empty = told()
    with open_scorebook(tmp_path / "book.sqlite") as book:
        for seed, rules in enumerate(("ferti-advanced", "ferti-classic", "brettspielnetz")):
            keep_match(book, "Anna", "Ben", bot_match(seed, rules))
        keep_match(book, "Ben", "Cleo", bot_match(3)[:4])
        keep_match(book, "White", "Black", bot_match(4), mode="demo")
    whole = told()
    assert {player["rating"] is None for player in whole["players"]} == {True, False}
    conforms("scores.json", [empty, whole, told("--preset", "brettspielnetz"), told("--last", "1")])
    conforms("scores.json#/$defs/player", [told(name) for name in ("Anna", "Cleo")])


@pytest.mark.slow
def test_what_is_well_on_this_machine(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    settings = tmp_path / "settings.toml"
    words = ["doctor", "--json", "--scorebook", str(tmp_path / "book.sqlite"), "--config", str(settings)]
    told = []
    for pins, camera, status in (("mock", "synthetic", 0), ("nobody's", str(tmp_path / "nowhere"), 1)):
        settings.write_text(f'[panel]\npins = "{pins}"\n')
        assert main([*words, "--camera", camera]) == status
        told.append(json.loads(capsys.readouterr().out))
    assert {finding["verdict"] for each in told for finding in each["findings"]} == {"pass", "warn", "fail"}
    conforms("doctor.json", told)


@pytest.mark.slow
def test_what_everybody_may_see() -> None:
    shown = [
        json.loads(json.dumps(public(present(replace(situation, language=language)))))
        for language in LANGUAGES
        for situation in situations().values()
    ]
    assert {view["ending"] is None for view in shown} == {view["attack"] is None for view in shown} == {True, False}
    assert faults("scoreboard.json", {}) == []
    conforms("scoreboard.json", shown)
