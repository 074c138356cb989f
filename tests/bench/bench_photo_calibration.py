"""Calibration on photograph-like first frames: ``python tests/bench/bench_photo_calibration.py --seeds 40``.

Each seed is another table and camera (tilted, turned, off-centre, wide, stepped tracks) whose real field of view is a
few per cent off the one in its table file. Printed: how well the markers fit, and how far the 23 spaces' tags, the
play area's corners and figures read back from their true pixels are off.
"""

from __future__ import annotations

import argparse
import sys

import numpy as np
import photo_package  # noqa: F401
from photo.setups import random_lens, random_setup
from photo.studio import Studio
from photo.worlds import random_lights, random_sensor

from vision.board.calibration import CalibrationError, calibrate
from vision.frame import Frame
from vision.printed.table import read_table


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--tilt", type=float, help="degrees from straight down; without it anything to 50")
    parser.add_argument("--wide", action="store_true")
    parser.add_argument("--kind")
    args = parser.parse_args()
    worst: list[float] = []
    for seed in range(args.first, args.first + args.seeds):
        rng = np.random.default_rng((seed, 23))
        setup = random_setup(rng, args.kind)
        tilt = args.tilt if args.tilt is not None else float(rng.uniform(0, 50))
        lens, setup = random_lens(rng, setup, tilt_deg=tilt, wide=args.wide)
        lights, ambient = random_lights(rng)
        studio = Studio(
            setup, lens, lights, random_sensor(rng, 1.0, seed), top="oak", seed=seed, ambient=ambient, decor=False
        )
        studio.still([], {})
        table = read_table(setup.toml())
        frames = [Frame(n, n / 10, studio.frame(n)[..., 0]) for n in range(4)]
        true = 2 * np.degrees(np.arctan(setup.size[0] / 2 / lens.focal[0]))
        what = f"seed {seed}: tilt {tilt:.0f}, field {true:.1f} written {setup.hfov:.0f}, k1 {lens.bend[0]:+.3f}"
        try:
            found = calibrate(frames, table)
        except CalibrationError as error:
            print(f"{what}: FAILS {error}", flush=True)
            worst.append(np.inf)
            continue
        tags = np.array([(x + setup.offset[0], y + setup.offset[1], z + setup.offset[2]) for x, y, z in setup.spaces])
        px, _ = lens.seen(tags)
        apart = np.array(
            [found.camera.at_height(seen[None], tag[2])[0] - tag[:2] for seen, tag in zip(px, tags, strict=True)]
        )
        off = np.linalg.norm(apart, axis=1)
        x0, x1, y0, y1 = setup.area
        area = np.array([(x0, y0, 0.0), (x1, y0, 0.0), (x1, y1, 0.0), (x0, y1, 0.0)])
        play = np.linalg.norm(found.camera.at_height(lens.seen(area)[0], 0.0) - area[:, :2], axis=1)
        worst.append(float(off.max()))
        unseen = [view.space for view in found.spaces(table) if not view.visible]
        field = 2 * np.degrees(np.arctan(setup.size[0] / 2 / found.camera.K[0, 0]))
        print(
            f"{what}: rms {found.rms_px:.2f} px {found.rms_mm:.2f} mm; "
            f"spaces off {off.mean():.2f} mm, worst {off.max():.2f}; "
            f"play area {play.max():.2f} mm; field found {field:.1f}"
            f"{'; out of view ' + str(unseen) if unseen else ''}",
            flush=True,
        )
    print(
        f"worst space of each table: median {np.median(worst):.2f} mm, "
        f"95 % {np.percentile(worst, 95):.2f}, worst {max(worst):.2f}"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
