"""The match that was chosen on the page where one begins."""

from __future__ import annotations

import random

from display.menu.context import MenuContext
from display.menu.lines import Pick
from display.menu.model import Menu
from display.menu.naming import chosen_name
from display.view import NO_NAMES
from engine.companion.companion import name_of
from engine.players.bots.strengths import RIVALS
from engine.rules.events import MatchEvent
from engine.rules.track import BySide, Side
from firmware.companion.opponents import strength_of
from firmware.loop.requests import Begin
from firmware.names import person_key


def match_chosen(menu: Menu, context: MenuContext) -> Begin | None:
    """What is to be begun, as it was chosen there and last time; None where both have the same name."""
    chosen = BySide(*(chosen_name(menu, side, context.names[side]) for side in Side))
    against = menu.chosen(Pick.AGAINST, context.against)
    if against is not None:
        chosen = chosen.put(Side.BLACK, against if against in RIVALS else name_of(against))
    elif chosen.black in RIVALS or strength_of(chosen.black) is not None:
        chosen = chosen.put(Side.BLACK, NO_NAMES.black)  # it played last time, and a person does now
    if person_key(chosen.white) == person_key(chosen.black):
        return None
    starter = menu.chosen(Pick.STARTER, context.starter)
    side = random.Random().choice(list(Side)) if starter == "lot" else Side(starter)
    rules, points = menu.chosen(Pick.RULES, context.rules), menu.chosen(Pick.POINTS, context.points)
    return Begin(MatchEvent(rules, side, points), chosen)
