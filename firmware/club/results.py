"""A competition's results as a page to look at, a table for other programs, and sheets to print."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from html import escape
from typing import Any

from display.i18n import Words, words
from engine.competition.bouts import Bout
from engine.competition.competition import Competition, Phase
from engine.competition.league import League
from engine.competition.pools import Pools
from engine.competition.standing import Line
from engine.competition.tableau import Tableau

Table = tuple[str, list[list[str]]]
"""A title and rows, the first of them the heading."""


def tables(now: Competition, language: str) -> list[Table]:
    """All that there is to show: the ranking, then each phase."""
    say = words(language)
    names = {name: fencer.name for name, fencer in now.fencers.items()}
    found: list[Table] = [
        (
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


def _phase_tables(now: Competition, at: int, phase: Phase, say: Words, names: dict[str, str]) -> Iterator[Table]:
    fenced = now.fenced(at)
    if isinstance(phase, Pools):
        for number in range(len(phase.groups)):
            yield _pool(say, number, phase, phase.pool(number, fenced), names)
    if isinstance(phase, Tableau):
        for bouts in phase.rounds(fenced):
            yield say.say("club.tableau", size=2 * len(bouts)), [_bout(bout, names) for bout in bouts]
        third = [bout for bout in phase.bouts(fenced) if bout.id.endswith("T3-1")]
        if third:
            yield say.say("club.third"), [_bout(third[0], names)]
        return
    heading = ("place", "name", "victories", "indicator", "given", "received")
    rows = [[str(each.place), *_line(each.line, names)] for each in now.standing(at)]
    title = say.say("club.league") if isinstance(phase, League) else say.say("club.round", table=at + 1)
    yield title, [[say.say(f"club.{key}") for key in heading], *rows]


def _line(line: Line, names: dict[str, str]) -> list[str]:
    return [
        names[line.fencer],
        f"{line.victories}/{line.bouts}",
        f"{line.indicator:+d}",
        str(line.given),
        str(line.received),
    ]


def _pool(say: Words, number: int, phase: Pools, bouts: tuple[Bout, ...], names: dict[str, str]) -> Table:
    """A pool's sheet as it hangs in a hall: everybody against everybody, V for a victory at the most touches."""
    group = phase.groups[number]
    cells = {(one, other): "" for one in group for other in group}
    for bout in bouts:
        if bout.winner is None or bout.annulled or bout.first is None or bout.second is None:
            continue
        touches = bout.touches
        for (one, other), given in (((bout.first, bout.second), touches[0]), ((bout.second, bout.first), touches[1])):
            cells[one, other] = f"{'V' if bout.winner == one else 'D'}{given}"
    rows = [["", say.say("club.name"), *(str(place) for place in range(1, len(group) + 1))]]
    for place, one in enumerate(group, 1):
        rows.append([str(place), names[one], *("■" if one == other else cells[one, other] for other in group)])
    return say.say("club.pool", table=number + 1), rows


def _bout(bout: Bout, names: dict[str, str]) -> list[str]:
    first, second = (names.get(each or "", "–") for each in (bout.first, bout.second))
    score = f"{bout.touches[0]}:{bout.touches[1]}" if bout.scores else ""
    return [first, score, second, f"→ {names[bout.winner]}" if bout.winner is not None else ""]


def results_html(now: Competition | None, language: str) -> str:
    """One page by itself: nothing fetched, no script."""
    parts = []
    for title, rows in [] if now is None else tables(now, language):
        body = "".join(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row)}</tr>" for row in rows)
        parts.append(f"<h2>{escape(title)}</h2><table>{body}</table>")
    return (
        f'<!doctype html><html lang="{language}"><head><meta charset="utf-8"><title>En Garde</title></head>'
        f"<body>{''.join(parts)}</body></html>"
    )


def results_csv(now: Competition | None) -> str:
    """A line a match of a bout, with a heading; a cell that a spreadsheet would work out begins with an apostrophe."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["bout", "match", "first", "second", "touches_first", "touches_second", "winner", "annulled"])
    for bout in () if now is None else now.bouts:
        for at, score in enumerate(bout.scores, 1):
            assert now is not None
            first, second = (_cell(now.fencers[each or ""].name) for each in (bout.first, bout.second))
            won = first if score.first_won else second
            writer.writerow([bout.id, at, first, second, score.first, score.second, won, int(bout.annulled)])
    return out.getvalue()


def _cell(text: str) -> str:
    return f"'{text}" if text[:1] in ("=", "+", "-", "@") else text


def results_pdf(now: Competition | None, language: str) -> bytes:
    """The same to print, A4."""
    from reportlab.lib import colors
    from reportlab.lib.pagesizes import A4
    from reportlab.lib.styles import getSampleStyleSheet
    from reportlab.platypus import Paragraph, SimpleDocTemplate, Spacer, TableStyle
    from reportlab.platypus import Table as Sheet

    out, styles = io.BytesIO(), getSampleStyleSheet()
    story: list[Any] = []
    for title, rows in [] if now is None else tables(now, language):
        width = max(map(len, rows))
        cells = [[cell.replace("■", "x").replace("→", ">") for cell in row] + [""] * (width - len(row)) for row in rows]
        grid = TableStyle([("GRID", (0, 0), (-1, -1), 0.4, colors.grey), ("FONTSIZE", (0, 0), (-1, -1), 9)])
        story += [Paragraph(escape(title), styles["Heading2"]), Sheet(cells, style=grid, hAlign="LEFT"), Spacer(1, 8)]
    SimpleDocTemplate(out, pagesize=A4, title="En Garde", invariant=1).build(story or [Spacer(1, 1)])
    return out.getvalue()
