"""Players renamed, joined and forgotten; what is forgotten is nowhere in the file any more."""

from __future__ import annotations

import io
import json
import sqlite3
from pathlib import Path

import pytest

from firmware.book.scorebook.book import open_scorebook
from firmware.book.scorebook.people import event_texts, leftovers, make_change, plan_forget
from firmware.book.scorebook.sums import seal
from firmware.cli.main import main
from tests.firmware.conftest import bot_match, keep_match

SECRET = "Zachariasz\u00f3"


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A book in which somebody has played four matches under three spellings, and a Player 1 is there already."""
    path = tmp_path / "book.sqlite"
    monkeypatch.setenv("ENGARDE_SCOREBOOK", str(path))
    with open_scorebook(path) as book:
        for seed, (white, black) in enumerate(
            [(SECRET, "Bo"), ("Bo", SECRET.upper()), (f" {SECRET.lower()}", "Ana"), ("Player 1", "Ana"), (SECRET, "Bo")]
        ):
            keep_match(book, white, black, bot_match(seed, points=1))
    return path


def bytes_of(path: Path) -> bytes:
    """The file and whatever SQLite has beside it."""
    return b"".join(file.read_bytes() for file in sorted(path.parent.glob(f"{path.name}*")))


def scores(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    status = main(["scores", *words])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def told(capsys: pytest.CaptureFixture[str]) -> dict[str, dict[str, object]]:
    status, out, _ = scores(capsys, "--json")
    assert status == 0
    return {player["name"]: player for player in json.loads(out)["players"]}


def test_a_forgotten_name_is_nowhere_and_the_results_stay(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = told(capsys)[SECRET]
    assert before["played"] == 4
    assert SECRET.encode() in bytes_of(path)
    status, out, err = scores(capsys, "--forget", SECRET.lower(), "--yes")
    assert (status, err) == (0, "")
    assert "becomes Player 2 in 4 matches" in out
    assert "Out of reach" in out
    raw = bytes_of(path)
    for spelling in (SECRET, SECRET.upper(), SECRET.lower()):
        assert spelling.encode() not in raw
        assert spelling.encode("utf-16-le") not in raw
    after = told(capsys)
    assert SECRET not in json.dumps(after, ensure_ascii=False)
    after["Player 2"]["name"] = SECRET
    assert after["Player 2"] == before
    assert scores(capsys, "--forget", SECRET, "--yes")[0] == 1


def test_it_is_gone_from_freed_pages_too(path: Path) -> None:
    """A match deleted by another program leaves its page as it was, free: VACUUM drops it."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA secure_delete = OFF")
    connection.execute("CREATE TABLE scratch (note TEXT)")
    connection.executemany("INSERT INTO scratch VALUES (?)", [(f"{SECRET} {'x' * 900}",)] * 50)
    connection.commit()
    connection.execute("DROP TABLE scratch")
    connection.commit()
    connection.close()
    assert bytes_of(path).count(SECRET.encode()) > 20
    with open_scorebook(path) as book:
        make_change(book, plan_forget(book, SECRET))
        assert SECRET.encode() not in bytes_of(path)
    assert SECRET.encode() not in bytes_of(path)


def test_it_is_gone_from_a_write_ahead_log_too(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    with open_scorebook(path) as book:
        make_change(book, plan_forget(book, SECRET))
        assert SECRET.encode() not in bytes_of(path)
    connection.close()


def test_what_somebody_noted_with_a_correction_is_rewritten(path: Path) -> None:
    note = f"{SECRET.upper()} had moved; {SECRET}s friend saw it"
    connection = sqlite3.connect(path)
    connection.execute(
        "UPDATE events SET event = ? WHERE match_id = 1 AND seq = 2",
        (json.dumps({"event": "round", "changes": [{"turn": 1}], "why": note}),),
    )
    seal(connection, (1,))
    connection.commit()
    connection.close()
    with open_scorebook(path) as book:
        make_change(book, plan_forget(book, SECRET))
        (text,) = (text for match_id, seq, text in event_texts(book) if (match_id, seq) == (1, 2))
    assert json.loads(text) == {
        "event": "round",
        "changes": [{"turn": 1}],
        "why": f"Player 2 had moved; {SECRET}s friend saw it",
    }, "a longer word that begins like the name is another word"


def test_what_was_rescued_from_a_damaged_file_is_rewritten(path: Path) -> None:
    rescued = json.dumps({"table": "matches", "row": [7, SECRET, "Bo", {"note": f"for {SECRET}"}]})
    connection = sqlite3.connect(path)
    rows = [(1, rescued, 0.0), (2, f"not JSON, {SECRET}", 0.0), (3, '{"seq": 1}', 0.0)]
    connection.executemany("INSERT INTO leftovers VALUES (?, ?, ?, 0)", rows)
    seal(connection, leftovers=(1, 2, 3))
    connection.commit()
    connection.close()
    with open_scorebook(path) as book:
        make_change(book, plan_forget(book, SECRET))
        kept = dict(leftovers(book))
    assert json.loads(kept[1]) == {"table": "matches", "row": [7, "Player 2", "Bo", {"note": "for Player 2"}]}
    assert kept[2] == "not JSON, Player 2"
    assert kept[3] == '{"seq": 1}'
    assert SECRET.encode() not in bytes_of(path)
    assert json.dumps(SECRET)[1:-1].encode() not in bytes_of(path)


def test_copies_beside_the_book_are_named(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = path.with_name("book.sqlite.damaged-1")
    copy.write_bytes(path.read_bytes())
    harmless = path.with_name("book.sqlite.damaged-2")
    harmless.write_bytes(b"nothing")
    _, out, _ = scores(capsys, "--forget", SECRET, "--yes")
    assert f"{copy} may hold the name still" in out
    assert str(harmless) not in out


def test_copies_beside_the_book_go_when_it_is_asked_for(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    copy = path.with_name("book.sqlite.damaged-1")
    copy.write_bytes(path.read_bytes())
    harmless = path.with_name("book.sqlite.damaged-2")
    harmless.write_bytes(b"nothing")
    _, out, _ = scores(capsys, "--forget", SECRET, "--yes", "--copies")
    assert f"{copy} held the name: deleted." in out
    assert not copy.exists()
    assert harmless.exists()


@pytest.mark.parametrize("answer", ["no\n", "", "yes please\n"])
def test_nothing_happens_without_a_yes(
    path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, answer: str
) -> None:
    before = path.read_bytes()
    monkeypatch.setattr("sys.stdin", io.StringIO(answer))
    status, out, _ = scores(capsys, "--forget", SECRET)
    assert status == 1
    assert "cannot be brought back" in out
    assert out.endswith("Nothing was changed.\n")
    assert path.read_bytes() == before


def test_a_yes_is_enough(path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("YES\n"))
    status, out, _ = scores(capsys, "--rename", "Player 1", "Cem")
    assert status == 0
    assert out.endswith("Done: Cem it is.\n")
    assert {"Cem", "Ana", "Bo", SECRET} == set(told(capsys))


def test_a_spelling_is_corrected_everywhere(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert scores(capsys, "--rename", SECRET, "  Zach  arias ", "--yes")[0] == 0
    assert told(capsys)["Zach arias"]["played"] == 4
    with open_scorebook(path) as book:
        assert {row.names.white for row in book.matches()} == {"Zach arias", "Bo", "Player 1"}


def test_only_the_case_of_a_name_is_changed(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = scores(capsys, "--rename", "bo", "BO", "--yes")
    assert status == 0
    assert "one player" not in out
    assert told(capsys)["BO"]["played"] == 3


def test_two_names_become_one_player(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = told(capsys)
    status, out, _ = scores(capsys, "--rename", "Player 1", SECRET, "--yes")
    assert status == 0
    assert "they are one player, which cannot be undone" in out
    after = told(capsys)
    assert "Player 1" not in after
    assert after[SECRET]["played"] == 5
    assert after[SECRET]["won"] == before[SECRET]["won"] + before["Player 1"]["won"]  # type: ignore[operator]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--rename", "Bo", SECRET), "have met (match 1, 2, 5), so they are two players: choose another name."),
        (("--rename", "Boo", "Cem"), "has no player 'Boo', did you mean Bo?"),
        (("--rename", "Bo", "C\x07"), "has U+0007: leave it out."),
        (("--rename", "Bo", " "), "has at least one letter"),
        (("--forget", "Nobody At All"), "has no player 'Nobody At All'."),
    ],
)
def test_what_cannot_be_is_told_in_one_sentence(
    path: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], sentence: str
) -> None:
    before = path.read_bytes()
    status, out, err = scores(capsys, *words, "--yes")
    assert (status, out) == (1, "")
    assert sentence in err
    assert err.count("\n") == 1
    assert path.read_bytes() == before


def test_there_has_to_be_a_book(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = scores(capsys, "--forget", "Ana", "--yes", "--scorebook", str(tmp_path / "none.sqlite"))
    assert status == 1
    assert "there is no scorebook" in err
    assert not (tmp_path / "none.sqlite").exists()
