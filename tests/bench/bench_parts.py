"""Every printable part made with OpenSCAD and measured: ``python tests/bench/bench_parts.py [--out DIR]``.

For each: whether it is one closed body, its size, and what it is in cubic centimetres, beside what the parts list has.
``--out`` keeps the STL files. Takes a few minutes.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import tempfile
from collections import Counter
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from firmware.tools.guide import HARDWARE
from tests.hardware.test_wiring import PRINTED_CM3

SOURCES = {"fencer_ring": "fencer_ring.scad", "front": "panel_front.scad", "box": "panel_front.scad"}


def triangles(stl: Path) -> NDArray[np.float64]:
    """The corners of every triangle of a text STL, (N, 3, 3) mm."""
    rows = re.findall(r"vertex (\S+) (\S+) (\S+)", stl.read_text(encoding="utf-8"))
    return np.array(rows, dtype=np.float64).reshape(-1, 3, 3)


def volume_cm3(of: NDArray[np.float64]) -> float:
    """What a closed body holds."""
    return float(np.einsum("ij,ij->i", of[:, 0], np.cross(of[:, 1], of[:, 2])).sum() / 6000)


def is_closed(of: NDArray[np.float64]) -> bool:
    """Whether every edge is passed once in each direction."""
    corners = np.round(of, 4)
    edges = Counter((tuple(one[here]), tuple(one[(here + 1) % 3])) for one in corners.tolist() for here in range(3))
    return all(count == edges[there, here] for (here, there), count in edges.items())


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    if shutil.which("openscad") is None:
        print("OpenSCAD is not installed.")
        return 1
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        out = asked.out or Path(folder)
        out.mkdir(parents=True, exist_ok=True)
        for part, listed in [each for block in PRINTED_CM3.values() for each in block.items()]:
            stl = out / f"{part}.stl"
            source = HARDWARE / "printables" / SOURCES.get(part, "mast.scad")
            subprocess.run(
                ["openscad", "-q", "-o", str(stl), "-D", f'part="{part}"', str(source)], check=True, timeout=600
            )
            body = triangles(stl)
            size = body.reshape(-1, 3).max(axis=0) - body.reshape(-1, 3).min(axis=0)
            cm3, closed = volume_cm3(body), is_closed(body)
            fits = abs(cm3 - listed) < 0.05 * cm3 + 0.1
            wrong += not (fits and closed)
            across = " x ".join(f"{each:.0f}" for each in size)
            print(f"{part:12} {across:>15} mm {cm3:6.1f} cm3, listed {listed:6.1f} {'closed' if closed else 'OPEN'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
