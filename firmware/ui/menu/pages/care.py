"""Pages of the machine: settings, camera, health, copies of the book, switching off."""

from __future__ import annotations

from functools import partial

from display.i18n import Words, words
from display.menu.lines import Do, Goto, Line, Of, Open
from display.menu.model import Item, Menu, Page
from display.menu.settings import MENU_SETTINGS, Setting
from firmware.book.scorebook.modes import AT_A_TABLE
from firmware.table.loop.requests import LookAfresh
from firmware.ui.menu.page import MenuPage, PrintingPage, choice, line


class SettingsPage(PrintingPage, id="settings"):
    """Every setting of the menu with its values, and what the first start is for."""

    def shown(self, say: Words, menu: Menu, place: Open) -> Page:
        items = []
        for row in MENU_SETTINGS:
            called = {value: row.called(say, value) for value in row.values}
            now = row.nearest(getattr(self.now.config, row.name))
            items.append(choice(menu, row, say.say(row.title), called, now))
        if self.now.can_set_up:
            items += [line(say, do) for do in (Do.SET_UP, Do.REGISTER, Do.PRINT_BACKS)]
        return Page(say.say("menu.settings"), tuple(items))

    def chosen(self, key: Line, menu: Menu) -> Menu | None:
        if isinstance(key, Setting):
            self.now.set(key, menu.values[key])
            return menu
        if key is Do.PRINT_BACKS:
            self.now.printing.begin(key, (), self.now.language)
            return menu
        return super().chosen(key, menu)


class SightPage(MenuPage, id="sight"):
    """The camera picture and how well the board is seen."""

    def shown(self, say: Words, menu: Menu, place: Open) -> Page:
        again = (Do.CALIBRATE, Do.FOCUS) if self.now.machine.can_focus else (Do.CALIBRATE,)
        return Page(
            say.say("menu.sight"),
            tuple(line(say, do) for do in again),
            self.now.machine.sight(self.now.look, self.now.language),
            camera=True,
        )

    def chosen(self, key: Line, menu: Menu) -> Menu | None:
        if key is Do.CALIBRATE:
            self.now.ask(LookAfresh())
        elif key is Do.FOCUS:
            self.now.told = self.now.machine.focus(self.now.language)
        else:
            return super().chosen(key, menu)
        return menu


class HealthPage(MenuPage, id="health"):
    """State of devices and scorebook, and a test of lamps and sound."""

    def shown(self, say: Words, menu: Menu, place: Open) -> Page:
        return Page(
            say.say("menu.health"),
            (line(say, Do.TEST), line(say, Goto.CHECKS)),
            self.now.machine.health(self.now.look, self.now.language),
        )

    def chosen(self, key: Line, menu: Menu) -> Menu | None:
        if key is Do.TEST:
            self.now.told = self.now.machine.try_out(self.now.language)
            return menu
        return super().chosen(key, menu)


class ChecksPage(MenuPage, id="checks"):
    """Every check in the order of the numbers, to be opened; none while they are still being made."""

    def shown(self, say: Words, menu: Menu, place: Open) -> Page:
        checks = self.now.checks
        # Only what is well has its verdict at the end of its line, where a tick stands beside it.
        items = tuple(
            Item(Goto.CHECK.of(each.number), each.heading, value=each.verdict)
            if each.well
            else Item(Goto.CHECK.of(each.number), f"{each.heading} \u2013 {each.verdict}")
            for each in checks
        )
        return Page(say.say("menu.checks"), items, () if checks else (say.say("checks.wait"),))


class CheckPage(MenuPage, id="check"):
    """One check; what it stands for no more while they are made again."""

    def shown(self, say: Words, menu: Menu, place: Open) -> Page:
        check = next((each for each in self.now.checks if each.number == place.which), None)
        if check is None:
            return Page(say.say("menu.checks"), (), (say.say("checks.wait"),))
        return Page(check.heading, (), check.lines)


class CarePage(MenuPage, id="care"):
    """The scorebook: copied and written out onto a stick, and its copies to go back to."""

    def shown(self, say: Words, menu: Menu, place: Open) -> Page:
        note = say.say("menu.restore_note")
        found = (Item(Goto.RESTORE.of(number), name, note=note) for number, name in enumerate(self.now.backups))
        return Page(say.say("menu.care"), (line(say, Do.BACK_UP), line(say, Do.TABLES), *found))

    def chosen(self, key: Line, menu: Menu) -> Menu | None:
        machine = self.now.machine
        if key is Do.BACK_UP:
            self.now.begin_errand(machine.back_up)
        elif key is Do.TABLES:
            self.now.begin_errand(partial(machine.tables, machine.known.house))
        else:
            return super().chosen(key, menu)
        return menu


class RestorePage(MenuPage, id="restore"):
    """Offer to go on with a copy of the book."""

    def shown(self, say: Words, menu: Menu, place: Open) -> Page:
        name = dict(enumerate(self.now.backups)).get(place.number)
        if name is None:
            return Page(say.say("menu.care"), (), (say.say("menu.bad_copy"),))
        items = (Item(Of(Do.BRING_BACK, place.which), say.say("menu.restore")),)
        return Page(say.say("menu.care"), items, (name, say.say("menu.restore_lines")))

    def chosen(self, key: Line, menu: Menu) -> Menu | None:
        """One that is damaged, or on a stick that was pulled out, changes nothing."""
        if not isinstance(key, Of) or key.what is not Do.BRING_BACK:
            return super().chosen(key, menu)
        found = dict(enumerate(self.now.machine.backups())).get(int(str(key.which)))
        if found is None or not self.now.machine.whole(found[1]):
            self.now.told = words(self.now.language).say("menu.bad_copy")
            return menu
        self.now.stop(found[1])
        return None


class OffPage(MenuPage, id="off"):
    """Offer another match, stopping, and switching the machine off."""

    def shown(self, say: Words, menu: Menu, place: Open) -> Page:
        another = (line(say, Goto.START),) if self.now.is_playing and not self.now.teaching else ()
        at_a_table = self.now.machine.modes == AT_A_TABLE  # else nothing is gone on with, on somebody's own computer
        off = (Item(Do.SHUT_DOWN, say.say("menu.shut_down")),) if at_a_table else ()
        note = say.say("menu.off_note" if at_a_table else "tiles.stop_note")
        return Page(say.say("menu.off"), (*another, Item(Do.QUIT, say.say("menu.quit")), *off), (note,))

    def chosen(self, key: Line, menu: Menu) -> Menu | None:
        if key is Do.SHUT_DOWN:
            self.now.begin_errand(self.now.machine.shut_down)
            return menu
        return super().chosen(key, menu)


class HandPage(MenuPage, id="hand"):
    """Somebody's hand is held out to the camera, and read to that player's ear alone."""

    def shown(self, say: Words, menu: Menu, place: Open) -> Page:
        return Page(say.say("menu.hand"), (line(say, Do.CLOSE, "menu.go_on"),), (say.say("menu.hand_lines"),))
