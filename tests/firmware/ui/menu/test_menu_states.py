"""Any presses, keys, taps and letters on any page: never an exception, always a way back, and nothing done unasked."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any
from unittest import mock

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from display.menu.model import Act, Goto, Key, kind_of, step
from engine.rules.track import BySide
from engine.table.presses import Button
from firmware.core.config import SETTINGS
from firmware.table.sound.sound import SilentPlayer, SoundAudience, SoundPlayer
from firmware.ui.menu.machine import OBJECT, TABLE
from tests.firmware.conftest import fill, whole_match
from tests.firmware.ui.menu.conftest import AtTheTable

DEEPEST = 8
"""No page is further from the first than this."""
MATCH = {Goto.MAIN, Goto.START, Goto.HOME, Goto.FIGURES, Goto.SCORE, Goto.TURN, Goto.MANUAL, Goto.PLAIN, Goto.OVER}
"""The pages on which a line changes the match."""
TAKEN_HOME = (TABLE, OBJECT, "engarde-match-1.txt", "engarde-scorebook-0001.sqlite")
"""What the menu writes onto a stick, by its name there."""
LEAVES = {Goto.RESTORE, Goto.OFF, Goto.SETTINGS, Goto.MAIN, Goto.START, Goto.LEARN, Goto.HOME}
"""The pages on which a line ends the loop."""
VOLUME = SETTINGS["sound.volume_percent"]


class Loudspeaker(SoundPlayer):
    """A sound card that is open; ``volume`` is from 0 to 1."""

    def __init__(self, volume: float) -> None:
        super().__init__()
        self.volume = volume

    def set_volume(self, volume: float) -> None:
        self.volume = volume


class AtTheMenu(RuleBasedStateMachine):
    """Somebody does anything at the menu of a table at which a match is played, with a past one in the book."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory(prefix="engarde-menu-")
        self.house = Path(self.folder.name) / "house"
        self.house.mkdir()
        for name in TAKEN_HOME:
            (self.house / name).write_text("the owner's", encoding="utf-8")
        self.at: Any = None
        # What is made of a past match, or printed, is made by programs of their own.
        self.stands_in = mock.patch("firmware.ui.menu.errand.yielding", return_value=["true"])
        self.stands_in.start()

    def opened(self, volume_percent: int, **_: Any) -> SoundPlayer:
        """As ``open_player`` does where there is a sound card."""
        if not volume_percent:
            return SilentPlayer("The sound is switched off.")
        self.loudspeaker = Loudspeaker(volume_percent / 100)
        return self.loudspeaker

    @initialize(turns=st.integers(0, 2), volume=st.sampled_from([0, 80]))
    def begin(self, turns: int, volume: int) -> None:
        folder = Path(self.folder.name)
        self.volume, self.loudspeaker = volume, Loudspeaker(0.0)
        self.sound = SoundAudience(self.opened(volume), opens=self.opened, volume_percent=volume)
        self.at = AtTheTable(folder, volume)
        fill(self.at.book, BySide("Ana", "Cleo"), whole_match(1, 1))
        self.at.begin()
        for white, black, cards in ((4, 23, "3a"), (4, 21, "3a 2b"))[:turns]:
            self.at.play(white, black, cards)
        self.looks()

    def looks(self) -> None:
        menu = self.at.menu.menu
        self.page = None if menu is None else kind_of(menu.here.page)
        self.applied = len(self.at.applied)
        self.written = self.at.book.counts()
        self.names = {name for match in self.at.book.matches() for _, name in match.names.items()}

    def done(self) -> None:
        """What was just done is carried out, and no more than its page is for."""
        ended = None in [self.at.loop.advance() for _ in range(2)]  # what was asked with the end is done, too
        if ended or self.at.menu.now.wanted is not None:
            assert self.page in LEAVES
            self.at.menu.now.wanted = self.at.menu.now.lesson = None
        assert len(self.at.applied) == self.applied or self.page == Goto.SETTINGS, "settings change by their lines"
        assert self.at.book.counts() == self.written or self.page in MATCH | {None}
        for setting, value in self.at.applied[self.applied :]:
            if setting == VOLUME:
                self.volume = value
            if setting.path.startswith("sound."):
                self.sound.change(setting, value)
        names = {name for match in self.at.book.matches() for _, name in match.names.items()}
        assert self.names <= names or self.page in (Goto.RENAME, Goto.FORGET), "nobody is forgotten unasked"
        self.looks()

    @rule(button=st.sampled_from(list(Button)))
    def press(self, button: Button) -> None:
        self.at.pressed.append(button)
        self.done()

    @precondition(lambda self: self.page is None)
    @rule(page=st.sampled_from([None, Goto.MANUAL, Goto.PLAIN]))
    def open(self, page: Goto | None) -> None:
        self.at.menu.open_at(page)
        self.done()

    @rule(key=st.sampled_from(list(Key)))
    def key(self, key: Key) -> None:
        self.at.menu.key(key)
        self.done()

    @precondition(lambda self: self.page is not None)
    @rule(share=st.floats(0, 1), times=st.integers(1, 2))
    def tap(self, share: float, times: int) -> None:
        """A finger on any line; twice on one whose value is chosen."""
        page = self.at.menu.page
        number = round(share * len(page.items)) if page is not None else 0
        for _ in range(times):
            self.at.menu.tap(number)
            self.done()

    @precondition(lambda self: self.page is not None)
    @rule(share=st.floats(0, 1), key=st.sampled_from([Key.LESS, Key.MORE]))
    def adjust(self, share: float, key: Key) -> None:
        page = self.at.menu.page
        self.at.menu.adjust(round(share * len(page.items)) if page is not None else 0, key)
        self.done()

    @precondition(lambda self: self.page is None)
    @rule(times=st.integers(1, 11), key=st.sampled_from([Key.LESS, Key.MORE]))
    def turn_the_volume(self, times: int, key: Key) -> None:
        self.at.go_to(Goto.SETTINGS)
        self.looks()
        page = self.at.menu.page
        for _ in range(times):
            self.at.menu.adjust([item.key for item in page.items].index(VOLUME), key)
            self.done()

    @rule(letters=st.text(max_size=3) | st.sampled_from(["1", "25", "Ana", "‮", "\ud800"]))
    def write(self, letters: str) -> None:
        self.at.menu.write(letters)
        self.done()

    @rule()
    def stick(self) -> None:
        """A stick is put in, or pulled out."""
        media = Path(self.folder.name) / "media"
        if (media / "STICK").exists():
            (media / "STICK").rename(media.with_name(f"gone-{len(list(media.parent.iterdir()))}"))
        else:
            (media / "STICK").mkdir(parents=True)

    @precondition(lambda self: self.page is None)
    @rule(what=st.sampled_from([Act("tables"), Act("backup")]), links=st.booleans())
    def take_home(self, what: Act, links: bool) -> None:
        """All matches are taken home, if a stick is in; or on a guest's, whose links lead into the house."""
        stick = Path(self.folder.name) / "media" / "STICK"
        for name in TAKEN_HOME if links else ():
            stick.mkdir(parents=True, exist_ok=True)
            (stick / name).unlink(missing_ok=True)
            (stick / name).symlink_to(self.house / name)
        self.at.go_to(Goto.CARE, what)
        self.done()

    @invariant()
    def there_is_a_way_back(self) -> None:
        menu = self.at.menu.menu if self.at is not None else None
        if menu is None:
            return
        assert len(menu.path) <= DEEPEST
        for _ in range(2 * DEEPEST):  # a card that was tapped is taken back first
            page = self.at.menu.page_of(menu)
            menu, chosen = step(menu, Key.BACK, page)
            assert chosen is None
            if menu is None:
                return
        raise AssertionError("back does not lead out of it")

    @invariant()
    def what_is_not_silent_is_heard(self) -> None:
        if self.at is not None and self.volume:
            assert self.loudspeaker.volume == self.volume / 100
            assert not self.sound.silent

    @invariant()
    def what_is_kept_is_the_owners_alone(self) -> None:
        kept = [*Path(self.folder.name).glob("book.sqlite*"), *Path(self.folder.name).glob("menu.toml")]
        assert {each.stat().st_mode & 0o077 for each in kept} <= {0}

    @invariant()
    def no_file_of_the_owner_was_written_through_a_link(self) -> None:
        assert {each.name: each.read_text(encoding="utf-8") for each in self.house.iterdir()} == dict.fromkeys(
            TAKEN_HOME, "the owner's"
        )

    @invariant()
    def nothing_failed_and_the_book_has_what_the_desk_has(self) -> None:
        if self.at is None:
            return
        assert self.at.loop.guard.failing == ()
        *_, last = self.at.book.matches()
        assert self.at.book.replay(last.id).state == self.at.loop.desk.state
        assert self.at.menu.menu is None or self.at.loop.held, "nothing is judged while it is open"

    def teardown(self) -> None:
        self.stands_in.stop()
        if self.at is not None:
            while self.at.menu.menu is not None or self.at.loop.held:
                self.at.press(Button.UNDO if self.at.menu.menu is not None else Button.WHITE)
            self.at.book.close()
        self.folder.cleanup()


AtTheMenu.TestCase.settings = settings(max_examples=25, stateful_step_count=20, deadline=None)
TestAtTheMenu = pytest.mark.slow(AtTheMenu.TestCase)
