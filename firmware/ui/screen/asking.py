"""Questions at a window before a match or lesson begins, and a last picture that stays."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import partial
from typing import Final

from display.i18n import LANGUAGES, Words, words
from display.menu.asking import FACES, FRIENDLY, faces_page, own_level_line, write_page
from display.menu.model import Act, Deed, Item, Key, Menu, MenuPlace, MenuStep, Open, Page, step, tap, write
from display.menu.model import stay as stays
from display.screens.menu import MenuPart, Target
from display.window import Window, WindowRequest
from display.words.sentences import side_name
from engine.lessons.lesson import LESSONS
from engine.players.bots.strengths import STRENGTHS, OwnLevel
from engine.rules.track import BySide, Side
from firmware.core.names import BadNameError, new_name, person_key
from firmware.ui.menu.people import name_refusal

PICTURE_S: Final = 1 / 30
NOBODY: Final[BySide[str | None]] = BySide(None, None)


@dataclass(frozen=True, slots=True)
class Guests:
    """Known players, the last first, and their portraits. ``own``: the last one who played bots, and the strength."""

    names: tuple[str, ...] = ()
    portraits: Mapping[str, str] = field(default_factory=dict)
    own: tuple[str, OwnLevel] | None = None


class Wanted(Enum):
    """What a player asks for before a match or lesson begins."""

    WATCH = "watch"
    PLAY = "play"
    LEARN = "learn"
    PERSON = "person"  # to play against
    BOT = "bot"
    COMPANION = "companion"


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


LANGUAGE, WELCOME, WHOM = Open("language"), Open("welcome"), Open("whom")
WHO, FACE, NAME = Open("who"), Open("face"), Open("name")  # of a Side
TITLE: Final = "En Garde"


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
    asking = Asking(language, guests, at_table=at_table, settled=settled)
    asking.open(WELCOME if spoken or not at_table else LANGUAGE)
    while asking.menu.path and asking.done is None:
        here = asking.menu.here.page
        window.show_menu(asking.page, asking.menu, asking.language)
        for asked in (*window.poll_menu(writing=here.page == NAME.page), *keys()):
            if asked is WindowRequest.QUIT or not window.alive:
                return None
            asking.hear(asked)
            if asking.done is not None or not asking.menu.path or asking.menu.here.page != here:
                break
        sleep(PICTURE_S)
    return asking.done


class Asking:
    """The state of asking. ``menu`` has the pages gone through, none once it was left; ``done`` is the answer."""

    def __init__(
        self, language: str, guests: Guests, *, at_table: bool = False, settled: BySide[str | None] = NOBODY
    ) -> None:
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
        at = LANGUAGES.index(self.language) if page == LANGUAGE else at
        self.menu = Menu((*self.menu.path, MenuPlace(page, at)), text=text)

    @property
    def _side(self) -> Side:
        return Side(self.menu.here.page.which)

    @property
    def page(self) -> Page:
        """The page that is shown."""
        shown = {
            LANGUAGE.page: self._language_page,
            WELCOME.page: self._welcome_page,
            WHOM.page: self._opponents_page,
            WHO.page: self._people_page,
            FACE.page: self._faces_page,
            NAME.page: self._name_page,
        }
        return shown[self.menu.here.page.page](words(self.language))

    def _language_page(self, say: Words) -> Page:
        spoken = [(each, words(each).say("language")) for each in LANGUAGES]
        items = (Item(Act("language", each), name, does=_then(self._speak, each)) for each, name in spoken)
        return Page(TITLE, tuple(items), columns=2)

    def _welcome_page(self, say: Words) -> Page:
        """What to do, the usual first; at a table only people play. The last line leads to another language."""
        plays = _then(self._who, Wanted.PLAY) if self._at_table else _then(self._against)
        does = {
            "now": _then(self._end, Wanted.BOT, FRIENDLY),
            "learn": _then(self._who, Wanted.LEARN),
            "play": plays,
            "watch": _then(self._end, Wanted.WATCH),
        }
        kind = "_table" if self._at_table else ""
        facts = {"count": len(LESSONS), "bot": say.say(f"hands.level.{FRIENDLY}")}
        items = []
        for each in ("play", "learn") if self._at_table else ("now", "learn", "play", "watch"):
            text, note = say.say(f"welcome.{each}{kind}"), say.say(f"welcome.{each}{kind}_note", **facts)
            items.append(Item(Act(each), text, note=note, does=does[each]))
        languages = " \u00b7 ".join(words(each).say("language") for each in LANGUAGES)
        items.append(Item(Act("other_language"), languages, does=_then(self.open, LANGUAGE)))
        return Page(TITLE, tuple(items))

    def _opponents_page(self, say: Words) -> Page:
        """Bots, each with what it overlooks, another person, the companion; over them the last player's own level."""
        lines: tuple[str, ...] = ()
        if self._guests.own is not None:
            name, found = self._guests.own
            lines = (own_level_line(say, name, found, say.say(f"hands.level.{found.strength}")),)
        items = []
        for level in STRENGTHS:
            text, note = say.say(f"hands.level.{level}"), say.say(f"welcome.overlooks.{level}")
            items.append(Item(Act("bot", level), text, note=note, does=_then(self._who, Wanted.BOT, level)))
        for each in (Wanted.PERSON, Wanted.COMPANION):
            text, note = say.say(f"welcome.{each.value}"), say.say(f"welcome.{each.value}_note")
            items.append(Item(Act(each.value), text, note=note, does=_then(self._who, each)))
        return Page(say.say("welcome.whom"), tuple(items), lines, columns=2)

    def _people_page(self, say: Words) -> Page:
        side, faces = self._side, self._guests.portraits
        items = [
            Item(Act("known", name), name, portrait=faces.get(name, ""), does=_then(self._known, side, name))
            for name in self._others(side)
        ]
        items.append(Item(Act("new"), say.say("welcome.new"), does=_then(self._new, side)))
        return Page(self._asked_of(say, side), tuple(items), columns=FACES, gallery=True)

    def _faces_page(self, say: Words) -> Page:
        """Every picture but the other player's."""
        side, title = self._side, self._asked_of(say, self._side)
        if side in self._faceless:
            title = say.say("welcome.face", name=self._faceless[side])
        taken = self._faces.get(Side.WHITE, "") if side is Side.BLACK else ""
        return faces_page(say, side, title, partial(self._take, side), taken)

    def _name_page(self, say: Words) -> Page:
        """The letters of a name, and why one was not taken."""
        page = write_page(say, self.menu.text, self._side, _then(self._written, self._side))
        return replace(page, lines=(*page.lines, self._told)) if self._told else page

    def _asked_of(self, say: Words, side: Side) -> str:
        learns = self._wanted is Wanted.LEARN
        return say.say("welcome.who_learns") if learns else say.say("welcome.who", side=side_name(say, side))

    def hear(self, asked: object) -> None:
        """Handle a key, finger or letter."""
        before, page, self._told = self.menu, self.page, ""
        after: Menu | None
        if isinstance(asked, str) and before.here.page.page == NAME.page:
            after, chosen = write(before, asked).at_line(len(page.items) - 1), None  # Enter then ends the name
        else:
            after, chosen = heard(before, asked, page)
        self.menu = Menu(()) if after is None else after
        if self._proposed and self.menu.text != before.text:  # what is written stands instead of what was proposed
            text, self._proposed = self.menu.text.removeprefix(before.text), False
            self.menu = replace(self.menu, text="" if before.text.startswith(text) else text)
        does = next((item.does for item in page.items if item.key == chosen), None)
        if does is not None:
            does(self.menu)

    def _speak(self, language: str) -> None:
        self.language, self.menu = language, Menu(())
        self.open(WELCOME)

    def _end(self, wanted: Wanted, strength: str = "") -> None:
        self.done = Choice(wanted, self.language, strength)

    def _against(self) -> None:
        """Whom to play, beginning with the strength that suits the last player."""
        own = self._guests.own
        self.open(WHOM, 0 if own is None else list(STRENGTHS).index(own[1].strength))

    def _who(self, wanted: Wanted, strength: str = "") -> None:
        self._wanted, self._strength, self._names = wanted, strength, NOBODY
        self._ask_who(Side.WHITE)

    def _ask_who(self, side: Side) -> None:
        settled = self._settled[side]
        if settled is not None and self._wanted is not Wanted.LEARN:
            self._known(side, settled)
            return
        self._faceless.pop(side, None)
        self.open((WHO if self._others(side) else FACE).of(side))

    def _others(self, side: Side) -> tuple[str, ...]:
        taken = self._names[side.other]
        taken = None if taken is None or side is Side.WHITE else person_key(taken)
        known = {person_key(name): name for _, name in self._settled.items() if name is not None}
        known |= {person_key(name): name for name in self._guests.names}
        return tuple(name for key, name in known.items() if key != taken)

    def _known(self, side: Side, name: str) -> None:
        self._faces.pop(side, None)
        settled = name in (self._settled.white, self._settled.black)
        if settled and name not in self._guests.portraits:
            self._faceless[side] = name
            self.open(FACE.of(side))
        else:
            self._is(side, name)

    def _new(self, side: Side) -> None:
        self._faceless.pop(side, None)
        self.open(FACE.of(side))

    def _take(self, side: Side, face: str, menu: Menu) -> Menu:
        """Take this picture; its name is proposed to whoever has none."""
        self._faces[side] = face
        if side in self._faceless:
            self._is(side, self._faceless[side])
        else:
            proposed, self._proposed = words(self.language).say(f"portrait.{face}"), True
            self.open(NAME.of(side), text=proposed)
            self.menu = self.menu.at_line(len(self.page.items) - 1)
        return menu

    def _written(self, side: Side) -> None:
        try:
            name = new_name(self.menu.text)
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


def _then(work: Callable[..., None], *given: object) -> Deed:
    return stays(partial(work, *given))


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
