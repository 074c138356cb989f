"""The picture of ``engarde watch``: what the camera sees as large as it goes, and under it what that is."""

from __future__ import annotations

from typing import Final

import pygame

from display.draw.canvas import BODY, CENTRE, NOTE, Canvas, cut_bottom, cut_left
from display.draw.parts import Part
from display.draw.pictures import sign
from display.draw.theme import Theme
from display.screens.camera import CameraPicture, draw_camera
from display.view import Tone, WatchView
from engine.table.observation import Sight

_FOOT_SHARE: Final = 0.2
_BUTTONS_SHARE: Final = 0.12
"""Of the height: on a screen of 480 lines, 7 inches across, 11 mm, as high as a fingertip."""


def watch_parts(box: pygame.Rect, view: WatchView, camera: CameraPicture | None, theme: Theme) -> tuple[Part, ...]:
    """The picture and the words under it; in large print those have more of the height."""
    above, foot = _halves(box, theme)
    buttons = watch_buttons(box, view, theme)
    above.height -= next((button.height for button in buttons.values()), 0)
    return (
        Part("camera", above, (camera,), lambda canvas: _camera(canvas, camera, above)),
        *(_button(name, text, buttons[name]) for name, text in view.buttons),
        Part("foot", foot, (view,), lambda canvas: _foot(canvas, view, foot)),
    )


def watch_buttons(box: pygame.Rect, view: WatchView, theme: Theme) -> dict[str, pygame.Rect]:
    """Where each of the view's buttons is, by its name: beside each other over the words."""
    _, foot = _halves(box, theme)
    high, wide = round(box.height * _BUTTONS_SHARE), box.width // max(1, len(view.buttons))
    return {
        name: pygame.Rect(box.left + number * wide, foot.top - high, wide, high)
        for number, (name, _) in enumerate(view.buttons)
    }


def _halves(box: pygame.Rect, theme: Theme) -> tuple[pygame.Rect, pygame.Rect]:
    foot, above = cut_bottom(box, round(box.height * _FOOT_SHARE * theme.print_scale))
    return above, foot


def _button(name: str, text: str, box: pygame.Rect) -> Part:
    def draw(canvas: Canvas) -> None:
        theme = canvas.theme
        canvas.surface.fill(theme.header, box)
        inner = box.inflate(-8, -8)
        canvas.panel(inner, theme.header_active, inner.height * 0.2, (theme.gold, 2))
        words = inner.inflate(-round(inner.height * 0.4), -4)
        canvas.text(text, words, BODY * canvas.print_px, theme.on_header, align=CENTRE, lines=2)

    return Part(f"button {name}", box, (text,), draw)


def _camera(canvas: Canvas, camera: CameraPicture | None, box: pygame.Rect) -> None:
    canvas.surface.fill(canvas.theme.header, box)
    if camera is not None:
        draw_camera(canvas.surface, camera, box, canvas.theme)


def _foot(canvas: Canvas, view: WatchView, foot: pygame.Rect) -> None:
    theme = canvas.theme
    canvas.surface.fill(theme.header, foot)
    line_px = foot.height // 4
    lines = [pygame.Rect(foot.left, foot.top + line_px * row, foot.width, line_px) for row in range(4)]
    _eyes(canvas, view, lines[0])
    pad = line_px // 3
    agreed, frame, last = (line.inflate(-2 * pad, 0) for line in lines[1:])
    canvas.text(view.agreed, agreed, BODY * canvas.print_px, theme.on_header)
    canvas.text(view.frame, frame, BODY * canvas.print_px, theme.on_header_soft)
    left, right = cut_left(last, round(last.width * 0.56) if view.technical else 0)
    _, right = cut_left(right, pad)
    canvas.text(view.technical, left, NOTE * canvas.print_px, theme.on_header_soft)
    canvas.text(view.keys, right, NOTE * canvas.print_px, theme.gold, align=1.0)


def _eyes(canvas: Canvas, view: WatchView, box: pygame.Rect) -> None:
    """Whether the table is seen, and if not, why: red while blind, so that it is told from across the room."""
    theme, sight = canvas.theme, view.eyes.sight
    ground, colour = {
        Sight.STEADY: (theme.header_active, theme.on_header),
        Sight.CHECKING: (theme.header_active, theme.gold),
        Sight.BLIND: (theme.bands[Tone.UNSEEN].mark, theme.card),
    }[sight]
    canvas.surface.fill(ground, box)
    mark_px = round(box.height * 0.8)
    canvas.surface.blit(
        sign("blind" if sight is Sight.BLIND else "eye", mark_px, colour),
        (box.left + box.height // 3, box.centery - mark_px // 2),
    )
    words = pygame.Rect(box.left + 2 * box.height, box.top, box.width - 4 * box.height, box.height)
    text = " · ".join(part for part in (view.eyes.text, view.eyes.foreign) if part)
    canvas.text(text, words, BODY * canvas.print_px, colour, align=CENTRE)
