"""Photograph-like pictures: inverse-mapped surfaces at their own heights, lights with soft shadows, a real sensor.

Independent of the product's own simulated table: written from the printed geometry alone. Lengths are board
millimetres. Light is linear while the picture is made and gets its tone curve in ``Sensor.develop``.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np
from photo.lens import Lens
from photo.textures import TOP_MM

LIGHT_STEP_MM = 3.0
BLOCKER = 9999
NEAR_MM = 20.0  # what is nearer to the lens, or behind it, is not drawn

_CODES = np.arange(256, dtype=np.float32) / 255
TO_LINEAR = np.where(_CODES <= 0.04045, _CODES / 12.92, ((_CODES + 0.055) / 1.055) ** 2.4).astype(np.float32)


@dataclass(eq=False)
class Patch:
    """A flat painted surface: its corners (4, 3) mm are those of its image, from the top left, clockwise."""

    corners: np.ndarray
    image: np.ndarray
    alpha: np.ndarray | None = None
    shade: float = 1.0
    gloss: float = 0.0
    gloss_width: float = 0.10
    bumps: float = 0.0
    owner: int = 0
    ss: int = 2


@dataclass(eq=False)
class Light:
    position: tuple[float, float, float]
    power: float
    colour: tuple[float, float, float] = (1.0, 1.0, 1.0)  # B G R
    size: float = 40.0
    blinds: bool = False


@dataclass(eq=False)
class Caster:
    """Something that throws a shadow: an outline (N, 3)."""

    outline: np.ndarray
    dark: float = 1.0


@dataclass(eq=False)
class Canvas:
    """Light in the making: ``paint`` (reflectance or light), what shines on top of it, and who owns each pixel."""

    paint: np.ndarray
    shine: np.ndarray
    owner: np.ndarray

    def copy(self) -> Canvas:
        return Canvas(self.paint.copy(), self.shine.copy(), self.owner.copy())


@dataclass(eq=False)
class Sensor:
    exposure: float = 0.8
    noise: float = 0.01
    psf: float = 0.6
    vignette: float = 0.3
    flicker: float = 0.0
    drift: float = 0.0
    sharpen: float = 0.0
    jpeg: int = 90
    shake: float = 0.0
    seed: int = 0
    _tile: np.ndarray | None = field(default=None, repr=False)
    _fall: np.ndarray | None = field(default=None, repr=False)

    def smoothed(self, light: np.ndarray, defocus: float = 0.0) -> np.ndarray:
        """What the lens makes of linear light: darker corners, and no sharper than it can be."""
        if self._fall is None:
            height, width, channels = light.shape
            tile = np.random.default_rng(self.seed).standard_normal((height + 64, width + 64, channels))
            self._tile = cv2.GaussianBlur(tile.astype(np.float32), (0, 0), 0.45).reshape(*tile.shape) * 1.6
            yy, xx = np.mgrid[0:height, 0:width].astype(np.float32)
            r2 = ((xx - width / 2) ** 2 + (yy - height / 2) ** 2) / (width / 2) ** 2
            self._fall = ((1 + 0.55 * r2 * self.vignette) ** -2).astype(np.float32)[..., None]
            assert self._fall is not None
        blur = float(np.hypot(self.psf, defocus))
        out: np.ndarray = light * self._fall
        return cv2.GaussianBlur(out, (0, 0), blur).reshape(light.shape) if blur > 0.3 else out

    @property
    def fall(self) -> np.ndarray:
        """How much of the light reaches each pixel, (H, W, 1)."""
        assert self._fall is not None
        return self._fall

    def develop(self, seen: np.ndarray, index: int) -> np.ndarray:
        """A picture (H, W, C) uint8 from what came through the lens (``smoothed``)."""
        height, width, channels = seen.shape
        rng = np.random.default_rng((self.seed, index))
        gain = self.exposure * (
            1 + self.drift * np.sin(index / 7 + self.seed) + 0.3 * self.drift * rng.standard_normal()
        )
        rows = np.arange(height, dtype=np.float32)[:, None, None]
        bands = 1 + self.flicker * np.sin(rows / height * 9.0 + index * 2.1)
        out = seen * (gain * bands).astype(np.float32)
        if self.shake:
            dx, dy = rng.normal(0, self.shake, 2)
            out = cv2.warpAffine(
                out, np.array([[1, 0, dx], [0, 1, dy]]), (width, height), borderMode=cv2.BORDER_REPLICATE
            )
        # Shot noise grows with the root of the light, as the tone curve falls: it is even in the picture.
        codes = cv2.pow(out, 1 / 2.2).reshape(height, width, channels)
        oy, ox = (int(v) for v in rng.integers(0, 64, 2))
        assert self._tile is not None
        codes += self._tile[oy : oy + height, ox : ox + width] * np.float32(self.noise * 0.45)
        if self.sharpen:
            soft = cv2.GaussianBlur(codes, (0, 0), 1.1).reshape(codes.shape)
            codes = cv2.addWeighted(codes, 1 + self.sharpen, soft, -self.sharpen, 0).reshape(codes.shape)
        image = cv2.convertScaleAbs(np.maximum(codes, 0), alpha=255).reshape(codes.shape)
        if self.jpeg < 100:
            _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, self.jpeg])
            again = cv2.imdecode(data, cv2.IMREAD_COLOR if channels == 3 else cv2.IMREAD_GRAYSCALE)
            assert again is not None
            image = again.reshape(image.shape)
        return np.asarray(image)


class Painter:
    """Paints patches as one lens sees them, and lights the table."""

    def __init__(self, lens: Lens, lights: list[Light], ambient: float, channels: int = 1, seed: int = 0) -> None:
        self.lens, self.lights, self.ambient, self.channels = lens, lights, ambient, channels
        bump = cv2.GaussianBlur(
            np.random.default_rng(seed).standard_normal((512, 512, 2)).astype(np.float32), (0, 0), 12
        )
        self._bump: np.ndarray = bump / bump.std()
        x0, x1, y0, y1 = TOP_MM
        self._gx, self._gy = np.meshgrid(np.arange(x0, x1, LIGHT_STEP_MM), np.arange(y0, y1, LIGHT_STEP_MM))
        self._norm = 1.0
        self._norm = 1.0 / float(self.lit([], norm_area=True).mean())
        self._small: dict[tuple[int, int, int], tuple[np.ndarray, np.ndarray]] = {}
        bx, by = lens.onto_plane(0.0, lens.rays)
        self._map = ((bx - x0) / LIGHT_STEP_MM, (by - y0) / LIGHT_STEP_MM)

    def canvas(self) -> Canvas:
        shape = (self.lens.height, self.lens.width)
        return Canvas(
            np.full((*shape, self.channels), 0.05, np.float32),
            np.zeros((*shape, 1), np.float32),
            np.zeros(shape, np.uint16),
        )

    def lit(self, casters: list[Caster], norm_area: bool = False) -> np.ndarray:
        """Irradiance on the table's grid, (rows, columns, C), about 1 where cards are laid."""
        total = np.full((*self._gx.shape, self.channels), self.ambient, np.float32)
        for light in self.lights:
            lx, ly, lz = light.position
            d2 = (self._gx - lx) ** 2 + (self._gy - ly) ** 2 + lz**2
            fall = light.power * lz**2 * lz / d2**1.5
            clear = np.ones(self._gx.shape, np.float32)
            for caster in casters:
                clear *= 1 - caster.dark * self._shadow(caster, light)
            if light.blinds:
                stripe = 0.5 + 0.5 * np.tanh(6 * np.sin((self._gx * 0.6 + self._gy * 0.8) / 17.0))
                clear *= 0.45 + 0.55 * stripe
            colour = np.array(light.colour, np.float32) if self.channels == 3 else np.ones(1, np.float32)
            total += (fall * clear)[..., None].astype(np.float32) * colour
        if norm_area:
            inside = (self._gx > 0) & (self._gx < 620) & (self._gy > -260) & (self._gy < 0)
            total = total[inside]
        return np.asarray(total * (1.0 if norm_area else self._norm))

    def _shadow(self, caster: Caster, light: Light) -> np.ndarray:
        lx, ly, lz = light.position
        high = np.minimum(caster.outline[:, 2], lz * 0.8)
        reach = lz / (lz - high)
        x = lx + (caster.outline[:, 0] - lx) * reach
        y = ly + (caster.outline[:, 1] - ly) * reach
        points = np.column_stack([(x - TOP_MM[0]) / LIGHT_STEP_MM, (y - TOP_MM[2]) / LIGHT_STEP_MM])
        mask = np.zeros(self._gx.shape, np.uint8)
        cv2.fillPoly(mask, [np.round(np.clip(points, -3000, 3000) * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
        soft = max(0.5, light.size * float(high.mean()) / (lz - float(high.mean())) / 2 / LIGHT_STEP_MM)
        return cv2.GaussianBlur(mask.astype(np.float32) / 255, (0, 0), soft)

    def at(self, grid: np.ndarray, x: float, y: float) -> np.ndarray:
        row = int(np.clip((y - TOP_MM[2]) / LIGHT_STEP_MM, 0, grid.shape[0] - 1))
        column = int(np.clip((x - TOP_MM[0]) / LIGHT_STEP_MM, 0, grid.shape[1] - 1))
        return np.asarray(grid[row, column])

    def shone(self, canvas: Canvas, grid: np.ndarray, region: tuple[slice, slice] | None = None) -> np.ndarray:
        """The table's light: what is painted, lit by this grid, and what shines."""
        rows, columns = region or (slice(None), slice(None))
        mx, my = self._map[0][rows, columns], self._map[1][rows, columns]
        lit = cv2.remap(grid, mx, my, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).reshape(*mx.shape, -1)
        return np.asarray(canvas.paint[rows, columns] * lit + canvas.shine[rows, columns])

    def changed_region(self, one: np.ndarray, other: np.ndarray) -> tuple[slice, slice] | None:
        """The pixels that see a part of the table whose light differs."""
        differs = (np.abs(one - other).max(axis=2) > 0.004).astype(np.float32)
        if not differs.any():
            return None
        seen = cv2.remap(differs, self._map[0], self._map[1], cv2.INTER_NEAREST) > 0
        rows, columns = np.flatnonzero(seen.any(axis=1)), np.flatnonzero(seen.any(axis=0))
        if not len(rows):
            return None
        return slice(int(rows[0]), int(rows[-1]) + 1), slice(int(columns[0]), int(columns[-1]) + 1)

    def paint(self, canvas: Canvas, patch: Patch, light: np.ndarray | float = 1.0) -> None:
        """Lays a patch over what is there; ``light`` is what falls on it where the canvas holds light already."""
        box = self.box(patch.corners)
        if box is None:
            return
        x0, y0, x1, y1 = box
        ss = patch.ss
        rays = self.lens.rays[y0:y1, x0:x1]
        fine = cv2.resize(rays, None, fx=ss, fy=ss, interpolation=cv2.INTER_LINEAR) if ss > 1 else rays
        image, cover, _factor = self._fitted(patch)
        height, width = image.shape[:2]
        u, v = self._texels(patch.corners, fine, width, height)
        colour = cv2.remap(image, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).reshape(*u.shape, -1)
        part = cv2.remap(cover, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=0)
        colour = colour * part[..., None]
        if ss > 1:
            size = (x1 - x0, y1 - y0)
            colour = cv2.resize(colour, size, interpolation=cv2.INTER_AREA).reshape(size[1], size[0], -1)
            part = cv2.resize(part, size, interpolation=cv2.INTER_AREA)
        left = 1 - part[..., None]
        here = (slice(y0, y1), slice(x0, x1))
        canvas.paint[here] = canvas.paint[here] * left + colour * (light * patch.shade)
        canvas.shine[here] *= left
        if patch.gloss:
            canvas.shine[here] += self._gloss(patch, rays)[..., None] * part[..., None]
        canvas.owner[here][part > 0.5] = patch.owner

    def box(self, corners: np.ndarray) -> tuple[int, int, int, int] | None:
        steps = np.linspace(0, 1, 5)[:, None]
        edge = np.vstack([a + steps * (b - a) for a, b in zip(corners, np.roll(corners, -1, axis=0), strict=True)])
        px, depth = self.lens.seen(edge)
        if depth.max() < NEAR_MM:
            return None
        if depth.min() < NEAR_MM:  # a forearm that goes on behind the camera: the rest of it may show anywhere
            return 0, 0, self.lens.width, self.lens.height
        low = np.maximum(np.floor(px.min(axis=0)).astype(int) - 2, 0)
        high = np.minimum(np.ceil(px.max(axis=0)).astype(int) + 3, (self.lens.width, self.lens.height))
        return None if (high - low < 2).any() else (int(low[0]), int(low[1]), int(high[0]), int(high[1]))

    def _fitted(self, patch: Patch) -> tuple[np.ndarray, np.ndarray, float]:
        """The image in linear light, with texels about as large as the samples."""
        middle = patch.corners.mean(axis=0)
        across = (patch.corners[1] - patch.corners[0]) / patch.image.shape[1]
        down = (patch.corners[3] - patch.corners[0]) / patch.image.shape[0]
        px, depth = self.lens.seen(np.array([middle, middle + across, middle + down]))
        near = depth.min() < NEAR_MM  # how large a texel is seen there says nothing
        scale = 1.0 if near else float(np.linalg.norm(px[1:] - px[0], axis=1).max()) * patch.ss
        scale = min(1.0, 2.0 ** (round(np.log2(max(scale * 1.15, 1e-3)) * 4) / 4))
        key = (id(patch.image), id(patch.alpha), int(scale * 1000))
        if key not in self._small:
            size = (max(2, round(patch.image.shape[1] * scale)), max(2, round(patch.image.shape[0] * scale)))
            image = patch.image if self.channels == 3 else cv2.cvtColor(patch.image, cv2.COLOR_BGR2GRAY)
            linear = cv2.resize(TO_LINEAR[image], size, interpolation=cv2.INTER_AREA)
            alpha = np.ones(size[::-1], np.float32)
            if patch.alpha is not None:
                alpha = cv2.resize(patch.alpha.astype(np.float32) / 255, size, interpolation=cv2.INTER_AREA)
            if len(self._small) > 400:
                self._small.clear()
            self._small[key] = (linear, alpha, patch.image, patch.alpha)  # type: ignore[assignment]  # keeps the ids alive
        linear, alpha = self._small[key][:2]
        return linear, alpha, scale

    def _texels(self, corners: np.ndarray, rays: np.ndarray, width: int, height: int) -> tuple[np.ndarray, np.ndarray]:
        lens = self.lens
        columns = np.column_stack(
            [
                lens.turn @ ((corners[1] - corners[0]) / width),
                lens.turn @ ((corners[3] - corners[0]) / height),
                lens.turn @ corners[0] + lens.shift,
            ]
        )
        m = np.linalg.inv(columns).astype(np.float32)
        x, y = rays[..., 0], rays[..., 1]
        w = m[2, 0] * x + m[2, 1] * y + m[2, 2]
        w = np.where(np.abs(w) < 1e-9, 1e-9, w)
        u = (m[0, 0] * x + m[0, 1] * y + m[0, 2]) / w - 0.5
        v = (m[1, 0] * x + m[1, 1] * y + m[1, 2]) / w - 0.5
        u[1.0 / w < NEAR_MM] = -width  # 1 / w is the depth; outside of the image nothing covers
        return u.astype(np.float32), v.astype(np.float32)

    def _gloss(self, patch: Patch, rays: np.ndarray) -> np.ndarray:
        """The mirrored lights on a smooth surface, waved a little where it is a sleeve."""
        lens = self.lens
        normal = np.cross(patch.corners[3] - patch.corners[0], patch.corners[1] - patch.corners[0])
        normal = normal / np.linalg.norm(normal)
        if normal[2] < 0:
            normal = -normal
        x, y = lens.onto_plane(float(patch.corners[:, 2].mean()), rays)
        points = np.dstack([x, y, np.full_like(x, patch.corners[:, 2].mean())])
        view = lens.position.astype(np.float32) - points
        view /= np.linalg.norm(view, axis=2, keepdims=True)
        bump = np.zeros((*x.shape, 3), np.float32)
        if patch.bumps:
            rows, columns = (np.abs(y * 4).astype(int)) % 512, (np.abs(x * 4).astype(int)) % 512
            bump[..., :2] = self._bump[rows, columns] * patch.bumps
        surface = bump + normal.astype(np.float32)
        surface /= np.linalg.norm(surface, axis=2, keepdims=True)
        out = np.full(x.shape, 0.012 * patch.gloss, np.float32)
        for light in self.lights:
            towards = np.array(light.position, np.float32) - points
            towards /= np.linalg.norm(towards, axis=2, keepdims=True)
            half = towards + view
            half /= np.linalg.norm(half, axis=2, keepdims=True)
            angle = np.arccos(np.clip((half * surface).sum(axis=2), -1, 1))
            wide = patch.gloss_width + light.size / 4000
            out += patch.gloss * light.power * self._norm * np.exp(-((angle / wide) ** 2))
        return out
