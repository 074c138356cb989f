"""A name that was written in the menu, and the picture that goes with it."""

from __future__ import annotations

from dataclasses import replace

from display.i18n import Words
from display.menu.lines import Goto, Of, Pick
from display.menu.model import Menu, MenuPlace
from engine.rules.track import Side
from firmware.loop.moment import People
from firmware.names import BadNameError, OtherLettersError, new_name, person_key


def named(menu: Menu, side: Side, known: tuple[str, ...], say: Words) -> tuple[Menu, tuple[str, ...], str]:
    """The page before it with the name that was written chosen, everybody who is known from now on, and why not."""
    back = replace(menu, path=menu.path[:-1], text="")
    try:
        name = new_name(menu.text)
    except BadNameError as error:
        return back, known, refusal(error, say)
    # Another spelling of somebody known is that person.
    name = next((each for each in known if person_key(each) == person_key(name)), name)
    return replace(back, values={**menu.values, Of(Pick.NAME, side): name}), tuple(dict.fromkeys([name, *known])), ""


def refusal(error: BadNameError, say: Words) -> str:
    """Why this cannot be a name, in the players' language; empty for one that is empty, as nothing was wanted."""
    if isinstance(error, OtherLettersError):
        return say.say("menu.other_letters", letters=" ".join(error.letters))
    return ""


def asked_for_picture(menu: Menu, side: Side, people: People) -> Menu:
    """The pictures on top of this page, where whoever was named has none."""
    name = menu.values.get(Of(Pick.NAME, side))
    if name is None or people.picture_of(name):
        return menu
    return replace(menu, path=(*menu.path, MenuPlace(Of(Goto.FACE, side))))
