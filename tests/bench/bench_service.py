"""The service's own unit under a real systemd while readers of pictures hang, are late and crash. Run it as root.

    .venv/bin/python tests/bench/bench_service.py [--without-systemd]

Systemd runs as process 1 of namespaces of its own, on a throw-away layer over this machine's files, in a cgroup of its
own; it starts ``firmware/table/service/engarde.service`` as it would be installed, but for the groups of a Pi, its
journal, and the camera: the simulated table, at the speed of life. Something before the real zxing-cpp, zbar or ArUco
fails in every so many pictures. Then the power goes. Printed are, for each case, the verdicts, the longest that one
took from its press by the clock on the wall, restarts, pictures kept, and whether every printed event is in the
scorebook. The last case hangs the loop itself: systemd has to kill it and start it again. Exit status 1 where anything
was not so.
"""

from __future__ import annotations

import argparse
import getpass
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engine.record.answers import entry_to_json
from firmware.book.scorebook.book import open_scorebook

CHECKOUT: Final = Path(__file__).parents[2]
CGROUPS: Final = ("/sys/fs/cgroup/unified", "/sys/fs/cgroup")
MAX_S: Final = 2.0
PLAY: Final = "--camera synthetic --headless --json --scorebook {out}/book.sqlite"

TIMES: Final = """
import os, sys, time
def times():
    import firmware.table.loop.loop as module
    advance = module.Loop.advance
    pressed, frames = None, 0
    out = open(os.environ["BENCH_OUT"] + "/waits.txt", "a", buffering=1)
    def timed(self):
        nonlocal pressed, frames
        began = time.monotonic()
        once = os.environ["BENCH_OUT"] + "/hung"
        if os.environ.get("BENCH_LOOP") and frames == 40 and not os.path.exists(once):
            open(once, "w").close()
            while True: pass
        moment = advance(self)
        frames += 1
        if moment is not None:
            if pressed is not None and moment.entries:
                out.write(f"{time.monotonic() - pressed:.3f}\\n")
            pressed = None if moment.desk.waiting is None else began if pressed is None else pressed
        return moment
    module.Loop.advance = timed
def fails(every=int(os.environ.get("BENCH_EVERY", "1")), seen=[]):
    seen.append(0)
    if (os.getpid() + len(seen)) % every: return
    how = os.environ["BENCH_HOW"]
    while how == "hang": pass
    if how == "late": time.sleep(1.2)
    if how == "crash": os.kill(os.getpid(), 11)
def spoil_aruco():
    import cv2
    real = cv2.aruco.ArucoDetector
    class Failing:
        def __init__(self, *how): self.real = real(*how)
        def detectMarkers(self, y):
            fails()
            return self.real.detectMarkers(y)
    cv2.aruco.ArucoDetector = Failing
def spoil_zbar():
    import pyzbar.pyzbar as library
    real = library.decode
    def decode(*a, **k):
        fails()
        return real(*a, **k)
    library.decode = decode
aside = any("forkserver" in word for word in sys.orig_argv)
if aside and os.environ.get("BENCH_READER") == "aruco": spoil_aruco()
if aside and os.environ.get("BENCH_READER") == "zbar": spoil_zbar()
if not aside and any(word.endswith("engarde") for word in sys.orig_argv[:3]): times()
"""
ZXING: Final = """
import importlib, os, sys
here, before = os.path.dirname(os.path.abspath(__file__)), list(sys.path)
sys.path[:] = [path for path in sys.path if os.path.abspath(path or ".") != here]
del sys.modules["zxingcpp"]
real = importlib.import_module("zxingcpp")
sys.path[:] = before
if os.environ.get("BENCH_READER") == "zxing":
    import sitecustomize
    reads = real.read_barcodes
    def read_barcodes(*a, **k):
        sitecustomize.fails()
        return reads(*a, **k)
    read_barcodes.__doc__ = reads.__doc__
    real.read_barcodes = read_barcodes
"""
BOOT: Final = """set -e
mount --make-rprivate /
B={folder}/layer; mkdir -p $B; mount -t tmpfs tmpfs $B; mkdir $B/up $B/work $B/root; R=$B/root
mount -t overlay overlay -o lowerdir=/,upperdir=$B/up,workdir=$B/work $R
mount -t proc proc $R/proc; mount -t sysfs -o ro sysfs $R/sys
mount -t tmpfs tmpfs $R/sys/fs/cgroup || true
mount -t cgroup2 cgroup2 $R/sys/fs/cgroup
mount -t tmpfs tmpfs $R/run; mount -t tmpfs -o mode=755 tmpfs $R/dev
for d in null zero full random urandom tty; do touch $R/dev/$d; mount --bind /dev/$d $R/dev/$d; done
touch $R/dev/console; mount --bind "$(tty)" $R/dev/console
mkdir -p $R/dev/shm; mount -t tmpfs -o mode=1777 tmpfs $R/dev/shm
rm -rf $R/usr/lib/systemd/system/*.target.wants $R/etc/systemd/system/*.target.wants
rm -rf $R/usr/lib/systemd/system-generators $R/etc/fstab
cp -r {folder}/units/. $R/etc/systemd/system/
chroot $R useradd -m player
chroot $R su player -c 'mkdir -p ~/.config/engarde && : > ~/.config/engarde/config.toml'  # the first start is behind us
chmod 755 $R/root
mkdir -p $R{out}; mount --bind {out} $R{out}
exec chroot $R env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --unit=game.target
"""
DROP_IN: Final = """[Service]
SupplementaryGroups=
LogNamespace=
StandardOutput=append:{out}/stdout.txt
StandardError=append:{out}/stderr.txt
Environment=PYTHONPATH={folder}/shim SDL_VIDEODRIVER=dummy OPENBLAS_NUM_THREADS=1 {environ}
ExecStart=
ExecStart=/bin/sh firmware/start.sh {play}
"""
WATCH: Final = """[Unit]
DefaultDependencies=no
[Service]
ExecStart=/bin/sh -c 'while sleep 2; do systemctl show engarde.service -p NRestarts,SubState > {out}/state.txt; done'
"""


@dataclass(frozen=True)
class Case:
    """Which reader misbehaves, how, and in every how many pictures; ``loop``: the loop hangs instead, once."""

    reader: str
    how: str
    every: int = 1
    loop: bool = False
    seconds: int = 50

    @property
    def name(self) -> str:
        return "the loop hangs" if self.loop else f"{self.reader} {self.how} in every {self.every}"


WAYS: Final = (("hang", 40), ("late", 40), ("crash", 15))
CASES: Final = (
    Case("nobody", "fails"),
    *(Case(reader, how, every) for reader in ("zxing", "aruco") for how, every in WAYS),
    *(Case("zbar", how) for how, _ in WAYS),  # asked seldom: only of what zxing-cpp saw and could not read
    Case("zxing", "hang"),
    Case("zxing", "crash"),
    Case("nobody", "fails", loop=True, seconds=110),
)  # fmt: skip


def run(case: Case, folder: Path, *, systemd: bool) -> str:
    """One case; what of it was not as promised."""
    out, shim, units = (folder / name for name in ("out", "shim", "units"))
    for made in (out, shim, units / "engarde.service.d"):
        made.mkdir(parents=True)
    for path in (folder, out):
        path.chmod(0o777)
    (shim / "sitecustomize.py").write_text(TIMES, encoding="utf-8")
    (shim / "zxingcpp.py").write_text(ZXING, encoding="utf-8")
    environ = {"BENCH_OUT": str(out), "BENCH_READER": case.reader, "BENCH_HOW": case.how}
    environ |= {"BENCH_EVERY": str(case.every), **({"BENCH_LOOP": "1"} if case.loop else {})}
    play = PLAY.format(out=out)
    if systemd:
        under_systemd(folder, out, " ".join(f"{name}={value}" for name, value in environ.items()), play, case.seconds)
    else:
        environ |= {"PYTHONPATH": str(shim), "SDL_VIDEODRIVER": "dummy", "OPENBLAS_NUM_THREADS": "1"}
        alone(out, {**os.environ, **environ}, play, case.seconds)
    return told(case, out, systemd=systemd)


def under_systemd(folder: Path, out: Path, environ: str, play: str, seconds: int) -> None:
    unit = (CHECKOUT / "firmware/table/service/engarde.service").read_text(encoding="utf-8")
    units = folder / "units"
    (units / "engarde.service").write_text(unit.replace("@USER@", "player").replace("@CHECKOUT@", str(CHECKOUT)))
    (units / "engarde.service.d" / "here.conf").write_text(
        DROP_IN.format(out=out, folder=folder, environ=environ, play=play)
    )
    (units / "watch.service").write_text(WATCH.format(out=out))
    (units / "game.target").write_text(
        "[Unit]\nWants=engarde.service watch.service\nAllowIsolate=yes\nDefaultDependencies=no\n"
    )
    for target in ("sysinit", "basic", "shutdown"):
        (units / f"{target}.target").write_text("[Unit]\nDefaultDependencies=no\n")
    (folder / "boot.sh").write_text(BOOT.format(folder=folder, out=out))
    cgroup = next(Path(path) for path in CGROUPS if (Path(path) / "cgroup.controllers").exists()) / "engarde-bench"
    cgroup.mkdir(exist_ok=True)
    spaces = "unshare --pid --mount --uts --ipc --cgroup --fork --kill-child"
    command = f"echo $$ > {cgroup}/cgroup.procs; exec {spaces} sh {folder}/boot.sh"
    subprocess.run(
        ["timeout", "-s", "KILL", str(seconds), "script", "-qfec", command, str(out / "boot.txt")],
        stdout=subprocess.DEVNULL,
        check=False,
    )
    subprocess.run(["sh", "-c", f"sleep 1; find {cgroup} -depth -type d -exec rmdir {{}} \\;"], check=False)


def alone(out: Path, environ: dict[str, str], play: str, seconds: int) -> None:
    with (out / "stdout.txt").open("wb") as said, (out / "stderr.txt").open("wb") as told_too:
        process = subprocess.Popen(
            [CHECKOUT / ".venv/bin/engarde", "play", *play.split()],
            cwd=CHECKOUT,
            env=environ,
            stdout=said,
            stderr=told_too,
            start_new_session=True,
        )
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def told(case: Case, out: Path, *, systemd: bool) -> str:
    """Print what came of it; what was not as promised."""
    waits = [float(line) for line in (out / "waits.txt").read_text().split()] if (out / "waits.txt").exists() else []
    lines = (out / "stdout.txt").read_text(encoding="utf-8").splitlines()
    printed = [json.loads(line) for line in lines if line.endswith("}")]
    accepted = [line["event"] for line in printed if line.get("ruling", {}).get("ok")]
    with open_scorebook(out / "book.sqlite") as book:
        kept = iter([json.loads(json.dumps(entry_to_json(row.event))) for one in book.replay_all() for row in one.rows])
    lost = [event for event in accepted if event not in kept]  # in their order: what was passed is gone
    pictures = len(list((out / "unread-pictures").glob("*.png")))
    state = (out / "state.txt").read_text() if systemd else ""
    restarts = int(found[1]) if (found := re.search(r"NRestarts=(\d+)", state)) else 0
    wrong = [] if waits else ["no verdict"]
    wrong += ["a verdict took too long"] if max(waits, default=0.0) > MAX_S else []
    wrong += [f"{len(lost)} printed events are not in the book"] if lost else []
    wrong += [f"{restarts} restarts"] if systemd and restarts != case.loop else []
    wrong += ["no picture was kept"] if case.reader != "nobody" and not pictures else []
    print(
        f"{case.name:28} {len(waits):3} verdicts, the slowest after {max(waits, default=0.0):.2f} s; {len(accepted)} "
        f"events printed, {len(lost)} lost; {pictures} pictures kept; {restarts} restarts  {'; '.join(wrong)}",
        flush=True,
    )
    return "; ".join(wrong)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--without-systemd", action="store_true", help="run the program by itself")
    parser.add_argument("--only", default="", help="cases whose name contains this")
    given = parser.parse_args()
    systemd = not given.without_systemd
    needs = [name for name in ("systemd", "unshare", "script", "useradd") if shutil.which(name) is None]
    if systemd and (needs or getpass.getuser() != "root"):
        print(f"This needs root, and {', '.join(needs) or 'nothing else'}.", file=sys.stderr)
        return 1
    bad = 0
    for case in CASES:
        if given.only not in case.name or (case.loop and not systemd):
            continue
        with tempfile.TemporaryDirectory(prefix="service-") as folder:
            bad += bool(run(case, Path(folder), systemd=systemd))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
