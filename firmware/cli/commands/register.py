"""``engarde register``: show every card from both sides, so that the companion can play with them."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from display.i18n import words
from display.view import Situation
from display.words.companion import registering_panel, registering_text, registering_verdict
from engine.companion.backs import PAIRED, CardShown, DeckBacks, Registration, look_at
from engine.rules.cards import CARD_BY_NAME, Card
from engine.rules.track import BySide
from engine.table.desk import Desk, Settings
from engine.table.observation import TableObservation
from engine.table.presses import Button, Press
from firmware.cli.commands.declared import option, part, switch
from firmware.cli.commands.options import add_device_options, as_the_match_has, play_after, say, table_wish, then_play
from firmware.cli.sitting.cameras import open_with_table, setup_of
from firmware.cli.sitting.sitting import open_sitting
from firmware.cli.sitting.wish import TableWish
from firmware.extras.simulation.camera import showing_table
from firmware.table.camera.camera import CameraKind, CameraWanted, OpenCamera
from firmware.table.camera.setup import Setup, table_in_force, table_of
from firmware.table.loop.moment import Audience, Helper, Moment, People, there
from firmware.table.loop.requests import Stop
from firmware.table.recording.replay import NoJournal
from firmware.ui.companion.deck_file import deck_path, load_deck, save_deck
from firmware.ui.screen.printers import NameOf, PictureWriter
from firmware.ui.screen.screens import draw_moment
from vision.look import Look


def _cards(text: str) -> tuple[Card, ...]:
    if text == "all":
        return tuple(CARD_BY_NAME.values())
    unknown = [name for name in text.split(",") if name not in CARD_BY_NAME]
    if unknown:
        raise argparse.ArgumentTypeError(f"cards such as 3b,4a, or all, are expected, not {unknown[0]!r}")
    return tuple(CARD_BY_NAME[name] for name in text.split(","))


@dataclass(frozen=True, slots=True, kw_only=True)
class Register:
    """At which table; ``lists`` and ``forget`` need no camera, ``check`` changes nothing.

    ``then_play`` are the options of the match that comes after it, None for none.
    """

    table: TableWish = part(add_device_options, lambda args: table_wish(as_the_match_has(args, add_device_options)))
    check: bool = switch("change nothing: show any card and see whether it agrees", group="what")
    lists: bool = switch("what is known, without a camera", "--list", group="what")
    forget: tuple[Card, ...] | None = option(
        "forget these cards' backs, such as 3b,4a, or all", group="what", type=_cards, metavar="CARDS"
    )
    then_play: tuple[str, ...] | None = then_play("the menu")

    def do(self) -> int:
        """Register until every card is known, the camera ends or the players stop; 0 then."""
        return play_after(lambda: _register(self), self.then_play, "The game goes on without it.")


def _register(wish: Register) -> int:
    if wish.lists or wish.forget is not None:
        known = load_deck(table_of(table_in_force(wish.table.camera.table_file)).deck_letter)
        return _list(known) if wish.forget is None else _forget(known, wish.forget)
    with ExitStack() as held:
        sitting = open_sitting(wish.table, held, say, _opens)
        table = sitting.setup.table
        backs = load_deck(table.deck_letter)
        people = People(BySide("White", "Black"), wish.table.settings.language)
        registrar = Registrar(backs, save_deck, _tell, checking=wish.check, leaves=wish.then_play is not None)
        out, draw = wish.table.pictures, partial(draw_moment, theme=sitting.wish.settings.look)
        pictures = None if out is None else PictureWriter(out, draw, _every_card(registrar))
        audience: tuple[Audience, ...] = there(sitting.lamps, pictures, sitting.told, sitting.tidy, sitting.watchdog)
        helpers = (registrar, *sitting.screen(people))
        settings = Settings(middle_x_mm=table.play_area.middle[0])
        sitting.eyes.watch_backs((table.play_area,))
        loop = sitting.loop(held, NoJournal(), audience, settings, people, helpers, mode="play")
        try:
            loop.run()
        except KeyboardInterrupt:
            if not sitting.wish.camera.spec.live:
                raise
    return _summary(registrar.registration.backs)


def _every_card(registrar: Registrar) -> NameOf:
    """Names a moment for the card that was just shown, and what came of it: ``3b-registered``."""
    shown = 0

    def name_of(moment: Moment) -> str | None:
        nonlocal shown
        now, before = registrar.registration, shown
        shown = max(shown, now.count)
        return f"{now.card}-{now.said.value}" if shown > before else None

    return name_of


def _opens(wanted: CameraWanted) -> tuple[OpenCamera, Setup]:
    """The camera; the simulated one has a person at it who shows a whole deck."""
    if wanted.spec.kind is not CameraKind.SYNTHETIC:
        return open_with_table(wanted)
    setup = setup_of(wanted)
    shown = showing_table(setup.table, wanted.seed)
    return OpenCamera(shown, shown, live=False), setup


def _list(backs: DeckBacks) -> int:
    for card, token in sorted(backs.tokens.items()):
        print(f"{card}  {token}")
    return _summary(backs)


def _forget(backs: DeckBacks, cards: tuple[Card, ...]) -> int:
    known = [card for card in cards if card in backs.tokens]
    if known:
        save_deck(backs.without(known))
    print(f"Forgotten: {' '.join(map(str, known)) or 'nothing, none of them was known'}.")
    return _summary(backs.without(known))


def _summary(backs: DeckBacks) -> int:
    missing = " ".join(str(card) for card in backs.missing)
    known = f"Deck {backs.deck}: {len(backs.tokens)} of 25 backs are known ({deck_path(backs.deck)})"
    print(f"{known}. Still to be shown: {missing}." if missing else f"{known}. The companion can play.")
    return 0


def _tell(line: str) -> None:
    print(line, flush=True)


_ENOUGH_S: Final = 6.0
"""How long it stays on the screen that the deck is complete."""


class Registrar(Helper):
    """A helper: no card that is shown is played. ``keep`` is handed the deck after every change of it.

    ``say`` is told in English what came of each card. It ends once all are known.
    """

    vital: Final = True  # nothing else is done meanwhile

    def __init__(
        self,
        backs: DeckBacks,
        keep: Callable[[DeckBacks], None],
        say: Callable[[str], None],
        *,
        checking: bool = False,
        leaves: bool = False,
    ) -> None:
        """``leaves``: a game waits meanwhile, to which the button for taking back leads."""
        super().__init__()
        self._leaves = leaves
        self.registration = Registration(backs, checking)
        self._keep = keep
        self._say = say
        self._complete_s: float | None = None

    def sift(self, seen: TableObservation, desk: Desk) -> TableObservation:
        """Take note of what lies there; the referee sees an empty table."""
        before, now = self.registration, look_at(self.registration, seen)
        if now.backs != before.backs:
            self._keep(now.backs)  # where that fails, the card was not registered
        self.registration = now
        if now.count != before.count or (now.said is not before.said and now.said not in PAIRED | {CardShown.WAITING}):
            known = f"  ({25 - len(now.backs.missing)} of 25)" if now.said in PAIRED else ""
            self._say(registering_text(words("en"), now) + known)
        if now.backs.complete and not now.checking:
            if self._complete_s is None:
                self._complete_s = seen.t_s
            if seen.t_s - self._complete_s >= _ENOUGH_S:
                self._asked.append(Stop())
        else:
            self._complete_s = None
        return replace(seen, cards=(), backs=(), doubts=())

    def hear(self, presses: tuple[Press, ...], now_s: float) -> tuple[Press, ...]:
        """Nothing is judged: a press can only mean to go back to the game that waits."""
        if self._leaves and any(press.button in (Button.UNDO, Button.MENU) for press in presses):
            self._asked.append(Stop())
        return () if self._leaves else presses

    def advise(self, situation: Situation, look: Look, desk: Desk) -> Situation:
        """The words of registering in the place of the game's."""
        say = words(situation.language)
        return replace(
            situation,
            helped=replace(
                situation.helped,
                verdict=registering_verdict(say, self.registration),
                panel=registering_panel(say, self.registration, leaves=self._leaves),
            ),
            table=replace(situation.table, remedies=()),
        )
