"""``python -m firmware.workshop.release``: everything that a release hands out, in one folder.

Sheets and guide as PDF, parts as STL, the board's gerbers, the Debian packages, and SHA256SUMS over all of it. The
cards' images are made by firmware/packaging/image.sh on another machine; ``imager`` lists them for Raspberry Pi Imager.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from firmware.errors import EngardeError
from firmware.io.files import write_whole
from firmware.workshop.release.folder import ROOT, write_board, write_guide, write_parts, write_sheets, write_sums
from firmware.workshop.release.imager import ICON, manifest, packed


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status 0, or 1 where something could not be made."""
    parser = argparse.ArgumentParser(
        prog="python -m firmware.workshop.release", description=(__doc__ or "").split("\n")[0]
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
        write_parts(asked.out, print)
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
