"""Pages of the machine: settings, camera, health, copies of the book, switching off."""

from __future__ import annotations

from functools import partial

from display.i18n import Words, words
from display.menu.model import Act, Goto, Item, Menu, Open, Page, leave, stay
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
            items.append(choice(menu, row, say.say(row.title), called, now, partial(self._set, row)))
        if self.now.can_set_up:
            items.append(line(say, Act("set_up"), does=leave(partial(self.now.stop, "setup"))))
            items.append(line(say, Act("register"), does=leave(partial(self.now.stop, "register"))))
            items.append(line(say, Act("print_backs"), does=stay(partial(self.now.print_sheet, "backs"))))
        return Page(say.say("menu.settings"), tuple(items))

    def _set(self, row: Setting, menu: Menu) -> Menu:
        self.now.set(row, menu.values[row])
        return menu


class SightPage(MenuPage, id="sight"):
    """The camera picture and how well the board is seen."""

    def shown(self, say: Words, menu: Menu, place: Open) -> Page:
        now, machine = self.now, self.now.machine
        items = [line(say, Act("calibrate"), does=stay(lambda: now.ask(LookAfresh())))]
        if machine.can_focus:
            items.append(line(say, Act("focus"), does=now.answered(machine.focus)))
        return Page(say.say("menu.sight"), tuple(items), machine.sight(now.look, now.language), camera=True)


class HealthPage(MenuPage, id="health"):
    """State of devices and scorebook, and a test of lamps and sound."""

    def shown(self, say: Words, menu: Menu, place: Open) -> Page:
        now, machine = self.now, self.now.machine
        test = line(say, Act("test"), does=now.answered(machine.try_out))
        return Page(say.say("menu.health"), (test, line(say, Goto.CHECKS)), machine.health(now.look, now.language))


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
        now, machine, note = self.now, self.now.machine, say.say("menu.restore_note")
        copied = line(say, Act("backup"), does=stay(lambda: now.begin_errand(machine.back_up)))
        tables = line(say, Act("tables"), does=stay(self._write_tables))
        found = (Item(Goto.RESTORE.of(number), name, note=note) for number, name in enumerate(now.backups))
        return Page(say.say("menu.care"), (copied, tables, *found))

    def _write_tables(self) -> None:
        machine = self.now.machine
        self.now.begin_errand(partial(machine.tables, machine.known.house))


class RestorePage(MenuPage, id="restore"):
    """Offer to go on with a copy of the book."""

    def shown(self, say: Words, menu: Menu, place: Open) -> Page:
        name = dict(enumerate(self.now.backups)).get(place.number)
        if name is None:
            return Page(say.say("menu.care"), (), (say.say("menu.bad_copy"),))
        bring = Item(Act("bring_back", place.which), say.say("menu.restore"), does=self._bring_back)
        return Page(say.say("menu.care"), (bring,), (name, say.say("menu.restore_lines")))

    def _bring_back(self, menu: Menu) -> Menu | None:
        """One that is damaged, or on a stick that was pulled out, changes nothing."""
        found = dict(enumerate(self.now.machine.backups())).get(menu.here.page.number)
        if found is None or not self.now.machine.whole(found[1]):
            self.now.told = words(self.now.language).say("menu.bad_copy")
            return menu
        self.now.stop(found[1])
        return None


class OffPage(MenuPage, id="off"):
    """Offer another match, stopping, and switching the machine off."""

    def shown(self, say: Words, menu: Menu, place: Open) -> Page:
        now, machine = self.now, self.now.machine
        items = [line(say, Goto.START)] if now.is_playing and not now.teaching else []
        items.append(Item(Act("quit"), say.say("menu.quit"), does=leave(now.stop)))
        if machine.modes != AT_A_TABLE:  # nothing is gone on with, on somebody's own computer
            return Page(say.say("menu.off"), tuple(items), (say.say("tiles.stop_note"),))
        off = stay(lambda: now.begin_errand(machine.shut_down))
        items.append(Item(Act("shut_down"), say.say("menu.shut_down"), does=off))
        return Page(say.say("menu.off"), tuple(items), (say.say("menu.off_note"),))


class HandPage(MenuPage, id="hand"):
    """Somebody's hand is held out to the camera, and read to that player's ear alone."""

    def shown(self, say: Words, menu: Menu, place: Open) -> Page:
        goes_on = line(say, Act("close"), "menu.go_on", leave())
        return Page(say.say("menu.hand"), (goes_on,), (say.say("menu.hand_lines"),))
