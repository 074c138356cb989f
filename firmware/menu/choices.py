"""What the menu shows of the match and the machine, and what each choice does."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

from display.i18n import LANGUAGES, words
from display.menu.context import RULES, STARTERS, VOLUMES, MenuContext, TurnLine
from display.menu.model import Menu
from display.menu.pages import CARDS, END_TURNS, card_key, names_to_choose, points_to_choose
from display.view import NO_NAMES
from display.words.sentences import refusal
from display.words.told import step_text
from engine.companion.companion import LEVELS, name_of
from engine.record.corrections import Change, Correction, CorrectionError, Remove, Replace, Setting
from engine.record.course import Step, correct, follow
from engine.rules.cards import Card
from engine.rules.events import Event, MatchEvent, RoundEvent, TurnEvent, UndoEvent
from engine.rules.referee import judge
from engine.rules.state import Phase, PublicState
from engine.rules.track import BySide, Side
from engine.table.desk import Desk, EndTurn
from engine.table.observation import TableObservation
from engine.table.presses import Button
from firmware.coach.agreement import Mode
from firmware.coach.coach import Coach
from firmware.companion.opponents import companion_in, strength_of
from firmware.lessons.progress import Bookmark, Progress, lessons_to_choose, next_lesson
from firmware.lessons.puzzles import solve
from firmware.loop.moment import Helper, Moment, People
from firmware.loop.requests import MENU, PAUSE, Begin, EndTurns, Enter, Hold, LookAfresh, Release, Stop
from firmware.menu.by_hand import entered, filled_in, to_choose, told, wants_to_choose
from firmware.menu.rest import Chosen, Machine
from firmware.names import BadNameError, clean_name, person_key
from vision.look import Look

BY_HAND: Final = "by hand, in the menu"
"""Why such a correction was made, as the journal has it."""


class Choices(Helper):
    """Does what was chosen, and asks the loop for the rest. ``told`` answers it; ``paused`` holds the game."""

    def __init__(
        self,
        people: People,
        machine: Machine,
        chosen: Chosen,
        coach: Coach | None = None,
        progress: Progress | None = None,
    ) -> None:
        """``progress`` of those who learn here; None: there are no lessons now."""
        super().__init__()
        self.progress = progress
        self.lesson: Bookmark | None = None
        """The lesson to give, once the game has made way for it."""
        self._people = people
        self._desk = Desk()
        self._look: Look | None = None
        self._machine = machine
        self._chosen = chosen
        self._coach = coach
        self._known: tuple[str, ...] = ()
        self.paused = False
        self.told = ""
        self._named_before: tuple[Change, ...] = ()
        self._proposed: tuple[TurnEvent, ...] = ()
        self.wanted: Path | None = None
        """The copy of the book to go on with, once the game has been closed."""

    def sift(self, seen: TableObservation, desk: Desk) -> TableObservation:
        """The match to choose from, as it is when presses are heard."""
        self._desk = desk
        return seen

    def attend(self, moment: Moment) -> None:
        """The match and the table to choose from, as they are when the menu is drawn."""
        self._desk, self._look = moment.desk, moment.look

    @property
    def waits_for_a_match(self) -> bool:
        """Whether there is no match, or it is over: a press can only mean another."""
        state = self._desk.state
        return state is None or state.phase is Phase.MATCH_OVER

    def opened(self) -> None:
        """The menu was opened: nothing is judged while it is, and names are looked up anew."""
        self.told = ""
        self._named_before = ()
        self._known = self._machine.known_names()
        self._asked.append(Hold(MENU))

    def chooses_turn(self, button: Button) -> bool:
        """Whether this button asks for a turn to be chosen that the eyes cannot see, see ``by_hand_offer``."""
        return not self.paused and wants_to_choose(self._desk, button)

    def turn_to_choose(self) -> dict[str, int]:
        """The menu is opened for that: what is known already, as values of its page."""
        self._proposed = to_choose(self._desk)
        return filled_in(self._desk)

    def closed(self) -> None:
        """The menu was left."""
        self._asked.append(Release(MENU))

    def pause(self, *, on: bool) -> None:
        """Nothing is judged until the pause is over."""
        self.paused = on
        self._asked.append(Hold(PAUSE) if on else Release(PAUSE))

    def context(self, page: str) -> MenuContext:
        """What this page is made from; what only other pages show is left out."""
        course, language = self._desk.course, self._people.language
        say = words(language)
        state = self._desk.state
        last = step_text(say, course.steps[-1]) if course is not None and len(course.steps) > 1 else ""
        turns = tuple(
            TurnLine(number, step_text(say, step), step.entry.cards if isinstance(step.entry, TurnEvent) else ())
            for number, step in enumerate(self._steps, start=1)
        )
        chosen = self._chosen
        lessons, next_one, puzzles = (
            lessons_to_choose(self.progress, self._people.names) if self.progress is not None else ((), "", ())
        )
        return MenuContext(
            language,
            state,
            names=self._people.names,
            known=self._known,
            last=last,
            paused=self.paused,
            turns=turns,
            rules=state.rules.name if state is not None else chosen.rules,
            starter=chosen.starter,
            points=state.points if state is not None else chosen.points,
            volume_percent=chosen.volume_percent,
            voice=chosen.voice,
            voices=chosen.voices,
            theme=chosen.theme,
            themes=chosen.themes,
            end_turn=chosen.end_turn,
            history=self._machine.history(language) if page == "history" else (),
            health=self._machine.health(self._look, language) if page == "health" else (),
            sight=self._machine.sight(self._look, language) if page == "sight" else (),
            backups=self._copies() if page == "care" or page.startswith("restore:") else (),
            told=self.told,
            coach=self._coach.offers if self._coach is not None else (),
            lessons=lessons,
            next_lesson=next_one,
            puzzles=puzzles,
            against=self._against,
            proposals=told(self._proposed, state, language) if state is not None and page == "by_hand" else (),
        )

    @property
    def _against(self) -> int:
        """Who plays Black: 0 a person, else the companion, weakest first."""
        plays = companion_in(self._people.names)
        return 1 + LEVELS.index(plays[1]) if plays is not None and plays[0] is Side.BLACK else 0

    def choose(self, key: str, menu: Menu) -> Menu | None:
        """Do what was chosen; the menu as it is then, None when it is left."""
        self.told = ""
        name, _, of = key.partition(":")
        if name in ("close", "pause", "resume", "undo", "quit", "retell"):
            self._at_the_table(name)
            return None
        if name in ("propose", "end") and self._coach is not None:
            (self._coach.propose if name == "propose" else self._coach.end)(Mode(of))
            return None
        if name in ("lesson", "learn_on") and self.progress is not None:
            self.pause(on=False)
            self.lesson = Bookmark(of) if of else next_lesson(self.progress, self._people.names)
            self._asked.append(Stop())
            return None
        if name == "answer" and self.progress is not None:
            language, people = self._people.language, self._people.names
            self.told = solve(self.progress, people, language, of)
            return menu
        if name == "named":
            return self._named(menu, of)
        if name in _SETTINGS:
            self._set(name, menu)
            return menu
        if name in ("test", "calibrate"):
            self._machine.test() if name == "test" else self._asked.append(LookAfresh())
            return menu
        if name == "bring_back":
            return self._bring_back(menu, int(of))
        if name in ("backup", "shut_down"):
            act = self._machine.back_up if name == "backup" else self._machine.shut_down
            self.told = act(self._people.language)
            return menu
        acts: dict[str, Callable[[Menu, str], bool]] = {
            "begin": self._begin,
            "begin_open": self._begin_open,
            "set_figures": self._set_figures,
            "set_score": self._set_score,
            "replace": self._replace,
            "remove": self._remove,
            "round": self._round,
            "proposal": self._proposal,
            **{name: partial(self._by_hand, name) for name in ("turn", "yield", "reveal")},
        }
        return menu if name not in acts or not acts[name](menu, of) else None

    def retell(self) -> None:
        """Tell the last finished round again, where there is a coach and such a round; a pause ends with it."""
        if self._coach is not None and self._coach.can_retell:
            self.pause(on=False)
            self._coach.retell()

    def _begin_open(self, menu: Menu, of: str) -> bool:
        """A match that asks both whether their hands shall lie open."""
        begun = self._begin(menu, of)
        if begun and self._coach is not None:
            self._coach.propose_next(Mode.OPEN)
        return begun

    def _copies(self) -> tuple[str, ...]:
        return tuple(f"{path.parent.name}: {path.stem}" for path in self._machine.backups())

    def _bring_back(self, menu: Menu, number: int) -> Menu | None:
        """Go on with a copy of the book; one that is damaged, or on a stick that was pulled out, changes nothing."""
        found = self._machine.backups()
        if number >= len(found) or not self._machine.whole(found[number]):
            self.told = words(self._people.language).say("menu.bad_copy")
            return menu
        self.wanted = found[number]
        self._asked.append(Stop())
        return None

    def _at_the_table(self, name: str) -> None:
        if name in ("undo", "quit"):
            self._asked.append(Enter(UndoEvent()) if name == "undo" else Stop())
        elif name == "retell":
            self.retell()
        elif name != "close":
            self.pause(on=name == "pause")

    def _named(self, menu: Menu, side: str) -> Menu:
        """A name that was written: known from now on, and chosen."""
        back = replace(menu, path=menu.path[:-1], text="")
        try:
            name = clean_name(menu.text)
        except BadNameError:
            return back
        # Another spelling of somebody known is that person.
        name = next((known for known in self._known if person_key(known) == person_key(name)), name)
        self._known = tuple(dict.fromkeys([name, *self._known]))
        # The names shift when one is put in: what is chosen is found anew by what it said.
        before = names_to_choose(self.context("start"))
        return replace(back, values={**menu.values, f"name_{side}": 1 + before.index(name)})

    def _begin(self, menu: Menu, of: str) -> bool:
        context = self.context("start")
        names = names_to_choose(context)

        def named(side: Side) -> str:
            own = 0 if context.names[side] == NO_NAMES[side] else 1 + names.index(context.names[side])
            at = menu.values.get(f"name_{side.value}", own) % (len(names) + 1)
            return names[at - 1] if at else NO_NAMES[side]

        people, chosen = self._people, BySide(named(Side.WHITE), named(Side.BLACK))
        against = menu.values.get("against", context.against) % (len(LEVELS) + 1)
        if against:
            chosen = chosen.put(Side.BLACK, name_of(LEVELS[against - 1]))
        elif strength_of(chosen.black) is not None:
            chosen = chosen.put(Side.BLACK, NO_NAMES.black)  # it played last time, and a person does now
        if person_key(chosen.white) == person_key(chosen.black):
            self.told = words(people.language).say("menu.same_name")
            return False
        starter = STARTERS[menu.values.get("starter", STARTERS.index(context.starter)) % len(STARTERS)]
        side = random.Random().choice(list(Side)) if starter == "lot" else Side(starter)
        numbers = points_to_choose(context)
        points = numbers[menu.values.get("points", numbers.index(context.points)) % len(numbers)]
        rules = RULES[menu.values.get("rules", RULES.index(context.rules)) % len(RULES)]
        self._asked.append(Begin(MatchEvent(rules, side, points), chosen))
        self.pause(on=False)
        return True

    def _correct(self, *changes: Change) -> bool:
        """Have the match corrected; where that cannot be, say why and stay.

        Where later turns would no longer hold they are named first, and it has to be chosen once more.
        """
        say = words(self._people.language)
        correction, course = Correction(changes, BY_HAND), self._desk.course
        assert course is not None
        try:
            fallen = correct(course, correction).fallen
        except CorrectionError:
            self.told = f"{say.say('menu.cannot')} {self._why_not(changes[0])}".strip()
            return False
        if fallen and self._named_before != changes:
            self._named_before = changes
            named = [step_text(say, self._steps[each.turn - 1]) for each in fallen]
            self.told = say.say("menu.falls", count=len(named), what="; ".join(named))
            return False
        self._asked.append(Enter(correction))
        return True

    def _why_not(self, change: Change) -> str:
        """Why this cannot be, of all that the menu lets anybody choose."""
        say = words(self._people.language)
        if isinstance(change, Replace):
            before = self._steps[change.turn - 1].state.previous
            return refusal(say, judge(before, change.event)[1])
        if isinstance(change, Setting):
            figures = change.figures is not None
            return say.say("menu.cannot_figures" if figures else "menu.cannot_score", points=self._state.points)
        return ""

    def _enter(self, event: Event) -> bool:
        """Have this event happen; where the rules do not allow it, say so and stay."""
        _, ruling = follow(self._desk.course, event)
        if not ruling.ok:
            self.told = refusal(words(self._people.language), ruling)
            return False
        self._asked.append(Enter(event))
        return True

    def _set_figures(self, menu: Menu, of: str) -> bool:
        now = self._state.spaces
        spaces = BySide(*(1 + menu.values.get(f"space_{side.value}", now[side] - 1) for side in Side))
        return spaces == BySide(now.white, now.black) or self._correct(Setting(figures=spaces))

    def _set_score(self, menu: Menu, of: str) -> bool:
        now = self._state.score
        score = BySide(*(menu.values.get(f"score_{side.value}", now[side]) for side in Side))
        return score == BySide(now.white, now.black) or self._correct(Setting(score=score))

    def _replace(self, menu: Menu, of: str) -> bool:
        turn = self._steps[int(of) - 1].entry
        if not isinstance(turn, TurnEvent):
            return True
        cards = tuple(
            Card.parse(CARDS[menu.values.get(card_key(int(of), at), CARDS.index(str(card)))])
            for at, card in enumerate(turn.cards)
        )
        return cards == turn.cards or self._correct(Replace(int(of), replace(turn, cards=cards)))

    def _remove(self, menu: Menu, of: str) -> bool:
        return self._correct(Remove(int(of)))

    def _round(self, menu: Menu, of: str) -> bool:
        return self._enter(RoundEvent())

    def _by_hand(self, name: str, menu: Menu, of: str) -> bool:
        lying = self._look.table.cards if self._look is not None else ()
        event = entered(name, menu, self._state, [reading.card for reading in lying])
        return event is None or self._enter(event)

    def _proposal(self, menu: Menu, of: str) -> bool:
        return int(of) >= len(self._proposed) or self._enter(self._proposed[int(of)])

    def _set(self, name: str, menu: Menu) -> None:
        """A setting: in force at once, and kept."""
        chosen = self._chosen
        at = menu.values[name]
        value: str | int
        if name == "language":
            value = self._people.language = LANGUAGES[at]
        elif name == "end_turn":
            value = END_TURNS[at]
            self._chosen = replace(chosen, end_turn=value)
            self._asked.append(EndTurns(EndTurn(value)))
        elif name == "volume":
            value = VOLUMES[at]
            self._chosen = replace(chosen, volume_percent=value)
        elif name == "voice":
            value = chosen.voices[at]
            self._chosen = replace(chosen, voice=value)
        else:
            value = chosen.themes[at]
            self._chosen = replace(chosen, theme=value)
        kept = self._machine.set(name, value)
        self.told = words(self._people.language).say("menu.not_kept") if not kept else ""

    @property
    def _steps(self) -> tuple[Step, ...]:
        """The turns of the round that is played, turn 1 first."""
        course = self._desk.course
        return course.round_steps if course is not None else ()

    @property
    def _state(self) -> PublicState:
        state = self._desk.state
        assert state is not None
        return state


_SETTINGS: Final = ("language", "volume", "voice", "theme", "end_turn")
