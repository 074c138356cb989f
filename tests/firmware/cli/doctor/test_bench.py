"""``engarde doctor --bench``: what is measured, and how it is told."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from firmware.cli.doctor import bench as measuring
from firmware.cli.doctor.bench import bench_row, bench_text
from firmware.cli.main import main

ROOT = Path(__file__).parents[4]
SCHEMA = json.loads((ROOT / "firmware" / "schemas" / "bench.json").read_text(encoding="utf-8"))
FACTS: dict[str, Any] = {
    "version": "1.0",
    "machine": "Raspberry Pi 5 Model B Rev 1.0",
    "memory_mb": 2000,
    "minutes": 10.0,
    "frames": 3000,
    "frames_a_second": 5.0,
    "core_percent": 12.5,
    "frame_ms": {"median": 20.0, "p99": 80.0},
    "verdict_s": {"median": 0.4, "p99": 1.2},
    "verdicts": 80,
    "used_mb": 300,
    "temperature_c": {"start": 45.0, "end": 61.4},
    "throttled": 0,
}
NOTHING = {
    **FACTS,
    "verdicts": 0,
    "temperature_c": {"start": None, "end": None},
    **dict.fromkeys(("memory_mb", "frame_ms", "verdict_s", "throttled")),
}


def test_what_is_not_known_is_said_to_be_so() -> None:
    said = bench_text(NOTHING)
    assert "does not tell its temperature" in said
    assert "A verdict" not in said
    assert "it was never slowed down" in bench_text(FACTS)
    assert "slowed down or short of voltage" in bench_text({**FACTS, "throttled": 0x50000})
    assert bench_row({**FACTS, "throttled": 0x4}).endswith("| yes, 0x4 |")
    assert bench_row(NOTHING).endswith("| unknown | unknown |")


def test_a_machine_without_a_name_is_called_by_its_processor(tmp_path: Path) -> None:
    assert measuring._processor(tmp_path) == ""
    (tmp_path / "proc").mkdir()
    (tmp_path / "proc" / "cpuinfo").write_text("processor\t: 0\nmodel name\t: Some | Core  i5 \nflags\t: x\n")
    assert measuring._processor(tmp_path) == "Some Core i5"


def test_the_spread_is_the_middle_and_the_one_of_a_hundred() -> None:
    assert measuring._spread([]) is None
    assert measuring._spread([3.0, 1.0, 2.0]) == {"median": 2.0, "p99": 3.0}
    assert measuring._spread([float(each) for each in range(1, 201)]) == {"median": 100.5, "p99": 199.0}


@pytest.mark.slow
def test_a_short_measurement_is_true_to_its_time(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    words = ["doctor", "--bench", "--json", "--minutes", "0.02", "--scorebook", str(tmp_path / "book")]
    assert main(words) == 0
    told = json.loads(capsys.readouterr().out)
    assert [error.message for error in Draft202012Validator(SCHEMA).iter_errors(told)] == []
    assert told["frames"] == 6
    assert told["minutes"] >= 0.02
    assert 0 < told["core_percent"] < 400
    assert told["used_mb"] > 50
    assert told["frame_ms"]["median"] > 0
    assert not (tmp_path / "book").exists()


@pytest.mark.parametrize("word", ["0", "soon", "1441", "nan"])
def test_a_time_that_is_none_is_refused(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["doctor", "--bench", f"--minutes={word}"])
    assert left.value.code == 2
    assert "expected minutes, more than 0 and up to 1440" in capsys.readouterr().err
