"""``engarde club``: many tables and one wall: broker, hall, competitions, an evening to look at."""

from __future__ import annotations

import queue
import time
import webbrowser
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from display.i18n import LANGUAGES
from engine.competition.events import CompetitionEvent
from firmware.cli.commands.declared import option, part, switch
from firmware.cli.commands.options import CameraGiven, add_camera_arguments, camera_given, say
from firmware.cli.sitting.cameras import open_with_table
from firmware.core.config import club_card_path, data_folder, load_config, scorebook_path
from firmware.core.errors import TEMPORARY_FAILURE
from firmware.extras.club.broker import MAX_TABLES, Founding, are_old, found, renew, settings_here
from firmware.extras.club.card import BEGINNING, DEFAULT_PORT, JoinCard, card_of, print_cards, read_card, write_card
from firmware.extras.club.demo import DemoEvening, run_demo
from firmware.extras.club.desk import MARGIN_S, SENTENCES, TICKET_S, Answer, AskingDesk, event_of_words, usage
from firmware.extras.club.hall import Hall
from firmware.extras.club.link import Link
from firmware.extras.club.messages import DESK, ClubError, topic
from firmware.extras.club.server import WallServer
from firmware.table.loop.watched import RULES, Part
from firmware.table.readers.guard import guard_beside
from firmware.table.service.retry import Search
from firmware.web.address import LOOPBACK, Port
from vision.camera.sources import Source
from vision.marks.foreign import ZXING, Run

PATIENCE_S: Final = 60.0
"""So long a live camera is waited for: somebody fetches the card, and holds it nearer and nearer."""


def scan_card(source: Source, run: Run) -> JoinCard:
    """The card that this camera sees. ``run`` has the reader of codes look at a picture.

    Raises ClubError where none was seen by then or until the pictures end, or one is seen that cannot be used.
    """
    pictures = answered = 0
    began_s: float | None = None
    while (frame := source.read()) is not None:
        began_s = frame.t_s if began_s is None else began_s
        if frame.t_s - began_s > PATIENCE_S:
            break
        if not frame.y.size:
            continue
        pictures += 1
        answer = run(ZXING, frame.y, True)
        if answer is None:
            continue
        answered += 1
        for text, _ in answer[0]:
            if text.startswith(BEGINNING):
                return card_of(text)
    if not answered:
        raise ClubError(
            f"expected a card's code in view, found {pictures} pictures of which none could be read; look at the "
            "camera with engarde doctor, or name the card's file."
        )
    raise ClubError(
        f"expected a card's code in view, found none in {pictures} pictures; hold the card flat and in good light, so "
        "near that its code fills a third of the picture's height, or name the card's file."
    )


ANSWER_S: Final = 10.0


def _tables(given: str) -> tuple[str, ...]:
    """The tables' names, from how many there are or from a list."""
    if given.isdecimal():
        return tuple(str(at) for at in range(1, min(int(given), MAX_TABLES + 1) + 1))
    return tuple(name.strip() for name in given.split(","))


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginClub:
    """Write the broker's configuration, certificates, and a card for each table."""

    club: str = option("the club's short name, such as fk-linz", "club")
    tables: tuple[str, ...] = option(
        "how many, or their names with commas (default: 8)", default="8", type=_tables, metavar="N"
    )
    host: str = option("the name or address the tables reach the broker at", required=True)
    port: int = option("the broker's port (default: %(default)s)", default=DEFAULT_PORT)
    certificates: bool = switch("machines show a certificate instead of a password")
    out: Path = option("where (default: club)", default=Path("club"), metavar="DIR")

    def do(self) -> int:
        cards = found(Founding(self.club, self.out, self.host, self.tables, self.port, self.certificates))
        print_cards(cards, self.out / "cards.pdf")
        print(f"{self.out}: start the broker with: mosquitto -c {(self.out / settings_here()).absolute()}")
        print(
            f"Print {self.out / 'cards.pdf'}: a card for each table, for the hall and for the desk. They open the door."
        )
        return 0


@dataclass(frozen=True, slots=True, kw_only=True)
class RenewClub:
    """Write the settings of a club's broker as this version has them."""

    folder: Path = option("what engarde club init wrote", "folder", metavar="DIR")

    def do(self) -> int:
        renew(self.folder)
        print(f"{self.folder}: start the broker again, with: mosquitto -c {(self.folder / settings_here()).absolute()}")
        return 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Join:
    """Join this table to its club with its card."""

    card: str | None = option(
        "the card's file, or the text of its code (default: held under the camera)", "card", nargs="?"
    )
    camera: CameraGiven = part(add_camera_arguments, camera_given)

    def do(self) -> int:
        if self.card is None:
            card = _scanned(self.camera)
        else:
            card = card_of(self.card) if self.card.startswith(BEGINNING) else read_card(Path(self.card))
        write_card(club_card_path(), card)
        print(
            f"This machine is now table {card.table} of the club {card.club}: engarde play tells the club what happens."
        )
        return 0


def _scanned(given: CameraGiven) -> JoinCard:
    """The card that is held under this table's camera."""
    with ExitStack() as held:
        camera, _ = open_with_table(given.wanted(load_config()))
        held.callback(camera.source.close)
        run = held.enter_context(closing(guard_beside(scorebook_path(None), say)))
        say("Hold the card under the camera, its code upwards, until this ends. Ctrl-C stops it.")
        return scan_card(camera.source, run)


@dataclass(frozen=True, slots=True, kw_only=True)
class Leave:
    """Leave the club: what was kept stays."""

    def do(self) -> int:
        path = club_card_path()
        print("This machine was in no club." if not path.exists() else "This machine has left its club.")
        path.unlink(missing_ok=True)
        return 0


@dataclass(frozen=True, slots=True, kw_only=True)
class KeepHall:
    """Keep the club's book, run the evening, show the wall."""

    card: Path = option("the hall's card", required=True, metavar="FILE")
    folder: Path | None = option("book and logs (default: in your data folder)", metavar="DIR")
    language: str = option("of the wall (default: en)", default="en", choices=LANGUAGES)
    web: int = option("the wall's port (%(default)s)", default=Port.WALL, metavar="PORT")
    web_host: str = option("0.0.0.0 is everybody here (%(default)s)", default=LOOPBACK, metavar="ADDRESS")
    home_assistant: bool = switch("make each table known to Home Assistant")

    def do(self) -> int:
        card, club = read_card(self.card), self.card.absolute().parent.parent
        with suppress(ClubError, OSError):  # where only the card is, the broker is another machine's
            if are_old(club):
                say(f"The broker's settings in {club} are of an earlier version: engarde club renew {club} mends them.")
        folder = self.folder or data_folder() / f"club-{card.club}"
        hall = Hall(card, folder, said=say, home_assistant=self.home_assistant)
        names = load_config().scoreboard_names
        hall.start()
        with closing(hall), ExitStack() as held:

            def serve() -> bool:
                server = held.enter_context(closing(WallServer(hall, self.language, self.web_host, self.web, names)))
                say(f"{server.where} Ctrl-C ends.")
                return True

            rule = RULES[Part.PORT]
            wall = Search(rule, time.monotonic() - rule.first_s, serve, aside=lambda run: run(), told=say)
            try:
                while not hall.failure:
                    wall.watched(time.monotonic())
                    time.sleep(1.0)
                say(f"The hall failed ({hall.failure}); started again it goes on with what was told.")
                return TEMPORARY_FAILURE
            except KeyboardInterrupt:
                say("The hall is closed. What was told is kept.")
        return 0


@dataclass(frozen=True, slots=True, kw_only=True)
class TellHall:
    """Send the hall a decision of the evening's organiser."""

    card: Path = option("the desk's card", required=True, metavar="FILE")
    words: tuple[str, ...] = option(
        f"one of: show; {'; '.join(map(usage, SENTENCES))}", "words", nargs="+", metavar="WORD"
    )

    def do(self) -> int:
        event = None if self.words == ("show",) else event_of_words(list(self.words))
        answer = _asked(read_card(self.card), event)
        if not answer.ok:
            raise ClubError(f"{answer.message}.")
        print("\n".join(answer.lines) if event is None else f"Done: event {answer.events} of the evening.")
        return 0


def _asked(card: JoinCard, event: CompetitionEvent | None) -> Answer:
    """The hall's answer to this event, to how it stands for None. Raises ClubError where none comes: then the event is
    not done, nor done later."""
    heard: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
    link = Link(
        card,
        topics=(topic(card.club, DESK, "answer"),),
        on_message=lambda _name, payload, _number: heard.put(payload),
        on_change=lambda up: heard.put(None) if up else None,
        passing=True,
    )
    asking, where = AskingDesk(event), topic(card.club, DESK, "do")
    with closing(link):
        link.start()
        try:
            if heard.get(timeout=ANSWER_S) is None:
                link.publish(where, asking.first())
            until_s = time.monotonic() + ANSWER_S
            while asking.answer is None:
                payload = heard.get(timeout=max(0.0, until_s - time.monotonic()))
                if payload is not None and (further := asking.hear(payload)) is not None:
                    link.publish(where, further)
                    until_s = time.monotonic() + TICKET_S + MARGIN_S
        except queue.Empty:
            if not link.up:
                told = link.refusal or "nobody there"
                raise ClubError(f"the club's broker at {card.host} does not answer ({told}).") from None
            raise ClubError(
                "the hall does not answer: is engarde club hall running? show tells what was done."
            ) from None
    return asking.answer


@dataclass(frozen=True, slots=True, kw_only=True)
class ShowEvening:
    """A whole evening on this machine: broker, hall, tables with bots, the wall."""

    tables: int = option("1 to 200 (default: %(default)s)", default=8, metavar="N")
    seed: int = option("another evening (default: %(default)s)", default=1)
    pace: float = option("between a table's events (%(default)s)", default=0.5, metavar="SECONDS")
    language: str = option("of the wall (default: en)", default="en", choices=LANGUAGES)
    web: int = option("the wall's port (%(default)s)", default=Port.WALL, metavar="PORT")
    headless: bool = switch("open no browser: write pictures and results")
    out: Path = option("where (default: out/club)", default=Path("out") / "club", metavar="DIR")
    most: float = option("stop by then (default: %(default)s)", default=1800.0, metavar="SECONDS")

    def do(self) -> int:
        if not 1 <= self.tables <= 200 or self.pace <= 0:
            raise ClubError(
                f"expected 1 to 200 tables and a pace of more than 0, found {self.tables} and {self.pace:g}."
            )
        out = self.out if self.headless else None
        wanted = DemoEvening(self.tables, self.seed, self.pace, self.language, self.web, out, self.most)
        over = run_demo(wanted, say, (lambda _: None) if self.headless else webbrowser.open)  # type: ignore[arg-type]
        if not over:
            raise ClubError(f"the evening was not over after {self.most:g} s; --most gives it longer.")
        print("The evening is over." if out is None else f"The evening is over; pictures and results are in {out}.")
        return 0


TASKS: Final = {
    "init": BeginClub,
    "renew": RenewClub,
    "join": Join,
    "leave": Leave,
    "hall": KeepHall,
    "desk": TellHall,
    "demo": ShowEvening,
}
