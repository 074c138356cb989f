"""A command's options are its fields."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from firmware.cli.commands.declared import WrongUseError, option, parsed, part, switch


@dataclass(frozen=True, slots=True, kw_only=True)
class Count:
    """Count what lies there."""

    file: Path = option("which file", "file")
    times: int | None = option("how often", metavar="N")
    names: tuple[Path, ...] = option("may be given again", "--name", default=())
    loud_s: float = option("so long", default=2.5)
    twice: tuple[str, str] | None = option("two words", nargs=2)
    up: bool = switch("upwards", group="way")
    down: bool = switch("downwards", group="way")
    shared: str = part(lambda parser: parser.add_argument("--shared", default="ours"), lambda args: args.shared.upper())

    def __post_init__(self) -> None:
        if self.up and self.times is None:
            raise WrongUseError("--up needs --times N")

    def do(self) -> int:
        return 0


def test_what_is_left_out_has_its_default() -> None:
    assert parsed(Count, ["a"]) == Count(file=Path("a"), shared="OURS")


def test_tasks_are_commands_of_their_own() -> None:
    assert parsed({"count": Count}, ["count", "a"]) == Count(file=Path("a"), shared="OURS")
