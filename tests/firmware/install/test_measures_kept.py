"""What an owner wrote into the checkout is kept by ``firmware/install.sh --upgrade``, in real repositories."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.firmware.install.conftest import Git, Run, needs_git

pytestmark = needs_git
MEASURES = ("table.toml", "camera.md", "printables/measures.scad")


def _files(folder: Path) -> dict[str, str]:
    return {str(path.relative_to(folder)): path.read_text() for path in folder.rglob("*") if path.is_file()}


@pytest.fixture
def measured(checkout: Path, git: Git) -> Callable[..., None]:
    """Makes the checkout a repository whose next version has other measures, and has the owner change these files."""

    def change(*names: str, newer: str = "table.toml") -> None:
        hardware = checkout / "hardware"
        (hardware / "printables").mkdir(parents=True)
        for name in MEASURES:
            (hardware / name).write_text("as it came\n")
        git("init", "--initial-branch=main")
        git("add", ".")
        git("commit", "--message=first")
        (hardware / newer).write_text("newer\n")
        git("commit", "--all", "--message=second")
        git("tag", "v1.1.0")
        git("clone", "--bare", ".", "../upstream")
        git("reset", "--hard", "HEAD~1")
        git("tag", "--delete", "v1.1.0")
        git("remote", "add", "origin", "../upstream")
        for name in names:
            (hardware / name).write_text("measured\n")

    return change


def test_upgrade_keeps_the_measures_that_were_written_into_the_checkout(
    install: Run, told: Path, checkout: Path, measured: Callable[..., None]
) -> None:
    measured(*MEASURES)
    own = told / "home" / ".config" / "engarde"
    would = install("--upgrade", "--dry-run")
    assert would.returncode == 0
    assert f"would run: cp --backup=numbered hardware/table.toml {own / 'table.toml'}" in would.stdout
    assert not own.exists()
    done = install("--upgrade")
    assert done.returncode == 0
    said = [line for line in done.stdout.splitlines() if line.startswith("You changed")]
    assert len(said) == 3
    assert said[0] == (
        f"You changed hardware/table.toml: that is now {own / 'table.toml'}, and hardware/table.toml is as it came; "
        "the game goes by it from now on."
    )
    assert _files(own) == dict.fromkeys(("camera.md", "measures.scad", "table.toml"), "measured\n")
    assert (checkout / "hardware" / "table.toml").read_text() == "newer\n"
    assert (checkout / "hardware" / "camera.md").read_text() == "as it came\n"
    assert install("--upgrade").stdout.count("You changed") == 0


def test_measures_kept_before_stay_in_force(install: Run, told: Path, measured: Callable[..., None]) -> None:
    measured("table.toml")
    own = told / "home" / ".config" / "engarde"
    own.mkdir(parents=True)
    (own / "table.toml").write_text("measured before\n")
    done = install("--upgrade")
    assert done.returncode == 0
    assert f"; the game goes by {own / 'table.toml'} as before." in done.stdout
    assert _files(own) == {"table.toml": "measured before\n", "table-from-checkout.toml": "measured\n"}


def test_measures_are_kept_too_where_an_older_script_has_fetched_this_one(
    install: Run, told: Path, checkout: Path, measured: Callable[..., None]
) -> None:
    measured("table.toml", newer="camera.md")
    assert install().stdout.count("You changed") == 0  # who installs again may be working on the guide
    assert install(UPGRADED="yes").returncode == 0
    assert _files(told / "home") == {".config/engarde/table.toml": "measured\n"}
    assert (checkout / "hardware" / "table.toml").read_text() == "as it came\n"


def test_measures_that_cannot_be_kept_stay_where_they_are(
    install: Run, told: Path, checkout: Path, measured: Callable[..., None]
) -> None:
    measured("table.toml")
    (told / "home").write_text("no folder")
    failed = install("--upgrade")
    assert failed.returncode == 1
    assert "Not installed: you changed hardware/table.toml, and that could not be kept as" in failed.stderr
    assert (checkout / "hardware" / "table.toml").read_text() == "measured\n"
    assert not (told / "log").exists()
