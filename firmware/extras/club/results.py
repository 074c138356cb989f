"""A competition's results: as tables, as a page to look at, as a file for other programs, and as A4 to print.

One font for all of a printed sheet: that of the project's other sheets, or the one of those for other scripts that has
more of its letters. A name in letters that it lacks is printed as the desk calls its fencer, and a sentence says so.
"""

from __future__ import annotations

import io
from collections.abc import Container, Iterator, Mapping
from html import escape
from typing import Any, Final, NamedTuple
from unicodedata import normalize

from display.draw.fonts import font_files
from display.i18n import Words, words
from display.words.sentences import score_text
from engine.competition.bouts import Bout, StandingLine, lines_of
from engine.competition.competition import Competition, CompetitionPhase
from engine.competition.phases import League, Pools, Tableau
from firmware.core.io.spreadsheet import csv_text
from vision.sheets.lettering import BOLD, REGULAR, can_set, fall_back_on, letters_of

SELF: Final = "■"
"""The cell of a fencer against the same fencer."""


class ResultTable(NamedTuple):
    """A title and rows; where it is ``headed``, the first of them is the heading."""

    title: str
    rows: list[list[str]]
    headed: bool = True


def tables(now: Competition, language: str, called: Mapping[str, str] | None = None) -> list[ResultTable]:
    """All that there is to show: the ranking, then each phase. ``called``: how each fencer is to be named."""
    say = words(language)
    names = dict(called) if called is not None else {key: fencer.name for key, fencer in now.fencers.items()}
    found = [
        ResultTable(
            f"{now.name} – {say.say('club.results')}",
            [
                [say.say("club.place"), say.say("club.name")],
                *([str(place), names[fencer]] for place, fencer in now.ranking()),
            ],
        )
    ]
    for at, phase in enumerate(now.phases):
        found += _phase_tables(now, at, phase, say, names)
    return found


def _phase_tables(
    now: Competition, at: int, phase: CompetitionPhase, say: Words, names: dict[str, str]
) -> Iterator[ResultTable]:
    fenced = now.fenced(at)
    if isinstance(phase, Pools):
        for number in range(len(phase.groups)):
            yield _pool(say, number, phase, phase.pool(number, fenced), names)
    if isinstance(phase, Tableau):
        for bouts in phase.rounds(fenced):
            yield ResultTable(
                say.say("club.tableau", size=2 * len(bouts)), [_bout(bout, names) for bout in bouts], False
            )
        third = [bout for bout in phase.bouts(fenced) if bout.id.endswith("T3-1")]
        if third:
            yield ResultTable(say.say("club.third"), [_bout(third[0], names)], False)
        return
    heading = ("place", "name", *COUNTED)
    rows = [[str(each.place), names[each.line.fencer], *_counted(each.line)] for each in now.standing(at)]
    title = say.say("club.league") if isinstance(phase, League) else say.say("club.round", table=at + 1)
    counted = [bout for bout in phase.bouts(fenced) if bout.scores and not bout.annulled]
    fenced_bouts = [_bout(bout, names) for bout in counted]
    if isinstance(phase, League):  # over months: when each was fenced, in that order
        fenced_bouts = sorted(
            ([_days(now, bout), *_bout(bout, names)] for bout in counted), key=lambda row: row[0][:10]
        )
    yield ResultTable(title, [[say.say(f"club.{key}") for key in heading], *rows])
    if fenced_bouts and not isinstance(phase, Pools):
        yield ResultTable(say.say("club.matches"), fenced_bouts, False)


COUNTED: Final = ("victories", "indicator", "given", "received")


def _counted(line: StandingLine) -> list[str]:
    return [f"{line.victories}/{line.bouts}", f"{line.indicator:+d}", str(line.given), str(line.received)]


def _pool(say: Words, number: int, phase: Pools, bouts: tuple[Bout, ...], names: dict[str, str]) -> ResultTable:
    """A pool's sheet as it hangs in a hall: everybody against everybody, V for a victory, and what it adds up to."""
    group = phase.groups[number]
    cells = {(one, other): "" for one in group for other in group}
    for bout in bouts:
        if bout.winner is None or bout.annulled or bout.first is None or bout.second is None:
            continue
        touches = bout.touches
        for (one, other), given in (((bout.first, bout.second), touches[0]), ((bout.second, bout.first), touches[1])):
            cells[one, other] = f"{'V' if bout.winner == one else 'D'}{given}"
    heading = [str(place) for place in range(1, len(group) + 1)]
    rows = [["", say.say("club.name"), *heading, *(say.say(f"club.{key}") for key in COUNTED)]]
    for place, (one, line) in enumerate(zip(group, lines_of(group, bouts), strict=True), 1):
        against = (SELF if one == other else cells[one, other] for other in group)
        rows.append([str(place), names[one], *against, *_counted(line)])
    return ResultTable(say.say("club.pool", table=number + 1), rows)


def _bout(bout: Bout, names: dict[str, str]) -> list[str]:
    first, second = (names.get(each or "", "–") for each in (bout.first, bout.second))
    score = score_text(*bout.touches) if bout.scores else ""
    return [first, score, second, f"→ {names[bout.winner]}" if bout.winner is not None else ""]


def _days(now: Competition, bout: Bout) -> str:
    """The day on which a bout was fenced, or the first and the last of them; empty where nobody knew it."""
    known = sorted({day for day in now.days.get(bout.id, ()) if day})
    return " – ".join(dict.fromkeys((known[0], known[-1]))) if known else ""


_STYLE: Final = (
    "body{font:1rem/1.4 'Source Sans Pro',system-ui,sans-serif;background:#f0e6d0;color:#261e1c;max-width:64rem;"
    "margin:0 auto;padding:1rem}h2{margin:1.6rem 0 .4rem}table{border-collapse:collapse;background:#fdf9f0}"
    "th,td{border:1px solid #c9b998;padding:.25rem .6rem;text-align:left;white-space:nowrap}"
    "th{background:#26212a;color:#f6efe0}.self{background:#58483e}div{overflow-x:auto}"
    "@media print{body{background:none}h2{break-after:avoid}tr{break-inside:avoid}}"
)


def results_html(now: Competition | None, language: str) -> str:
    """One page by itself: nothing fetched, no script."""
    parts = []
    for table in [] if now is None else tables(now, language):
        rows = [_row(row, "th" if table.headed and not at else "td") for at, row in enumerate(table.rows)]
        parts.append(f"<h2>{escape(table.title)}</h2><div><table>{''.join(rows)}</table></div>")
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8"><title>En Garde</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{_STYLE}</style></head>'
        f"<body>{''.join(parts)}</body></html>"
    )


def _row(row: list[str], kind: str) -> str:
    cells = (f'<{kind} class="self">' if cell == SELF else f"<{kind}>{escape(cell)}" for cell in row)
    return f"<tr>{''.join(f'{cell}</{kind}>' for cell in cells)}</tr>"


def results_csv(now: Competition | None) -> str:
    """A line a match of a bout, with a heading."""
    touches = "touches_first", "touches_second"
    rows: list[tuple[object, ...]] = [("bout", "match", "first", "second", *touches, "winner", "annulled", "day")]
    for bout in () if now is None else now.bouts:
        assert now is not None
        first, second = (now.fencers[each].name if each else "" for each in (bout.first, bout.second))
        for at, (score, day) in enumerate(zip(bout.scores, now.days.get(bout.id, ()), strict=True), 1):
            won = first if score.first_won else second
            rows.append((bout.id, at, first, second, score.first, score.second, won, int(bout.annulled), day))
    return csv_text(rows)


class Letters(NamedTuple):
    """A font for cells and one for headings, by reportlab's names, and the letters both have."""

    regular: str
    bold: str
    has: Container[int]


def results_pdf(now: Competition | None, language: str) -> bytes:
    """The results as a PDF file. Raises OSError where reportlab came without its fonts."""
    from reportlab.lib import colors
    from reportlab.lib.pagesizes import A4
    from reportlab.lib.styles import ParagraphStyle
    from reportlab.platypus import KeepTogether, Paragraph, SimpleDocTemplate, Spacer
    from reportlab.platypus import Table as Sheet

    names = [] if now is None else [fencer.name for fencer in now.fencers.values()]
    letters = _letters("".join([*names, "" if now is None else now.name]))
    called = {} if now is None else _called(now, letters.has)
    found = [] if now is None else tables(now, language, called)
    out, heading = io.BytesIO(), ParagraphStyle("heading", fontName=letters.bold, fontSize=13, leading=20)
    small = ParagraphStyle("small", fontName=letters.regular, fontSize=8.5, leading=12)
    story: list[Any] = []
    for title, rows, headed in found:
        width = max(map(len, rows))
        style: list[tuple[Any, ...]] = [
            ("GRID", (0, 0), (-1, -1), 0.4, colors.grey),
            ("FONT", (0, 0), (-1, -1), letters.regular, 8.5),
            *([("FONT", (0, 0), (-1, 0), letters.bold, 8.5)] if headed else []),
            *(
                ("BACKGROUND", (column, at), (column, at), colors.grey)
                for at, row in enumerate(rows)
                for column, cell in enumerate(row)
                if cell == SELF
            ),
        ]
        cells = [[lettered(cell, letters.has) for cell in row] + [""] * (width - len(row)) for row in rows]
        sheet = Sheet(cells, style=style, hAlign="LEFT", repeatRows=int(headed))
        story += [KeepTogether([Paragraph(escape(lettered(title, letters.has)), heading), sheet]), Spacer(1, 10)]
    if any(name not in names for name in called.values()):
        story.insert(2, Paragraph(escape(words(language).say("club.other_letters")), small))
        story.insert(3, Spacer(1, 10))
    document = SimpleDocTemplate(out, pagesize=A4, title="En Garde", invariant=1, initialFontName=letters.regular)
    document.build(story or [Spacer(1, 1)])
    return out.getvalue()


def lettered(text: str, has: Container[int]) -> str:
    """The text in letters that there are: ``ő`` as ``o`` where it must be, a question mark where there is none."""
    plain = text.replace(SELF, "").replace("→", ">")
    return "".join(
        next((one for one in (each, normalize("NFKD", each)[0]) if can_set(one, has)), "?") for each in plain
    )


def _whole(text: str, has: Container[int]) -> bool:
    """Whether nothing of it is lost in these letters."""
    return all(can_set(each, has) or can_set(normalize("NFKD", each)[0], has) for each in text)


def _called(now: Competition, has: Container[int]) -> dict[str, str]:
    """How each fencer is printed: by name, else as the desk calls them, else by number in the list."""
    called = {}
    for number, (key, fencer) in enumerate(now.fencers.items(), 1):
        called[key] = next((each for each in (fencer.name, key) if _whole(each, has)), f"{number}.")
    return called


def _letters(text: str) -> Letters:
    """The fonts to print this text in: those that have most of its letters."""
    others = (Letters(font, font, letters_of(font)) for font in fall_back_on(font_files()))
    every = (Letters(REGULAR, BOLD, letters_of(REGULAR)), *others)
    return max(every, key=lambda letters: sum(can_set(letter, letters.has) for letter in text))
