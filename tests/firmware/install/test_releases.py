"""``firmware/install.sh`` goes to the newest release and back to the one before, in real repositories."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.firmware.install.conftest import Git, Run, needs_git

pytestmark = needs_git


@pytest.fixture
def released(checkout: Path, git: Git) -> Callable[[str], None]:
    """Has the world publish these, one after the other, and work on after them; the checkout is at the first."""

    def publish(*names: str) -> None:
        git("init", "--initial-branch=main")
        for name in names:
            (checkout / "version").write_text(name)
            git("add", ".")
            git("commit", f"--message={name}")
            git("tag", name)
        git("commit", "--allow-empty", "--message=worked on")
        git("clone", "--bare", ".", "../upstream")
        git("remote", "add", "origin", "../upstream")
        git("checkout", "--quiet", "--detach", names[0])
        for name in names[1:]:
            git("tag", "--delete", name)

    return publish


def _version(checkout: Path) -> str:
    return (checkout / "version").read_text()


def test_the_newest_release_by_number_and_back(
    install: Run, told: Path, checkout: Path, git: Git, released: Callable[..., None]
) -> None:
    released("v1.0.0", "v1.9.0", "v1.10.0", "v2.0.0-rc1")
    would = install("--upgrade", "--dry-run")
    assert (would.returncode, _version(checkout)) == (0, "v1.0.0")
    done = install("--upgrade")
    assert (done.returncode, _version(checkout)) == (0, "v1.10.0")
    assert "This folder is at v1.10.0 now, it was at v1.0.0." in done.stdout
    log = (told / "log").read_text().splitlines()
    assert log[0] == "git fetch --quiet --tags"
    assert "setup.sh" in log
    assert log[-1] == "systemctl restart engarde.service"
    (told / "log").unlink()
    again = install("--upgrade")
    assert "Nothing newer: v1.10.0 is the newest release" in again.stdout
    assert "restart" not in (told / "log").read_text(), "a match goes on"
    back = install("--back")
    assert (back.returncode, _version(checkout)) == (0, "v1.0.0")
    assert "This folder is at v1.0.0 now, it was at v1.10.0." in back.stdout
    forth = install("--back")
    assert (forth.returncode, _version(checkout)) == (0, "v1.10.0")
    assert git("status", "--porcelain") == ""


def test_who_is_ahead_of_every_release_stays_there(
    install: Run, checkout: Path, git: Git, released: Callable[..., None]
) -> None:
    released("v1.0.0")
    git("checkout", "--quiet", "main")
    at = git("rev-parse", "HEAD")
    assert "Nothing newer: v1.0.0" in install("--upgrade").stdout
    assert git("rev-parse", "HEAD") == at


def test_what_keeps_a_release_away_is_said(
    install: Run, told: Path, checkout: Path, git: Git, released: Callable[..., None]
) -> None:
    released("v1.0.0-rc1", "v1.0.0-rc2")
    assert "Not installed: there is no release yet." in install("--upgrade").stderr
    assert "Not installed: this folder was never upgraded" in install("--back").stderr
    git("remote", "set-url", "origin", "../nowhere")
    failed = install("--upgrade")
    assert failed.returncode == 1
    assert "Not installed: git could not ask for the newest release" in failed.stderr
    assert _version(checkout) == "v1.0.0-rc1"
    assert "setup.sh" not in (told / "log").read_text()


def test_work_in_the_way_is_never_lost(install: Run, checkout: Path, released: Callable[..., None]) -> None:
    released("v1.0.0", "v1.1.0")
    (checkout / "version").write_text("mine")
    failed = install("--upgrade")
    assert failed.returncode == 1
    assert "Not installed: git could not bring v1.1.0" in failed.stderr
    assert _version(checkout) == "mine"


def test_a_release_that_cannot_be_set_up_says_how_to_go_back(
    install: Run, checkout: Path, git: Git, released: Callable[..., None]
) -> None:
    released("v1.0.0", "v1.1.0")
    (checkout / "firmware" / "setup.sh").write_text("exit 1\n")
    assert "--back" not in install().stderr
    git("checkout", "--", "firmware/setup.sh")
    git("fetch", "--tags")
    git("checkout", "--quiet", "v1.1.0")
    (checkout / "firmware" / "setup.sh").write_text("exit 1\n")
    git("commit", "--all", "--message=broken")
    git("tag", "v1.2.0")
    git("push", "--quiet", "origin", "v1.2.0")
    git("checkout", "--quiet", "v1.1.0")
    failed = install("--upgrade")
    assert failed.returncode == 1
    assert "sh firmware/install.sh --back returns to what was there before." in failed.stderr
    assert install("--back").returncode == 0
    assert _version(checkout) == "v1.1.0"
