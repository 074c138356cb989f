"""Which stick is written to, by fake trees of /proc and /sys; and sticks full of links into the owner's house."""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from display.i18n import words
from engine.rules.track import BySide
from firmware.book.scorebook.book import open_scorebook
from firmware.cli.main import main
from firmware.core.errors import EngardeError
from firmware.ui.menu.machine import Household
from firmware.ui.menu.sticks import Stick, StickFinder
from tests.firmware.ui.scene_table import machine_of

RULES = Path(__file__).parents[4] / "firmware" / "table" / "service" / "engarde-usb.rules"


@dataclass
class Machine:
    """A machine's disks and mounts. Written as Linux 6.6 writes /proc/self/mountinfo and /sys."""

    folder: Path
    mounts: list[str] = field(default_factory=list)
    numbers: dict[str, str] = field(default_factory=dict)
    closed: set[Path] = field(default_factory=set)

    def __post_init__(self) -> None:
        for name in ("sys/dev/block", "sys/class/block", "labels", "proc"):
            (self.folder / name).mkdir(parents=True)
        self.write()

    @property
    def find(self) -> StickFinder:
        return StickFinder(
            Path("/srv/engarde/scorebook.sqlite"),
            mountinfo=self.folder / "proc" / "mountinfo",
            sysfs=self.folder / "sys",
            labels=self.folder / "labels",
            can_write=lambda path: path not in self.closed,
        )

    def write(self) -> None:
        (self.folder / "proc" / "mountinfo").write_text("".join(f"{line}\n" for line in self.mounts), encoding="utf-8")

    def disk(self, name: str, *parts: int, model: str = "", slaves: str = "") -> None:
        """A disk with partitions of so many sectors; one that has none is a file system itself."""
        disk = self.folder / "sys" / "devices" / f"usb-{name}" / "block" / name
        for each in (disk, *(disk / f"{name}{number}" for number in range(1, len(parts) + 1))):
            each.mkdir(parents=True)
            number = f"8:{len(self.numbers)}"
            self.numbers[each.name] = number
            (self.folder / "sys" / "dev" / "block" / number).symlink_to(each)
            (self.folder / "sys" / "class" / "block" / each.name).symlink_to(each)
        for nth, sectors in enumerate(parts, start=1):
            (disk / f"{name}{nth}" / "partition").write_text(f"{nth}\n")
            (disk / f"{name}{nth}" / "size").write_text(f"{sectors}\n")
        if model:
            (disk / "device").mkdir()
            (disk / "device" / "model").write_text(f"{model}   \n")
        if slaves:
            (disk / "slaves").mkdir()
            (disk / "slaves" / slaves).symlink_to(self.folder / "sys" / "class" / "block" / slaves)

    def pull(self, name: str) -> None:
        """The kernel forgets a disk at once; systemd takes its mounts away some time later."""
        for each in [*self.folder.glob("sys/dev/block/*"), *self.folder.glob("sys/class/block/*")]:
            if each.resolve().name.startswith(name):
                each.unlink()

    def label(self, part: str, label: str) -> None:
        (self.folder / "labels" / label).symlink_to(f"../../{part}")

    def mount(self, part: str, where: str, options: str = "rw,nosuid", kind: str = "vfat", number: str = "") -> None:
        number = number or self.numbers.get(part, "0:44")
        source = f"/dev/{part}" if part in self.numbers else part
        more = "ro" if options.startswith("RO") else "rw"
        where, told = where.replace(" ", "\\040"), options.replace("RO", "rw")
        line = f"{len(self.mounts) + 40} 29 {number} / {where} {told} shared:1 - {kind} {source} {more}"
        self.mounts.append(line)
        self.write()

    def unmount(self, where: str) -> None:
        self.mounts = [line for line in self.mounts if line.split(" ")[4] != where]
        self.write()


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """A Pi that starts from a disk at USB, of which its own rule mounted the boot partition once more."""
    made = Machine(tmp_path)
    made.disk("sda", 1_000_000, 60_000_000)
    made.mount("/dev/root", "/", kind="ext4", number=made.numbers["sda2"])
    made.mount("sda1", "/boot/firmware")
    made.mount("sda1", "/media/engarde-sda1")
    made.mount("proc", "/proc", kind="proc")
    return made


def names(machine: Machine) -> list[str]:
    return [stick.name for stick in machine.find()]


def test_a_root_that_is_encrypted_is_on_its_disk_all_the_same(tmp_path: Path) -> None:
    machine = Machine(tmp_path)
    machine.disk("sda", 1_000, 60_000_000)
    machine.disk("dm-0", slaves="sda2")
    machine.mount("dm-0", "/", kind="ext4")
    machine.mount("sda1", "/media/engarde-sda1")
    assert names(machine) == []


def test_a_stick_is_called_by_its_label_else_by_its_maker_s_name_for_it(machine: Machine) -> None:
    machine.disk("sdb", 8_000_000, model="Cruzer Blade")
    machine.mount("sdb1", "/media/engarde-sdb1")
    assert names(machine) == ["Cruzer Blade"]
    machine.label("sdb1", r"FOTOS\x20J\xc3\xbcrgen\x0a")
    assert names(machine) == ["FOTOS Jürgen"]
    machine.disk("sdc", 8_000_000)
    machine.mount("sdc1", "/media/engarde-sdc1")
    assert names(machine)[0] == "engarde-sdc1"
    machine.disk("sdd", 8_000_000)
    machine.mount("sdd1", "/media/ana/MY STICK")
    assert machine.find()[0] == Stick(Path("/media/ana/MY STICK"), "MY STICK")


def test_a_folder_of_the_network_is_one_and_what_lives_in_memory_is_none(machine: Machine) -> None:
    machine.mount("nas:/photos", "/media/nas", kind="nfs4")
    machine.mount("tmpfs", "/media/root-rw", kind="tmpfs")
    machine.mount("systemd-1", "/media/auto", kind="autofs")
    assert names(machine) == ["nas"]


def test_lines_of_another_kind_are_passed_over(machine: Machine) -> None:
    machine.mounts += ["", "29", "1 2 3:4 / /media/x rw - vfat", " - "]
    machine.write()
    assert machine.find() == []
    (machine.folder / "proc" / "mountinfo").unlink()
    assert machine.find() == []


class Sticks(RuleBasedStateMachine):
    """Disks that are plugged in, pulled out with and without notice, mounted anew, locked, and used otherwise too.

    A stick is known by its disk, its partition, and that partition's size.
    """

    def __init__(self) -> None:
        super().__init__()
        self.temporary = tempfile.TemporaryDirectory()
        self.machine = Machine(Path(self.temporary.name))
        self.machine.disk("sda", 1_000, 60_000_000)
        self.machine.mount("sda2", "/", kind="ext4")
        self.sticks: list[tuple[str, str, int]] = []  # in the order of their mounts
        self.plugged = 0

    def teardown(self) -> None:
        self.temporary.cleanup()

    @rule(
        sizes=st.lists(st.integers(1, 9), min_size=1, max_size=2, unique=True),
        options=st.sampled_from(["rw,nosuid", "rw,nosuid", "ro,nosuid", "RO,nosuid", "closed"]),
        kind=st.sampled_from([("vfat", ""), ("fuseblk", "0:51"), ("btrfs", "0:25")]),
        use=st.sampled_from(["", "", "/boot", "/srv/engarde", "/var/lib/backup"]),
    )
    def plug(self, sizes: list[int], options: str, kind: tuple[str, str], use: str) -> None:
        """With its largest part a little later, as Ventoy's; ``use``: something of it is mounted there, too."""
        disk = f"st{chr(97 + self.plugged % 26)}{chr(97 + self.plugged // 26)}"
        self.plugged += 1
        self.machine.disk(disk, *sizes)
        if use:
            self.machine.mount(f"{disk}1", f"{use}/{disk}" if use == "/boot" else use)
        for number, size in enumerate(sizes, start=1):
            part = f"{disk}{number}"
            if options == "closed":
                self.machine.closed.add(Path(f"/media/{part}"))
            self.machine.mount(part, f"/media/{part}", options.replace("closed", "rw"), *kind)
            if options.startswith("rw") and not use:
                self.sticks.append((disk, part, size))

    @precondition(lambda self: self.sticks)
    @rule(data=st.data(), noticed=st.booleans(), again=st.booleans())
    def pull(self, data: st.DataObject, noticed: bool, again: bool) -> None:
        """The stick is pulled out, or only mounted ``again``."""
        disk, part, size = data.draw(st.sampled_from(self.sticks))
        if again:
            self.machine.unmount(f"/media/{part}")
            self.machine.mount(part, f"/media/{part}")
            self.sticks.remove((disk, part, size))
            self.sticks.append((disk, part, size))
            return
        self.machine.pull(disk)
        for each in [each for each in self.sticks if each[0] == disk]:
            self.sticks.remove(each)
            if noticed:
                self.machine.unmount(f"/media/{each[1]}")

    @invariant()
    def the_newest_that_can_be_written_to_comes_first_and_its_largest_part(self) -> None:
        newest = {disk: age for age, (disk, _, _) in enumerate(self.sticks)}
        expected = sorted(self.sticks, key=lambda stick: (newest[stick[0]], stick[2]), reverse=True)
        assert names(self.machine) == [part for _, part, _ in expected]


TestSticks = Sticks.TestCase
TestSticks.settings = settings(max_examples=15, stateful_step_count=12, deadline=None)


@pytest.mark.parametrize(
    ("mounted", "left_alone"),
    [
        ("/dev/sda /dev/sda1 /boot/firmware", True),
        ("\n\n/", True),
        ("\n/media/engarde-sda1\n", False),
        ("\n\n[SWAP]", False),
        ("", False),
        ("/boot/firmware\n/media/engarde-sda1", True),
    ],
)
def test_the_rule_for_udev_leaves_the_disk_alone_that_the_machine_runs_from(
    tmp_path: Path, mounted: str, left_alone: bool
) -> None:
    (line,) = [line for line in RULES.read_text(encoding="utf-8").splitlines() if line.startswith("PROGRAM==")]
    command = line.partition("-c '")[2].partition("'\"")[0]
    assert line.endswith('GOTO="engarde_end"')
    (tmp_path / "lsblk").write_text(f"#!/bin/sh\n[ \"$3\" = /dev/sda ] && cat <<'end'\n{mounted}\nend\n")
    (tmp_path / "lsblk").chmod(0o755)
    done = subprocess.run(
        ["/bin/sh", "-c", command.replace("%P", "sda")], env={"PATH": f"{tmp_path}:/usr/bin:/bin"}, check=False
    )
    assert (done.returncode == 0) is left_alone


@pytest.fixture
def household(tmp_path: Path, fill: Any, bot_match: Any) -> Iterator[Household]:
    with open_scorebook(tmp_path / "book.sqlite") as book:
        fill(book, BySide("$(touch pwned)", "=1+1"), bot_match(1, points=1))
        yield machine_of(book)


def scores(*words: str) -> Callable[[Household, Path], object]:
    def asked(household: Household, stick: Path) -> object:
        given = [word.replace("STICK", str(stick)) for word in words]
        return main(["scores", "--scorebook", str(household.book.path), *given])

    return asked


DEEDS: dict[str, Callable[[Household, Path], object]] = {
    "tables": lambda machine, stick: machine.tables(machine.known.house, "en"),
    "backup": lambda machine, stick: machine.back_up("en"),
    "page": scores("--match", "1", "--html", "STICK/a.html"),
    "card": scores("--match", "1", "--card", "STICK/a.png"),
    "csv": scores("--csv", "STICK/a.csv"),
    "sheets": lambda machine, stick: main(["print", "--out", str(stick), "--only", "start"]),
}


def test_a_copy_that_cannot_be_made_is_said(
    household: Household, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise EngardeError("no space left")

    (tmp_path / "media" / "STICK").mkdir(parents=True)
    monkeypatch.setattr("firmware.ui.menu.machine.back_up", full)
    assert household.back_up("en") == words("en").say("menu.no_copy")


@pytest.mark.slow
@pytest.mark.parametrize("deed", DEEDS)
@pytest.mark.parametrize("leads_to", ["a file", "nothing"])
def test_nothing_in_the_house_is_written(deed: str, leads_to: str, household: Household, tmp_path: Path) -> None:
    stick, house = tmp_path / "media" / "STICK", tmp_path / "house"
    stick.mkdir(parents=True)
    house.mkdir()
    DEEDS[deed](household, stick)
    names = [each.name for each in stick.iterdir()]
    assert names
    for name in names:
        (stick / name).unlink()
        (stick / name).symlink_to(house / name)
        if leads_to == "a file":
            (house / name).write_text("the owner's")
    DEEDS[deed](household, stick)
    assert {each.read_text() for each in house.iterdir()} == ({"the owner's"} if leads_to == "a file" else set())
    written = [each for each in stick.iterdir() if not each.is_symlink()]
    assert len(written) == (1 if deed == "backup" else len(names)), "a backup takes the next number"
    assert all(each.stat().st_size for each in written)
