"""``firmware/install.sh`` and its unit, with pretended programs in a root of their own."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from xml.etree import ElementTree

import pytest

from firmware.web.address import Port
from tests.firmware.install.conftest import Run

pytestmark = pytest.mark.slow

FIRMWARE = Path(__file__).parents[3] / "firmware"
ANALYZE = shutil.which("systemd-analyze")


def _log(told: Path) -> list[str]:
    """What was done since the last look."""
    path = told / "log"
    lines = path.read_text().splitlines() if path.exists() else []
    path.write_text("")
    return lines


def _files(root: Path) -> dict[str, str]:
    return {str(path.relative_to(root)): path.read_text() for path in sorted(root.rglob("*")) if path.is_file()}


ALL_PACKAGES = (
    "git python3-venv python3-numpy python3-pygame python3-picamera2 python3-lgpio "
    "libzbar0 libglib2.0-0 libopenblas0-pthread libgbm1 libegl1 libgl1-mesa-dri espeak-ng polkitd "
    "fonts-dejavu-core fonts-wqy-microhei"
)
FIRST = [
    "apt-get update",
    f"apt-get install -y --no-install-recommends {ALL_PACKAGES}",
    "setup.sh",
    "usermod -aG gpio,video,render,input,audio ana",
    "loginctl enable-linger ana",
    "systemctl daemon-reload",
    "systemctl enable engarde.service",
    "systemctl restart engarde.service",
]


def test_the_first_run_installs_and_the_second_changes_nothing(
    install: Run, told: Path, root: Path, checkout: Path
) -> None:
    first = install()
    assert (first.returncode, first.stderr) == (0, "")
    assert _log(told) == FIRST
    files = _files(root)
    assert sorted(files) == [
        "etc/os-release",
        "etc/polkit-1/rules.d/50-engarde.rules",
        "etc/polkit-1/rules.d/51-engarde-wifi.rules",
        "etc/systemd/journald@engarde.conf",
        "etc/systemd/system/engarde.service",
        "etc/systemd/system/engarde.service.d/installed-lingering",
        "etc/udev/rules.d/90-engarde-usb.rules",
    ]
    unit = files["etc/systemd/system/engarde.service"]
    assert "User=ana\n" in unit
    assert f"WorkingDirectory={checkout}\n" in unit
    assert "@" not in re.sub(r"@1\.service|getty@tty1|=@system-service", "", unit)
    rules = [text for name, text in files.items() if name.startswith("etc/polkit-1/")]
    assert all('subject.user == "ana"' in rule and "@USER@" not in rule for rule in rules)
    second = install()
    assert (second.returncode, second.stderr) == (0, "")
    assert _log(told) == ["setup.sh"]
    assert _files(root) == files


def test_a_dry_run_says_all_of_it_and_does_nothing(install: Run, told: Path, root: Path) -> None:
    before = _files(root)
    done = install("--dry-run")
    assert (done.returncode, done.stderr) == (0, "")
    assert _log(told) == []
    assert _files(root) == before
    would = [line.removeprefix("would run: ") for line in done.stdout.splitlines() if line.startswith("would run: ")]
    assert [line.removeprefix("sudo ").removeprefix("env DEBIAN_FRONTEND=noninteractive ") for line in would] == [
        "sh firmware/setup.sh" if line == "setup.sh" else line for line in FIRST
    ]
    assert f"Writing {root}/etc/systemd/system/engarde.service" in done.stdout


def test_only_what_is_missing_is_installed(install: Run, told: Path, root: Path) -> None:
    there = [name for name in ALL_PACKAGES.split() if name not in ("python3-lgpio", "libglib2.0-0")]
    (told / "packages").write_text("\n".join([*there, "libglib2.0-0t64"]) + "\n")  # Trixie's new name
    (told / "groups").write_text("ana gpio video input audio\n")
    (root / "etc" / "os-release").write_text("VERSION_CODENAME=trixie\n")
    assert install(NO_GROUP="gpio").returncode == 0
    assert _log(told)[:5] == [
        "apt-get update",
        "apt-get install -y --no-install-recommends python3-lgpio",
        "setup.sh",
        "groupadd --system gpio",
        "usermod -aG render ana",
    ]


def test_through_sudo_the_game_still_belongs_to_the_player(install: Run, told: Path, root: Path) -> None:
    assert install(FAKE_UID="0", FAKE_NAME="root", SUDO_USER="ana").returncode == 0
    assert "User=ana\n" in _files(root)["etc/systemd/system/engarde.service"]


def test_uninstall_takes_back_what_was_installed_and_no_more(install: Run, told: Path, root: Path) -> None:
    before = _files(root)
    install()
    _log(told)
    would = install("--uninstall", "--dry-run")
    assert would.returncode == 0
    assert _log(told) == []
    done = install("--uninstall")
    assert done.returncode == 0
    assert "Kept: scorebook and settings" in done.stdout
    assert _log(told) == [
        "systemctl disable --now engarde.service",
        "loginctl disable-linger ana",
        "systemctl daemon-reload",
    ]
    assert _files(root) == before
    again = install("--uninstall")
    assert (again.returncode, _log(told)) == (0, [])


def test_sticks_are_mounted_for_the_player_and_nothing_on_them_is_run(install: Run, root: Path) -> None:
    install()
    rules = _files(root)["etc/udev/rules.d/90-engarde-usb.rules"]
    mounts = [line for line in rules.splitlines() if "RUN+=" in line]
    assert all("--options=nosuid,nodev,noexec $devnode /media/engarde-%k" in line for line in mounts)
    assert [("--owner=ana" in line, "vfat" in line) for line in mounts] == [(True, True), (False, False)]
    assert rules.count('GOTO="engarde_end"') == 7
    assert rules.rstrip().endswith('LABEL="engarde_end"')


def test_a_rule_that_only_root_may_read_is_compared_through_sudo(install: Run, told: Path, root: Path) -> None:
    install()
    (root / "etc" / "polkit-1" / "rules.d").chmod(0o700)
    _log(told)
    assert "50-engarde" not in install().stdout
    assert _log(told) == ["setup.sh"]


def test_the_scoreboard_is_served_and_announced_once_it_is_asked_for(install: Run, told: Path, root: Path) -> None:
    install()
    before = _files(root)
    _log(told)
    done = install("--scoreboard")
    assert done.returncode == 0
    assert "scoreboard, for every phone" in done.stdout
    assert _log(told)[1:] == [
        "apt-get install -y --no-install-recommends avahi-daemon",
        "setup.sh",
        "systemctl daemon-reload",
        "systemctl restart engarde.service",
    ]
    files = _files(root)
    more = {"etc/systemd/system/engarde.service.d/scoreboard.conf", "etc/avahi/services/engarde.service"}
    assert set(files) - set(before) == more
    announced = ElementTree.fromstring(files["etc/avahi/services/engarde.service"])
    assert announced.findtext("service/port") == f"{Port.SCOREBOARD}"
    assert install().returncode == 0
    assert _files(root) == files
    assert _log(told) == ["setup.sh"]
    assert install("--no-scoreboard").returncode == 0
    assert _files(root) == before
    assert _log(told) == ["setup.sh", "systemctl daemon-reload", "systemctl restart engarde.service"]


def test_lingering_that_was_there_before_stays(install: Run, told: Path) -> None:
    (told / "linger").write_text("yes\n")
    install()
    install("--uninstall")
    assert not [line for line in _log(told) if line.startswith("loginctl")]


@pytest.mark.parametrize(
    ("environment", "codename", "said"),
    [
        ({"FAKE_MACHINE": "armv7l"}, "bookworm", "Raspberry Pi OS 64 bit is needed, this system is armv7l."),
        ({"FAKE_ARCH": "armhf"}, "bookworm", "Raspberry Pi OS 64 bit is needed"),
        ({"FAKE_UID": "0", "FAKE_NAME": "root"}, "bookworm", "the game does not run as root."),
        ({}, "bullseye", "Bookworm or Trixie is needed, this is bullseye."),
    ],
)
def test_what_cannot_be_installed_on_is_said(
    install: Run, told: Path, root: Path, environment: dict[str, str], codename: str, said: str
) -> None:
    (root / "etc" / "os-release").write_text(f"VERSION_CODENAME={codename}\n")
    done = install(**environment)
    assert done.returncode == 1
    assert said in done.stderr
    wrong = install("--remove")
    assert (wrong.returncode, wrong.stderr) == (2, "There is no option --remove; --help lists them.\n")
    assert "--uninstall   takes the service away" in install("--help").stdout
    assert _log(told) == []


def test_the_unit_has_no_user_of_its_own_and_is_watched() -> None:
    unit = (FIRMWARE / "table" / "service" / "engarde.service").read_text()
    for line in ("User=@USER@", "Type=notify", "WatchdogSec=30", "Restart=on-failure", "TimeoutStopSec=5"):
        assert f"\n{line}\n" in unit
    assert "SupplementaryGroups=gpio video render input audio" in unit


@pytest.mark.skipif(ANALYZE is None, reason="systemd-analyze is not installed here")
def test_systemd_finds_nothing_to_say_about_the_unit(install: Run, root: Path) -> None:
    """It exits with 0 on unknown keys too: nothing on stderr is what counts."""
    install()
    unit = root / "etc" / "systemd" / "system" / "engarde.service"
    assert ANALYZE is not None
    done = subprocess.run([ANALYZE, "verify", "--man=no", str(unit)], capture_output=True, text=True)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    unit.write_text(unit.read_text().replace("RestartSec", "RestartSecs"))
    done = subprocess.run([ANALYZE, "verify", "--man=no", str(unit)], capture_output=True, text=True)
    assert "RestartSecs" in done.stderr


@pytest.mark.skipif(ANALYZE is None, reason="systemd-analyze is not installed here")
def test_the_unit_is_shut_as_far_as_its_devices_allow(install: Run, root: Path) -> None:
    """By systemd's own measure, of 10: what keeps it from less is devices, network and home, which the game needs."""
    install()
    unit = root / "etc" / "systemd" / "system" / "engarde.service"
    assert ANALYZE is not None
    measured = [ANALYZE, "security", "--offline=yes", "--no-pager", "--threshold=30", str(unit)]
    assert subprocess.run(measured, capture_output=True, text=True).returncode == 0
    unit.write_text(unit.read_text().replace("SystemCallFilter=@system-service\n", ""))
    assert subprocess.run(measured, capture_output=True, text=True).returncode != 0
