"""Matches and players as tables and plots a person looks at. Text out; nothing is printed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Final

from engine.rules.state import Reason
from engine.rules.track import Side
from firmware.book.scorebook.correction import when_text
from firmware.book.scorebook.modes import AT_A_TABLE, DEMO, SIMULATED
from firmware.book.scores.history import How, RoundFacts, Summary
from firmware.book.scores.players import House, Lengths, Player, Tally
from firmware.book.scores.ratings import RatingLine
from firmware.book.scores.terminal import GAP, Terminal, chart, columns_of, printable, sparkline, table

REASON_WORDS: Final = {
    Reason.HIT: "touch",
    Reason.NO_LEGAL_MOVE: "no move",
    Reason.MORE_ATTACK_CARDS: "cards",
    Reason.FURTHER_ADVANCED: "position",
    Reason.DRAW: "drawn",
    Reason.SAID: "as said",
    Reason.TIME: "time",
    Reason.PRIORITY: "priority",
}
HOW_WORDS: Final = {
    How.DIRECT: "touch, direct attack",
    How.INDIRECT: "touch, indirect attack",
    How.CARDS: "more cards at the end",
    How.DISTANCE: "further forward at the end",
    How.STUCK: "opponent could not move",
    How.CORRECTED: "score set by a correction",
}
_KINDS: Final = (("", AT_A_TABLE), ("At the simulated table", (SIMULATED,)), ("Demo matches", (DEMO,)))
"""Matches that are listed together, under this title."""
FULL_WIDTH: Final = 100
"""Columns of a plot where nobody wraps lines."""
PLOT_LINES: Final = 12


def overview(terminal: Terminal, whole: House, last: int | None) -> str:
    """The last so many matches (None: all), the players of those that people played to their end, and their ratings.

    At least one match. Those at the simulated table, and demos, stand beneath the others, by themselves.
    """
    kept = whole.summaries
    shown = kept if last is None else kept[-last:]
    lines: list[str] = []
    for title, modes in _KINDS:
        alike = [summary for summary in shown if summary.match.mode in modes]
        if alike:
            lines += [*([""] if lines else []), *([title] if title else []), *_matches(terminal, alike)]
    if len(shown) < len(kept):
        lines.append(terminal.dim(f"The last {len(shown)} of {len(kept)} matches; --all shows every one."))
    fenced = [player for player in whole.players if player.fights]
    if fenced:
        named = ((player.name, player) for player in fenced)
        lines += ["", *_players(terminal, "player", named), *_rating_legend(terminal, fenced)]
        lines += ["", *_trends(terminal, fenced)]
        lines += _house([summary for summary in kept if summary.match.mode in whole.modes])
    elif whole.players:
        lines += ["", "Nobody has played a match to its end yet: players are rated from their first one on."]
    return "\n".join(lines).rstrip()


def _matches(terminal: Terminal, summaries: Sequence[Summary]) -> list[str]:
    return table(
        terminal,
        ("no.", "begun", "white", "black", "score", "winner", "rules", "rounds", "turns", "rounds ended by"),
        [_match_line(summary) for summary in summaries],
        right=(0, 7, 8),
        spare=(9, 8, 7, 6, 1),
    )


def _match_line(summary: Summary) -> tuple[str, ...]:
    match, score = summary.match, summary.score
    unknown = "?" if summary.problem else "nobody" if summary.finished else "not finished"
    return (
        str(match.id),
        when_text(match.wall_s),
        *(match.names[side] for side in Side),
        f"{score.white}:{score.black}",
        match.names[summary.winner] if summary.winner is not None else unknown,
        summary.rules + (f" demo {match.seed}" if match.mode == DEMO and match.seed is not None else ""),
        str(summary.rounds),
        str(summary.turns),
        ", ".join(f"{REASON_WORDS[reason]} {count}" for reason, count in summary.reasons.items()) or "-",
    )


_CELLS: Final[Mapping[str, Callable[[Terminal, Player], str]]] = {
    "rating": lambda terminal, player: _rating(terminal, player.rating),
    "matches": lambda _, player: str(player.tally.played),
    "won": lambda _, player: str(player.tally.won),
    "lost": lambda _, player: str(player.tally.lost),
    "points": lambda _, player: _points(player.tally),
    "form": lambda _, player: _form(player),
    "streak": lambda _, player: _streak(player.streak),
}
"""The columns that a table of players has, in their order."""


def _players(
    terminal: Terminal, what: str, players: Iterable[tuple[str, Player]], without: Sequence[str] = ()
) -> list[str]:
    """A line for each of these, each with a heading of its own. Of all columns some go where there is no room."""
    head = (what, *(column for column in _CELLS if column not in without))
    rows = [(name, *(_CELLS[column](terminal, player) for column in head[1:])) for name, player in players]
    spare = () if without else tuple(map(head.index, ("streak", "form", "lost", "points")))
    return table(terminal, head, rows, right=(2, 3, 4, 5), spare=spare)


def _rating_legend(terminal: Terminal, fenced: Sequence[Player]) -> list[str]:
    """A line that explains the signs beside a rating."""
    text = f"{terminal.plus_minus}: the range that holds the true strength in 95 of 100 cases"
    if any(player.rating is not None and player.rating.unsure for player in fenced):
        text += "; ?: too few matches to say much yet"
    return [terminal.dim(f"{text}.")]


def _trends(terminal: Terminal, fenced: Sequence[Player]) -> list[str]:
    """Everybody's rating after each of their matches, on one scale."""
    rated = [(player, player.rating) for player in fenced if player.rating is not None and len(player.fights) > 1]
    if not rated:
        return []
    values = [rating.points for _, line in rated for _, rating in line.after]
    low, high = min(values), max(values)
    names = [printable(player.name) for player, _ in rated]
    margin = max(columns_of(name) for name in names)
    width = max(10, (terminal.width or FULL_WIDTH) - margin - 2 * len(GAP) - 4)
    lines = [f"Rating after each match, from {low:.0f} to {high:.0f}"]
    for name, (_, line) in zip(names, rated, strict=True):
        bars = sparkline([rating.points for _, rating in line.after], low, high, width, signs=terminal.signs)
        lines.append(f"{name}{' ' * (margin - columns_of(name))}{GAP}{bars}{GAP}{line.now.points:.0f}")
    return [*lines, ""]


def _house(summaries: Sequence[Summary]) -> list[str]:
    """Averages of all finished matches."""
    finished = [summary for summary in summaries if summary.finished]
    rounds = [each for summary in finished for each in summary.ended]
    begun = sum(each.result.winner is each.starter for each in rounds)
    long = Lengths.of(finished)
    return [
        f"{_counted(long.matches, 'match', 'matches')} played to the end: {long.rounds_a_match:.1f} rounds a match, "
        f"{long.turns_a_round:.1f} turns a round; whoever began a round won {_share(begun, len(rounds))} of them."
    ]


def portrait(terminal: Terminal, player: Player, whole: House) -> str:
    """All there is to say about one player of the house."""
    lines = [terminal.bold(printable(player.name)), ""]
    if not player.fights:
        cut = _counted(player.unfinished, "match", "matches")
        return "\n".join([*lines, f"No match played to its end yet ({cut} begun): there is nothing to count."])
    lines += _facts(terminal, player)
    lines += ["", *_points_by(terminal, player)]
    lines += ["", *_tallies(terminal, "against", [(whole.name(key), each) for key, each in player.against.items()])]
    lines += ["", *_players(terminal, "preset", whole.under(player).items(), ("form", "streak"))]
    lines += ["", *_curve(terminal, player)]
    return "\n".join(lines).rstrip()


def match_story(terminal: Terminal, summary: Summary) -> str:
    """One match, a line for each finished round."""
    names, score = summary.match.names, [0, 0]
    rows = []
    for number, each in enumerate(summary.ended, 1):
        winner = each.result.winner
        for place, side in enumerate(Side):
            score[place] += winner is side
        rows.append(
            (
                str(number),
                names[each.starter],
                str(each.turns),
                names[winner] if winner is not None else "nobody",
                _how(each),
                f"{score[0]}:{score[1]}",
            )
        )
    white, black = (printable(names[side]) for side in Side)
    final = f"{summary.score.white}:{summary.score.black}"
    head = f"Match {summary.match.id}, {when_text(summary.match.wall_s)}, {summary.rules}, to {summary.points}"
    lines = [terminal.bold(f"{white} (White) {final} {black} (Black)"), head, ""]
    if rows:
        lines += table(terminal, ("round", "began", "turns", "won by", "how", "score"), rows, right=(0, 2, 5))
    if tuple(score) != (summary.score.white, summary.score.black):
        lines.append(f"The score was set to {final} by a correction.")
    if not summary.finished:
        lines.append("It was not played to its end.")
    return "\n".join(lines)


def _how(each: RoundFacts) -> str:
    """How a round ended; nobody saw whether a player who gave up had a legal turn."""
    if each.how is None:
        return "drawn"
    if not each.given_up:
        return HOW_WORDS[each.how]
    return "opponent gave up" if each.how is How.STUCK else f"{HOW_WORDS[each.how]}, not parried"


def _facts(terminal: Terminal, player: Player) -> list[str]:
    counted, starts, length = player.tally, player.starts, player.lengths
    unfinished = f"; {player.unfinished} not finished" if player.unfinished else ""
    unsure = ", too few matches to say much yet" if player.rating is not None and player.rating.unsure else ""
    facts = (
        ("rating", _rating(terminal, player.rating).removesuffix(" ?") + unsure),
        ("matches", f"{counted.played}: {counted.won} won, {counted.lost} lost{unfinished}"),
        ("form", f"{_form(player)} (the newest last)"),
        ("streak", f"{_streak(player.streak)}; the longest was {player.longest_streak} won"),
        ("points", f"{counted.points_for} made, {counted.points_against} lost"),
        (
            "length",
            f"{length.rounds_a_match:.1f} rounds a match, {length.turns_a_round:.1f} turns a round; "
            f"{length.drawn} of {length.rounds} rounds drawn",
        ),
        (
            "begins",
            f"{starts.matches} of {counted.played} matches, {starts.rounds} of {length.rounds} rounds; "
            f"wins {_share(starts.rounds_won, starts.rounds)} of those, "
            f"{_share(starts.other_rounds_won, starts.other_rounds)} of the others",
        ),
    )
    return [f"{name:<8}{GAP}{text}" for name, text in facts]


def _points_by(terminal: Terminal, player: Player) -> list[str]:
    made, lost = player.points_by, player.conceded_by
    rows = [
        (HOW_WORDS[how], str(made[how]), _share(made[how], sum(made.values())), str(lost[how]))
        for how in How
        if how is not How.CORRECTED or made[how] or lost[how]
    ]
    rows.append(("all", str(sum(made.values())), "", str(sum(lost.values()))))
    return table(terminal, ("points by", "made", "share", "lost"), rows, right=(1, 2, 3), spare=(2,))


def _tallies(terminal: Terminal, what: str, tallies: Sequence[tuple[str, Tally]]) -> list[str]:
    rows = [(name, str(each.played), str(each.won), str(each.lost), _points(each)) for name, each in tallies]
    return table(terminal, (what, "matches", "won", "lost", "points"), rows, right=(1, 2, 3, 4))


def _curve(terminal: Terminal, player: Player) -> list[str]:
    if player.rating is None or len(player.rating.after) < 2:
        return []
    after = player.rating.after
    readings = [(rating.points, *rating.range_95) for _, rating in after]
    width = min(terminal.width or FULL_WIDTH, FULL_WIDTH)
    head = f"Rating after each of {len(after)} matches (no. {after[0][0]} to {after[-1][0]}); dots: the 95 % range"
    return [head, *chart(readings, width, PLOT_LINES, signs=terminal.signs)]


def _rating(terminal: Terminal, line: RatingLine | None) -> str:
    """``1612 ± 140``, with a question mark while it says little."""
    if line is None:
        return "-"
    low, high = line.now.range_95
    return f"{line.now.points:.0f} {terminal.plus_minus} {(high - low) / 2:.0f}{' ?' if line.unsure else ''}"


def _points(each: Tally) -> str:
    return f"{each.points_for}:{each.points_against}"


def _form(player: Player) -> str:
    return "".join("W" if won else "L" for won in player.form)


def _streak(run: int) -> str:
    return f"{abs(run)} {'won' if run > 0 else 'lost'}"


def _counted(count: int, one: str, more: str) -> str:
    return f"{count} {one if count == 1 else more}"


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "-"


def local_time(wall_s: float) -> datetime:
    """This moment in local time; 1970 for what is no time."""
    try:
        return datetime.fromtimestamp(wall_s).astimezone()
    except (ValueError, OverflowError, OSError):
        return datetime.fromtimestamp(0).astimezone()
