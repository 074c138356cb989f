"""``firmware/setup.sh`` with pretended programs: what it installs, what it leaves alone, and what it says."""

from __future__ import annotations

import importlib.metadata
import os
import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from firmware.table.panel.devices import is_a_pi

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(is_a_pi(), reason="on a Pi apt's own Python is taken, not a pretended one"),
]

SETUP = Path(__file__).parents[3] / "firmware" / "setup.sh"

# Answers the questions setup.sh asks a Python, and writes down what it is told to do.
PYTHON = """#!/bin/sh
for last; do :; done
case "$*" in
    *"<= (3, 14)"*) exit 0 ;;
    *"import ensurepip, venv"*) [ ! -e "$TOLD/no-venv" ] ;;
    *"print("*) echo 3.12 ;;
    *ctypes*) [ ! -e "$TOLD/no-$last" ] ;;
    "-m venv "*)
        mkdir -p .venv/bin .venv/lib/python3.12/site-packages/numpy
        cp "$0" .venv/bin/python
        echo "$*" >>"$TOLD/python" ;;
    "-m compileall "*) echo "$*" >>"$TOLD/python" ;;
    "-m pip config list") printf '%s\\n' "global.cert='/a/cert.pem'" "global.target='/elsewhere'" ;;
    "-m pip install "*)
        [ ! -e "$TOLD/pip-fails" ] || { echo "no route to host"; exit 1; }
        : >.venv/bin/engarde
        env | grep ^PIP_ | sort >"$TOLD/pip-settings"
        echo "$*" >>"$TOLD/python" ;;
esac
"""
APT = """#!/bin/sh
echo "apt-get $*" >>"$TOLD/apt"
rm -f "$TOLD"/no-*
"""

Setup = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A checkout with a space in its name."""
    folder = tmp_path / "en garde"
    (folder / "firmware").mkdir(parents=True)
    shutil.copy(SETUP, folder / "firmware")
    (folder / "firmware" / "packaging").mkdir()
    shutil.copy(SETUP.parent / "packaging" / "locked.sh", folder / "firmware" / "packaging")
    (folder / "pyproject.toml").write_text("[project]\n")
    (folder / "requirements.lock").write_text("numpy==1\n")
    return folder


@pytest.fixture
def setup(tmp_path: Path, told: Path, project: Path) -> Setup:
    """Runs setup.sh as this user with pretended programs first on its path; ``sudo``: it works without a password."""

    def run(*, uid: int = 0, sudo: bool = False, **environment: str) -> subprocess.CompletedProcess[str]:
        programs = {
            "python3": PYTHON,
            "apt-get": APT,
            "id": f"#!/bin/sh\necho {uid}\n",
            "sudo": '#!/bin/sh\n[ "$1" = -n ] && shift\nexec "$@"\n' if sudo else "#!/bin/sh\nexit 1\n",
        }
        folder = tmp_path / "programs"
        folder.mkdir(exist_ok=True)
        for name, text in programs.items():
            (folder / name).write_text(text)
            (folder / name).chmod(0o755)
        path = f"{folder}:/usr/bin:/bin"
        return subprocess.run(
            ["sh", str(project / "firmware" / "setup.sh")],
            env={"PATH": path, "TOLD": str(told), "HOME": str(tmp_path), **environment},
            capture_output=True,
            text=True,
        )

    return run


PIP = "-m pip install --disable-pip-version-check --no-input --no-deps"
FROM_SCRATCH = [
    "-m venv .venv",
    f"{PIP} --require-hashes --prefer-binary --requirement .venv/requirements.lock",
    f"{PIP} --no-build-isolation --editable .",
    "-m compileall -q engine vision display firmware",
]


def _lines(path: Path) -> list[str]:
    return path.read_text().splitlines() if path.exists() else []


def test_the_first_run_sets_up_and_the_second_does_nothing(setup: Setup, told: Path) -> None:
    first = setup()
    assert (first.returncode, first.stderr) == (0, "")
    assert _lines(told / "python") == FROM_SCRATCH
    assert _lines(told / "apt") == []
    second = setup()
    assert (second.returncode, second.stdout, second.stderr) == (0, "", "")
    assert _lines(told / "python") == FROM_SCRATCH


@pytest.mark.parametrize("file", ["pyproject.toml", "requirements.lock"])
def test_another_lock_or_project_file_brings_it_up_to_date(setup: Setup, told: Path, project: Path, file: str) -> None:
    setup()
    (project / file).write_text("changed = true\n")
    assert setup().returncode == 0
    assert _lines(told / "python") == FROM_SCRATCH + FROM_SCRATCH[1:]
    assert setup().stdout == ""


@pytest.mark.parametrize("gone", ["engarde-stamp", "lib/python3.12/site-packages/numpy", "bin/engarde"])
def test_a_half_made_venv_is_made_again(setup: Setup, told: Path, project: Path, gone: str) -> None:
    setup()
    left_over = project / ".venv" / "left-over"
    left_over.touch()
    found = project / ".venv" / gone
    found.rmdir() if found.is_dir() else found.unlink()
    assert setup().returncode == 0
    assert _lines(told / "python") == FROM_SCRATCH * 2
    assert not left_over.exists()


def test_a_moved_checkout_gets_a_venv_of_its_own(setup: Setup, told: Path, project: Path) -> None:
    setup()
    moved = project.with_name("moved")
    project.rename(moved)
    shutil.copytree(moved, project, symlinks=True)
    (project / ".venv" / "engarde-stamp").write_text(
        (moved / ".venv" / "engarde-stamp").read_text().replace(str(project), str(moved))
    )
    assert setup().returncode == 0
    assert _lines(told / "python") == FROM_SCRATCH * 2


@pytest.mark.parametrize(
    ("missing", "who", "installed"),
    [
        (("no-libzbar.so.0", "no-libglib-2.0.so.0"), {}, "libzbar0 libglib2.0-0"),
        (("no-libzbar.so.0",), {"uid": 1000, "sudo": True}, "libzbar0"),
    ],
    ids=["root", "sudo"],
)
def test_only_missing_libraries_are_installed(
    setup: Setup, told: Path, missing: tuple[str, ...], who: dict[str, int], installed: str
) -> None:
    for name in missing:
        (told / name).touch()
    assert setup(**who).returncode == 0
    wait = "-o DPkg::Lock::Timeout=120"
    assert _lines(told / "apt") == [
        f"apt-get {wait} update",
        f"apt-get install -y --no-install-recommends {installed} {wait}",
    ]


def test_with_neither_the_exact_command_is_named(setup: Setup, told: Path, project: Path) -> None:
    (told / "no-libzbar.so.0").touch()
    done = setup(uid=1000)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "    sudo apt-get install -y --no-install-recommends libzbar0"
    assert _lines(told / "apt") == []
    assert not (project / ".venv").exists()


def test_what_pip_said_is_shown_when_it_fails_and_the_next_run_starts_over(
    setup: Setup, told: Path, project: Path
) -> None:
    (told / "pip-fails").touch()
    done = setup()
    assert done.returncode == 1
    assert done.stderr == (
        "no route to host\nSetting up failed: pip could not install the locked libraries. Is there a network?\n"
    )
    (told / "pip-fails").unlink()
    assert setup().returncode == 0
    assert _lines(told / "python") == [FROM_SCRATCH[0], *FROM_SCRATCH]
    (project / "requirements.lock").write_text("numpy==2\n")
    (told / "pip-fails").touch()
    assert setup().returncode == 1
    (told / "pip-fails").unlink()
    assert setup().returncode == 0, "an update that failed half way starts over"
    assert _lines(told / "python") == [FROM_SCRATCH[0], *FROM_SCRATCH * 2]


def test_of_pips_settings_only_the_way_to_packages_is_followed(setup: Setup, told: Path) -> None:
    odd = {"PIP_TARGET": "/t", "PIP_USER": "1", "PIP_REQUIRE_VIRTUALENV": "1", "PIP_NO_BINARY": ":all:"}
    assert setup(PIP_PROXY="proxy.example:3128", **odd).returncode == 0
    assert _lines(told / "pip-settings") == [
        "PIP_CERT=/a/cert.pem",
        "PIP_CONFIG_FILE=/dev/null",
        "PIP_PROXY=proxy.example:3128",
        "PIP_ROOT_USER_ACTION=ignore",
    ]


def test_a_python_that_was_asked_for_and_is_not_there(setup: Setup) -> None:
    done = setup(PYTHON="/nowhere/python3.12")
    assert done.returncode == 0
    assert done.stdout.startswith("PYTHON=/nowhere/python3.12 is no Python 3.11 to 3.14 that can make a venv")


def test_continuous_integration_ends_with_make_test() -> None:
    run = SETUP.parents[1] / ".ci" / "run"
    assert os.access(run, os.X_OK)
    assert run.read_text().splitlines()[-1] == "exec make test"


def test_the_pip_in_the_venv_is_the_locked_one_and_none_with_holes_that_are_known() -> None:
    """Python brings one that may be years old; making the venv puts the lock's in its place."""
    lock = (Path(__file__).parents[3] / "requirements.lock").read_text(encoding="utf-8")
    (locked,) = re.findall(r"^pip==(\S+)", lock, re.MULTILINE)
    assert importlib.metadata.version("pip") == locked
    assert int(locked.partition(".")[0]) >= 26
