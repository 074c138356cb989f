"""The simulated table's camera: a scene in, a frame out."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import lru_cache
from typing import Final

import cv2

from vision.frame import Frame, Picture
from vision.geometry import Box, Camera
from vision.printed.table import Table
from vision.synthetic.background import background
from vision.synthetic.bodies import figure_sprites, hand_sprites
from vision.synthetic.camera import NONE, Disturbances, Sensor, default_camera
from vision.synthetic.cardface import card_sprites
from vision.synthetic.drawing import Optics, Sprite, as_picture
from vision.synthetic.scene import Scene, SceneCard, SceneFigure, SceneHand, SceneThing
from vision.synthetic.studio import Light, Studio

_MAX_EXPOSURE_S: Final = 0.02
_WIDEST_BLUR_PX: Final = 1.2
_BOARD_GLOSS: Final = 0.35
_KEPT_SPRITES: Final = 160


class Renderer:
    """Renders scenes as one camera sees them.

    The same table, camera, disturbances, seed, scene, index and time give the same frame to the bit, whatever was
    rendered before. Pictures of the last scenes are kept, so a series of like scenes is much cheaper than single ones.
    """

    def __init__(
        self, table: Table, camera: Camera | None = None, disturbances: Disturbances = NONE, seed: int = 0
    ) -> None:
        self.table = table
        self.camera = default_camera(table) if camera is None else camera
        self.disturbances = disturbances
        self.seed = seed
        self._optics = Optics(self.camera)
        self._light = Light(self._optics, disturbances, seed)
        self._sensor = Sensor(self.camera.width, self.camera.height, disturbances, seed)
        self._grey = self._stage(colour=False)
        self._colour: _Stage | None = None

    def render(self, scene: Scene, index: int, t_s: float) -> Frame:
        """The frame of this scene; ``picture()`` renders the same look in colour when it is asked for."""
        moment = self._sensor.moment(index, t_s)
        y = self._sensor.expose(self._grey.show(scene), moment, scene.light)

        def picture() -> Picture:
            if self._colour is None:
                self._colour = self._stage(colour=True)
            return self._sensor.expose(self._colour.show(scene), moment, scene.light)

        return Frame(index, t_s, y, picture)

    def _stage(self, colour: bool) -> _Stage:
        empty = background(self.table, self.camera)
        if not colour:
            empty = as_picture(cv2.cvtColor(empty, cv2.COLOR_BGR2GRAY))
        exposure_s = self.disturbances.motion_blur * _MAX_EXPOSURE_S
        studio = Studio(self.table, self._optics, self._light, colour, exposure_s)
        blur_px = self.disturbances.defocus * _WIDEST_BLUR_PX
        return _Stage(studio, Compositor(self._light.on_background(empty, _BOARD_GLOSS), blur_px))


_Upright = SceneFigure | SceneHand | SceneThing


class _Stage:
    """Turns scenes into layers and keeps the sprites it made."""

    def __init__(self, studio: Studio, compositor: Compositor) -> None:
        self._studio = studio
        self._compositor = compositor
        self._cards = lru_cache(maxsize=_KEPT_SPRITES)(lambda card: card_sprites(studio, card))
        self._figures = lru_cache(maxsize=_KEPT_SPRITES)(lambda figure: figure_sprites(studio, figure))
        self._others = lru_cache(maxsize=_KEPT_SPRITES)(lambda thing: thing.sprites(studio))
        self._hands: Callable[[SceneHand], tuple[Sprite, ...]] = lru_cache(maxsize=4)(self._hand)

    def show(self, scene: Scene) -> Picture:
        layers: list[PaintedLayer] = []
        for key, sprites in self._things(scene):
            layers += [((key, number), sprite) for number, sprite in enumerate(sprites)]
        return self._compositor.show(layers)

    def _things(self, scene: Scene) -> Iterator[tuple[Hashable, tuple[Sprite, ...]]]:
        """Cards from the lowest up, then what stands, far things first."""
        for thing in scene.things:
            if not thing.stands:
                yield thing, self._others(thing)
        for card in sorted(scene.cards, key=lambda card: card.level):
            yield card, self._cards(card)
        standing: list[_Upright] = [*scene.figures, *scene.hands, *(thing for thing in scene.things if thing.stands)]
        for upright in sorted(standing, key=self._distance_mm, reverse=True):
            if isinstance(upright, SceneFigure):
                yield upright, self._figures(upright)
            elif isinstance(upright, SceneHand):
                yield upright, self._hands(upright)
            else:
                yield upright, self._others(upright)

    def _distance_mm(self, thing: _Upright) -> float:
        """How far it stands from the camera; a hand is always nearer than what it reaches for."""
        distance = float(self._studio.optics.camera.depth_mm([[thing.x_mm, thing.y_mm, 0.0]])[0])
        return distance - (40.0 if isinstance(thing, SceneHand) else 0.0)

    def _hand(self, hand: SceneHand) -> tuple[Sprite, ...]:
        held: tuple[Sprite, ...] = ()
        if isinstance(hand.holds, SceneCard):
            held = card_sprites(self._studio, hand.holds, hand.velocity_mm_s)
        elif isinstance(hand.holds, SceneFigure):
            held = figure_sprites(self._studio, hand.holds, hand.velocity_mm_s)
        return held + hand_sprites(self._studio, hand)


PaintedLayer = tuple[Hashable, Sprite]
"""A sprite and what it was made from: equal keys mean equal sprites. A key may come more than once."""


class Compositor:
    """Sprites over a background, seen through a lens that blurs by ``blur_px`` (standard deviation, 0 for none).

    It keeps the last picture and paints again only where something changed. The result never depends on what was
    painted before: every pixel is a pure function of the sprites over it.
    """

    def __init__(self, background: Picture, blur_px: float) -> None:
        self._background = background
        self._blur_px = blur_px
        self._reach_px = 0 if blur_px == 0 else max(1, round(3 * blur_px + 0.5))
        self._frame = Box(0, 0, background.shape[1], background.shape[0])
        self._sharp = background.copy()
        self._soft = background.copy()
        self._layers: list[PaintedLayer] = []
        self._soften(self._frame)

    def show(self, layers: Sequence[PaintedLayer]) -> Picture:
        """The picture with these layers, in painting order. It is the compositor's own: copy it to keep it."""
        for rect in joined(self._changed(layers)):
            self._sharp[rect.slices] = self._background[rect.slices]
            for _, sprite in layers:
                sprite.paint(self._sharp, rect)
            self._soften(rect)
        self._layers = list(layers)
        return self._soft

    def _changed(self, layers: Sequence[PaintedLayer]) -> list[Box]:
        """Where layers came, went or changed their order."""
        before = {key for key, _ in self._layers}
        after = {key for key, _ in layers}
        changed = [sprite.rect for key, sprite in self._layers if key not in after]
        changed += [sprite.rect for key, sprite in layers if key not in before]
        stayed_before = [layer for layer in self._layers if layer[0] in after]
        stayed_after = [layer for layer in layers if layer[0] in before]
        if [key for key, _ in stayed_before] != [key for key, _ in stayed_after]:
            changed += [sprite.rect for _, sprite in stayed_after]
        inside = [rect.clipped(self._frame) for rect in changed]
        return [rect for rect in inside if not rect.empty]

    def _soften(self, rect: Box) -> None:
        if self._reach_px == 0:
            self._soft[rect.slices] = self._sharp[rect.slices]
            return
        wanted = rect.grown(self._reach_px).clipped(self._frame)
        source = wanted.grown(self._reach_px).clipped(self._frame)
        size = 2 * self._reach_px + 1
        blurred = cv2.GaussianBlur(self._sharp[source.slices], (size, size), self._blur_px)
        x, y = wanted.x0 - source.x0, wanted.y0 - source.y0
        self._soft[wanted.slices] = blurred[y : y + wanted.y1 - wanted.y0, x : x + wanted.x1 - wanted.x0]


def joined(rects: Sequence[Box]) -> list[Box]:
    """Rectangles without overlaps that hold all of these: overlapping ones become one around both."""
    apart: list[Box] = []
    for rect in rects:
        growing = rect
        merged = True
        while merged:
            merged = False
            for other in apart:
                if not growing.clipped(other).empty:
                    apart.remove(other)
                    growing = growing.joined(other)
                    merged = True
                    break
        apart.append(growing)
    return apart
