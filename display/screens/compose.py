"""One picture of everything: the table screen, beside it the lamps and the camera's picture, below it the buttons."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType
from typing import Final

import pygame

from display.draw.canvas import BODY, CENTRE, LEAD, NOTE, Canvas, DrawnText, cut_bottom, cut_right, fit
from display.draw.parts import CASE, Part, draw_parts
from display.draw.pictures import sign
from display.draw.theme import DEFAULT, Theme
from display.screens.areas import areas
from display.screens.camera import CameraPicture, draw_camera, draw_caption, draw_cure, draw_spots
from display.screens.lamps import draw_lamps
from display.screens.qr import ScanCode, draw_codes
from display.screens.table import table_parts
from display.view import ViewModel
from engine.rules.state import Phase


class Arrangement(Enum):
    """What the picture holds; ``next`` goes round."""

    TABLE = "table"
    BOTH = "both"
    CAMERA = "camera"

    @property
    def next(self) -> Arrangement:
        order = list(Arrangement)
        return order[(order.index(self) + 1) % len(order)]


SIDE: Final = 0.31
"""How much of the width the lamps and the camera's picture have."""

BUTTONS: Final = ("white", "undo", "act", "review", "camera", "menu", "black")
"""The buttons along the foot, left to right."""
DEMO_BUTTONS: Final = ("white", "undo", "act", "review", "camera", "language", "black")
"""Where there is no menu, as in a demonstration, the language is changed instead."""
RETELL_BUTTONS: Final = tuple("retell" if name == "camera" else name for name in BUTTONS)
"""Those once a round is over and can be told again; the camera still has its key."""
REVIEW_BUTTONS: Final = ("back", "live", "forward")
"""Those while somebody looks back."""

ACT_SHARE: Final = 1.8
"""The button that says what it does is so many times as wide as the others."""

_SIGNS: Final = {
    "white": "play",
    "black": "play_left",
    "undo": "arrow_left",
    "review": "question",
    "back": "play_left",
    "live": "tick",
    "forward": "play",
    "act": "tick",
    "camera": "eye",
    "language": "speech",
    "menu": "menu",
    "retell": "speech",
}


@dataclass(frozen=True, slots=True)
class Layout:
    """Where everything goes; a part that is not shown has no area. ``buttons``: where a tap means what.

    ``offers``: likewise, for what may be done without a camera, in the place of its picture. ``band``: the verdict's,
    across the whole width below the table and what stands beside it; None where the table has it in its own place.
    """

    table: pygame.Rect
    lamps: pygame.Rect
    camera: pygame.Rect
    buttons: Mapping[str, pygame.Rect]
    offers: Mapping[str, pygame.Rect] = field(default_factory=dict)
    band: pygame.Rect | None = None


def layout(
    size: tuple[int, int],
    arrangement: Arrangement,
    *,
    with_buttons: bool,
    names: Sequence[str] = BUTTONS,
    theme: Theme = DEFAULT,
    offers: bool = False,
    foot_share: float = 0.0,
) -> Layout:
    """The areas for a picture of this size (pixels), with these buttons along its foot.

    ``offers``: there is no camera, and what may be done without one is offered.

    ``foot_share``: of the height, for the buttons, where it is not as usual. In large print they are higher. The lamps
    and the camera leave the verdict the whole width.
    """
    width, height = size
    share = foot_share or (0.105 if theme.large_print else 0.075)
    foot_px = round(height * share) if with_buttons else 0
    foot, upper = cut_bottom(pygame.Rect(0, 0, width, height), foot_px)
    shares = [ACT_SHARE if name == "act" else 1.0 for name in names]
    edges = [round(width * sum(shares[:number]) / sum(shares)) for number in range(len(names) + 1)]
    buttons = {
        name: pygame.Rect(left, foot.top, right - left, foot_px)
        for name, left, right in zip(names, edges, edges[1:], strict=False)
        if with_buttons
    }
    nothing = pygame.Rect(0, 0, 0, 0)
    if arrangement is Arrangement.TABLE:
        return Layout(upper, nothing, nothing, MappingProxyType(buttons))
    if arrangement is Arrangement.CAMERA:
        return Layout(nothing, nothing, upper, MappingProxyType(buttons))
    band = areas(upper, theme.print_scale).band
    side, table = cut_right(pygame.Rect(0, 0, width, band.top), round(width * SIDE))
    camera, lamps = cut_bottom(side, min(round(side.width * 9 / 16), round(band.top * 0.62)))
    return Layout(table, lamps, camera, MappingProxyType(buttons), _offers(camera) if offers else {}, band)


OFFERS: Final = ("manual", "plain")
"""What may be done without a camera."""


def _offers(camera: pygame.Rect) -> Mapping[str, pygame.Rect]:
    """Two fields, one over the other, in the lower part of the camera's place."""
    pad = round(camera.width * 0.05)
    room = pygame.Rect(camera.left + pad, 0, camera.width - 2 * pad, round(camera.height * 0.66))
    room.bottom = camera.bottom - pad
    high = (room.height - pad) // len(OFFERS)
    return MappingProxyType(
        {
            name: pygame.Rect(room.left, room.top + place * (high + pad), room.width, high)
            for place, name in enumerate(OFFERS)
        }
    )


def compose(
    surface: pygame.Surface,
    view: ViewModel,
    camera: CameraPicture | None = None,
    *,
    arrangement: Arrangement = Arrangement.BOTH,
    progress: float = 1.0,
    with_buttons: bool = False,
    names: Sequence[str] = BUTTONS,
    theme: Theme = DEFAULT,
) -> list[DrawnText]:
    """Draws everything onto the whole surface and gives every text with where it landed.

    ``progress``: as in ``table_parts``.
    """
    places = layout(surface.get_size(), arrangement, with_buttons=with_buttons, names=names, theme=theme)
    surface.fill(CASE)
    return draw_parts(surface, composed_parts(places, view, camera, progress, theme), theme)


def composed_parts(
    places: Layout,
    view: ViewModel,
    camera: CameraPicture | None,
    progress: float,
    theme: Theme,
    codes: tuple[ScanCode, ...] = (),
) -> tuple[Part, ...]:
    """The whole picture in parts, with all that each depends on. ``codes`` have the place of the lamps.

    Where there is nothing to be shown of the camera, its place is theirs too, and for the codes once a match is over.
    """
    parts: list[Part] = []
    if places.table.width:
        # Where the camera's picture has a place of its own, that is where trouble is shown.
        trouble = None if places.camera.width else view.trouble
        parts += table_parts(view, progress, places.table, theme, camera, trouble, places.band)
    unneeded = camera is None or bool(codes and view.phase is Phase.MATCH_OVER)
    alone = bool(places.lamps.width) and unneeded and view.trouble is None and not places.offers
    side = places.lamps.union(places.camera) if alone else places.lamps
    if side.width and codes:
        parts.append(Part("codes", side, codes, lambda canvas: draw_codes(canvas, codes, side)))
    elif side.width:
        lamps = view.lamps
        parts.append(Part("lamps", side, (lamps,), lambda on: draw_lamps(on.surface, lamps, side, on.theme)))
    if places.camera.width and not places.offers and not alone:
        shown = (camera, view.trouble)
        parts.append(Part("camera", places.camera, shown, lambda canvas: _camera(canvas, camera, view, places.camera)))
    if places.offers:
        parts.append(_offer(places, view))
    return (*parts, *button_parts(places, view))


def button_parts(places: Layout, view: ViewModel) -> tuple[Part, ...]:
    """The buttons along the foot."""
    ready = view.act.ready and view.piste.to_act is not None  # a turn is there to be ended, or an answer to be given
    said = {**view.keys, "act": view.act.text} if ready else view.keys
    return tuple(_button(name, box, said[name], golden=ready and name == "act") for name, box in places.buttons.items())


def _camera(canvas: Canvas, camera: CameraPicture | None, view: ViewModel, box: pygame.Rect) -> None:
    """The picture with the trouble on it; one of before has a caption instead."""
    now = camera is None or not camera.caption
    if camera is not None:
        place = draw_camera(canvas.surface, camera, box, canvas.theme)
        if view.trouble is not None and now:
            draw_spots(canvas, place, view.trouble.spots)
        draw_caption(canvas, camera.caption, box)
    if view.trouble is not None and now:
        draw_cure(canvas, view.trouble, box)


def _offer(places: Layout, view: ViewModel) -> Part:

    def draw(canvas: Canvas) -> None:
        theme = canvas.theme
        canvas.surface.fill(theme.paper, places.camera)
        first = next(iter(places.offers.values()))
        title = pygame.Rect(first.left, places.camera.top, first.width, first.top - places.camera.top)
        canvas.text(view.offered, title, LEAD * canvas.print_px, theme.ink, align=CENTRE, heavy=True)
        for name, box in places.offers.items():
            canvas.panel(box, theme.header_active, box.height * 0.18, (theme.gold, 2))
            inner = box.inflate(-round(box.width * 0.08), -4)
            canvas.text(view.keys[name], inner, BODY * canvas.print_px, theme.on_header, align=CENTRE, lines=2)

    return Part("offer", places.camera, (view.offered, view.keys["manual"]), draw)


def _button(name: str, box: pygame.Rect, text: str, *, golden: bool) -> Part:
    return Part(f"button {name}", box, (text, golden), lambda canvas: _draw_button(canvas, name, box, text, golden))


def _draw_button(canvas: Canvas, name: str, box: pygame.Rect, text: str, golden: bool) -> None:
    """A word, and over it a sign; what a press does has all of the room."""
    theme = canvas.theme
    inner = box.inflate(-6, -6)
    canvas.panel(inner, theme.gold if golden else theme.header_active, inner.height * 0.2)
    ink = theme.header if golden else theme.on_header
    if golden:  # a turn is much to be said
        room, note_px = inner.inflate(-8, 0), canvas.usual_note_px
        heavy = fit(text, room.width, room.height, note_px, note_px, 2, heavy=True) is not None
        canvas.text(text, room, BODY * canvas.print_px, ink, align=CENTRE, lines=2, heavy=heavy)
        return
    mark_px = round(inner.height * 0.36)
    image = sign(_SIGNS[name], mark_px, theme.gold)
    canvas.surface.blit(image, (inner.centerx - mark_px // 2, inner.top + round(inner.height * 0.08)))
    words = pygame.Rect(inner.left + 1, inner.top + round(inner.height * 0.42), inner.width - 2, 0)
    words.height = inner.bottom - words.top
    canvas.text(text, words, NOTE * canvas.print_px, ink, align=CENTRE, lines=2)
