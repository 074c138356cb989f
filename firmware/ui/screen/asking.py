"""What is asked at a window before anything is begun there, and a last picture that stays."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Final

from display.draw.portraits import PORTRAITS
from display.i18n import LANGUAGES, Words, words
from display.menu.asking import (
    FRIENDLY,
    faces_page,
    language_page,
    opponents_page,
    people_page,
    welcome_page,
    write_page,
)
from display.menu.lines import Do, Goto, Line, Of, Wanted
from display.menu.model import Key, Menu, MenuPlace, Page, step, tap, write
from display.screens.menu import MenuPart, Target
from display.window import Window, WindowRequest
from display.words.sentences import side_name
from engine.players.bots.strengths import STRENGTHS, OwnLevel
from engine.rules.track import BySide, Side
from firmware.core.names import BadNameError, OtherLettersError, new_name, person_key

PICTURE_S: Final = 1 / 30
NOBODY: Final[BySide[str | None]] = BySide(None, None)


@dataclass(frozen=True, slots=True)
class Guests:
    """Who was here before, the last first, and the portraits they chose, by name.

    ``own``: the last of them who has played bots, and the matching strength.
    """

    names: tuple[str, ...] = ()
    portraits: Mapping[str, str] = field(default_factory=dict)
    own: tuple[str, OwnLevel] | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """What somebody wants: to watch, to learn, or to play: a person, a bot of this ``strength``, the companion.

    ``names`` are those who said who they are, ``portraits`` the pictures that newcomers chose.
    """

    wanted: Wanted
    language: str
    strength: str = ""
    names: BySide[str | None] = NOBODY
    portraits: Mapping[str, str] = field(default_factory=dict)


class _Ask(Enum):
    LANGUAGE = "language"
    WELCOME = "welcome"
    WHOM = "whom"
    WHO = "who"
    FACE = "face"
    NAME = "name"


@dataclass(slots=True)
class _Step:
    """A page that is asked, of which player, and the menu on it. ``fresh``: nobody wrote the name on it.

    ``name`` is the player's who is asked for a picture only.
    """

    ask: _Ask
    side: Side = Side.WHITE
    menu: Menu = field(default_factory=Menu)
    fresh: bool = False
    name: str = ""


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
    """What is wanted, against whom, and who one is; None where the window was closed or left.

    ``at_table``: it is a real one, at which two people sit; they are asked for their language first, unless it was
    ``spoken`` before. At a simulated table whoever wants to play now is asked nothing more. ``settled`` are the names
    of those who said before who they are: a picture is all they are still asked for, where the guests' do not have it.
    ``keys`` are those of a panel's buttons. ``sleep`` stands in for time in tests.
    """
    asking = _Asking(language, guests, at_table, settled)
    if spoken or not at_table:
        asking.path = [_Step(_Ask.WELCOME)]
    while asking.path and asking.done is None:
        here = asking.path[-1]
        page = asking.page(here)
        window.show_menu(page, here.menu, asking.language)
        for asked in (*window.poll_menu(writing=here.ask is _Ask.NAME), *keys()):
            if asked is WindowRequest.QUIT or not window.alive:
                return None
            if asking.hear(here, page, asked):
                break
        sleep(PICTURE_S)
    return asking.done


class _Asking:
    """How far it was asked. ``path`` are the pages gone through, the last one shown; ``done`` what came of it."""

    def __init__(self, language: str, guests: Guests, at_table: bool, settled: BySide[str | None]) -> None:
        self.language = language
        self.done: Choice | None = None
        self.path = [_Step(_Ask.LANGUAGE, menu=_menu(LANGUAGES.index(language)))]
        self._guests = guests
        self._settled = settled
        self._at_table = at_table
        self._wanted = Wanted.WATCH
        self._strength = ""
        self._names = NOBODY
        self._faces: dict[Side, str] = {}
        self._told = ""

    def page(self, here: _Step) -> Page:
        """What is asked now."""
        say = words(self.language)
        learns = self._wanted is Wanted.LEARN
        title = say.say("welcome.who_learns") if learns else say.say("welcome.who", side=side_name(say, here.side))
        match here.ask:
            case _Ask.LANGUAGE:
                return language_page()
            case _Ask.WELCOME:
                return welcome_page(self.language, at_table=self._at_table)
            case _Ask.WHOM:
                return opponents_page(self.language, self._guests.own)
            case _Ask.WHO:
                return people_page(say, title, self._others(here.side), self._guests.portraits)
            case _Ask.FACE:
                taken = self._faces.get(Side.WHITE, "") if here.side is Side.BLACK else ""
                return faces_page(say, here.side, self._whose(say, here, title), taken)
            case _Ask.NAME:
                page = write_page(say, here.menu.text, here.side)
                return replace(page, lines=(*page.lines, self._told)) if self._told else page

    def _whose(self, say: Words, here: _Step, title: str) -> str:
        return say.say("welcome.face", name=here.name) if here.name else title

    def hear(self, here: _Step, page: Page, asked: object) -> bool:
        """Whether another page is shown after this key, finger or letter."""
        before, self._told = here.menu, ""
        chosen: Line | None = None
        if isinstance(asked, str):
            if here.ask is not _Ask.NAME:
                return False
            here.menu = replace(write(before, asked), path=_menu(len(page.items) - 1).path)  # Enter then ends the name
        else:
            after, chosen = _answered(before, page, asked)
            if after is None:
                self.path.pop()
                return True
            here.menu = after
        if here.fresh and here.menu.text != before.text:  # what is written stands instead of what was proposed
            here.menu, here.fresh = replace(here.menu, text=here.menu.text.removeprefix(before.text)), False
            if before.text.startswith(here.menu.text):
                here.menu = replace(here.menu, text="")
        self._choose(here, chosen)
        return self.path[-1] is not here or self.done is not None

    def _choose(self, here: _Step, chosen: Line | None) -> None:
        match chosen:
            case Of(Wanted.LANGUAGE, str(named)):
                self.language = named
                self.path = [_Step(_Ask.WELCOME)]
            case Wanted.OTHER_LANGUAGE:
                self.path.append(_Step(_Ask.LANGUAGE, menu=_menu(LANGUAGES.index(self.language))))
            case Wanted.NOW:
                self.done = Choice(Wanted.BOT, self.language, FRIENDLY)
            case Wanted.PLAY if not self._at_table:
                own = self._guests.own
                at = 0 if own is None else list(STRENGTHS).index(own[1].strength)
                self.path.append(_Step(_Ask.WHOM, menu=_menu(at)))
            case Wanted.WATCH:
                self.done = Choice(Wanted.WATCH, self.language)
            case Wanted.PLAY | Wanted.LEARN | Wanted.PERSON | Wanted.COMPANION:
                self._who(chosen)
            case Of(Wanted.BOT, str(strength)):
                self._who(Wanted.BOT, strength)
            case Of(Wanted.KNOWN, str(name)):
                self._known(here.side, name)
            case Wanted.NEW:
                self.path.append(_Step(_Ask.FACE, here.side))
            case Of(Do.TAKE_FACE, _, int(number)):
                self._faces[here.side] = face = tuple(PORTRAITS)[number]
                if here.name:
                    self._is(here.side, here.name)
                    return
                proposed = words(self.language).say(f"portrait.{face}")
                last = len(write_page(words(self.language), proposed, here.side).items) - 1
                self.path.append(_Step(_Ask.NAME, here.side, replace(_menu(last), text=proposed), fresh=True))
            case Of(Do.TAKE_NAME):
                self._written(here)

    def _who(self, wanted: Wanted, strength: str = "") -> None:
        self._wanted, self._strength, self._names = wanted, strength, NOBODY
        self._ask_who(Side.WHITE)

    def _ask_who(self, side: Side) -> None:
        settled = self._settled[side]
        if settled is not None and self._wanted is not Wanted.LEARN:
            self._known(side, settled)
            return
        self.path.append(_Step(_Ask.WHO if self._others(side) else _Ask.FACE, side))

    def _others(self, side: Side) -> tuple[str, ...]:
        """Who was here before and is not the one who sits at the other side already."""
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
            self.path.append(_Step(_Ask.FACE, side, name=name))
        else:
            self._is(side, name)

    def _written(self, here: _Step) -> None:
        try:
            name = new_name(here.menu.text)
        except OtherLettersError as error:
            self._told = words(self.language).say("menu.other_letters", letters=" ".join(error.letters))
            return
        except BadNameError:
            return
        other = self._names[here.side.other] if here.side is Side.BLACK else None
        if other is not None and person_key(other) == person_key(name):
            return  # two who play have two names
        known = (each for each in self._guests.names if person_key(each) == person_key(name))
        self._is(here.side, next(known, name))

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


def _menu(at: int) -> Menu:
    return Menu((MenuPlace(Goto.MAIN, at),))


def _answered(menu: Menu, page: Page, asked: object) -> tuple[Menu | None, Line | None]:
    """The page after this key or finger, None where it was left, and what was chosen on it."""
    if isinstance(asked, Key):
        return step(menu, asked, page)
    if isinstance(asked, Target) and asked.part is MenuPart.BACK:
        return None, None
    if isinstance(asked, Target):
        return tap(menu, asked.number, page)
    return replace(menu), None


def stay(window: Window, sleep: Callable[[float], None] = time.sleep) -> None:
    """Leave what is shown until somebody does something."""
    while window.alive and not window.poll():
        window.go_on()
        sleep(PICTURE_S)
