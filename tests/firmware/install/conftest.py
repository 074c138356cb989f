"""A root, a checkout and pretended programs for the scripts that install and start the game."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

FIRMWARE = Path(__file__).parents[3] / "firmware"
GIT = shutil.which("git")

# Each writes down what it was told; a few answer from files in $TOLD.
PROGRAMS = {
    "id": 'case "$*" in -u) echo "${FAKE_UID:-1000}" ;; -un) echo "${FAKE_NAME:-ana}" ;; '
    '*) cat "$TOLD/groups" 2>/dev/null || echo ana adm ;; esac',
    "sudo": '[ "$1" = -u ] && shift 2\nexec "$@"',
    "uname": 'echo "${FAKE_MACHINE:-aarch64}"',
    "dpkg": 'echo "${FAKE_ARCH:-arm64}"',
    "dpkg-query": 'for name; do :; done\ngrep -qx "$name" "$TOLD/packages" 2>/dev/null && printf installed',
    "apt-get": 'echo "apt-get $*" >>"$TOLD/log"\n'
    '[ "$1" = update ] || for name; do echo "$name" >>"$TOLD/packages"; done',
    "getent": '[ "$1" != passwd ] || echo "ana:x:1000:1000::$TOLD/home:/bin/sh"\n[ "$2" != "${NO_GROUP:-}" ]',
    "groupadd": 'echo "groupadd $*" >>"$TOLD/log"',
    "usermod": 'echo "usermod $*" >>"$TOLD/log"\necho "ana $2" | tr , " " >"$TOLD/groups"',
    # In a repository of a test's own, git is git.
    "git": '[ "$1" != fetch ] || echo "git $*" >>"$TOLD/log"\n'
    f'[ ! -e "$TOLD/git-fails" ] && {{ [ ! -d .git ] || exec {GIT} "$@"; }}',
    "loginctl": 'case "$1" in show-user) cat "$TOLD/linger" 2>/dev/null || echo no ;; '
    'enable-linger) echo yes >"$TOLD/linger" ;; disable-linger) rm "$TOLD/linger" ;; esac\n'
    '[ "$1" = show-user ] || echo "loginctl $*" >>"$TOLD/log"',
    "systemctl": 'case "$*" in\n'
    '*is-enabled*) [ -e "$TOLD/enabled" ]; exit ;;\n'
    '*is-active*) [ -e "$TOLD/active" ]; exit ;;\n'
    'get-default) echo "${FAKE_TARGET:-multi-user.target}"; exit ;;\n'
    'enable*) touch "$TOLD/enabled" ;;\n'
    'restart*) touch "$TOLD/active" ;;\n'
    'disable*) rm "$TOLD/enabled" "$TOLD/active" ;;\n'
    'esac\necho "systemctl $*" >>"$TOLD/log"',
}

Run = Callable[..., "subprocess.CompletedProcess[str]"]
Git = Callable[..., str]
needs_git = [pytest.mark.slow, pytest.mark.skipif(GIT is None, reason="git is not installed here")]


@pytest.fixture
def told(tmp_path: Path) -> Path:
    folder = tmp_path / "told"
    folder.mkdir()
    return folder


@pytest.fixture
def root(tmp_path: Path) -> Path:
    folder = tmp_path / "root"
    (folder / "etc").mkdir(parents=True)
    (folder / "etc" / "os-release").write_text('PRETTY_NAME="Debian GNU/Linux 12"\nVERSION_CODENAME=bookworm\n')
    return folder


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A checkout with a space in its name, whose setup.sh only says that it ran."""
    folder = tmp_path / "en garde"
    (folder / "firmware" / "table" / "service").mkdir(parents=True)
    for name in (
        "install.sh",
        "start.sh",
        *(f"table/service/engarde{end}" for end in (".service", ".rules", "-wifi.rules", "-usb.rules", "-avahi.xml")),
    ):
        shutil.copy(FIRMWARE / name, folder / "firmware" / name)
    (folder / "firmware" / "setup.sh").write_text('echo setup.sh >>"$TOLD/log"\n')
    return folder


@pytest.fixture
def programs(tmp_path: Path) -> Path:
    folder = tmp_path / "programs"
    folder.mkdir()
    for name, text in PROGRAMS.items():
        (folder / name).write_text(f"#!/bin/sh\n{text}\n")
        (folder / name).chmod(0o755)
    return folder


@pytest.fixture
def install(told: Path, root: Path, checkout: Path, programs: Path) -> Run:
    def run(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["sh", str(checkout / "firmware" / "install.sh"), *words],
            env={"PATH": f"{programs}:/usr/bin:/bin", "TOLD": str(told), "ENGARDE_ROOT": str(root), **environment},
            capture_output=True,
            text=True,
        )

    return run


@pytest.fixture
def git(checkout: Path) -> Git:
    """Runs git in the checkout, whatever this user has set; gives what it says."""
    who = {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null", "PATH": "/usr/bin:/bin"}

    def run(*words: str) -> str:
        command = [str(GIT), "-c", "user.name=Ana", "-c", "user.email=ana@localhost", *words]
        return subprocess.run(command, cwd=checkout, env=who, check=True, capture_output=True, text=True).stdout.strip()

    return run
