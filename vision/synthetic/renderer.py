"""The simulated table's camera: a scene in, a frame out."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from functools import lru_cache
from typing import Final

import cv2

from vision.frame import Frame, Picture
from vision.geometry import Camera
from vision.printed.table import Table
from vision.synthetic.background import Keep, background, painted
from vision.synthetic.cardface import card_sprites
from vision.synthetic.compositor import Compositor, PaintedLayer
from vision.synthetic.disturbances import NONE, Disturbances
from vision.synthetic.fencer import figure_sprites
from vision.synthetic.hand import hand_sprites
from vision.synthetic.light import Light
from vision.synthetic.plane import Optics
from vision.synthetic.poses import default_camera
from vision.synthetic.scene import Scene, SceneCard, SceneFigure, SceneHand, SceneThing
from vision.synthetic.sensor import Sensor
from vision.synthetic.sprite import Sprite, as_picture
from vision.synthetic.studio import Studio

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
        self,
        table: Table,
        camera: Camera | None = None,
        disturbances: Disturbances = NONE,
        seed: int = 0,
        keep: Keep = painted,
    ) -> None:
        """``keep`` keeps what never moves from one start to the next."""
        self.table = table
        self.camera = default_camera(table) if camera is None else camera
        self.disturbances = disturbances
        self.seed = seed
        self._keep = keep
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
        empty = background(self.table, self.camera, self._keep)
        if not colour:
            empty = as_picture(cv2.cvtColor(empty, cv2.COLOR_BGR2GRAY))
        exposure_s = self.disturbances.motion_blur * _MAX_EXPOSURE_S
        studio = Studio(self.table, self._optics, self._light, colour, exposure_s)
        blur_px = self.disturbances.defocus * _WIDEST_BLUR_PX
        return _Stage(studio, Compositor(self._light.on_background(empty, _BOARD_GLOSS), blur_px))


_Upright = SceneFigure | SceneHand | SceneThing


def _upright(scene: Scene) -> list[_Upright]:
    """What stands up from the table and hides what is behind it."""
    return [*scene.figures, *scene.hands, *(thing for thing in scene.things if thing.stands)]


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
        for upright in sorted(_upright(scene), key=self._distance_mm, reverse=True):
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
