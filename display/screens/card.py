"""The result of a match as one picture to send: who won, how the rounds went, and a code where there is a page."""

from __future__ import annotations

from typing import Final

import pygame

from display.draw.canvas import BODY, CENTRE, NOTE, SCORE, TITLE, Canvas, DrawnText, cut_top
from display.draw.pictures import sign
from display.draw.theme import DEFAULT, Theme
from display.screens.fencer import fencer_sprite
from display.screens.qr import ScanCode, draw_code
from display.view import Pose, ViewModel
from display.words.sentences import score_text
from engine.rules.track import Side

CARD_SIZE: Final = (1200, 630)
UNITS: Final = 300
"""So many units high is the card, and not 480 as a screen: it is looked at small."""
TALL: Final = 0.62
"""How much of their room the fencers are high: so the blade that is raised stays in it."""


def draw_card_of(
    surface: pygame.Surface, view: ViewModel, facts: str, code: ScanCode | None = None, theme: Theme = DEFAULT
) -> list[DrawnText]:
    """Draws the card over the whole surface: a match as it ended, the ``facts`` under it, and a code if any."""
    canvas = Canvas(surface, theme)
    width, height = surface.get_size()
    unit_px = height / UNITS
    surface.fill(theme.paper)
    head, _ = cut_top(surface.get_rect(), round(height * 0.3))
    surface.fill(theme.header, head)
    surface.fill(theme.gold, pygame.Rect(0, head.bottom, width, max(3, height // 110)))
    winner = view.ending.winner if view.ending is not None else None
    third = width // 3
    for side, left in ((Side.WHITE, 0), (Side.BLACK, 2 * third)):
        box = pygame.Rect(left, 0, third, head.height).inflate(-width // 30, -height // 12)
        colour = theme.gold if winner is side else theme.on_header
        name = view.match.names[side]
        canvas.text(name, box, TITLE * unit_px, colour, align=CENTRE, lines=2, shorten=True, heavy=True)
    score = pygame.Rect(third, 0, third, head.height)
    text = score_text(view.match.score.white, view.match.score.black)
    canvas.text(text, score.inflate(0, -height // 20), SCORE * unit_px, theme.on_header, align=CENTRE)
    foot = pygame.Rect(width // 24, round(height * 0.82), width - width // 12, round(height * 0.15))
    if code is not None:
        box = pygame.Rect(0, 0, round(height * 0.36), round(height * 0.36))
        box.bottomright = (width - width // 40, height - width // 40)
        place = draw_code(surface, code.rows, box)
        foot.width = place.left - foot.left - width // 40
        above = pygame.Rect(box.left, place.top - round(height * 0.17), box.width, round(height * 0.16))
        canvas.text(code.text, above, NOTE * unit_px, theme.ink_soft, align=CENTRE, lines=4)
    title = view.ending.title if view.ending is not None else view.match.round_text
    canvas.text(title, cut_top(foot, int(foot.height * 0.55))[0], BODY * unit_px, theme.ink, heavy=True)
    under = pygame.Rect(foot.left, foot.top + round(foot.height * 0.6), foot.width, round(foot.height * 0.4))
    canvas.text(facts, under, NOTE * unit_px, theme.ink_soft)
    _fencers(canvas, pygame.Rect(0, head.bottom, width, foot.top - head.bottom), winner, code is not None)
    _rounds(canvas, pygame.Rect(foot.left, foot.top - height // 18, foot.width, height // 24), view)
    return canvas.texts


def _fencers(canvas: Canvas, box: pygame.Rect, winner: Side | None, code: bool) -> None:
    """Both fencers, the winner with a raised blade between laurels."""
    middle = box.centerx - (box.width // 9 if code else 0)
    tall = round(box.height * TALL)
    ground = box.bottom - round(box.height * 0.2)
    for side in Side:
        pose = Pose.TRIUMPH if winner is side else Pose.STAND if winner is not None else Pose.SALUTE
        x = middle - side.forward * round(tall * 0.75)
        fencer_sprite(side, pose, tall, canvas.theme).stand(canvas.surface, x, ground)
    mark_px = round(box.height * 0.3)
    image = sign("crown" if winner is not None else "swords", mark_px, canvas.theme.gold)
    canvas.blit(image, center=(middle, box.top + round(box.height * 0.34)))


def _rounds(canvas: Canvas, box: pygame.Rect, view: ViewModel) -> None:
    """A mark for each round: a full disc for White, a ring for Black, a dash for a draw."""
    theme = canvas.theme
    radius = min(box.height // 2, max(2, box.width // (3 * max(1, len(view.match.history)))))
    for number, winner in enumerate(view.match.history):
        centre = (box.left + radius + number * 3 * radius, box.centery)
        if winner is None:
            canvas.surface.fill(theme.ink, pygame.Rect(centre[0] - radius, centre[1] - 2, 2 * radius, 4))
            continue
        accent = theme.figures[winner].accent
        pygame.draw.circle(canvas.surface, accent, centre, radius, 0 if winner is Side.WHITE else max(2, radius // 3))
