"""``python -m display.workshop.before_after --before DIR --out DIR``: what was wrong on the screen, and how it is now.

Each finding of the day the screen was tried as its users would, with the pictures taken then, which are no part of the
project, and what is drawn of the same situations today. Writes one page and its pictures; in the last column of a
row come pictures of your own whose names begin with the finding's number (``--more``: web pages, a window on a laptop).
"""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Final

from display.draw.picture import new_surface, save_png
from display.draw.theme import DEFAULT, LARGE, Theme
from display.i18n import LANGUAGES
from display.workshop.contact_sheet import other_screens, table_screens

SMALL: Final = (800, 480)
WIDE: Final = (1280, 720)
PICTURES: Final = (".jpg", ".png")
STYLE: Final = (
    "body{font:16px sans-serif}td{vertical-align:top;padding:6px;border-top:1px solid}img{width:420px;margin:2px}"
)


@dataclass(frozen=True, slots=True)
class OldFault:
    """What was wrong, what is there now, how the names of the pictures of then begin, and which screens show it."""

    number: int
    then: str
    now: str
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    size: tuple[int, int] = SMALL
    theme: Theme = DEFAULT


FINDINGS: Final = (
    OldFault(
        1,
        "A match against the companion stood still after an undo.",
        "It is played to its end: engarde demo --bot black --headless --fast --points 1, seeds 1 to 4.",
        after=("teach-companion_deal",),
    ),
    OldFault(
        2,
        "At the simulated table the companion knew no backs, and was called Black beneath its name.",
        "It has its cards there, and one name everywhere.",
        ("bo",),
        ("teach-companion_thinking", "teach-companion_turn"),
    ),
    OldFault(
        3,
        "The giant distance contradicted the figures it was drawn over.",
        "Where a figure is misplaced none is drawn: arrows show where it belongs.",
        ("demo_007", "te4"),
        ("wrong_distance", "compare_many", "setup"),
    ),
    OldFault(
        4,
        "A question showed its answer as the largest figure, and a lamp.",
        "Neither screen nor lamp nor voice gives it away.",
        ("024",),
        ("teach-lesson_ask",),
    ),
    OldFault(
        5,
        "Large print made lessons smaller, left out lines and fencers.",
        "Nothing is smaller, what has no room is on leaves, and the cards to tap grow too.",
        ("large",),
        ("teach-lesson_do", "coach-hints_advance", "touch", "reveal", "menu-puzzle"),
        theme=LARGE,
    ),
    OldFault(
        6,
        "On a laptop buttons were drawn and dead, and there was no menu.",
        "The simulated table is played by hand with all buttons and the menu; README tells how.",
        after=("menu-opponents", "window-must_answer"),
        size=WIDE,
    ),
    OldFault(
        7,
        "A lesson at the simulated table was taken by a robot and stored as yours.",
        "The pupil lays the cards and moves; what bots do is stored for nobody.",
        after=("menu-learn",),
    ),
    OldFault(
        8,
        "The lesson's task was the smallest thing on its screen, with nothing pictured.",
        "The task is the largest, with a picture of what to do.",
        ("001", "002"),
        ("teach-lesson_setup", "teach-lesson_do"),
    ),
    OldFault(
        9,
        "Puzzles were text, and after the answer there was no way on.",
        "Piste, fencers and cards to tap; why it is best; the next puzzle.",
        ("pz",),
        ("menu-puzzle", "menu-puzzle-tapped", "menu-puzzle-2", "menu-puzzle-0"),
    ),
    OldFault(
        10,
        "Without a camera: dead ends, eighteen keys a turn, a comparison for ever.",
        "Says what is wrong, offers playing by hand at once; a turn is two taps; both ways out of a comparison show.",
        ("s2", "res1"),
        ("trouble_camera_lost", "trouble_offer", "menu-manual-advance", "compare"),
    ),
    OldFault(
        11,
        "One Esc too many ended the program unasked.",
        "Leaving the table is asked for, with playing on first.",
        after=("menu-leaving", "menu-off"),
    ),
    OldFault(
        12,
        "No picture of what the camera sees; past matches and statistics in a terminal only.",
        "Players, ratings, numbers, honours and every turn of past matches are pages of the menu.",
        ("p_past",),
        ("menu-history", "menu-past", "menu-past_round", "menu-person", "menu-numbers", "menu-sight"),
    ),
    OldFault(
        13,
        "Lamps and camera took 38 % of the window, black without a camera; captions unreadable.",
        "The table has the whole window, and captions a third of the band.",
        ("m_d", "crop"),
        ("must_answer", "window-must_answer"),
    ),
    OldFault(
        14,
        "A card laid and the fencer not yet moved was scolded.",
        "It says what to do now; nothing scolds before the turn is ended.",
        ("demo_win_06",),
        ("open_not_yet", "open_going", "open_figure"),
    ),
    OldFault(15, "Retreat and attack were offered at distance 22.", "Advance alone.", after=("round",)),
    OldFault(
        16,
        "Red warnings about hands with each normal move.",
        "Quiet for as long as a move takes; then a sentence in amber says what helps.",
        after=("waiting", "window-trouble_hand"),
    ),
    OldFault(
        17,
        "Jargon under the victory; five ones told as 5 x 1.",
        "Said as people say it: five 1s, two 4s.",
        after=("touch", "further", "menu-puzzle-0", "coach-hints_advance"),
    ),
    OldFault(
        18,
        "Names were typed and not used.",
        "Every verdict calls the players by name.",
        ("s800",),
        ("match_over", "menu-manual-match_over"),
    ),
    OldFault(
        19,
        "New match opened in its middle, with two rows a name.",
        "It begins with Begin; a row a player; hints name what one has.",
        ("o_start",),
        ("menu-start",),
    ),
    OldFault(
        20,
        "No welcome and no choice of language.",
        "The first start asks for it, and offers lessons and a match.",
        after=("menu-language", "menu-welcome", "menu-home-first"),
    ),
    OldFault(
        21,
        "The web pages were half empty, with crude figures.",
        "Drawn by the screen's hand, for telephone, television and stream; its code is on the table's screen.",
        ("web",),
    ),
    OldFault(
        22,
        "Matches of the demonstration stood among real ones.",
        "They are kept apart, as played elsewhere.",
        after=("menu-history", "menu-elsewhere"),
    ),
    OldFault(
        23,
        "A glove was cut at the window's edge on space 23.",
        "Fencers stand whole at both ends.",
        after=("ready", "score"),
    ),
    OldFault(
        24,
        "The companion's orders stood twice, word for word, without a picture.",
        "Once, with its five slots drawn.",
        after=("teach-companion_deal", "teach-companion_otherwise", "teach-companion_strange"),
    ),
)


def main(arguments: Sequence[str] | None = None) -> int:
    """Draws the table and prints where it is and what has no picture of then. Exit status 0."""
    parser = argparse.ArgumentParser(
        prog="python -m display.workshop.before_after", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--before", type=Path, required=True, metavar="DIR", help="the pictures that were taken then")
    parser.add_argument("--more", type=Path, metavar="DIR", help="pictures of now by a finding's number: 21-phone.png")
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder to write to")
    parser.add_argument("--language", choices=LANGUAGES, default="en", help="of the screens (%(default)s)")
    asked = parser.parse_args(arguments)
    screens = {**table_screens(asked.language), **other_screens(asked.language)}
    asked.out.mkdir(parents=True, exist_ok=True)
    rows: list[str] = []
    for finding in FINDINGS:
        then = _copied(asked.before, finding.before, asked.out)
        now = [f"{finding.number:02}-{name}.png" for name in finding.after]
        for name, file in zip(finding.after, now, strict=True):
            surface = new_surface(*finding.size)
            screens[name](surface, finding.theme)
            save_png(surface, asked.out / file)
        now += _copied(asked.more, (f"{finding.number:02}-", f"{finding.number}-"), asked.out) if asked.more else []
        cells = f"{escape(finding.then)}<br>{_images(then)}", f"{escape(finding.now)}<br>{_images(now)}"
        rows.append(f"<tr><td>{finding.number}</td><td>{cells[0]}</td><td>{cells[1]}</td></tr>")
    page = f'<!doctype html><meta charset="utf-8"><style>{STYLE}</style><table>{"".join(rows)}</table>'
    (asked.out / "table.html").write_text(page, encoding="utf-8")
    print(f"{len(FINDINGS)} findings, before and after: {asked.out / 'table.html'}")
    return 0


def _copied(folder: Path, begins: tuple[str, ...], out: Path) -> list[str]:
    """The pictures of this folder whose names begin so, copied into ``out``; their names there."""
    found = [
        file for file in sorted(folder.iterdir()) if file.suffix in PICTURES and begins and file.name.startswith(begins)
    ]
    for file in found:
        shutil.copyfile(file, out / file.name)
    return [file.name for file in found]


def _images(files: Sequence[str]) -> str:
    return "".join(f'<img src="{escape(file)}" alt="{escape(file)}">' for file in files)


if __name__ == "__main__":
    raise SystemExit(main())
