"""``engarde club``: a club's broker made ready, a table joined to it, the hall, its desk, and an evening to look at."""

from __future__ import annotations

import argparse
import json
import threading
import time
import webbrowser
from collections.abc import Callable, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Final

from display.i18n import LANGUAGES
from engine.competition.bouts import Entrant, Terms, Tie
from engine.competition.events import (
    CompetitionEvent,
    Corrected,
    Entered,
    FencedAgain,
    LeagueBegun,
    Left,
    LotsDrawn,
    MatchFenced,
    Opened,
    PoolsBegun,
    RoundPaired,
    SwissBegun,
    TableauBegun,
    TakenBack,
    event_to_json,
)
from firmware.club.card import BEGINNING, DEFAULT_PORT, JoinCard, card_of, read_card, write_card
from firmware.club.cards import print_cards
from firmware.club.demo import DemoEvening, run_demo
from firmware.club.founding import Founding, found
from firmware.club.hall import SHOW, Hall
from firmware.club.home import HomeAssistant
from firmware.club.link import Link
from firmware.club.scan import scan_card
from firmware.club.server import WallServer
from firmware.club.topics import DESK, ClubError, topic
from firmware.commands.options import CameraGiven, Wish, add_camera_arguments, camera_given, say, wished
from firmware.config import data_folder, load_config, scorebook_path
from firmware.readers.kept import guard_beside
from firmware.service.retry import RULES, Part, Search
from firmware.sitting.cameras import open_with_table
from firmware.sitting.club import club_card_path
from firmware.web.ports import Port
from firmware.web.serving import LOOPBACK

ANSWER_S: Final = 10.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The options of ``engarde club``."""
    commands = parser.add_subparsers(dest="what", required=True, metavar="WHAT")
    init = commands.add_parser("init", help="write the broker's configuration, certificates, and a card for each table")
    init.set_defaults(kind=BeginClub)
    init.add_argument("club", help="the club's short name, such as fk-linz")
    init.add_argument(
        "--tables", type=_tables, default="8", metavar="N", help="how many, or their names with commas (default: 8)"
    )
    init.add_argument("--host", required=True, help="the name or address the tables reach the broker at")
    init.add_argument("--port", type=int, default=DEFAULT_PORT, help="the broker's port (default: %(default)s)")
    init.add_argument("--certificates", action="store_true", help="machines show a certificate instead of a password")
    init.add_argument("--out", type=Path, default=Path("club"), metavar="DIR", help="where (default: club)")
    join = commands.add_parser("join", help="join this table to its club with its card")
    join.set_defaults(kind=Join)
    join.add_argument(
        "card", nargs="?", help="the card's file, or the text of its code (default: held under the camera)"
    )
    add_camera_arguments(join)
    commands.add_parser("leave", help="leave the club: what was kept stays").set_defaults(kind=Leave)
    hall = commands.add_parser("hall", help="keep the club's book, run the evening, show the wall")
    hall.set_defaults(kind=KeepHall)
    hall.add_argument("--card", type=Path, required=True, metavar="FILE", help="the hall's card")
    hall.add_argument("--folder", type=Path, metavar="DIR", help="book and logs (default: in your data folder)")
    hall.add_argument("--language", choices=LANGUAGES, default="en", help="of the wall (default: en)")
    hall.add_argument("--web", type=int, default=Port.WALL, metavar="PORT", help="the wall's port (%(default)s)")
    hall.add_argument("--web-host", default=LOOPBACK, metavar="ADDRESS", help="0.0.0.0 is everybody here (%(default)s)")
    hall.add_argument("--home-assistant", action="store_true", help="make each table known to Home Assistant")
    desk = commands.add_parser("desk", help="tell the hall what whoever runs the evening decides")
    desk.set_defaults(kind=TellHall)
    desk.add_argument("--card", type=Path, required=True, metavar="FILE", help="the desk's card")
    desk.add_argument(
        "words", nargs="+", metavar="WORD", help=f"one of: show; {'; '.join(use for use, _ in DESK_WORDS.values())}"
    )
    demo = commands.add_parser("demo", help="a whole evening on this machine: broker, hall, tables with bots, the wall")
    demo.set_defaults(kind=ShowEvening)
    demo.add_argument("--tables", type=int, default=8, metavar="N", help="1 to 200 (default: %(default)s)")
    demo.add_argument("--seed", type=int, default=1, help="another evening (default: %(default)s)")
    demo.add_argument(
        "--pace", type=float, default=0.5, metavar="SECONDS", help="between a table's events (%(default)s)"
    )
    demo.add_argument("--language", choices=LANGUAGES, default="en", help="of the wall (default: en)")
    demo.add_argument("--web", type=int, default=Port.WALL, metavar="PORT", help="the wall's port (%(default)s)")
    demo.add_argument("--headless", action="store_true", help="open no browser: write pictures and results")
    demo.add_argument("--out", type=Path, default=Path("out") / "club", metavar="DIR", help="where (default: out/club)")
    demo.add_argument(
        "--most", type=float, default=1800.0, metavar="SECONDS", help="stop by then (default: %(default)s)"
    )


@dataclass(frozen=True, slots=True)
class BeginClub:
    """A club's broker, certificates and cards, in the folder ``out``."""

    club: str
    tables: tuple[str, ...]
    host: str
    port: int
    certificates: bool
    out: Path

    def do(self) -> int:
        """Do it; the exit status."""
        cards = found(Founding(self.club, self.out, self.host, self.tables, self.port, self.certificates))
        print_cards(cards, self.out / "cards.pdf")
        print(f"{self.out}: start the broker with: mosquitto -c {(self.out / 'mosquitto.conf').absolute()}")
        print(
            f"Print {self.out / 'cards.pdf'}: a card for each table, for the hall and for the desk. They open the door."
        )
        return 0


@dataclass(frozen=True, slots=True)
class Join:
    """With this card; None: the one held under the camera."""

    card: str | None
    camera: CameraGiven

    def do(self) -> int:
        """Do it; the exit status."""
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


@dataclass(frozen=True, slots=True)
class Leave:
    """The club this table is in."""

    def do(self) -> int:
        """Do it; the exit status."""
        path = club_card_path()
        print("This machine was in no club." if not path.exists() else "This machine has left its club.")
        path.unlink(missing_ok=True)
        return 0


@dataclass(frozen=True, slots=True)
class KeepHall:
    """The hall's book in ``folder``, and the wall at this address and port."""

    card: Path
    folder: Path | None
    language: str
    web_host: str
    web: int
    home_assistant: bool

    def do(self) -> int:
        """Do it; the exit status."""
        card = read_card(self.card)
        home = HomeAssistant(card.club) if self.home_assistant else None
        folder = self.folder or data_folder() / f"club-{card.club}"
        hall = Hall(card, folder, said=say, home=home)
        hall.start()
        with closing(hall), ExitStack() as held:

            def serve() -> bool:
                server = held.enter_context(closing(WallServer(hall, self.language, self.web_host, self.web)))
                say(f"{server.where} Ctrl-C ends.")
                return True

            rule = RULES[Part.PORT]
            wall = Search(rule, time.monotonic() - rule.first_s, serve, aside=lambda run: run(), told=say)
            try:
                while True:
                    wall.watched(time.monotonic())
                    time.sleep(1.0)
            except KeyboardInterrupt:
                say("The hall is closed. What was told is kept.")
        return 0


@dataclass(frozen=True, slots=True)
class TellHall:
    """What whoever runs the evening decides; ``event`` None: he asks how it stands."""

    card: Path
    event: CompetitionEvent | None

    def do(self) -> int:
        """Do it; the exit status."""
        answers: list[dict[str, Any]] = []
        heard, up = threading.Event(), threading.Event()
        card = read_card(self.card)

        def on_message(name: str, payload: bytes, _: int) -> None:
            answers.append(json.loads(payload))
            heard.set()

        answer = topic(card.club, DESK, "answer")
        link = Link(card, topics=(answer,), on_message=on_message, on_change=lambda there: up.set() if there else None)
        link.start()
        try:
            if not up.wait(ANSWER_S):
                raise ClubError(f"the club's broker at {card.host} does not answer ({link.refusal or 'nobody there'}).")
            time.sleep(0.1)  # the broker takes the question for the answer before it knows of our wish to hear
            asked = SHOW.decode() if self.event is None else json.dumps(event_to_json(self.event), ensure_ascii=False)
            link.publish(topic(card.club, DESK, "do"), asked)
            if not heard.wait(ANSWER_S):
                raise ClubError("the hall does not answer: is engarde club hall running?")
        finally:
            link.close()
        if not answers[0].get("ok"):
            raise ClubError(f"{answers[0].get('message')}.")
        if self.event is None:
            print("\n".join(answers[0]["lines"]))
        else:
            print(f"Done: event {answers[0]['events']} of the evening.")
        return 0


@dataclass(frozen=True, slots=True)
class ShowEvening:
    """An evening on this machine; ``headless``: pictures and results of it in ``out``."""

    tables: int
    seed: int
    pace: float
    language: str
    web: int
    headless: bool
    out: Path
    most: float

    def do(self) -> int:
        """Do it; the exit status."""
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


def run(args: argparse.Namespace) -> int:
    """Do it; 0 when done."""
    return club_wish(args).do()


def club_wish(args: argparse.Namespace) -> Wish:
    """What these arguments ask for. Raises ClubError."""
    kind: type[Wish] = args.kind
    if kind is Join:
        return wished(kind, args, camera=camera_given(args))
    if kind is TellHall:
        return wished(kind, args, event=None if args.words == ["show"] else event_of_words(args.words))
    return wished(kind, args)


def _tables(given: str) -> tuple[str, ...]:
    """The tables' names, from how many there are or from a list."""
    if given.isdigit():
        return tuple(str(at) for at in range(1, int(given) + 1))
    return tuple(name.strip() for name in given.split(","))


def event_of_words(words: list[str]) -> CompetitionEvent:
    """What the desk means. Raises ClubError."""
    use, made = DESK_WORDS.get(words[0], ("", None))
    if made is None:
        raise ClubError(f"{words[0]}: expected one of show, {', '.join(DESK_WORDS)}.")
    try:
        return made(words[1:])
    except (IndexError, ValueError) as error:
        raise ClubError(f"expected: {use}; found: {' '.join(words)}.") from error


def _given(words: list[str], use: str) -> dict[str, str]:
    """The words with an equals sign, all of which this ``use`` knows. Raises ValueError."""
    given = dict(each.split("=", 1) for each in words)
    if any(f"[{name}=" not in use for name in given):
        raise ValueError("a word that is not known")
    return given


def _fenced(words: list[str]) -> MatchFenced:
    bout, first, second, *more = words
    given = _given([word for word in more if word != "first"], DESK_WORDS["result"][0])
    day = date.fromisoformat(given["day"]).isoformat() if "day" in given else ""
    return MatchFenced(bout, int(first), int(second), "first" in more or int(first) > int(second), day=day)


def _corrected(words: list[str]) -> Corrected:
    bout, at, first, second, *why = words
    return Corrected(bout, int(at), int(first), int(second), int(first) > int(second), " ".join(why))


def _entered(words: list[str]) -> Entered:
    key, name, *more = words
    given = _given(more, DESK_WORDS["enter"][0])
    seed = int(given["seed"]) if "seed" in given else None
    return Entered(Entrant(key, name, given.get("club", ""), seed, int(given.get("handicap", 0))))


def _opened(words: list[str]) -> Opened:
    name, *more = words
    given = _given(more, DESK_WORDS["open"][0])
    time_s = int(given["time"]) if "time" in given else None
    points, best_of = int(given.get("points", 5)), int(given.get("best_of", 1))
    tie = Tie(given["tie"]) if "tie" in given else Tie.EXTRA
    return Opened(name, Terms(points, best_of, time_s, tie))


def _tableau(words: list[str]) -> TableauBegun:
    given = _given(words, DESK_WORDS["tableau"][0])
    number = {key: int(given[key]) if key in given else None for key in ("cut", "points", "best_of")}
    return TableauBegun(number["cut"], given.get("third") == "yes", number["points"], number["best_of"])


DESK_WORDS: Final[Mapping[str, tuple[str, Callable[[list[str]], CompetitionEvent]]]] = {
    "open": ("open NAME [points=5] [best_of=1] [time=180] [tie=extra|touch|lot]", _opened),
    "enter": ("enter ID NAME [club=..] [seed=1] [handicap=0]", _entered),
    "left": ("left ID [WHY]", lambda words: Left(words[0], " ".join(words[1:]))),
    "pools": ("pools N", lambda words: PoolsBegun(int(words[0]))),
    "tableau": ("tableau [cut=16] [third=yes] [points=10] [best_of=3]", _tableau),
    "swiss": ("swiss", lambda words: SwissBegun()),
    "round": ("round", lambda words: RoundPaired()),
    "league": ("league [LEGS]", lambda words: LeagueBegun(int(words[0]) if words else 1)),
    "result": ("result BOUT 5 3 [first] [day=2026-11-24]", _fenced),
    "correct": ("correct BOUT MATCH 5 3 [WHY]", _corrected),
    "again": ("again BOUT [WHY]", lambda words: FencedAgain(words[0], " ".join(words[1:]))),
    "lots": ("lots ID ID ..", lambda words: LotsDrawn(tuple(words))),
    "back": ("back EVENT", lambda words: TakenBack(int(words[0]))),
}
"""What the desk can say, with how it is said."""
