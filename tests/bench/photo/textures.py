"""Painted surfaces: table tops, card faces, printed marks, cloth, skin. All are BGR uint8, sRGB."""

from __future__ import annotations

import string
from functools import lru_cache

import cv2
import numpy as np
import segno

PX_PER_MM = 8.4  # of a card's face: ten pixels a label's module
TOP_PX_PER_MM = 2.0
TOP_MM = (-420.0, 1040.0, -620.0, 480.0)  # x0 x1 y0 y1 of a table top


def smooth(rng: np.random.Generator, height: int, width: int, *sizes: tuple[float, float]) -> np.ndarray:
    """Cloudy noise, the sum of layers of these grain sizes (down, across) in px; mean 0, spread 1."""
    total = np.zeros((height, width), np.float32)
    for number, (down, across) in enumerate(sizes):
        small = rng.standard_normal((max(2, int(height / down) + 2), max(2, int(width / across) + 2)))
        layer = cv2.resize(small.astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
        total += np.divide(layer, 1.0 + 0.5 * number, dtype=np.float32)
    even: np.ndarray = (total - total.mean()) / (total.std() + 1e-6)
    return even


def mixed(low: tuple[int, ...], high: tuple[int, ...], part: np.ndarray) -> np.ndarray:
    part = np.clip(part, 0, 1)[..., None]
    mix: np.ndarray = np.array(low, np.float32) * (1 - part) + np.array(high, np.float32) * part
    return _painted(mix)


def _painted(values: np.ndarray) -> np.ndarray:
    image: np.ndarray = np.clip(values, 0, 255).astype(np.uint8)
    return image


TOPS = ("oak", "walnut", "pine", "cloth", "tartan", "marble", "felt", "tiles", "dots", "white", "linen", "black_glass")


def table_top(kind: str, seed: int) -> np.ndarray:
    """A table top of the whole ``TOP_MM`` rectangle, row 0 furthest from the players."""
    rng = np.random.default_rng(seed)
    width = int((TOP_MM[1] - TOP_MM[0]) * TOP_PX_PER_MM)
    height = int((TOP_MM[3] - TOP_MM[2]) * TOP_PX_PER_MM)
    if kind in ("oak", "walnut", "pine"):
        return _wood(rng, height, width, kind)
    if kind == "marble":
        veins = smooth(rng, height, width, (260, 300), (90, 110), (30, 36), (12, 14))
        lines = np.exp(-((np.sin(3.0 * veins + smooth(rng, height, width, (500, 500)))) ** 2) / 0.02)
        base = 0.5 + 0.15 * smooth(rng, height, width, (200, 260), (60, 70))
        dark = (52, 50, 46) if seed % 3 == 0 else (205, 210, 214)
        pale = (92, 90, 84) if seed % 3 == 0 else (240, 242, 244)
        image = mixed(dark, pale, base).astype(np.float32)
        vein = (170, 175, 180) if seed % 3 == 0 else (128, 130, 134)
        return mixed_images(image, np.array(vein, np.float32), 0.7 * lines)
    yy, xx = np.mgrid[0:height, 0:width].astype(np.float32)
    if kind == "felt":
        fibre = 0.5 + 0.12 * smooth(rng, height, width, (2.2, 2.2), (6, 6), (300, 300))
        low, high = [((30, 62, 18), (60, 112, 44)), ((30, 18, 92), (60, 40, 150)), ((72, 40, 22), (120, 76, 52))][
            seed % 3
        ]
        return mixed(low, high, fibre)
    if kind in ("cloth", "linen"):
        weave = 0.25 * np.sin(xx * 2.1) + 0.25 * np.sin(yy * 2.1) + 0.12 * smooth(rng, height, width, (3, 40), (40, 3))
        folds = 0.16 * smooth(rng, height, width, (500, 260), (900, 120))
        low, high = ((150, 168, 186), (196, 212, 226)) if kind == "linen" else ((96, 60, 40), (160, 112, 84))
        return mixed(low, high, 0.5 + weave * 0.5 + folds)
    if kind == "tartan":
        red = 0.25 + 0.35 * _stripes(xx, 60) + 0.35 * _stripes(yy, 60)
        image = mixed((40, 30, 70), (60, 50, 190), red).astype(np.float32)
        line = np.maximum(_stripes(xx + 20, 6), _stripes(yy + 20, 6))
        image = mixed_images(image, np.array((60, 200, 220), np.float32), 0.8 * line).astype(np.float32)
        return _painted(image * (1 + 0.05 * np.sin((xx + yy) * 1.5))[..., None])
    if kind == "tiles":
        joint = np.minimum(xx % 220, yy % 220) < 7
        shade = 0.5 + 0.2 * smooth(rng, height, width, (220, 220), (25, 25), (3, 3))
        image = mixed((118, 128, 140), (172, 180, 186), shade)
        image[joint] = (90, 96, 100)
        return image
    if kind == "dots":
        inside = ((xx % 60 - 30) ** 2 + ((yy + 30 * (np.floor(xx / 60) % 2)) % 60 - 30) ** 2) < 15**2
        image = np.empty((height, width, 3), np.uint8)
        image[:] = (205, 225, 235)
        image[inside] = (60, 60, 190) if seed % 2 else (120, 90, 30)
        return _painted(image * (1 + 0.04 * smooth(rng, height, width, (2, 2), (200, 200)))[..., None])
    if kind == "black_glass":
        return mixed((14, 14, 14), (34, 33, 32), 0.4 + 0.1 * smooth(rng, height, width, (400, 400), (2, 2)))
    return mixed((214, 220, 224), (238, 240, 242), 0.5 + 0.15 * smooth(rng, height, width, (300, 300), (2, 2)))


def mixed_images(one: np.ndarray, other: np.ndarray, part: np.ndarray) -> np.ndarray:
    part = np.clip(part, 0, 1)[..., None]
    return _painted(one * (1 - part) + other * part)


def _stripes(along: np.ndarray, wide: int, period: int = 140) -> np.ndarray:
    stripes: np.ndarray = ((along % period) < wide).astype(np.float32)
    return stripes


def _wood(rng: np.random.Generator, height: int, width: int, kind: str) -> np.ndarray:
    low, high = {
        "oak": ((74, 112, 150), (130, 172, 206)),
        "walnut": ((24, 38, 58), (60, 84, 116)),
        "pine": ((110, 160, 200), (165, 205, 232)),
    }[kind]
    planks, image = int(rng.integers(3, 8)), []
    for part in np.array_split(np.arange(height), planks):
        warp = smooth(rng, len(part), width, (60, 700), (20, 240))
        rings = 0.5 + 0.5 * np.sin(np.arange(len(part))[:, None] / rng.uniform(3, 9) + 4.0 * warp)
        pores = np.clip(smooth(rng, len(part), width, (1.3, 60)), 0, 3)
        shade = 0.5 + rng.uniform(-0.15, 0.15) + 0.28 * (rings - 0.5) - 0.10 * pores
        shade += 0.06 * smooth(rng, len(part), width, (3, 120))
        shade[:2] -= 0.5
        image.append(mixed(low, high, shade))
    return np.vstack(image)


@lru_cache(maxsize=128)
def modules(text: str) -> np.ndarray:
    """A label's modules, True is black: version 1, level H, alphanumeric."""
    code = segno.make(text, version=1, error="h", mode="alphanumeric", micro=False, boost_error=False)
    return np.array([[bool(cell) for cell in row] for row in code.matrix])


def any_code(text: str, **how: object) -> np.ndarray:
    """Any other QR code as modules, its quiet zone with it."""
    code = segno.make(text, **how)  # type: ignore[arg-type]
    return np.pad(np.array([[bool(cell) for cell in row] for row in code.matrix]), 4)


def marker(number: int, family: str = "DICT_APRILTAG_36h11", cell_px: int = 12, margin: int = 1) -> np.ndarray:
    """A printed marker with its white margin, BGR."""
    words = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, family))
    cells = words.markerSize + 2
    small = np.pad(cv2.aruco.generateImageMarker(words, number, cells), margin, constant_values=255)
    image = cv2.resize(small, None, fx=cell_px, fy=cell_px, interpolation=cv2.INTER_NEAREST)
    return ink(image)


def ink(image: np.ndarray, black: int = 26, white: int = 236) -> np.ndarray:
    """A printed sheet: black is never quite black nor paper quite white."""
    grey = (black + (white - black) * (image.astype(np.float32) / 255)).astype(np.uint8)
    return cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR) if grey.ndim == 2 else grey


CARD_MM = (63.0, 88.0)


def card_face(
    name: str,
    deck: str,
    rng: np.random.Generator,
    *,
    qr_mm: float = 25.0,
    art: int = 0,
    cut_quiet: bool = False,
    card_mm: tuple[float, float] = CARD_MM,
    labels: tuple[tuple[float, float, float], ...] | None = None,
    stuck: tuple[tuple[float, float, float], ...] = (),
) -> np.ndarray:
    """The face of a card with two stuck-on labels, each a little off and a little turned, as a person sticks them.

    ``labels`` says where instead: for each of both how far its modules lie from the card's left and top edge (of the
    second: as the card lies turned half round), and how many degrees it is turned. ``stuck`` says it otherwise: each
    label's middle to the right and up from the card's, mm, and its turn in degrees.
    """
    width, height = int(card_mm[0] * PX_PER_MM), int(card_mm[1] * PX_PER_MM)
    value = name[0]
    hues = [(180, 150, 110), (90, 110, 190), (110, 160, 110), (90, 170, 200), (150, 110, 160), (60, 50, 46)]
    tone = np.array(hues[(int(value) + art) % len(hues)], np.float32)
    yy, xx = np.mgrid[0:height, 0:width].astype(np.float32)
    wave = 0.85 + 0.15 * np.sin(xx / 23 + 3 * np.sin(yy / 61)) + 0.05 * smooth(rng, height, width, (40, 40), (4, 4))
    image = np.clip(tone * wave[..., None], 0, 255).astype(np.uint8)
    frame = int(2.2 * PX_PER_MM)
    cv2.rectangle(image, (0, 0), (width - 1, height - 1), (215, 228, 235) if art % 2 else (40, 36, 34), frame)
    middle = (width // 2, height // 2)
    for way in range(0, 360, 45):  # crossed swords, roughly
        end = (int(middle[0] + 200 * np.cos(np.radians(way + 20))), int(middle[1] + 260 * np.sin(np.radians(way + 20))))
        cv2.line(image, middle, end, tuple(int(c * 0.6) for c in tone), 7, cv2.LINE_AA)
    cv2.circle(image, middle, 92, (230, 236, 240), -1, cv2.LINE_AA)
    cv2.putText(
        image, value, (middle[0] - 52, middle[1] + 58), cv2.FONT_HERSHEY_TRIPLEX, 5.2, (40, 30, 120), 12, cv2.LINE_AA
    )
    for x, y in ((width - 90, 90), (22, height - 26)):
        cv2.putText(image, value, (x, y), cv2.FONT_HERSHEY_TRIPLEX, 2.6, (245, 245, 245), 6, cv2.LINE_AA)
    margin = rng.uniform(5.0, 6.6, 4)
    code = ink(np.where(modules(f"EG1:{deck}:{name.upper()}"), 0, 255).astype(np.uint8))
    for x_mm, y_mm, turn in stuck:
        left, top = card_mm[0] / 2 + x_mm - qr_mm / 2, card_mm[1] / 2 - y_mm - qr_mm / 2
        _stick(image, code, left, top, qr_mm, rng, cut_quiet, -turn)
    for number in () if stuck else (0, 1):
        if labels is None:
            _stick(image, code, margin[2 * number], margin[2 * number + 1], qr_mm, rng, cut_quiet)
        else:
            _stick(image, code, labels[number][0], labels[number][1], qr_mm, rng, cut_quiet, labels[number][2])
        image = cv2.rotate(image, cv2.ROTATE_180)
    return np.asarray(image)


def _stick(
    image: np.ndarray,
    code: np.ndarray,
    x_mm: float,
    y_mm: float,
    qr_mm: float,
    rng: np.random.Generator,
    cut: bool,
    turn_deg: float | None = None,
) -> None:
    """Sticks a label on the top left of a face, its modules' corner at (x_mm, y_mm).

    With ``turn_deg`` it is turned so far round its middle, which lies where it would lie unturned.
    """
    module = qr_mm / 21
    quiet = [4, 4, 4, 4]  # left, top, right, bottom
    if cut:
        quiet[int(rng.integers(4))] = 2
    tall, wide = 21 + quiet[1] + quiet[3], 21 + quiet[0] + quiet[2]
    paper = np.full((tall, wide, 3), 236, np.uint8)
    paper[quiet[1] : quiet[1] + 21, quiet[0] : quiet[0] + 21] = code
    paper = paper.repeat(20, axis=0).repeat(20, axis=1)
    angle = np.radians(rng.normal(0, 1.2) if turn_deg is None else turn_deg)
    scale = module / 20 * PX_PER_MM
    if turn_deg is not None:
        half = qr_mm / 2
        x_mm += half - half * (np.cos(angle) - np.sin(angle))
        y_mm += half - half * (np.sin(angle) + np.cos(angle))
    c, s = np.cos(angle) * scale, np.sin(angle) * scale
    # The modules' own corner lands on (x_mm, y_mm).
    cx, cy = quiet[0] * 20, quiet[1] * 20
    matrix = np.array([[c, -s, x_mm * PX_PER_MM - c * cx + s * cy], [s, c, y_mm * PX_PER_MM - s * cx - c * cy]])
    cover = cv2.warpAffine(np.full(paper.shape[:2], 255, np.uint8), matrix, image.shape[1::-1], flags=cv2.INTER_AREA)
    laid = cv2.warpAffine(paper, matrix, image.shape[1::-1], flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
    part = cover[..., None].astype(np.float32) / 255
    image[:] = (image * (1 - part) + laid * part).astype(np.uint8)


def label_corners_on_card(qr_mm: float = 25.0, margin_mm: float = 5.8) -> np.ndarray:
    """Roughly where the two labels' modules lie on a card: (2, 4, 2) mm from the card's top left."""
    a, b = margin_mm, margin_mm + qr_mm
    one = np.array([[a, a], [b, a], [b, b], [a, b]])
    return np.array([one, np.array(CARD_MM) - one])


def card_back(seed: int, card_mm: tuple[float, float] = CARD_MM) -> np.ndarray:
    width, height = int(card_mm[0] * PX_PER_MM), int(card_mm[1] * PX_PER_MM)
    yy, xx = np.mgrid[0:height, 0:width].astype(np.float32)
    lattice = (np.sin((xx + yy) / 14) * np.sin((xx - yy) / 14) > 0).astype(np.float32)
    image = mixed((70, 30, 40), (150, 90, 90), lattice)
    cv2.rectangle(image, (0, 0), (width - 1, height - 1), (225, 230, 235), 24)
    return image


def newspaper(rng: np.random.Generator, width_mm: float, height_mm: float) -> np.ndarray:
    width, height = int(width_mm * 4), int(height_mm * 4)
    page = np.full((height, width), 214, np.uint8)
    letters = np.array(list(string.ascii_letters + "     "))
    cv2.putText(page, "".join(rng.choice(letters, 12)), (20, 70), cv2.FONT_HERSHEY_COMPLEX, 2.2, 40, 5, cv2.LINE_AA)
    for y in range(110, height - 10, 15):
        for x in range(16, width - 120, 200):
            cv2.putText(
                page, "".join(rng.choice(letters, 22)), (x, y), cv2.FONT_HERSHEY_COMPLEX_SMALL, 0.55, 50, 1, cv2.LINE_AA
            )
    cv2.rectangle(page, (width - 190, 120), (width - 20, 300), 120, -1)
    return cv2.cvtColor(page, cv2.COLOR_GRAY2BGR)
