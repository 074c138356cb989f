"""The menu's pages of past matches: all of them, one with its rounds, and a round turn by turn with its review."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Final

from display.i18n import Words
from display.menu.model import Act, Goto, Item, Menu, Open, Page, stay, unsaid_of
from firmware.ui.menu.page import MenuPage, gone, line
from firmware.ui.menu.past import PastMatch


class HistoryPage(MenuPage, id="history"):
    """All matches at this table, the latest first, and those that were played elsewhere."""

    def shown(self, say: Words, menu: Menu, place: Open) -> Page:
        lines = self.now.machine.history(self.now.language)
        here = [each for each in lines if not each.elsewhere]
        items = [Item(Goto.PAST.of(each.number), each.text) for each in here]
        if len(here) < len(lines):
            items.append(line(say, Goto.ELSEWHERE, "past.elsewhere"))
        return Page(say.say("menu.history"), tuple(items), () if here else (say.say("menu.history_empty"),))


class ElsewherePage(MenuPage, id="elsewhere"):
    """Matches that count for nothing at this table: at the simulated one, or of bots; or, there, at a real one."""

    def shown(self, say: Words, menu: Menu, place: Open) -> Page:
        items = tuple(
            Item(Goto.PAST.of(each.number), each.text)
            for each in self.now.machine.history(self.now.language)
            if each.elsewhere
        )
        return Page(say.say("past.elsewhere"), items)


class PastPage(MenuPage, id="past"):
    """One match: its rounds to open, and what can be taken home on a stick."""

    has_rounds = True

    def entered(self, place: Open) -> None:
        self.now.past.look_again()

    def shown(self, say: Words, menu: Menu, place: Open) -> Page:
        past = self.now.past.match(place.number, self.now.language)
        if past is None:
            return gone(say)
        rounds = past.rounds if self.has_rounds else ()
        return Page(past.line.text, (*rounds, *self._to_take_home(say, past)), past.facts)

    def _to_take_home(self, say: Words, past: PastMatch) -> Iterator[Item]:
        """Lines to take home a film, page, picture or record, or the line that stops what is being made."""
        now, number = self.now, past.line.number
        if past.busy:
            yield Item(Act("stop_making", number), say.say("past.stop"), does=stay(now.past.making.stop))
            return
        for do in _MADE:
            note = f"past.{do}_note"
            if do == "card" and past.coded is not False:
                note = "past.card_note_code" if past.coded else "past.card_note_off"
            if past.over or do != "card":
                made = partial(self._make, do, number)
                yield Item(Act(do, number), say.say(f"past.{do}"), note=say.say(note), does=made)

    def _make(self, do: str, number: int, menu: Menu) -> Menu:
        """Have it made beside the game; the page may have fewer lines meanwhile."""
        now = self.now
        if do == "record":
            now.begin_errand(now.past.record(number))
        else:
            now.past.make(do, number, now.language)
        last = len(self.shown(now.say, menu, menu.here.page).items) - 1
        return menu.at_line(max(0, min(menu.here.at, last)))

    def told(self, language: str) -> str:
        """Progress of what is being made."""
        return self.now.past.making.told(language)


class SharePage(PastPage, id="share"):
    """Offers of one match to take home on a stick."""

    has_rounds = False


class RoundPage(MenuPage, id="past_round"):
    """A round: each turn is a line, and the chosen one is drawn with the graph; then what can become a puzzle."""

    def shown(self, say: Words, menu: Menu, place: Open) -> Page:
        past = self.now.past.round(place.number, place.part, self.now.language)
        if past is None:
            return gone(say)
        turns, at = len(past.turns), menu.here.at
        if turns <= at < turns + len(past.mistakes):
            at = past.mistakes[at - turns].number
        at = min(at, turns - 1)
        shown = replace(past, at=at)
        items = [
            Item(Act("show_turn", place), turn.text, note=unsaid_of(shown) if place == at else "")
            for place, turn in enumerate(past.turns)
        ]
        offer = None
        for mistake in past.mistakes:
            text = say.say("past.kept" if mistake.kept else "past.keep", name=mistake.name)
            offer = (text, len(items)) if mistake.number == at else offer
            does = stay(partial(self.now.past.keep, mistake.number))
            items.append(Item(Act("keep_puzzle", mistake.number), text, note=say.say("past.keep_note"), does=does))
        return Page(past.review.title, tuple(items), past=replace(shown, offer=offer))

    def left(self) -> None:
        self.now.past.leave()


_MADE: Final = ("film", "page", "card", "gif", "record")
"""What can be taken home, the dearest first."""
