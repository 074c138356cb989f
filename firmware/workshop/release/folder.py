"""The release's folder, part by part."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import MappingProxyType
from typing import Final

from firmware.errors import EngardeError
from firmware.io.files import write_whole
from firmware.workshop.guide.files import HARDWARE
from firmware.workshop.release.imager import checksum

ROOT: Final = HARDWARE.parent
PRINTED_TIMES: Final = MappingProxyType({"fencer_ring": 2, "clip": 4})
"""How often a part is printed, where that is not once."""
CHAPTERS: Final = ("README.md", "layout.md", "camera.md", "wiring.md", "performance.md")
SUMS: Final = "SHA256SUMS"
_PARTS: Final = re.compile(r"^//   openscad -o (\S+)\.stl\s+(.*?)(\w+)\.scad", re.MULTILINE)
_MODULES: Final = ("module2", "module3", "module3wide", "hq", "gs")
_PACKAGES: Final = "pandoc weasyprint librsvg2-bin openscad"
_EPOCH: Final = (2020, 1, 1, 0, 0, 0)  # the same archive every time

Notify = Callable[[str], None]


def write_guide(folder: Path, version: str) -> None:
    """The guide as one PDF, and every drawing true to size. Raises EngardeError where a program is missing or fails."""
    style = ROOT / "firmware" / "packaging" / "guide"
    options = ("--standalone", "--from=gfm", f"--lua-filter={style / 'links.lua'}", f"--css={style / 'guide.css'}")
    titles = ("--metadata=title=Building it on a Saturday", f"--metadata=date=En Garde Companion {version}")
    target = folder.resolve() / "guide.pdf"
    _run("pandoc", *CHAPTERS, *options, *titles, "--pdf-engine=weasyprint", f"--output={target}")
    (folder / "drawings").mkdir(exist_ok=True)
    for drawing in sorted((HARDWARE / "drawings").glob("*.svg")):
        target = folder.resolve() / "drawings" / f"{drawing.stem}.pdf"
        _run("rsvg-convert", "--format=pdf", f"--output={target}", str(drawing))
    shutil.copy(HARDWARE / "bom.csv", folder / "bom.csv")


def _run(program: str, *words: str) -> None:
    """Run this program among the hardware's files. Raises EngardeError where it is missing or fails."""
    try:
        done = subprocess.run((program, *words), cwd=HARDWARE, capture_output=True, text=True, check=False)
    except FileNotFoundError as error:
        raise EngardeError(f"{program} is not installed: sudo apt install {_PACKAGES} brings it.") from error
    if done.returncode:
        raise EngardeError(f"{program} {' '.join(words)} failed: {done.stderr.strip()[-300:]}")


def write_sheets(folder: Path) -> None:
    """The printed sheets in English, whole cards too; A4 and Letter apart.

    The flat piste has a folder of its own: it carries the corner markers, and two of each must not come into view.
    """
    for paper in ("A4", "Letter"):
        own = folder / "sheets" / paper
        for more, out in ((("--cards",), own), (("--only", "track"), own / "flat-piste")):
            words = ("print", *more, "--language", "en", "--paper", paper.lower())
            where = ("--table", str(HARDWARE / "table.toml"), "--out", str(out))
            subprocess.run((sys.executable, "-m", "firmware", *words, *where), cwd=ROOT, check=True)


def write_board(folder: Path) -> None:
    """What a maker of boards wants: gerbers and drills in one archive."""
    gerbers = sorted((HARDWARE / "board" / "gerbers").iterdir())
    with zipfile.ZipFile(folder / "board-gerbers.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path in gerbers:
            archive.writestr(zipfile.ZipInfo(path.name, _EPOCH), path.read_bytes(), zipfile.ZIP_DEFLATED)
    shutil.copy(HARDWARE / "board" / "positions.csv", folder / "board-positions.csv")


def parts() -> Iterator[tuple[str, Path, tuple[str, ...]]]:
    """Every printable part: its file's name without an end, the source, what openscad is told. As their heads say.

    How many of it are printed stands in the name; the camera's plate there is once for each module.
    """
    for source in sorted((HARDWARE / "printables").glob("*.scad")):
        for name, told, _ in _PARTS.findall(source.read_text(encoding="utf-8")):
            times = PRINTED_TIMES.get(name, 1)
            stem = f"{name}_x{times}" if times > 1 else name
            words = tuple(re.findall(r"-D '?([^' ]+)'?", told))
            if "module_name" not in told:
                yield stem, source, words
                continue
            for module in _MODULES:
                yield f"{stem}_{module}", source, (words[0], f'module_name="{module}"')


def write_parts(folder: Path, say: Notify) -> None:
    """Every part as STL. Raises EngardeError where openscad is missing or does not make one."""
    (folder / "parts").mkdir(exist_ok=True)
    for stem, source, words in parts():
        target = folder.resolve() / "parts" / f"{stem}.stl"
        told = [each for word in words for each in ("-D", word)]
        _run("openscad", "-o", str(target), "--export-format", "binstl", *told, str(source))
        say(f"{target}  {target.stat().st_size // 1000} kB")


def write_sums(folder: Path) -> int:
    """SHA-256 of every file, as sha256sum checks them. How many there are."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != SUMS)
    lines = [f"{checksum(path)}  {path.relative_to(folder).as_posix()}\n" for path in files]
    write_whole(folder / SUMS, "".join(lines))
    return len(files)
