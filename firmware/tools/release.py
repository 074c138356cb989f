"""``python -m firmware.tools.release``: everything that a release hands out, in one folder.

Sheets and guide as PDF, parts as STL, the board's gerbers, the Debian packages, and SHA256SUMS over all of it. The
cards' images are made by firmware/packaging/image.sh on another machine; with ``imager`` they are listed for Raspberry
Pi Imager.
"""

from __future__ import annotations

import argparse
import hashlib
import importlib.metadata
import json
import lzma
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from tempfile import NamedTemporaryFile
from types import MappingProxyType
from typing import Final

from display.draw.fonts import family, font_faces
from firmware.core.errors import EngardeError
from firmware.core.io.files import write_whole
from firmware.tools.guide import HARDWARE

ROOT: Final = HARDWARE.parent
PRINTED_TIMES: Final = MappingProxyType({"fencer_ring": 2, "clip": 4})
"""How often a part is printed, where that is not once."""
CHAPTERS: Final = ("README.md", "layout.md", "camera.md", "wiring.md", "performance.md")
SUMS: Final = "SHA256SUMS"
_PARTS: Final = re.compile(r"^//   openscad -o (\S+)\.stl\s+(.*?)(\w+)\.scad", re.MULTILINE)
_MODULES: Final = ("module2", "module3", "module3wide", "hq", "gs")
_PACKAGES: Final = "pandoc weasyprint librsvg2-bin openscad"
_EPOCH: Final = (2020, 1, 1, 0, 0, 0)  # the same archive every time


def write_guide(folder: Path, version: str) -> None:
    """The guide as one PDF, and every drawing true to size. Raises EngardeError where a program is missing or fails."""
    style = ROOT / "firmware" / "packaging" / "guide"
    options = ("--standalone", "--from=gfm", f"--lua-filter={style / 'links.lua'}", f"--css={style / 'guide.css'}")
    titles = ("--metadata=title=Building it on a Saturday", f"--metadata=date=En Garde Companion {version}")
    target = folder.resolve() / "guide.pdf"
    with NamedTemporaryFile("w", suffix=".css") as letters:
        letters.write(font_faces([file.as_uri() for file in family()]))
        letters.flush()
        made = (f"--css={letters.name}", "--pdf-engine=weasyprint", f"--output={target}")
        _run("pandoc", *CHAPTERS, *options, *titles, *made)
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
    """Gerbers and drills in one archive, for a board maker."""
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


def write_parts(folder: Path) -> None:
    """Every part as STL. Raises EngardeError where openscad is missing or does not make one."""
    (folder / "parts").mkdir(exist_ok=True)
    for stem, source, words in parts():
        target = folder.resolve() / "parts" / f"{stem}.stl"
        told = [each for word in words for each in ("-D", word)]
        _run("openscad", "-o", str(target), "--export-format", "binstl", *told, str(source))
        print(f"{target}  {target.stat().st_size // 1000} kB")


def write_sums(folder: Path) -> int:
    """SHA-256 of every file, as sha256sum checks them. How many there are."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != SUMS)
    lines = [f"{checksum(path)}  {path.relative_to(folder).as_posix()}\n" for path in files]
    write_whole(folder / SUMS, "".join(lines))
    return len(files)


# The images for Raspberry Pi Imager: a list of them, with sizes and checksums.
# Source: the repository format that Raspberry Pi Imager documents (``os_list`` with ``devices``), and its JSON Schema.

ICON: Final = "engarde-icon.png"
"""The icon beside the name: Imager takes no entry without one."""
_MODELS: Final = {"pi4": ("Raspberry Pi 4", "pi4-64bit"), "pi5": ("Raspberry Pi 5", "pi5-64bit")}


def packed(image: Path) -> Path:
    """The image packed beside it, as Imager takes it."""
    target = image.with_name(f"{image.name}.xz")
    with image.open("rb") as plain, lzma.open(target, "wb") as file:
        shutil.copyfileobj(plain, file)
    return target


def manifest(images: dict[str, tuple[Path, Path]], version: str, address: str) -> str:
    """The list for Imager: each model's image and packed image, which is at ``address`` for everybody.

    ``address`` is a folder's, such as ``https://example.org/engarde/``; a file's where the images are tried at home.
    """
    return (
        json.dumps({"os_list": [_entry(model, *images[model], version, address) for model in images]}, indent=2) + "\n"
    )


def _entry(model: str, image: Path, file: Path, version: str, address: str) -> dict[str, object]:
    name, device = _MODELS[model]
    return {
        "name": f"En Garde Companion {version} ({name})",
        "description": "The referee for the board game En Garde; it asks for language and Wi-Fi at its first start",
        "icon": f"{address}{ICON}",
        "url": f"{address}{file.name}",
        "extract_size": image.stat().st_size,
        "extract_sha256": checksum(image),
        "image_download_size": file.stat().st_size,
        "image_download_sha256": checksum(file),
        "release_date": datetime.fromtimestamp(file.stat().st_mtime, UTC).date().isoformat(),
        "devices": [device],
        # Nothing for Imager to set: the game asks at its first start.
        "init_format": "none",
    }


def checksum(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status 0, or 1 where something could not be made."""
    parser = argparse.ArgumentParser(
        prog="python -m firmware.tools.release", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument(
        "what", nargs="?", choices=("all", "imager"), default="all", help="imager: list the images only"
    )
    parser.add_argument("--out", type=Path, default=ROOT / "build" / "release", metavar="DIR", help="the folder")
    parser.add_argument(
        "--no-parts", action="store_true", help="without the STL files, which want openscad and minutes"
    )
    parser.add_argument("--no-packages", action="store_true", help="without the Debian packages, which want a network")
    parser.add_argument("--address", default="", metavar="URL", help="imager: the folder the images will be found in")
    asked = parser.parse_args(arguments)
    asked.out.mkdir(parents=True, exist_ok=True)
    version = importlib.metadata.version("engarde-companion")
    try:
        if asked.what == "imager":
            _imager(asked.out, version, asked.address or f"{asked.out.resolve().as_uri()}/")
        else:
            _all(asked, version)
    except (EngardeError, OSError, subprocess.CalledProcessError) as error:
        print(error, file=sys.stderr)
        return 1
    print(f"{asked.out}: {write_sums(asked.out)} files and their checksums, version {version}")
    return 0


def _all(asked: argparse.Namespace, version: str) -> None:
    write_guide(asked.out, version)
    write_sheets(asked.out)
    write_board(asked.out)
    if not asked.no_parts:
        write_parts(asked.out)
    if not asked.no_packages:
        for arch in ("arm64", "amd64"):
            command = ["sh", "firmware/packaging/deb.sh", "--arch", arch, "--out", str(asked.out.resolve())]
            subprocess.run(command, cwd=ROOT, check=True)


def _imager(folder: Path, version: str, address: str) -> None:
    images = {path.stem.rpartition("-")[2]: path for path in sorted(folder.glob(f"engarde-{version}-*.img"))}
    if not images:
        raise EngardeError(
            f"{folder}: expected engarde-{version}-pi4.img or -pi5.img there, found none; build them first."
        )
    both = {model: (path, packed(path)) for model, path in images.items()}
    shutil.copy(ROOT / "firmware" / "packaging" / "image" / ICON, folder)
    write_whole(folder / "engarde-imager.json", manifest(both, version, address))
    for path in images.values():
        path.unlink()


if __name__ == "__main__":
    sys.exit(main())
