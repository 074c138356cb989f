"""The start page of a match, and the pages for a player's name and picture."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any, Final

from display.i18n import Words, words
from display.menu.asking import chosen_name, faces_page, own_level_line, write_page
from display.menu.model import Act, Goto, Item, Menu, MenuPlace, Of, Open, Page, Pick
from display.view import NO_NAMES
from display.words.sentences import preset_name, side_name
from engine.companion.companion import LEVELS
from engine.players.bots.strengths import STRENGTHS, rival_name
from engine.rules.rulesets import RULE_SETS
from engine.rules.track import Side
from firmware.core.names import BadNameError, new_name, person_key
from firmware.ui.menu.errand import name_refusal
from firmware.ui.menu.page import MenuPage, back, choice, line
from firmware.ui.menu.pages.learning import to_warm_up
from firmware.ui.menu.pages.tiles import coach_lines
from firmware.ui.menu.state import MenuState

RULES: Final = tuple(RULE_SETS)
POINTS: Final = tuple(range(1, 10))
MAX_NAMES: Final = 30


def names_to_choose(now: MenuState) -> tuple[str, ...]:
    """The names a player can be given without writing: the present ones first, then those known from the book."""
    own = [name for side, name in now.names.items() if name != NO_NAMES[side]]
    return tuple(dict.fromkeys([*own, *now.known]))[:MAX_NAMES]


class StartPage(MenuPage, id="start"):
    """Start page: players, rules, who begins."""

    def shown(self, say: Words, menu: Menu, place: Open) -> Page:
        now = self.now
        names = names_to_choose(now)
        note = say.say("menu.begin_note") if now.state is not None else ""
        begin = Item(Act("begin"), say.say("menu.begin"), note=note, does=now.begin)
        items = [begin, *coach_lines(say, now.open_match)]
        for side in Side:
            colour = side_name(say, side)
            shown: dict[Any, str] = {NO_NAMES[side]: say.say("menu.no_name"), **{name: name for name in names}}
            shown[Goto.WRITE.of(side)] = say.say("menu.write_name")
            named = choice(menu, Of(Pick.NAME, side), say.say("menu.name", side=colour), shown, now.names[side])
            items.append(
                replace(named, portrait=now.people.picture_of(str(named.value)), note=say.say("menu.name_note"))
            )
        items.append(_against(say, menu, now))
        rules = {name: preset_name(say, name) for name in RULES}
        items.append(choice(menu, Pick.RULES, say.say("menu.rules"), rules, now.rules))
        starters = {side.value: side_name(say, side) for side in Side} | {"lot": say.say("menu.by_lot")}
        items.append(choice(menu, Pick.STARTER, say.say("menu.starter"), starters, now.config.starter))
        points = {number: str(number) for number in sorted({*POINTS, now.points})}
        items.append(choice(menu, Pick.POINTS, say.say("menu.points"), points, now.points))
        items += [*to_warm_up(say, now), *([line(say, Goto.LEARN, "lessons.menu.learn")] if now.pupils else [])]
        return Page(say.say("menu.start"), tuple(items))


def _against(say: Words, menu: Menu, now: MenuState) -> Item:
    """The choice of Black's player: a person, a bot at a simulated table, or the companion; White's own level first."""
    white = chosen_name(menu, Side.WHITE, now.names.white)
    own = now.machine.known.levels.get(white)
    first = () if own is None else (own.strength,)
    rivals: dict[str | None, str] = {None: say.say("companion.menu.person")}
    if now.seated:
        rivals |= {rival_name(level): say.say(f"hands.level.{level}") for level in STRENGTHS}
    rivals |= {level: say.say(f"companion.level.{level}") for level in (*first, *LEVELS)}
    item = choice(menu, Pick.AGAINST, say.say("companion.menu.against"), rivals, now.against)
    return item if own is None else replace(item, note=own_level_line(say, white, own, rivals[own.strength]))


class WritePage(MenuPage, id="write"):
    """A name, letter by letter: of a side, or another one for a name that is known."""

    def shown(self, say: Words, menu: Menu, place: Open) -> Page:
        if isinstance(place.which, Side):
            return write_page(say, menu.text, place.which, partial(self._named, place.which))
        name = str(place.which)
        return write_page(say, menu.text, name, partial(self._rename, name))

    def _rename(self, name: str, menu: Menu) -> Menu:
        """Go back, or on to what the new name would change."""
        now, asked = self.now, False
        now.told = "" if now.waits_for_a_match else now.renaming.plays(name)
        if not now.told:
            asked, now.told = now.renaming.written(name, menu.text)
        now.past.look_again()
        before = back(menu)
        return replace(before, path=(*before.path, MenuPlace(Goto.RENAME.of(name)))) if asked else before

    def left(self) -> None:
        self.now.take_name = None

    def _named(self, side: Side, menu: Menu) -> Menu | None:
        """Choose the written name and go back, or on to the pictures for a player without one."""
        now, before = self.now, back(menu)
        try:
            written = new_name(menu.text)
        except BadNameError as error:
            now.told = name_refusal(error, words(now.language))
            written = ""
        if written:
            # Another spelling of somebody known is that person.
            name = next((each for each in now.known if person_key(each) == person_key(written)), written)
            now.known = tuple(dict.fromkeys([name, *now.known]))
            before = replace(before, values={**menu.values, Of(Pick.NAME, side): name})
        if now.take_name is not None:
            return before if now.told else now.take_name(before)
        chosen = before.values.get(Of(Pick.NAME, side))
        if now.progress is None or chosen is None or now.people.picture_of(chosen):
            return before
        return replace(before, path=(*before.path, MenuPlace(Goto.FACE.of(side))))


class FacePage(MenuPage, id="face"):
    """The portrait of a side."""

    def shown(self, say: Words, menu: Menu, place: Open) -> Page:
        side = Side(place.which)
        name = chosen_name(menu, side, self.now.names[side])
        return faces_page(say, side, say.say("menu.face", name=name), partial(self._take, name))

    def _take(self, name: str, face: str, menu: Menu) -> Menu:
        self.now.kept.pictured(name, face)
        return back(menu)
