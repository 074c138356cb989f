"""Keeps a path-traced film small enough to lie beside its test: ``python tests/films/keep_film.py FILM OUT``.

FILM is a folder as the path tracer's ``film`` writes it. Of its first picture all is kept, in grey; of each later one
the part that differs from the one before it; of two arms a cut-out of half the size, with what their shadows leave of
the light. Prints the size of each file.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

import cv2
import numpy as np

ROOM_PX = 40
DIFFERS = 5.0
KEPT_TURN = ("turn", "player", "cards", "white", "black", "action", "parry", "wrong")


def changed_box(before: np.ndarray, after: np.ndarray) -> tuple[int, int, int, int]:
    """The part x0, y0, x1, y1 in which two pictures differ by more than their noise, with room around it."""
    soft = [cv2.GaussianBlur(image.astype(np.float32), (0, 0), 3.0) for image in (before, after)]
    rows, columns = np.nonzero(np.abs(soft[0] - soft[1]) > DIFFERS)
    height, width = before.shape
    x0, x1 = int(columns.min()) - ROOM_PX, int(columns.max()) + ROOM_PX
    y0, y1 = int(rows.min()) - ROOM_PX, int(rows.max()) + ROOM_PX
    return max(x0, 0), max(y0, 0), min(x1, width), min(y1, height)


def keep_arm(light: Path, name: str, out: Path) -> list[int]:
    """Writes an arm and its shadow at half the size: grey, opacity and shadow. Its place x, y in the picture."""
    bgra = cv2.imread(str(light / f"arm_{name}.png"), cv2.IMREAD_UNCHANGED)
    shade = cv2.imread(str(light / f"arm_{name}.shade.png"), cv2.IMREAD_GRAYSCALE)
    assert bgra is not None
    assert shade is not None
    rows, columns = np.nonzero((bgra[..., 3] > 0) | (shade < 255))
    y0, y1, x0, x1 = rows.min() // 2 * 2, rows.max() + 1, columns.min() // 2 * 2, columns.max() + 1
    grey = cv2.cvtColor(np.ascontiguousarray(bgra[..., :3]), cv2.COLOR_BGR2GRAY)
    planes = []
    for plane in (grey, bgra[..., 3], shade):
        planes.append(cv2.resize(plane[y0:y1, x0:x1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA))
    cv2.imwrite(str(out / f"arm_{name}.png"), np.dstack(planes), [cv2.IMWRITE_PNG_COMPRESSION, 9])
    return [int(x0), int(y0)]


def keep(film_dir: Path, out: Path, until: str, quality: int, arms: tuple[str, ...]) -> None:
    film = json.loads((film_dir / "film.json").read_text(encoding="utf-8"))
    out.mkdir(parents=True, exist_ok=True)
    names = [name for name in film["pictures"] if not name.endswith("_arm")]
    names = names[: names.index(until) + 1]
    pictures: dict[str, dict[str, object]] = {}
    before: np.ndarray | None = None
    for name in names:
        grey = cv2.imread(str(film_dir / "light" / f"{name}.jpg"), cv2.IMREAD_GRAYSCALE)
        assert grey is not None
        box = (0, 0, grey.shape[1], grey.shape[0]) if before is None else changed_box(before, grey)
        x0, y0, x1, y1 = box
        cv2.imwrite(str(out / f"{name}.jpg"), grey[y0:y1, x0:x1], [cv2.IMWRITE_JPEG_QUALITY, quality])
        pictures[name] = {**film["pictures"][name], "at_px": [x0, y0]}
        before = grey
    last = int(until[1:3])
    turns = [{key: turn[key] for key in KEPT_TURN if key in turn} for turn in film["turns"] if turn["turn"] <= last]
    kept = {
        "note": film["note"],
        "size": film["size"],
        "rules": film["rules"],
        "cards": film["cards"],
        "pictures": pictures,
        "arms": {name: {"at_px": keep_arm(film_dir / "light", name, out)} for name in arms},
        "turns": turns,
    }
    (out / "film.json").write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("film", type=Path, help="the folder of the film")
    parser.add_argument("out", type=Path, help="where to keep it")
    parser.add_argument("--until", default="t06", help="the last picture that is kept (default t06)")
    parser.add_argument("--quality", type=int, default=80, help="of the JPEGs (default 80)")
    parser.add_argument("--arms", default="figure_white,lay_black", help="the arms that are kept")
    given = parser.parse_args()
    keep(given.film, given.out, given.until, given.quality, tuple(given.arms.split(",")))
    for file in sorted(given.out.iterdir()):
        print(f"{file.stat().st_size / 1000:7.1f} kB  {file.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
