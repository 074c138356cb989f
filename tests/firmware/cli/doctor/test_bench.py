"""``engarde doctor --bench``: what is measured, and how it is told."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from firmware.cli.doctor import bench as measuring
from firmware.cli.doctor.bench import COLUMNS, BenchFacts, bench_json, bench_row, bench_text
from firmware.cli.main import main

PAGE = Path(__file__).parents[4] / "hardware" / "performance.md"
FACTS = BenchFacts(
    "Raspberry Pi 5 Model B Rev 1.0", 2000, 10.0, 3000, 5.0, 12.5, (20.0, 80.0), (0.4, 1.2), 80, 300, (45.0, 61.4), 0
)
NOTHING = replace(
    FACTS, memory_mb=None, frame_ms=None, verdict_s=None, verdicts=0, temperature_c=(None, None), throttled=None
)


def test_the_line_to_paste_is_a_row_of_the_page() -> None:
    head = "| " + " | ".join(COLUMNS) + " |"
    assert head in PAGE.read_text(encoding="utf-8")
    for facts in (FACTS, NOTHING):
        row = bench_row(facts, "1.0")
        assert row.count("|") == head.count("|")
        assert bench_text(facts, "1.0").splitlines()[-1] == row
    assert "| 12.5 % | 20 / 80 ms | 0.4 / 1.2 s | 300 MB | 61 °C | no |" in bench_row(FACTS, "1.0")


def test_what_is_not_known_is_said_to_be_so() -> None:
    said = bench_text(NOTHING, "1.0")
    assert "does not tell its temperature" in said
    assert "A verdict" not in said
    assert "it was never slowed down" in bench_text(FACTS, "1.0")
    assert "slowed down or short of voltage" in bench_text(replace(FACTS, throttled=0x50000), "1.0")
    assert bench_row(replace(FACTS, throttled=0x4), "1.0").endswith("| yes, 0x4 |")
    assert bench_row(NOTHING, "1.0").endswith("| unknown | unknown |")


def test_a_machine_without_a_name_is_called_by_its_processor(tmp_path: Path) -> None:
    assert measuring._processor(tmp_path) == ""
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc" / "cpuinfo").write_text("processor\t: 0\nmodel name\t: Some | Core  i5 \nflags\t: x\n")
    assert measuring._processor(tmp_path) == "Some Core i5"


SCHEMA = Path(__file__).parents[4] / "firmware" / "schemas" / "bench.json"


def test_both_are_what_the_schema_says() -> None:
    checker = Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))
    for facts in (FACTS, NOTHING):
        told = bench_json(facts, "1.0")
        assert list(checker.iter_errors(told)) == []
        for key in told:
            assert list(checker.iter_errors({name: value for name, value in told.items() if name != key})) != []
        assert list(checker.iter_errors({**told, "more": 1})) != []


def test_the_spread_is_the_middle_and_the_one_of_a_hundred() -> None:
    assert measuring._spread([]) is None
    assert measuring._spread([3.0, 1.0, 2.0]) == (2.0, 3.0)
    assert measuring._spread([float(each) for each in range(1, 201)]) == (100.5, 199.0)


@pytest.mark.slow
def test_a_short_measurement_is_true_to_its_time(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = ["doctor", "--bench", "--json", "--minutes", "0.02", "--scorebook", str(tmp_path / "book")]
    assert main(words) == 0
    told = json.loads(capsys.readouterr().out)
    assert set(told) == set(bench_json(FACTS, "1.0"))
    assert told["frames"] == 6
    assert told["minutes"] >= 0.02
    assert 0 < told["core_percent"] < 400
    assert told["used_mb"] > 50
    assert told["frame_ms"]["median"] > 0
    assert not (tmp_path / "book").exists()


@pytest.mark.parametrize("word", ["0", "-1", "soon", "1441", "nan"])
def test_a_time_that_is_none_is_refused(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["doctor", "--bench", f"--minutes={word}"])
    assert left.value.code == 2
    assert "expected minutes, more than 0 and up to 1440" in capsys.readouterr().err
