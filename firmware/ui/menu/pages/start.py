"""The start page of a match, the pages for a player's name and picture, and who a player without a name is."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import count
from typing import Any, Final

from display.draw.pictures import PORTRAITS
from display.i18n import Words, words
from display.menu.asking import FACES, chosen_name, faces_page, own_level_line, write_page
from display.menu.model import Act, Goto, Item, Menu, MenuPlace, Of, Open, Page, Pick, leave
from display.view import NO_NAMES
from display.words.sentences import preset_name, side_name
from engine.companion.companion import LEVELS
from engine.players.bots.strengths import STRENGTHS, rival_name, rivals_in
from engine.rules.events import RoundEvent
from engine.rules.rulesets import RULE_SETS
from engine.rules.track import Side
from firmware.core.errors import EngardeError
from firmware.core.names import BadNameError, new_name, person_key
from firmware.table.loop.moment import Moment
from firmware.ui.companion.opponents import is_a_bot
from firmware.ui.menu.page import MenuPage, back, choice, line
from firmware.ui.menu.pages.learning import to_warm_up
from firmware.ui.menu.pages.tiles import coach_lines
from firmware.ui.menu.people import name_refusal
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


WHO: Final = Open("who")
MAX_KNOWN: Final = 8
"""Those who came last: with the pictures that are free they fill a page."""


class WhoPage(MenuPage, id="who"):
    """Known players, and a picture with its name for a new one."""

    def __init__(self, now: MenuState) -> None:
        super().__init__(now)
        self._asked = False
        self._known: tuple[str, ...] = ()
        self._face = ""

    def is_due(self, moment: Moment) -> bool:
        """Whether a round begins after the first touch, and one plays a bot under no name, who was not asked yet."""
        state = moment.desk.state
        begun = any(isinstance(entry.event, RoundEvent) and entry.ruling.ok for entry in moment.entries)
        if not self.now.seated or self.now.progress is None or state is None or not begun or self._side is None:
            return False
        if state.round == 1:
            self._asked = False
        due = not self._asked and sum(points for _, points in state.score.items()) > 0
        if due:
            self._asked = True
            people = [*self.now.machine.known_names(), *self.now.kept.portraits]
            self._known = tuple(name for name in dict.fromkeys(people) if not is_a_bot(name))[:MAX_KNOWN]
        return due

    def shown(self, say: Words, menu: Menu, place: Open) -> Page:
        """Faces to tap: those with names, then those that are nobody's yet."""
        faces = {name: self.now.people.picture_of(name) for name in self._known}
        free = [each for each in PORTRAITS if each not in faces.values()]
        items = [
            Item(Act("known", name), name, portrait=face, does=leave(partial(self._is, name)))
            for name, face in faces.items()
        ]
        items += [
            Item(Act("new", face), say.say(f"portrait.{face}"), portrait=face, does=partial(self._new, face))
            for face in free
        ]
        items.append(Item(Act("later"), say.say("who.later"), does=leave()))
        return Page(say.say("who.title"), tuple(items), (say.say("who.lines"),), columns=FACES, gallery=True)

    def _new(self, face: str, menu: Menu) -> Menu | None:
        """Ask a new player for a name."""
        side = self._side
        if side is None:
            return None
        self._face, self.now.take_name = face, self.named
        return replace(menu, path=(*menu.path, MenuPlace(Goto.WRITE.of(side))), text="")

    def named(self, menu: Menu) -> Menu | None:
        """Give the player the written name, or the picture's name if none was written."""
        side = self._side
        if side is not None:
            own = words(self.now.people.language).say(f"portrait.{self._face}")
            name = menu.chosen(Of(Pick.NAME, side), self._free_name(own))
            self.now.kept.pictured(name, self._face)
            self._is(name)
        return None

    @property
    def _side(self) -> Side | None:
        """The side of a player without a name who plays a bot."""
        names = self.now.people.names
        rivals = rivals_in(names)
        return next((side for side in Side if side.other in rivals and names[side] == NO_NAMES[side]), None)

    def _free_name(self, name: str) -> str:
        """This name, with a number where it is somebody's already."""
        taken = {person_key(each) for each in self._known}
        return next(
            free for number in count(1) if person_key(free := f"{name} {number}".removesuffix(" 1")) not in taken
        )

    def _is(self, name: str) -> None:
        side = self._side
        if side is None:
            return
        names = self.now.people.names.put(side, name)
        try:
            self.now.machine.name_match(names)
        except EngardeError:
            return  # the match goes on under no name
        self.now.people.names = names
