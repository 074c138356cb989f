"""A competition's results as tables, as a page to look at, and as a file for other programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape
from typing import Final, NamedTuple

from display.i18n import Words, words
from display.words.sentences import score_text
from engine.competition.bouts import Bout, StandingLine, lines_of
from engine.competition.competition import Competition, CompetitionPhase
from engine.competition.phases import League, Pools, Tableau
from firmware.core.io.spreadsheet import csv_text

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
    rows = [[str(each.place), *_line(each.line, names)] for each in now.standing(at)]
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


def _line(line: StandingLine, names: dict[str, str]) -> list[str]:
    return [names[line.fencer], *_counted(line)]


def _counted(line: StandingLine) -> list[str]:
    return [
        f"{line.victories}/{line.bouts}",
        f"{line.indicator:+d}",
        str(line.given),
        str(line.received),
    ]


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
