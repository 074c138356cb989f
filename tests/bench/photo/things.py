"""What lies and stands on the table, as patches and shadow casters: cards, fencers, hands, clutter."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np
from photo import textures
from photo.render import BLOCKER, Caster, Patch


def turned(deg: float) -> np.ndarray:
    c, s = math.cos(math.radians(deg)), math.sin(math.radians(deg))
    return np.array([[c, -s], [s, c]])


def sheet(
    x: float,
    y: float,
    z: float,
    width: float,
    height: float,
    turn_deg: float = 0.0,
    tilt: tuple[float, float] = (0.0, 0.0),
) -> np.ndarray:
    """Corners (4, 3) of a rectangle round (x, y, z), its top towards +y; ``tilt``: rise across and up it, per mm."""
    flat = np.array([[-width, height], [width, height], [width, -height], [-width, -height]]) / 2
    rise = flat @ np.array(tilt)
    return np.column_stack([flat @ turned(turn_deg).T + (x, y), z + rise])


_SOFT: np.ndarray = np.zeros((60, 60), np.uint8)
_SOFT[8:52, 8:52] = 150
_SOFT = cv2.GaussianBlur(_SOFT, (0, 0), 3.5)
_BLACK = np.zeros((60, 60, 3), np.uint8)


def contact(x: float, y: float, z: float, width: float, height: float, turn_deg: float, grow: float = 1.30) -> Patch:
    """The thin dark rim that anything flat has where it meets what it lies on."""
    return Patch(
        sheet(x + 0.4, y - 0.6, z, width * grow, height * (1 + (grow - 1) * width / height), turn_deg),
        _BLACK,
        _SOFT,
        ss=1,
    )


def card_patches(
    face: np.ndarray,
    x: float,
    y: float,
    z: float,
    turn_deg: float,
    *,
    owner: int,
    sleeve: float = 0.0,
    bend_mm: float = 0.0,
    bend_across: bool = False,
    tilt: tuple[float, float] = (0.0, 0.0),
    lying: bool = True,
    size_mm: tuple[float, float] = textures.CARD_MM,
) -> list[Patch]:
    """A card whose middle is at (x, y, z). ``bend_mm``: how far its middle stands up over its edges."""
    width, height = size_mm
    patches = [contact(x, y, z - 0.15, width, height, turn_deg, 1.12)] if lying else []
    if sleeve:
        edge = np.full((8, 8, 3), 200, np.uint8)
        clear = np.full((8, 8), 50, np.uint8)
        patches.append(
            Patch(
                sheet(x, y, z - 0.05, width + 3.0, height + 3.5, turn_deg, tilt),
                edge,
                clear,
                gloss=sleeve * 0.5,
                bumps=0.05,
            )
        )
    if not bend_mm:
        corners = sheet(x, y, z, width, height, turn_deg, tilt)
        patches.append(
            Patch(corners, face, gloss=sleeve, gloss_width=0.05 if sleeve > 1 else 0.12, bumps=0.04, owner=owner)
        )
        return patches
    strips = 10
    rows, columns = face.shape[:2]
    for number in range(strips):
        a, b = number / strips, (number + 1) / strips
        za, zb = (bend_mm * (1 - (2 * part - 1) ** 2) for part in (a, b))
        if bend_across:
            flat = np.array([[a, 0], [b, 0], [b, 1], [a, 1]])
            heights = np.array([za, zb, zb, za])
            part = face[:, int(a * columns) : int(b * columns)]
        else:
            flat = np.array([[0, a], [1, a], [1, b], [0, b]])
            heights = np.array([za, za, zb, zb])
            part = face[int(a * rows) : int(b * rows)]
        at = np.column_stack([(flat[:, 0] - 0.5) * width, (0.5 - flat[:, 1]) * height]) @ turned(turn_deg).T + (x, y)
        steep = (zb - za) * strips / (width if bend_across else height)
        corners = np.column_stack([at, z + heights])
        patches.append(
            Patch(corners, np.ascontiguousarray(part), shade=1 - 0.5 * steep, gloss=sleeve, bumps=0.03, owner=owner)
        )
    return patches


@lru_cache(maxsize=16)
def disc(tone: tuple[int, int, int], shine: float, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """A round slice of something polished, brighter and darker around its rim."""
    yy, xx = np.mgrid[-1:1:64j, -1:1:64j]
    r, angle = np.hypot(xx, yy), np.arctan2(yy, xx)
    bright = 1 + shine * (np.cos(2 * angle + seed) * 0.5 + np.cos(3 * angle - 1 + seed) * 0.5) * r
    image = np.clip(np.array(tone) * bright[..., None], 0, 255).astype(np.uint8)
    alpha = np.clip((0.98 - r) * 40 * 255, 0, 255).astype(np.uint8)
    return image, alpha


METALS = {"white": (176, 184, 188), "black": (52, 60, 74)}


def fencer(
    side: str,
    x: float,
    y: float,
    z: float,
    tag: int,
    *,
    turn_deg: float = 0.0,
    tag_mm: float = 20.0,
    offset: tuple[float, float, float] = (0.0, -32.0, 3.0),
    lying: bool = False,
    lifted: float = 0.0,
    tall: float = 62.0,
    tag_tilt: tuple[float, float] = (0.0, 0.0),
    bare: bool = False,
) -> tuple[list[Patch], list[Patch], list[Caster]]:
    """A metal figure: the patches of its tab (lit as the table is), those of its body, and its shadow."""
    spin = turned(turn_deg)
    forward = 1.0 if side == "white" else -1.0
    tab: list[Patch] = []
    z += lifted
    if not bare:
        ox, oy = spin @ np.array(offset[:2])
        outer = tag_mm * 10 / 8
        mark = textures.marker(tag)
        paper = np.full((mark.shape[0] * 2, mark.shape[1], 3), 236, np.uint8)
        paper[-mark.shape[0] :] = mark
        if lying:
            # Fallen on its side: the tab stands up from the table.
            at = np.array([[-outer, 40.0], [outer, 40.0], [outer, 2.0], [-outer, 2.0]]) / np.array([2, 1])
            corners = np.column_stack([x + forward * 4 + at[:, 0] * 0.2, y - 30 + at[:, 0], z + at[:, 1]])
            tab.append(Patch(corners, paper, shade=0.6, owner=100 + tag))
        else:
            middle = np.array([0.0, outer / 2]) @ spin.T
            zt = z + offset[2]
            if not lifted:
                tab.append(contact(x + ox, y + oy, z + 0.05, outer, outer, turn_deg, 1.35))
            corners = sheet(x + ox + middle[0], y + oy + middle[1], zt, outer, 2 * outer, turn_deg, tag_tilt)
            tab.append(Patch(corners, paper, owner=100 + tag))
    tone = METALS[side]
    body: list[Patch] = []
    casters: list[Caster] = []
    ring = np.array([[math.cos(a), math.sin(a)] for a in np.linspace(0, 2 * math.pi, 20)[:-1]])

    def slice_at(cx: float, cy: float, cz: float, radius: float, shine: float = 0.7, dim: float = 1.0) -> None:
        image, alpha = disc(tone, shine, int(cz) % 5)
        body.append(Patch(sheet(cx, cy, cz, 2 * radius, 2 * radius), image, alpha, shade=dim, owner=BLOCKER, ss=1))

    if lying:
        for part in np.linspace(0, 1, 16):
            slice_at(
                x + forward * (4 + part * tall),
                y + 3 * math.sin(5 * part),
                4 + 7 * math.sin(3 * part),
                5 + 5 * math.sin(2.6 * part),
            )
        casters.append(
            Caster(np.column_stack([ring * (tall / 2, 9) + (x + forward * tall / 2, y), np.full(19, z + 8)]))
        )
        return tab, body, casters
    for cz in np.linspace(0, 4, 5):
        slice_at(x, y, z + cz, 12.5, 0.25, 0.8)
    for cz in np.arange(4, tall, 2.0):
        part = (cz - 4) / (tall - 4)
        radius = 6.5 - 3 * part + 2.2 * math.sin(7 * part)
        lean = forward * (5 * part + 2 * math.sin(4 * part))
        cx, cy = spin @ np.array([lean, 1.5 * math.sin(3 * part)])
        slice_at(x + cx, y + cy, z + cz, radius, 0.7, 0.75 + 0.4 * part)
    for part in np.linspace(0, 1, 14):  # the sword arm and the blade
        cx, cy = spin @ np.array([forward * (6 + 26 * part), 2.0 + 2 * part])
        slice_at(x + cx, y + cy, z + tall * 0.62 + 6 * part, 2.6 - 1.9 * part, 0.9, 1.2)
    for cz, radius in ((2, 12.5), (tall * 0.3, 6), (tall * 0.55, 6.5), (tall * 0.8, 5), (tall * 0.95, 4.5)):
        casters.append(
            Caster(np.column_stack([ring * radius + (x + forward * 5 * cz / tall, y), np.full(19, z + cz)]), 0.75)
        )
    return tab, body, casters


SKINS = ((120, 150, 205), (150, 178, 228), (70, 98, 150), (48, 66, 100), (100, 128, 190))
SLEEVES = ("stripes", "checks", "plain", "dark", "white", "bare")
HAND_PX_PER_MM = 2.0
HAND_MM = (200.0, 640.0)


Tone = tuple[float, float, float]


@dataclass(frozen=True)
class HandLook:
    """Whose hand it is, where a number alone does not say it: skin and a plain sleeve (BGR), and a ring."""

    skin: Tone | None = None
    sleeve: Tone | None = None
    ring: bool = False


ANY_LOOK = HandLook()


@lru_cache(maxsize=24)
def hand_sprite(seed: int, pose: str = "point", look: HandLook = ANY_LOOK) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """A hand and forearm seen from above, fingers at the top: BGR, alpha, and its outline (N, 2) mm."""
    rng = np.random.default_rng(seed)
    scale = HAND_PX_PER_MM
    width, height = int(HAND_MM[0] * scale), int(HAND_MM[1] * scale)
    skin = np.array(look.skin or SKINS[seed % len(SKINS)], np.float32)
    alpha = np.zeros((height, width), np.uint8)
    depth = np.zeros((height, width), np.float32)
    mid = width / 2
    mm = scale

    def limb(points: list[tuple[float, float, float]]) -> None:
        """A chain of circles (x, y, radius in mm) joined to each other."""
        mask = np.zeros((height, width), np.uint8)
        for (x0, y0, r0), (x1, y1, r1) in itertools.pairwise(points):
            for part in np.linspace(0, 1, 24):
                at = (int(mid + (x0 + (x1 - x0) * part) * mm), int((y0 + (y1 - y0) * part) * mm))
                cv2.circle(mask, at, int((r0 + (r1 - r0) * part) * mm), 255, -1, cv2.LINE_AA)
        inside = cv2.distanceTransform((mask > 127).astype(np.uint8), cv2.DIST_L2, 5) / mm
        np.maximum(depth, np.sqrt(np.minimum(inside, 16.0)), out=depth)
        np.maximum(alpha, mask, out=alpha)

    limb([(0, 100, 38), (0, 640, 44)] if pose != "arm" else [(0, 20, 38), (0, 640, 46)])
    tips: list[tuple[float, float]] = []
    if pose != "arm":
        limb([(-16, 96, 24), (0, 120, 34), (0, 170, 28)])
        limb([(14, 96, 24), (0, 130, 30)])
        spread = {"point": 1.0, "flat": 1.5, "grip": 0.55}[pose]
        for number, reach in enumerate((16, 8, 12, 28)):
            base = -27 + 18 * number
            tip = base * spread + rng.normal(0, 2)
            if pose == "point" and number in (2, 3):
                reach += 42
            tips.append((tip, reach + 6))
            limb([(tip, reach + 8, 7.5), (base + (tip - base) * 0.5, 48, 8.5), (base, 90, 10.5)])
        limb([(-46 * spread - 6, 66, 8.5), (-42, 92, 11), (-22, 125, 16)])
    rise = depth / 4.0
    gx, gy = (
        cv2.Sobel(cv2.GaussianBlur(depth, (0, 0), 2), cv2.CV_32F, 1, 0),
        cv2.Sobel(cv2.GaussianBlur(depth, (0, 0), 2), cv2.CV_32F, 0, 1),
    )
    shade = 0.62 + 0.34 * np.minimum(rise, 1.0) - 0.12 * gx - 0.08 * gy
    shade *= 1 + 0.03 * textures.smooth(rng, height, width, (5, 9), (60, 60), (2, 2))
    image = np.clip(skin * shade[..., None], 0, 255)
    for x, y in tips:
        cv2.ellipse(
            image,
            (int(mid + x * mm), int(y * mm)),
            (8, 10),
            0,
            0,
            360,
            tuple(float(c) for c in np.minimum(skin * 1.15 + 12, 250)),
            -1,
            cv2.LINE_AA,
        )
    yy, xx = np.mgrid[0:height, 0:width].astype(np.float32)
    if look.ring and pose != "arm":
        for x, y in tips[1:3]:
            at = (int(mid + x * mm * 1.05), int((y + 34) * mm))
            cv2.ellipse(image, at, (int(9.5 * mm), int(3 * mm)), 0, 0, 360, (110, 200, 236), -1, cv2.LINE_AA)
            cv2.circle(image, at, int(3 * mm), (252, 252, 252), -1, cv2.LINE_AA)
    kind = SLEEVES[seed % len(SLEEVES)] if look.sleeve is None else "own"
    cuff = 195 + 12 * (seed % 7)
    if kind != "bare":
        colour = {
            "stripes": np.where(((yy // (5 * mm)) % 2 > 0)[..., None], (232, 232, 228), (90, 50, 30)),
            "checks": np.where(
                (((yy // (8 * mm)) + (xx // (8 * mm))) % 2 > 0)[..., None], (40, 40, 170), (220, 225, 228)
            ),
            "plain": np.full((height, width, 3), (130, 90, 60)),
            "dark": np.full((height, width, 3), (34, 30, 30)),
            "white": np.full((height, width, 3), (228, 230, 232)),
            "own": np.full((height, width, 3), look.sleeve or (0.0, 0.0, 0.0)),
        }[kind].astype(np.float32)
        folds = 0.75 + 0.25 * np.minimum(rise, 1) + 0.08 * np.sin(yy / 19 + 2 * np.sin(xx / 33))
        cloth = yy > cuff * mm
        limb([(0, cuff + 10, 46), (0, 640, 56)])
        rise = depth / 4.0
        image = np.where(cloth[..., None], colour * folds[..., None], image)
    if seed % 3 == 0 and pose != "arm":
        band = (np.abs(yy - 172 * mm) < 8 * mm)[..., None]
        image = np.where(band, np.array((30, 30, 34), np.float32) * (0.8 + 0.4 * rise[..., None]), image)
        cv2.circle(image, (int(mid), int(172 * mm)), int(15 * mm), (190, 196, 200), -1, cv2.LINE_AA)
        cv2.circle(image, (int(mid), int(172 * mm)), int(12 * mm), (235, 238, 240), -1, cv2.LINE_AA)
    contours, _ = cv2.findContours((alpha > 127).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    outline = max(contours, key=cv2.contourArea)[:, 0].astype(np.float64)
    outline = cv2.approxPolyDP(outline.astype(np.float32)[:, None], 2.0, True)[:, 0].astype(np.float64)
    return np.clip(image, 0, 255).astype(np.uint8), alpha, outline / scale


def hand(
    x: float,
    y: float,
    z: float,
    towards_deg: float,
    *,
    seed: int = 0,
    pose: str = "point",
    shade: float = 1.0,
    mirrored: bool = False,
    look: HandLook = ANY_LOOK,
) -> tuple[list[Patch], list[Caster]]:
    """A hand whose finger tips are at (x, y, z), pointing ``towards_deg`` (90: away from the players)."""
    image, alpha, outline = hand_sprite(seed, pose, look)
    if mirrored:
        image, alpha = _mirrored(seed, pose, look)
        outline = np.column_stack([HAND_MM[0] - outline[:, 0], outline[:, 1]])
    spin = turned(towards_deg - 90)

    def place(points: np.ndarray) -> np.ndarray:
        flat = np.column_stack([points[:, 0] - HAND_MM[0] / 2, 14.0 - points[:, 1]])
        rise = z + np.clip(points[:, 1] - 14, 0, None) * 0.10
        return np.column_stack([flat @ spin.T + (x, y), rise])

    width, height = HAND_MM
    corners = place(np.array([[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]]))
    return [Patch(corners, image, alpha, shade=shade, owner=BLOCKER, ss=1)], [Caster(place(outline), 0.95)]


@lru_cache(maxsize=24)
def _mirrored(seed: int, pose: str, look: HandLook) -> tuple[np.ndarray, np.ndarray]:
    image, alpha, _ = hand_sprite(seed, pose, look)
    return np.ascontiguousarray(image[:, ::-1]), np.ascontiguousarray(alpha[:, ::-1])


def cup(
    x: float, y: float, radius: float = 38.0, tall: float = 80.0, tone: tuple[int, int, int] = (214, 218, 222)
) -> tuple[list[Patch], list[Caster]]:
    body = []
    for z in np.linspace(0, tall, 22):
        image, alpha = disc(tone, 0.25)
        body.append(
            Patch(sheet(x, y, z, 2 * radius, 2 * radius), image, alpha, shade=0.7 + 0.3 * z / tall, owner=BLOCKER, ss=1)
        )
    image, alpha = disc((18, 28, 44), 0.15)
    body.append(Patch(sheet(x, y, tall - 8, 2 * radius - 8, 2 * radius - 8), image, alpha, owner=BLOCKER, ss=1))
    ring = np.array([[math.cos(a), math.sin(a)] for a in np.linspace(0, 2 * math.pi, 24)[:-1]])
    return body, [Caster(np.column_stack([ring * radius + (x, y), np.full(23, z)])) for z in (10.0, tall / 2, tall)]
