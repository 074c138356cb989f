"""Questions at a window before a match or lesson begins, and a last picture that stays."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from display.draw.portraits import PORTRAITS
from display.i18n import LANGUAGES, words
from display.menu.asking import (
    FRIENDLY,
    faces_page,
    language_page,
    opponents_page,
    people_page,
    welcome_page,
    write_page,
)
from display.menu.lines import Act, Line, Of, Open, Wanted
from display.menu.model import Key, Menu, MenuPlace, MenuStep, Page, step, tap, write
from display.screens.menu import MenuPart, Target
from display.window import Window, WindowRequest
from display.words.sentences import side_name
from engine.players.bots.strengths import STRENGTHS, OwnLevel
from engine.rules.track import BySide, Side
from firmware.core.names import BadNameError, new_name, person_key
from firmware.ui.menu.errand import name_refusal

PICTURE_S: Final = 1 / 30
NOBODY: Final[BySide[str | None]] = BySide(None, None)


@dataclass(frozen=True, slots=True)
class Guests:
    """Known players, the last first, and their portraits. ``own``: the last one who played bots, and the strength."""

    names: tuple[str, ...] = ()
    portraits: Mapping[str, str] = field(default_factory=dict)
    own: tuple[str, OwnLevel] | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """What to begin: watching, lessons, or a match against a person, a bot of this ``strength`` or the companion.

    ``names`` are those given, ``portraits`` the pictures that new players chose.
    """

    wanted: Wanted
    language: str
    strength: str = ""
    names: BySide[str | None] = NOBODY
    portraits: Mapping[str, str] = field(default_factory=dict)


_LANGUAGE, _WELCOME, _WHOM = Open("language"), Open("welcome"), Open("whom")
_WHO, _FACE, _NAME = Open("who"), Open("face"), Open("name")  # of a Side


def ask_what(
    window: Window,
    language: str,
    guests: Guests,
    *,
    spoken: bool = False,
    at_table: bool = False,
    settled: BySide[str | None] = NOBODY,
    keys: Callable[[], tuple[Key, ...]] = tuple,
    sleep: Callable[[float], None] = time.sleep,
) -> Choice | None:
    """Ask what to begin, against whom, and for names and pictures; None if the window was closed or left.

    ``at_table``: at a real one, where two people sit, the language is asked first, unless it was ``spoken`` before.
    ``settled``: names that are known already; they are asked for a picture if the guests have none. ``keys``: those of
    a panel's buttons. ``sleep`` stands in for time in tests.
    """
    asking = _Asking(language, guests, at_table, settled)
    asking.open(_WELCOME if spoken or not at_table else _LANGUAGE)
    while asking.menu.path and asking.done is None:
        here = asking.menu.here.page
        window.show_menu(asking.page, asking.menu, asking.language)
        for asked in (*window.poll_menu(writing=here.page == _NAME.page), *keys()):
            if asked is WindowRequest.QUIT or not window.alive:
                return None
            asking.hear(asked)
            if asking.done is not None or not asking.menu.path or asking.menu.here.page != here:
                break
        sleep(PICTURE_S)
    return asking.done


class _Asking:
    """The state of asking. ``menu`` has the pages gone through, none once it was left; ``done`` is the answer."""

    def __init__(self, language: str, guests: Guests, at_table: bool, settled: BySide[str | None]) -> None:
        self.language = language
        self.done: Choice | None = None
        self.menu = Menu(())
        self._guests = guests
        self._settled = settled
        self._at_table = at_table
        self._wanted = Wanted.WATCH
        self._strength = ""
        self._names = NOBODY
        self._faces: dict[Side, str] = {}
        self._faceless: dict[Side, str] = {}
        """Those whose name is known, and who are asked for a picture only."""
        self._proposed = False
        """Whether nobody wrote the name that stands there."""
        self._told = ""

    def open(self, page: Open, at: int = 0, text: str = "") -> None:
        """Ask this next, with this line chosen; back leads to what was asked before."""
        at = LANGUAGES.index(self.language) if page == _LANGUAGE else at
        self.menu = Menu((*self.menu.path, MenuPlace(page, at)), text=text)

    @property
    def _side(self) -> Side:
        """The side that is asked."""
        return Side(self.menu.here.page.which)

    @property
    def page(self) -> Page:
        """The page that is shown."""
        say = words(self.language)
        match self.menu.here.page.page:
            case _LANGUAGE.page:
                return language_page()
            case _WELCOME.page:
                return welcome_page(self.language, at_table=self._at_table)
            case _WHOM.page:
                return opponents_page(self.language, self._guests.own)
            case _NAME.page:
                page = write_page(say, self.menu.text, self._side)
                return replace(page, lines=(*page.lines, self._told)) if self._told else page
        side, title = self._side, say.say("welcome.who_learns")
        if self._wanted is not Wanted.LEARN:
            title = say.say("welcome.who", side=side_name(say, side))
        if self.menu.here.page.page == _WHO.page:
            return people_page(say, title, self._others(side), self._guests.portraits)
        if side in self._faceless:
            title = say.say("welcome.face", name=self._faceless[side])
        return faces_page(say, side, title, self._faces.get(Side.WHITE, "") if side is Side.BLACK else "")

    def hear(self, asked: object) -> None:
        """Handle a key, finger or letter."""
        before, page, self._told = self.menu, self.page, ""
        after: Menu | None = before
        chosen: Line | None = None
        if isinstance(asked, str) and before.here.page.page == _NAME.page:
            after = write(before, asked).at_line(len(page.items) - 1)  # Enter then ends the name
        else:
            after, chosen = heard(before, asked, page)
        self.menu = Menu(()) if after is None else after
        if self._proposed and self.menu.text != before.text:  # what is written stands instead of what was proposed
            text, self._proposed = self.menu.text.removeprefix(before.text), False
            self.menu = replace(self.menu, text="" if before.text.startswith(text) else text)
        self._choose(chosen)

    def _choose(self, chosen: Line | None) -> None:
        match chosen:
            case Of(Wanted.LANGUAGE, str(named)):
                self.language, self.menu = named, Menu(())
                self.open(_WELCOME)
            case Wanted.OTHER_LANGUAGE:
                self.open(_LANGUAGE)
            case Wanted.NOW:
                self.done = Choice(Wanted.BOT, self.language, FRIENDLY)
            case Wanted.PLAY if not self._at_table:
                own = self._guests.own
                self.open(_WHOM, 0 if own is None else list(STRENGTHS).index(own[1].strength))
            case Wanted.WATCH:
                self.done = Choice(Wanted.WATCH, self.language)
            case Wanted.PLAY | Wanted.LEARN | Wanted.PERSON | Wanted.COMPANION:
                self._who(chosen)
            case Of(Wanted.BOT, str(strength)):
                self._who(Wanted.BOT, strength)
            case Of(Wanted.KNOWN, str(name)):
                self._known(self._side, name)
            case Wanted.NEW:
                self._faceless.pop(self._side, None)
                self.open(_FACE.of(self._side))
            case Act("take_face", _, int(number)):
                side, say = self._side, words(self.language)
                self._faces[side] = face = tuple(PORTRAITS)[number]
                if side in self._faceless:
                    self._is(side, self._faceless[side])
                    return
                proposed, self._proposed = say.say(f"portrait.{face}"), True
                self.open(_NAME.of(side), len(write_page(say, proposed, side).items) - 1, proposed)
            case Act("take_name"):
                self._written(self._side, self.menu.text)

    def _who(self, wanted: Wanted, strength: str = "") -> None:
        self._wanted, self._strength, self._names = wanted, strength, NOBODY
        self._ask_who(Side.WHITE)

    def _ask_who(self, side: Side) -> None:
        settled = self._settled[side]
        if settled is not None and self._wanted is not Wanted.LEARN:
            self._known(side, settled)
            return
        self._faceless.pop(side, None)
        self.open((_WHO if self._others(side) else _FACE).of(side))

    def _others(self, side: Side) -> tuple[str, ...]:
        """Known players except the one at the other side."""
        taken = self._names[side.other]
        taken = None if taken is None or side is Side.WHITE else person_key(taken)
        known = {person_key(name): name for _, name in self._settled.items() if name is not None}
        known |= {person_key(name): name for name in self._guests.names}
        return tuple(name for key, name in known.items() if key != taken)

    def _known(self, side: Side, name: str) -> None:
        """This player's name is known: a picture is missing at most."""
        self._faces.pop(side, None)
        settled = name in (self._settled.white, self._settled.black)
        if settled and name not in self._guests.portraits:
            self._faceless[side] = name
            self.open(_FACE.of(side))
        else:
            self._is(side, name)

    def _written(self, side: Side, text: str) -> None:
        try:
            name = new_name(text)
        except BadNameError as error:
            self._told = name_refusal(error, words(self.language))
            return
        other = self._names[side.other] if side is Side.BLACK else None
        if other is not None and person_key(other) == person_key(name):
            return  # two who play have two names
        known = (each for each in self._guests.names if person_key(each) == person_key(name))
        self._is(side, next(known, name))

    def _is(self, side: Side, name: str) -> None:
        """This player has given a name: the next one is asked, if there is one."""
        self._names = self._names.put(side, name)
        two = self._wanted in (Wanted.PERSON, Wanted.PLAY)
        if two and side is Side.WHITE:
            self._ask_who(Side.BLACK)
            return
        named = [(self._names[whose], face) for whose, face in self._faces.items()]
        portraits = {who: face for who, face in named if who is not None}
        self.done = Choice(self._wanted, self.language, self._strength, self._names, portraits)


def heard(menu: Menu, asked: object, page: Page) -> MenuStep:
    """The menu after a key or a finger, and what was chosen."""
    if isinstance(asked, Target) and asked.part is MenuPart.ROW:
        return tap(menu, asked.number, page)
    if isinstance(asked, Key | Target):
        return step(menu, asked if isinstance(asked, Key) else Key.BACK, page)
    return menu, None


def stay(window: Window, sleep: Callable[[float], None] = time.sleep) -> None:
    """Keep the picture until a key or button is pressed."""
    while window.alive and not window.poll():
        window.go_on()
        sleep(PICTURE_S)
