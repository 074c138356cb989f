"""Draws the played table: the picture of the table, what lies and stands on it, and the cards in hand before it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import pygame

from display.draw.canvas import BODY, CENTRE, NOTE, Canvas, digits, thick_line
from display.draw.theme import mix
from display.tabletop.bar import draw_act, draw_hint
from display.tabletop.model import CARD_MM, Arm, Fan, LyingCard, Target, TopView
from display.tabletop.places import SPACE_MM, Cutout, Places, TablePictures, fan_boxes, handle_mm, pile_box, space_box
from display.tabletop.signs import TableSigns, draw_attack, draw_beaten, draw_lit, draw_targets
from engine.rules.cards import Card
from engine.rules.track import SPACES, Side

DISCARD_MM: Final = (-12.0, -150.0)
"""Where cards of finished turns lie squared up, beside the play area."""
LUNGE_DEG: Final = 13.0
"""So far an attacker leans in."""
HALF_RISEN: Final = 0.08
RISEN: Final = 0.16
PICKED: Final = 0.3
"""How far a card stands out of the hand that retreats, that parries, or is picked up, in its height."""
FRONT: Final = 0.4
"""So much higher than their row, in its height, is what is drawn before the hands over the table."""
SHADE: Final = (0, 0, 0, 78)
GHOST: Final = (150, 150, 150, 150)
_STEP_DEG: Final = 2
NO_SIGNS: Final = TableSigns()


@dataclass(frozen=True, slots=True)
class Pointed:
    """What the pointer has hold of: drawn where it is now. ``chosen`` is the card whose handle is shown.

    ``lifted`` is the card of a hand that the pointer is over, ``picked`` the one that was picked up. ``lit`` is where
    that can be played to, ``aimed`` what keys chose of it, 0 for nothing. ``by_keys``: cards show their keys.
    """

    card: LyingCard | None = None
    back: bool = False
    figure: tuple[Side, float, float] | None = None
    chosen: LyingCard | None = None
    lifted: Card | None = None
    picked: Card | None = None
    lit: tuple[Target, ...] = ()
    aimed: Target = 0
    by_keys: bool = False


class Sprites:
    """The pictures at the size they are drawn in, made once each."""

    def __init__(self, pictures: TablePictures) -> None:
        self.pictures = pictures
        self._kept: dict[tuple[object, ...], pygame.Surface] = {}
        self._still: dict[str, tuple[tuple[object, ...], pygame.Surface]] = {}

    def ground(self, places: Places) -> pygame.Surface:
        """The table under everything, as large as the picture."""
        size = places.picture.size
        key = ("ground", size, places.scale, places.origin)
        if key not in self._kept:
            self._kept = {}  # another size: nothing of before fits
            image = pygame.Surface(size)
            ground = self.pictures.ground
            whole = pygame.image.frombuffer(ground.bgr, (ground.width_px, ground.height_px), "BGR")
            share = places.scale / self.pictures.scale
            left = round(self.pictures.origin_px[0] - (places.origin[0] - places.picture.left) / share)
            top = round(self.pictures.origin_px[1] - (places.origin[1] - places.picture.top) / share)
            wanted = pygame.Rect(left, top, round(size[0] / share), round(size[1] / share))
            part = wanted.clip(whole.get_rect())
            scaled = pygame.transform.smoothscale(
                whole.subsurface(part), (round(part.width * share), round(part.height * share))
            )
            image.fill((58, 40, 28))
            x, y, wide = (part.left - left) * share, (part.top - top) * share, scaled.get_width()
            beyond = pygame.transform.flip(scaled, True, False)  # where the picture ends the wood goes on
            image.blits(((beyond, (x - wide, y)), (beyond, (x + wide, y)), (scaled, (x, y))))
            image.blit(_dusk(places.fan.size), (0, places.fan.top - places.picture.top))
            self._kept[key] = image
        return self._kept[key]

    def still(
        self, name: str, shown: tuple[object, ...], like: pygame.Surface, draw: Callable[[pygame.Surface], None]
    ) -> pygame.Surface:
        """The surface of this name, drawn anew only where it shows anything else than the last time."""
        kept = self._still.get(name)
        if kept is None or kept[0] != shown or kept[1].get_size() != like.get_size():
            kept = shown, pygame.Surface(like.get_size(), 0, like)
            draw(kept[1])
            self._still[name] = kept
        return kept[1]

    def _once(self, key: tuple[object, ...], make: Callable[[], pygame.Surface]) -> pygame.Surface:
        if key not in self._kept:
            self._kept[key] = make()
        return self._kept[key]

    def card(self, card: Card | None, turn_deg: float, scale: float, squash: float) -> pygame.Surface:
        """A card (None: face down) lying on the table, turned."""
        turn = round(turn_deg / _STEP_DEG) * _STEP_DEG % 360

        def make() -> pygame.Surface:
            image = pygame.transform.rotozoom(self._face(card), turn, scale / self.pictures.card_scale)
            size = image.get_width(), max(1, round(image.get_height() * squash))
            return pygame.transform.smoothscale(image, size)

        return self._once(("card", card, turn, round(scale, 3), squash), make)

    def shadow(self, image: pygame.Surface) -> pygame.Surface:
        """What this picture throws on the table."""
        return self._once(("shadow", id(image)), lambda: _dimmed(image, SHADE))

    def upright(self, card: Card | None, width_px: int) -> pygame.Surface:
        """A card (None: its back) as it is held in a hand."""

        def make() -> pygame.Surface:
            face = self._face(card)
            height = round(width_px * face.get_height() / face.get_width())
            return pygame.transform.smoothscale(face, (width_px, height))

        return self._once(("upright", card, width_px), make)

    def _face(self, card: Card | None) -> pygame.Surface:
        """The back, or a face for people: the value as large as it can be, the label that the camera reads small."""
        pictures = self.pictures
        printed = _surface(pictures.back if card is None else pictures.cards[card])
        ink = None if card is None else pictures.inks.get(card.value)
        if card is None or ink is None:
            return printed
        face = printed.copy()
        width, height = face.get_size()
        room = face.get_rect().inflate(-round(width * 0.09), -round(width * 0.09))
        pygame.draw.rect(face, (252, 249, 243, 255), room, border_radius=round(width * 0.06))
        pygame.draw.rect(face, (*ink, 255), room, max(2, round(width * 0.025)), round(width * 0.06))
        label = printed.subsurface(
            pygame.Rect(round(width * 0.08), round(width * 0.08), round(width * 0.42), round(width * 0.42))
        )
        small_px = round(width * 0.24)
        face.blit(pygame.transform.smoothscale(label, (small_px, small_px)), (round(width * 0.09), round(width * 0.09)))
        value = digits(str(card.value), round(height * 0.52), ink)
        face.blit(value, value.get_rect(center=(width // 2, round(height * 0.57))))
        letter = digits(card.letter, round(height * 0.1), ink)
        face.blit(letter, letter.get_rect(center=(round(width * 0.83), round(height * 0.12))))
        return face

    def leaning(self, side: Side, scale: float) -> tuple[pygame.Surface, tuple[float, float]]:
        """A fencer who lunges, and where in the picture he stands."""
        image, foot = self.standing("figure", side, scale)
        turn_deg = -LUNGE_DEG * side.forward
        key = ("leaning", side, round(scale, 3))
        leaning = self._once(key, lambda: pygame.transform.rotozoom(image, turn_deg, 1.06))
        off = pygame.math.Vector2(foot[0] - image.get_width() / 2, foot[1] - image.get_height() / 2).rotate(-turn_deg)
        return leaning, (leaning.get_width() / 2 + off.x * 1.06, leaning.get_height() / 2 + off.y * 1.06)

    def ghost(self, side: Side, scale: float) -> tuple[pygame.Surface, tuple[float, float]]:
        """A fencer who is not there."""
        image, foot = self.standing("figure", side, scale)
        return self._once(("ghost", side, round(scale, 3)), lambda: _dimmed(image, GHOST)), foot

    def standing(self, name: str, side: Side, scale: float) -> tuple[pygame.Surface, tuple[float, float]]:
        """A fencer or an arm, and where in it it touches the table."""
        cutout = (self.pictures.figures if name == "figure" else self.pictures.arms)[side]
        share = scale / self.pictures.scale
        size = max(1, round(cutout.width_px * share)), max(1, round(cutout.height_px * share))
        key = (name, side, round(scale, 3))
        image = self._once(key, lambda: pygame.transform.smoothscale(_surface(cutout), size))
        return image, (cutout.foot_px[0] * share, cutout.foot_px[1] * share)


class _Brush(NamedTuple):
    """What everything is drawn on, with which pictures, and where."""

    canvas: Canvas
    sprites: Sprites
    places: Places

    def blit(self, image: pygame.Surface, at: tuple[float, float]) -> pygame.Rect:
        """Draws a picture with its top left corner here."""
        return self.canvas.surface.blit(image, (round(at[0]), round(at[1])), special_flags=pygame.BLEND_PREMULTIPLIED)


def draw_top(
    canvas: Canvas, sprites: Sprites, places: Places, top: TopView, pointed: Pointed, signs: TableSigns = NO_SIGNS
) -> None:
    """Draws the table, the cards in hand before it, and over all what the pointer holds.

    All but what is held and the hands over the table is kept, so that a thing that moves costs little.
    """
    brush = _Brush(canvas, sprites, places)
    held = pointed.card.card if pointed.card is not None and not pointed.back else None
    lifted = pointed.figure[0] if pointed.figure is not None else None
    still_pointed = replace(pointed, card=None, figure=None)
    carried = tuple(Arm(arm.side, 0.0, 0.0, None, arm.figure) for arm in top.arms)
    shown = (replace(top, arms=carried), places, held, lifted, still_pointed, signs, canvas.theme)

    def draw_floor(surface: pygame.Surface) -> None:
        surface.set_clip(places.picture)
        below = Canvas(surface, canvas.theme)
        _draw_floor(brush._replace(canvas=below), top, pointed, signs, held, lifted)
        canvas.texts += below.texts

    def draw_front(onto: Canvas) -> None:
        _fans(brush._replace(canvas=onto), top, pointed, signs, held)
        draw_hint(onto, places, top)
        draw_act(onto, places, top)

    def draw_whole(surface: pygame.Surface) -> None:
        surface.set_clip(places.picture)
        surface.blit(floor, places.picture, places.picture)
        below = Canvas(surface, canvas.theme)
        draw_front(below)
        canvas.texts += below.texts

    floor = sprites.still("floor", shown, canvas.surface, draw_floor)
    whole = sprites.still("whole", shown, canvas.surface, draw_whole)
    canvas.surface.blit(whole, places.picture, places.picture)
    covered = [_arm(brush, arm) for arm in top.arms]
    front = places.fan.inflate(0, 2 * round(FRONT * places.fan.height)).unionall([places.act])
    if any(box.colliderect(front) for box in covered):  # an arm is under the cards in hand
        clip = canvas.surface.get_clip()
        canvas.surface.set_clip(front.clip(covered[0].unionall(covered)).clip(clip))
        canvas.surface.blit(floor, places.picture, places.picture)
        for arm in top.arms:
            _arm(brush, arm)
        draw_front(Canvas(canvas.surface, canvas.theme))
        canvas.surface.set_clip(clip)
    if pointed.card is not None:
        _lying(brush, pointed.card, lifted=True, hidden=pointed.back)
        if not pointed.back:
            _handle(canvas, places, pointed.card)
    if pointed.figure is not None:
        side, x_mm, y_mm = pointed.figure
        _standing(brush, "figure", side, (x_mm, y_mm), lift_px=10 * places.unit_px)


def _draw_floor(
    brush: _Brush, top: TopView, pointed: Pointed, signs: TableSigns, held: Card | None, lifted: Side | None
) -> None:
    canvas, sprites, places = brush
    canvas.surface.blit(sprites.ground(places), places.picture)
    _numbers(canvas, places)
    draw_lit(canvas, places, signs.lit)
    _discards(brush, top)
    _slots(canvas, places, top)
    _pile(brush, top)
    for card in top.cards:
        if card.card != held:
            _lying(brush, card)
            if card.card in signs.outlined:
                _outline(canvas, places, card)
    _slot_numbers(canvas, places, top)
    in_air = {arm.figure for arm in top.arms}
    draw_targets(canvas, places, top, tuple(target for target in pointed.lit if target is not None), pointed.aimed)
    for side, space in signs.ghosts:
        x, y = places.px(SPACE_MM[0] * (space - 1), 0.0)
        image, foot = sprites.ghost(side, places.scale)
        draw_lit(canvas, places, (space,))
        brush.blit(image, (x - foot[0], y - foot[1]))
    for side, (x_mm, y_mm) in top.figures.items():
        if side is not lifted and side not in in_air:
            lunges = signs.attack is not None and signs.attack.by is side
            _standing(brush, "figure", side, (x_mm, y_mm), lunges=lunges)
    if signs.beaten_by is not None:
        draw_beaten(canvas, places, top, signs.beaten_by)
    if signs.attack is not None and not in_air and lifted is None:
        draw_attack(canvas, places, top, signs.attack)
    draw_targets(canvas, places, top, tuple(target for target in pointed.lit if target is None), pointed.aimed)
    _distance(canvas, places, top, attacked=signs.attack is not None)
    if pointed.chosen is not None and pointed.chosen.card != held:
        _handle(canvas, places, pointed.chosen)


def _dusk(size: tuple[int, int]) -> pygame.Surface:
    """The table growing dark towards its edge, under the cards in hand."""
    shade = pygame.Surface(size, pygame.SRCALPHA)
    for row in range(size[1]):
        shade.fill((18, 12, 8, round(150 * row / size[1])), pygame.Rect(0, row, size[0], 1))
    return shade


def _dimmed(image: pygame.Surface, shade: tuple[int, int, int, int]) -> pygame.Surface:
    dimmed = image.copy()
    dimmed.fill(shade, special_flags=pygame.BLEND_RGBA_MULT)
    return dimmed


def _surface(cutout: Cutout) -> pygame.Surface:
    return pygame.image.frombuffer(cutout.rgba, (cutout.width_px, cutout.height_px), "RGBA")


def _lying(brush: _Brush, card: LyingCard, *, lifted: bool = False, hidden: bool = False) -> pygame.Rect:
    """A card with its shadow; one in the air throws it farther off. Gives what it covers."""
    _, sprites, places = brush
    image = sprites.card(card.card if card.face_up and not hidden else None, card.turn_deg, places.scale, places.squash)
    x, y = places.px(card.x_mm, card.y_mm)
    box = image.get_rect(center=(round(x), round(y)))
    off = (9 if lifted else 2) * places.unit_px
    shadow = brush.blit(sprites.shadow(image), (box.left + off * 0.6, box.top + off))
    return shadow.union(brush.blit(image, (box.left, box.top - (6 * places.unit_px if lifted else 0))))


def _standing(
    brush: _Brush, name: str, side: Side, at_mm: tuple[float, float], *, lift_px: float = 0.0, lunges: bool = False
) -> pygame.Rect:
    _, sprites, places = brush
    image, foot = sprites.leaning(side, places.scale) if lunges else sprites.standing(name, side, places.scale)
    x, y = places.px(*at_mm)
    return brush.blit(image, (x - foot[0], y - foot[1] - lift_px))


def _arm(brush: _Brush, arm: Arm) -> pygame.Rect:
    """Draws a hand with what it holds, and gives what that covers."""
    at_mm = arm.x_mm, arm.y_mm + 10.0
    covered = []
    if arm.card is not None:
        covered.append(_lying(brush, arm.card, lifted=True))
    if arm.figure is not None:
        covered.append(_standing(brush, "figure", arm.figure, at_mm, lift_px=10 * brush.places.unit_px))
    return _standing(brush, "arm", arm.side, (arm.x_mm, arm.y_mm)).unionall(covered)


def _distance(canvas: Canvas, places: Places, top: TopView, *, attacked: bool) -> None:
    """A line from fencer to fencer over their heads, and on it how far they are apart.

    In large print, where the heads have no room above them, it is under the piste, and left out beside an attack, whose
    value it is.
    """
    theme, unit = canvas.theme, places.print_px
    apart_mm = top.figures.black[0] - top.figures.white[0]
    if not top.distance or abs(apart_mm - top.distance * SPACE_MM[0]) > SPACE_MM[0] / 2:
        return  # one of them is on his way: the number would be of other places than these
    if attacked and theme.large_print:
        return
    ends = [places.px(x_mm, 0.0)[0] for _, (x_mm, _) in top.figures.items()]
    box = pygame.Rect(0, 0, round(42 * unit), round(26 * unit))
    y, tick_px = places.origin[1] - 50 * places.scale, 6 * unit
    if theme.large_print:
        y, tick_px = space_box(places, 1).bottom + box.height * 1.1, -6 * unit
    pygame.draw.line(canvas.surface, theme.card, (ends[0], y), (ends[1], y), max(2, round(2 * unit)))
    for x in ends:
        pygame.draw.line(canvas.surface, theme.card, (x, y), (x, y + tick_px), max(2, round(2 * unit)))
    box.center = round(sum(ends) / 2), round(max(y, places.picture.top + box.height / 2))
    canvas.panel(box, theme.header, box.height / 2)
    canvas.number(top.distance, box.inflate(0, -round(9 * unit)), theme.on_header)


def _numbers(canvas: Canvas, places: Places) -> None:
    size = max(canvas.note_px, min(NOTE * places.print_px, SPACE_MM[0] * places.scale * 0.8))
    for space in range(1, SPACES + 1):
        box = space_box(places, space)
        strip = pygame.Rect(box.left - 4, box.bottom - round(size * 0.2), box.width + 8, round(size * 1.05))
        canvas.text(str(space), strip, size, (62, 48, 36), align=CENTRE)


def _discards(brush: _Brush, top: TopView) -> None:
    """Finished turns but the last, squared up and in the shade."""
    if not top.discards:
        return
    canvas, sprites, places = brush
    unit, layers = places.unit_px, min(4, len(top.discards))
    x, y = places.px(*DISCARD_MM)
    for number, card in enumerate(top.discards[-layers:]):
        image = sprites.card(card, 0.0, places.scale, places.squash)
        brush.blit(image, image.get_rect(center=(round(x), round(y - 2 * number * unit))).topleft)
    shade = pygame.Surface(image.get_size(), pygame.SRCALPHA)
    shade.fill((40, 26, 16, 110))
    canvas.surface.blit(shade, image.get_rect(center=(round(x), round(y - 2 * (layers - 1) * unit))))


def _outline(canvas: Canvas, places: Places, card: LyingCard) -> None:
    turn = math.radians(card.turn_deg)
    corners = []
    for across, along in ((-1, -1), (1, -1), (1, 1), (-1, 1)):
        dx, dy = across * (CARD_MM[0] / 2 + 3), along * (CARD_MM[1] / 2 + 3)
        mm = (
            card.x_mm + dx * math.cos(turn) - dy * math.sin(turn),
            card.y_mm + dx * math.sin(turn) + dy * math.cos(turn),
        )
        corners.append(places.px(*mm))
    for colour, wide in ((canvas.theme.header, 7.0), (canvas.theme.gold, 4.0)):
        thick_line(canvas.surface, colour, [*corners, corners[0]], wide * places.unit_px)


def _slots(canvas: Canvas, places: Places, top: TopView) -> None:
    for x_mm, y_mm in top.slots_mm:
        box = pygame.Rect(0, 0, round(67 * places.scale), round(92 * places.scale * places.squash))
        x, y = places.px(x_mm, y_mm)
        box.center = round(x), round(y)
        pygame.draw.rect(
            canvas.surface, canvas.theme.gold, box, max(1, round(places.unit_px)), round(5 * places.unit_px)
        )


def _slot_numbers(canvas: Canvas, places: Places, top: TopView) -> None:
    for number, (x_mm, y_mm) in enumerate(top.slots_mm, 1):
        x, y = places.px(x_mm, y_mm)
        badge = pygame.Rect(0, 0, round(20 * places.print_px), round(20 * places.print_px))
        badge.center = round(x), round(y - 38 * places.scale * places.squash)
        pygame.draw.circle(canvas.surface, canvas.theme.gold, badge.center, badge.width / 2)
        canvas.text(str(number), badge, NOTE * places.print_px, canvas.theme.header, align=CENTRE)


def _pile(brush: _Brush, top: TopView) -> None:
    """What nobody has drawn yet, beside the play area, with its number on its edge."""
    canvas, sprites, places = brush
    box = pile_box(places)
    for number in range(min(4, math.ceil((top.pile + top.to_deal) / 4))):
        image = sprites.card(None, 0.0, places.scale, places.squash)
        brush.blit(image, (box.left, box.top - 2 * number * places.unit_px))
    told = top.to_deal or top.pile
    if told:
        badge = pygame.Rect(0, 0, round(30 * places.print_px), round(22 * places.print_px))
        badge.center = box.midbottom
        ground = canvas.theme.gold if top.to_deal else canvas.theme.header
        canvas.panel(badge, ground, badge.height / 2)
        ink = canvas.theme.header if top.to_deal else canvas.theme.on_header
        canvas.text(str(told), badge, BODY * places.print_px, ink, align=CENTRE)


def _handle(canvas: Canvas, places: Places, card: LyingCard) -> None:
    """A round handle over the card's top, by which it is turned."""
    at = places.px(*handle_mm(card))
    radius = 11 * places.unit_px
    pygame.draw.circle(canvas.surface, canvas.theme.header, at, radius + 2)
    pygame.draw.circle(canvas.surface, canvas.theme.gold, at, radius)
    box = pygame.Rect(0, 0, round(1.25 * radius), round(1.25 * radius))
    box.center = round(at[0]), round(at[1])
    width = max(2, round(2 * places.unit_px))
    pygame.draw.arc(canvas.surface, canvas.theme.header, box, math.radians(20), math.radians(310), width)
    tip = box.right, box.centery
    size = 3.2 * places.unit_px
    arrow = [(tip[0] - size, tip[1] - size), (tip[0] + size, tip[1] - size), (tip[0], tip[1] + size * 0.6)]
    pygame.draw.polygon(canvas.surface, canvas.theme.header, arrow)


def _fans(brush: _Brush, top: TopView, pointed: Pointed, signs: TableSigns, held: Card | None) -> None:
    """The cards in hand, standing in a row at the bottom edge; those that parry an attack, or are asked for, rise.

    A card that only retreats from it rises half as far.
    """
    boxes = fan_boxes(brush.places, tuple(len(fan.cards) for fan in top.fans))
    for fan, row in zip(top.fans, boxes, strict=True):
        for number, (card, box) in enumerate(zip(fan.cards, row, strict=True), 1):
            if card == held:
                continue
            asked = card.value in signs.wanted and fan.owner is top.player
            parries = top.answers and top.parries(card)
            retreats = top.answers and card in top.leads
            risen = RISEN if asked or parries or card == pointed.lifted else HALF_RISEN if retreats else 0.0
            share = PICKED if card == pointed.picked else risen
            place = box.move(0, -round(box.height * share) if not fan.hidden else 0)
            framed = card == pointed.picked or asked or parries
            _in_hand(brush, fan, card, place, framed=framed)
            if pointed.by_keys and not fan.hidden:
                _key_cap(brush.canvas, brush.places, number, place)


def _in_hand(brush: _Brush, fan: Fan, card: Card, place: pygame.Rect, *, framed: bool) -> None:
    canvas, sprites, places = brush
    theme, unit = canvas.theme, places.unit_px
    image = sprites.upright(None if fan.hidden else card, place.width)
    brush.blit(sprites.shadow(image), (place.left + 3 * unit, place.top + 2 * unit))
    if framed:
        canvas.panel(place.inflate(round(7 * unit), round(7 * unit)), theme.gold, 8 * unit)
    brush.blit(image, place.topleft)
    stripe = pygame.Rect(place.left, places.fan.bottom - round(5 * unit), place.width, round(5 * unit))
    canvas.surface.fill(mix(theme.figures[fan.owner].accent, theme.header, 0.1), stripe)


def _key_cap(canvas: Canvas, places: Places, number: int, place: pygame.Rect) -> None:
    """The key of a card, below it and drawn as one: it is no value."""
    unit = places.unit_px
    cap = pygame.Rect(0, 0, round(24 * unit), round(20 * unit))
    cap.midbottom = place.centerx, places.fan.bottom - round(2 * unit)
    canvas.panel(cap, (92, 92, 98), 4 * unit)
    canvas.panel(cap.move(0, -round(3 * unit)), (222, 222, 226), 4 * unit)
    canvas.text(str(number), cap.move(0, -round(3 * unit)), NOTE * unit, (40, 40, 46), align=CENTRE)
