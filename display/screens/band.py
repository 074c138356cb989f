"""The foot of the table screen: the verdict with its sign and reason, what to do, and pictures of how to do it."""

from __future__ import annotations

from math import prod

import pygame

from display.draw.canvas import CENTRE, LEAD, MIN_PX, NOTE, TITLE, Canvas, cut_left, cut_top, fit, text_width
from display.draw.pictures import TONE_SIGNS, sign
from display.draw.theme import Band, Colour, Theme, contrast, mix
from display.screens.areas import Areas
from display.screens.remedy import draw_remedy
from display.view import Tone, ViewModel

MAX_REMEDIES = 4
FEW = 2
"""So many pictures stay large enough where the words need more room in large print."""
MAX_LINES = 3
LOW_UNITS = 100
LOW_ROW = 23
"""In a lower band detail and hint stand side by side in a row of so many units, under the headline."""
PICTURES = 0.46
"""How much of the width the pictures may have."""
TAG_LEAST = NOTE
"""And the kind of verdict no smaller than that: its stripe is as wide as its longest word wants."""
LONG_ROW = 45
"""In large print a line of so many letters has twice the height of the shortest."""
LARGE_PICTURES = (0.46, 0.455)
LARGE_FEW_PICTURES = (0.43, 0.41, 0.36, 0.33)
LARGE_HEADS = (0.0, 0.02, 0.04, 0.06, 0.08, 0.1, 0.15, -0.02, -0.04, -0.06, -0.1)
"""In large print what of the width they may have, and up to two of them, and how much more than usual of the height a
headline: the first with which all words are at least as large as in usual print."""


def draw_band(canvas: Canvas, places: Areas, view: ViewModel) -> None:
    """Draws the verdict band."""
    theme, box, unit_px = canvas.theme, places.band, places.band_unit_px
    tone, ink = band_of(theme, view)
    canvas.surface.fill(tone.ground, box)
    remedies = view.remedies[:MAX_REMEDIES]
    stripe_units = 104
    if theme.large_print:  # the words come before the sign and the pictures
        stripe_units = 66 if remedies else 86
    stripe_px = round(stripe_units * unit_px)
    if theme.large_print:
        longest_px = max(text_width(word, round(TAG_LEAST * unit_px)) for word in _tag(view).split(" "))
        stripe_px = max(stripe_px, longest_px + round(6 * unit_px))
    stripe, beside = cut_left(box, stripe_px)
    canvas.surface.fill(tone.mark, stripe)
    _stripe(canvas, stripe, view, unit_px)
    pad = round((5 if theme.large_print else 14) * unit_px)
    margin = round((6 if theme.large_print or box.height < LOW_UNITS * unit_px else 14) * unit_px)
    right = box.right - round(6 * unit_px)

    def split(share: float) -> tuple[int, pygame.Rect]:
        """How wide a picture is when all have this share of the width, and the place of the words."""
        words = beside.inflate(-2 * pad, 0)
        if not remedies:
            return 0, words.inflate(0, -margin)
        widest_px = 118 * unit_px * max(1.0, box.width / box.height / 6)
        tile_px = round(min(widest_px, box.width * share / len(remedies)))
        words.width = right - tile_px * len(remedies) - pad - words.left
        return tile_px, words.inflate(0, -margin)

    (tile_px, words), head = split(PICTURES), None
    if theme.large_print:
        shares = LARGE_FEW_PICTURES if len(remedies) <= FEW else LARGE_PICTURES
        tries = [(*split(share), head) for share in shares for head in LARGE_HEADS]
        # What all words have in usual print is enough: the first of the best leaves most to the pictures.
        tile_px, words, head = max(tries, key=lambda one: _size_of(one[1], view, unit_px / theme.print_scale, one[2]))
    told = tuple(remedy.text for remedy in remedies)
    for number, remedy in enumerate(remedies):
        tile = pygame.Rect(right - tile_px * (len(remedies) - number), box.top, tile_px, box.height)
        tile = tile.inflate(-round(6 * unit_px), -round(12 * unit_px))
        draw_remedy(canvas, tile, remedy, tone.mark, unit_px, ink, told)
    _words(canvas, words, view, unit_px, head, ink, tone.mark)


def is_attack(view: ViewModel) -> bool:
    """Whether what was accepted last is an attack that waits for its answer."""
    return view.piste.attack is not None and view.verdict.tone is Tone.LEGAL


def _tag(view: ViewModel) -> str:
    return view.piste.attack.text if is_attack(view) and view.piste.attack is not None else view.verdict.tag


def band_of(theme: Theme, view: ViewModel) -> tuple[Band, Colour]:
    """The band's colours and its ink. What was accepted or refused, an attack, a question and a victory have a full
    colour: they are told apart from across the room, whoever sees colours otherwise."""
    tone = view.verdict.tone
    ground = theme.attack if is_attack(view) else theme.bold.get(tone, theme.bands[tone].ground)
    ink = max(theme.ink, theme.card, key=lambda colour: contrast(colour, ground))
    dark = ink == theme.card or is_attack(view)
    return Band(ground, mix(ground, theme.ink, 0.4) if dark else theme.bands[tone].mark), ink


def _stripe(canvas: Canvas, box: pygame.Rect, view: ViewModel, unit_px: float) -> None:
    low = box.height < LOW_UNITS * unit_px
    note_px = max(canvas.note_px, round(NOTE * unit_px))
    brief = text_width(_tag(view), note_px) <= box.width - 12 * unit_px
    mark_share, tag_share = ((0.42, 0.36) if brief else (0.32, 0.5)) if low else (0.42, 0.4)
    mark_px = round(min(box.height * mark_share, 60 * unit_px, box.width * 0.78))
    image = sign("swords" if is_attack(view) else TONE_SIGNS[view.verdict.tone], mark_px, canvas.theme.card)
    margin = round((6 if canvas.theme.large_print else 10) * unit_px)  # of both sides together
    tag_px = round(min(40 * unit_px, box.height * tag_share))
    tag = pygame.Rect(box.left, 0, box.width, tag_px).inflate(-margin, 0)
    gap = round((2 if low else 8) * unit_px)
    top = box.centery - (mark_px + gap + tag.height) // 2
    canvas.surface.blit(image, (box.centerx - mark_px // 2, top + (0 if low else round(4 * unit_px))))
    tag.top = top + mark_px + gap
    canvas.text(_tag(view), tag, NOTE * unit_px, canvas.theme.card, align=CENTRE, lines=2)


def _size_of(box: pygame.Rect, view: ViewModel, unit_px: float, more: float | None) -> float:
    """How nearly as large as usual the words are in this place: the product of the shares of headline and lines."""
    head, rows = _rows(box, view, unit_px, more)
    shares = []
    for text, room, units in ((view.verdict.headline, head, TITLE), *((text, room, LEAD) for text, room in rows)):
        wished = round(units * unit_px)
        fitted = fit(text, room.width, room.height, wished, MIN_PX, MAX_LINES, heavy=text is view.verdict.headline)
        shares.append(0.0 if fitted is None else fitted[0] / wished)
    return prod(shares)


def _rows(
    box: pygame.Rect, view: ViewModel, unit_px: float, more: float | None
) -> tuple[pygame.Rect, list[tuple[str, pygame.Rect]]]:
    """Where headline, detail and hint are written: as many as there are share the height.

    ``more`` is None in usual print; in large print a longer line has more of the height too.
    """
    verdict = view.verdict
    told = [row for row in (verdict.detail, verdict.hint) if row]
    mark_px = round(15 * unit_px) + 7
    if box.height < LOW_UNITS * unit_px and told:
        head, below = cut_top(box, round(box.height - LOW_ROW * unit_px))
        size_px = round(LEAD * unit_px)
        widths = [text_width(row, size_px) + mark_px * (1 + (row is verdict.hint)) for row in told]
        room, lines = min(1.0, box.width / sum(widths)), []
        for width in widths[:-1]:
            line, below = cut_left(below, round(width * room))
            lines.append(line)
        lines.append(below)
    else:
        share = 1.0 if not told else (0.62, 0.46)[len(told) - 1] + (more or 0.0)
        head, below = cut_top(box, round(box.height * share))
        parts = [1 if more is None else LONG_ROW + len(row) for row in told]
        lines, rest = [], below
        for part in parts:
            line, rest = cut_top(rest, below.height * part // sum(parts))
            lines.append(line)
    return head, [
        (row, cut_left(line, mark_px)[1] if row is verdict.hint else line)
        for row, line in zip(told, lines, strict=True)
    ]


def _words(
    canvas: Canvas, box: pygame.Rect, view: ViewModel, unit_px: float, more: float | None, ink: Colour, mark: Colour
) -> None:
    verdict, soft = view.verdict, canvas.theme.ink_soft
    pale = ink == canvas.theme.ink and verdict.tone not in canvas.theme.bold
    head, rows = _rows(box, view, unit_px, more)
    canvas.text(verdict.headline, head, TITLE * unit_px, ink, lines=MAX_LINES, heavy=True)
    for row, line in rows:
        is_hint = row is verdict.hint
        if is_hint:
            mark_px = round(15 * unit_px)
            canvas.blit(sign("play", mark_px, mark if pale else ink), midleft=(line.left - mark_px - 7, line.centery))
        canvas.text(row, line, LEAD * unit_px, ink if is_hint or not pale else soft, lines=MAX_LINES)
