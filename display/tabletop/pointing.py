"""Pointer, finger and keys at the played table: what they have hold of, and the deeds that come of it.

A card of the hand is picked up by a tap or its key, or dragged; what it can be played to is lit, and a tap there, Enter
or letting go there plays it. Elsewhere on the table it is just laid. A lying card is dragged, turned by the wheel, two
keys or its handle, and taken back by dragging it to the hand; a fencer is dragged along the piste, or tapped and then
the space; a hand put on the bare table covers it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final, Literal

import pygame

from display.tabletop.drawing import Pointed
from display.tabletop.model import Acted, Held, Laid, LetGo, LyingCard, Played, PointerDeed, Put, Taken, Target, TopView
from display.tabletop.places import SPACE_MM, Places, covers, fan_boxes, figure_box, handle_mm, pile_box, space_box
from engine.rules.cards import Card
from engine.rules.track import SPACES, Side

WHEEL_DEG: Final = 15.0
"""So much a card is turned by one notch of the wheel, or one press of a key."""
STEP_MM: Final = 8.0
"""So far a card goes by one press of an arrow key."""
_MOVED_PX: Final = 6.0  # less is a tap, and no drag
_FIRST_MM: Final = (308.0, -150.0)  # where a card is held that a key took up
_PLAY_AREA_MM: Final = ((52.0, 564.0), (-270.0, -44.0))  # from and to, along and across: a tap there lays a card
_OWN_KEYS: Final = (pygame.K_LEFT, pygame.K_RIGHT, pygame.K_UP, pygame.K_DOWN)
_LETS_GO: Final = (pygame.K_BACKSPACE, pygame.K_DELETE, pygame.K_ESCAPE)
_ENDS_HOLD: Final = (pygame.K_RETURN, pygame.K_KP_ENTER, pygame.K_SPACE)


@dataclass(frozen=True, slots=True)
class _Hold:
    """What is held. ``off_mm`` goes from the pointer to its middle; ``back``: the next card of the pile, unseen.

    ``from_hand``: it was not on the table before; ``by_key``: keys move it. ``turning``: only its angle changes.
    """

    at_mm: tuple[float, float]
    card: LyingCard | None = None
    figure: Side | None = None
    off_mm: tuple[float, float] = (0.0, 0.0)
    began_px: tuple[float, float] = (0.0, 0.0)
    from_hand: bool = False
    back: bool = False
    by_key: bool = False
    moved: bool = False
    turning: bool = False
    home_mm: tuple[float, float] = (0.0, 0.0)


class Pointing:
    """Turns events into deeds, handed to ``does`` at once. ``places`` and ``view`` are those that are shown now."""

    def __init__(self, does: Callable[[PointerDeed], None]) -> None:
        self._does = does
        self.view = TopView()
        self.places: Places | None = None
        self._hold: _Hold | None = None
        self._chosen: Card | None = None
        self._over: Card | None = None
        self._picked: Card | Side | None = None
        self._before: Card | Side | None = None
        self._aim: int | None = None
        self._by_keys = False
        self._at = 0
        self._finger: int | None = None

    @property
    def holding(self) -> bool:
        """Whether something is held, or a hand is over the table."""
        return self._hold is not None

    @property
    def pointed(self) -> Pointed:
        """What is held and chosen, as it is drawn."""
        hold = self._hold
        seen = Pointed(chosen=self._turned, lifted=self._over, by_keys=self._by_keys)
        picked = self._picked_up
        if picked is not None:
            lit = self._targets(picked)
            aimed = lit[self._aim] if self._aim is not None and self._aim < len(lit) else 0
            own = picked if isinstance(picked, Card) else None
            seen = replace(seen, picked=own, lit=lit, aimed=aimed)
        if hold is None or (hold.card is None and hold.figure is None):
            return seen
        if hold.figure is not None:
            return replace(seen, figure=(hold.figure, *_middle(hold)), lit=self._targets(hold.figure))
        if not (hold.moved or hold.by_key or hold.turning or hold.back):
            return seen  # a tap so far
        assert hold.card is not None
        x_mm, y_mm = _middle(hold)
        held = replace(hold.card, x_mm=x_mm, y_mm=y_mm)
        lit = self._targets(hold.card.card) if hold.from_hand and not hold.back else ()
        return replace(seen, card=held, back=hold.back, lit=lit, picked=None, chosen=None)

    @property
    def _picked_up(self) -> Card | Side | None:
        """What was picked up by a tap or a key, as long as it is there to be played."""
        picked = self._picked
        if isinstance(picked, Card) and not any(picked in fan.cards for fan in self.view.fans if not fan.hidden):
            return None
        return picked

    def _targets(self, picked: Card | Side) -> tuple[Target, ...]:
        """Where this can go: a card where it leads, the player's fencer where the cards that lie there lead."""
        view = self.view
        if isinstance(picked, Card):
            return view.targets(picked)
        return view.steps if picked is view.player else ()

    def _target_at(self, picked: Card | Side, at: tuple[float, float], places: Places) -> Target | Literal[0]:
        """The place that is lit there; 0 for none."""
        for target in self._targets(picked):
            if target is not None and space_box(places, target).inflate(0, 28 * places.scale).collidepoint(at):
                return target
        player, asked = self.view.player, isinstance(picked, Card) and not self.view.leads
        if player is None or not (asked or None in self._targets(picked)):  # where nothing may be lit, a try is a try
            return 0
        return None if figure_box(places, *self.view.figures[player.other]).collidepoint(at) else 0

    @property
    def _turned(self) -> LyingCard | None:
        chosen = self._chosen if self._chosen not in self.view.settled else None
        return next((card for card in self.view.cards if card.card == chosen), None)

    def take(self, event: pygame.event.Event, size: tuple[int, int]) -> bool:
        """Whether this event was the table's; it has been done then."""
        places = self.places
        if places is None:
            return False
        if event.type == pygame.KEYDOWN:
            self._by_keys = True
            return self._key(event.key)
        if event.type == pygame.MOUSEWHEEL:
            return self._wheel(float(event.y), places)
        kind, at = _pointer(event, size)
        if kind == "down" and self._hold is None:
            if event.type == pygame.FINGERDOWN:
                self._finger = event.finger_id
            return self._down(at, places)
        if event.type in (pygame.FINGERMOTION, pygame.FINGERUP) and event.finger_id != self._finger:
            return False
        if kind == "move":
            return self._move(at, places)
        return kind == "up" and self._up(at, places)

    def drop(self) -> None:
        """Whatever is held is where it was before: something else is shown."""
        self._picked = self._aim = None
        if self._hold is not None:
            self._hold = None
            self._does(LetGo())

    # -- pointer and finger -----------------------------------------------------------------------------------------

    def _down(self, at: tuple[float, float], places: Places) -> bool:
        view = self.view
        self._by_keys = False
        if (view.act or view.offer) and places.act.collidepoint(at):
            self._picked = None
            self._does(Acted())
            return True
        here = places.mm(at)
        picked, self._aim, self._before = self._picked_up, None, None
        if picked is not None and self._put_down(picked, at, places):
            return True
        in_hand = self._in_hand(at, places)
        if in_hand is not None:
            self._chosen = None
            self._hold = _Hold(here, LyingCard(in_hand, *here, 0.0), began_px=at, from_hand=True)
            return True
        self._picked = None
        if view.to_deal and pile_box(places).collidepoint(at):
            unseen = LyingCard(Card(1, "a"), *here, 0.0, face_up=False)
            self._grip(_Hold(here, unseen, began_px=at, from_hand=True, back=True))
            return True
        if not places.picture.collidepoint(at) or places.fan.collidepoint(at):
            return False
        chosen = self._turned
        if chosen is not None and math.dist(at, places.px(*handle_mm(chosen))) <= 20 * places.unit_px:
            middle = chosen.x_mm, chosen.y_mm
            self._grip(_Hold(middle, chosen, began_px=at, turning=True, home_mm=middle))
            return True
        step = 0 if view.player is None else self._target_at(view.player, at, places)
        if view.player is not None and step:
            self._does(Put(view.player, SPACE_MM[0] * (step - 1), 0.0))
            return True
        figure = self._figure_at(at, places)
        if figure is not None:
            x_mm, y_mm = view.figures[figure]
            off = x_mm - here[0], y_mm - here[1]
            self._grip(_Hold(here, figure=figure, off_mm=off, began_px=at, home_mm=(x_mm, y_mm)))
            return True
        card = next((card for card in reversed(view.cards) if covers(card, *here)), None)
        if card is not None:
            off = card.x_mm - here[0], card.y_mm - here[1]
            self._hold = _Hold(here, card, off_mm=off, began_px=at, home_mm=(card.x_mm, card.y_mm))
            return True
        self._chosen = None
        self._grip(_Hold(here, began_px=at))
        return True

    def _move(self, at: tuple[float, float], places: Places) -> bool:
        hold = self._hold
        if hold is None or hold.by_key:
            self._over = self._in_hand(at, places)
            return False
        if hold.turning and hold.card is not None:
            middle = places.px(*hold.at_mm)
            turn = math.degrees(math.atan2(middle[0] - at[0], (middle[1] - at[1]) / places.squash))
            self._grip(replace(hold, card=replace(hold.card, turn_deg=turn)))
            return True
        moved = hold.moved or math.dist(at, hold.began_px) >= _MOVED_PX
        hold = replace(hold, at_mm=places.mm(at), moved=moved)
        if moved or hold.back or hold.card is None:
            self._grip(hold)
        else:
            self._hold = hold
        return True

    def _up(self, at: tuple[float, float], places: Places) -> bool:
        hold = self._hold
        if hold is None or hold.by_key:
            return False
        if not hold.turning:
            hold = replace(hold, at_mm=places.mm(at))
        tapped = hold.figure or (hold.card.card if hold.card is not None and hold.from_hand else None)
        if tapped is not None and not hold.moved and not hold.back:
            self.drop()
            self._picked = None if self._before == tapped else tapped
            return True
        if hold.from_hand and hold.card is not None and not hold.back:
            target = self._target_at(hold.card.card, at, places)
            if target != 0:
                self.drop()
                self._does(Played(hold.card.card, target))
                return True
        self._end(hold, away=places.fan.collidepoint(at) or not places.picture.collidepoint(at))
        return True

    def _wheel(self, notches: float, places: Places) -> bool:
        """Turns what is held, else the card under the pointer."""
        hold = self._hold
        if hold is not None:
            self._turn(hold, notches * WHEEL_DEG)
            return True
        here = places.mm(pygame.mouse.get_pos())
        card = next((card for card in reversed(self.view.cards) if covers(card, *here)), None)
        if card is not None and card.face_up:
            self._chosen = card.card
            self._does(Laid(card.card, card.x_mm, card.y_mm, card.turn_deg + notches * WHEEL_DEG))
        return card is not None

    def _in_hand(self, at: tuple[float, float], places: Places) -> Card | None:
        boxes = fan_boxes(places, tuple(len(fan.cards) for fan in self.view.fans))
        found = None
        for fan, row in zip(self.view.fans, boxes, strict=True):
            if not fan.hidden:
                for card, box in zip(fan.cards, row, strict=True):
                    found = card if box.collidepoint(at) else found
        return found

    def _figure_at(self, at: tuple[float, float], places: Places) -> Side | None:
        figures = self.view.figures.items()
        return next((side for side, mm in figures if figure_box(places, *mm).collidepoint(at)), None)

    def _put_down(self, picked: Card | Side, at: tuple[float, float], places: Places) -> bool:
        """Whether a tap there was for what is picked up: played where it is lit, else laid or put where it is."""
        target, self._picked, self._before = self._target_at(picked, at, places), None, picked
        x_mm, y_mm = places.mm(at)
        (left, right), (near, far) = _PLAY_AREA_MM
        if isinstance(picked, Side):
            space = next((space for space in range(1, SPACES + 1) if space_box(places, space).collidepoint(at)), None)
            if space is None or self._figure_at(at, places) is not None:
                return False
            self._does(Put(picked, SPACE_MM[0] * (space - 1), 0.0))
        elif target != 0:
            self._does(Played(picked, target))
        elif left <= x_mm <= right and near <= y_mm <= far:
            self._does(Laid(picked, x_mm, y_mm, 0.0))
        else:
            return False
        self._before = None
        return True

    # -- keys -------------------------------------------------------------------------------------------------------

    def _key(self, key: int) -> bool:
        hold = self._hold
        further = hold is not None and hold.by_key and hold.card is not None and not hold.from_hand and not hold.moved
        held = None
        if hold is not None and further and key == pygame.K_TAB:  # it stays where it lies: the one before it is meant
            self._end(replace(hold, by_key=False), away=False)
            held, hold = hold.card, None
        if hold is not None and hold.by_key:
            return self._key_holding(hold, key)
        if key in (pygame.K_COMMA, pygame.K_PERIOD) and hold is not None:
            self._turn(hold, WHEEL_DEG if key == pygame.K_COMMA else -WHEEL_DEG)
            return True
        if hold is not None:
            return False
        picked = self._picked_up
        if picked is not None and self._aim is not None and self._key_aiming(picked, key):
            return True
        if key in _ENDS_HOLD and self.view.offer:
            self._does(Acted())
            return True
        number = key - pygame.K_1
        cards = [card for fan in self.view.fans if not fan.hidden for card in fan.cards]
        if 0 <= number < min(9, len(cards)):
            if self._targets(cards[number]):
                self._picked, self._aim = cards[number], 0
            else:
                self._grip_card(cards[number])
            return True
        if key == pygame.K_TAB and self.view.cards:
            # A card that was held a moment ago may lie nowhere yet.
            others = [card for card in self.view.cards if held is None or card.card != held.card] or [*self.view.cards]
            lying = [card.card for card in others]
            if held is None:
                self._at = lying.index(self._chosen) if self._chosen in lying else 0
            self._at = min(self._at or len(others), len(others)) - 1
            card = others[self._at]
            self._chosen = card.card
            self._grip(_Hold((card.x_mm, card.y_mm), card, by_key=True, home_mm=(card.x_mm, card.y_mm)))
            return True
        if key in (pygame.K_f, pygame.K_g):
            side = self._own() if key == pygame.K_f else self._own().other
            home = self.view.figures[side]
            self._grip(_Hold(home, figure=side, by_key=True, home_mm=home))
            return True
        return False

    def _grip_card(self, card: Card) -> None:
        self._grip(_Hold(_FIRST_MM, LyingCard(card, *_FIRST_MM, 0.0), from_hand=True, by_key=True))

    def _key_aiming(self, picked: Card | Side, key: int) -> bool:
        """A key while a card is picked up: left and right choose where to, Enter plays it, any other arrow holds it."""
        targets = self._targets(picked)
        if not isinstance(picked, Card) or not targets:
            return False
        aim = min(self._aim or 0, len(targets) - 1)
        if key in (pygame.K_LEFT, pygame.K_RIGHT):
            self._aim = (aim + (1 if key == pygame.K_LEFT else -1)) % len(targets)
            return True
        if key not in (*_ENDS_HOLD, *_OWN_KEYS, *_LETS_GO):
            return False
        self._picked = self._aim = None
        if key in _ENDS_HOLD:
            self._does(Played(picked, targets[aim]))
        elif key in _OWN_KEYS:
            self._grip_card(picked)
        return True

    def _own(self) -> Side:
        return self.view.fans[0].owner if self.view.fans else Side.WHITE

    def _key_holding(self, hold: _Hold, key: int) -> bool:
        """A key while keys hold something: arrows move it, comma and full stop turn it, Enter puts it down."""
        if key in _OWN_KEYS:
            step = SPACE_MM[0] if hold.figure is not None else STEP_MM
            across = (key == pygame.K_RIGHT) - (key == pygame.K_LEFT)
            along = (key == pygame.K_UP) - (key == pygame.K_DOWN)
            x_mm, y_mm = hold.at_mm
            self._grip(replace(hold, at_mm=(x_mm + across * step, y_mm + along * step), moved=True))
        elif key in (pygame.K_COMMA, pygame.K_PERIOD):
            self._turn(hold, WHEEL_DEG if key == pygame.K_COMMA else -WHEEL_DEG)
        elif key in _ENDS_HOLD:
            self._end(replace(hold, moved=True), away=False)
        elif key in _LETS_GO:
            self._end(replace(hold, at_mm=hold.home_mm, moved=True), away=True)
        else:
            return False
        return True

    # -- both -------------------------------------------------------------------------------------------------------

    def _turn(self, hold: _Hold, by_deg: float) -> None:
        if hold.card is not None:
            turned = replace(hold.card, turn_deg=hold.card.turn_deg + by_deg)
            self._grip(replace(hold, card=turned, moved=True))

    def _grip(self, hold: _Hold) -> None:
        """Hold this, and have the hand over the table."""
        self._hold = hold
        x_mm, y_mm = _middle(hold)
        card = hold.card.card if hold.card is not None and not hold.back else None
        turn_deg = hold.card.turn_deg if hold.card is not None else 0.0
        self._does(Held(x_mm, y_mm, turn_deg, card, hold.figure))

    def _end(self, hold: _Hold, *, away: bool) -> None:
        """Let go of what is held: ``away`` from the table, or where it is."""
        self._hold = None
        self._does(LetGo())
        x_mm, y_mm = _middle(hold)
        if hold.figure is not None:
            if not away and hold.moved:
                self._does(Put(hold.figure, x_mm, y_mm))
        elif hold.card is not None and away:
            if not hold.from_hand:
                self._does(Taken(hold.card.card))
                self._chosen = None
        elif hold.card is not None:
            if hold.moved or hold.turning or hold.by_key:
                self._does(Laid(None if hold.back else hold.card.card, x_mm, y_mm, hold.card.turn_deg))
            self._chosen = None if hold.back else hold.card.card


def _middle(hold: _Hold) -> tuple[float, float]:
    return hold.at_mm[0] + hold.off_mm[0], hold.at_mm[1] + hold.off_mm[1]


def _pointer(event: pygame.event.Event, size: tuple[int, int]) -> tuple[str, tuple[float, float]]:
    """What the pointer or a finger did, and where in pixels; SDL's mouse events of touches are left out."""
    fingers = {pygame.FINGERDOWN: "down", pygame.FINGERMOTION: "move", pygame.FINGERUP: "up"}
    if event.type in fingers:
        return fingers[event.type], (event.x * size[0], event.y * size[1])
    if getattr(event, "touch", False):
        return "", (0.0, 0.0)
    if event.type == pygame.MOUSEMOTION:
        return "move", event.pos
    if event.type in (pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP) and event.button == 1:
        return ("down" if event.type == pygame.MOUSEBUTTONDOWN else "up"), event.pos
    return "", (0.0, 0.0)
