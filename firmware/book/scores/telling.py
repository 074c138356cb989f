"""Matches and players in the words of a language, and as tables and plots of a terminal. Nothing is printed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final

from display.i18n import Words, words
from display.view import NO_NAMES
from display.words.sentences import preset_name, score_text, shown_name, side_name, with_capital
from engine.rules.state import Reason
from engine.rules.track import BySide, Side
from firmware.book.scorebook.book import MatchRow
from firmware.book.scorebook.correction import when_text
from firmware.book.scorebook.schema import AT_A_TABLE, DEMO, SIMULATED
from firmware.book.scores.history import How, RoundFacts, Summary
from firmware.book.scores.players import House, Lengths, Player
from firmware.book.scores.ratings import RatingLine
from firmware.book.scores.terminal import GAP, Terminal, columns_of, printable, sparkline, table
from firmware.core.clock import calendar

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
_KINDS: Final = (("", AT_A_TABLE), ("At the simulated table", (SIMULATED,)), ("Demo matches", (DEMO,)))
"""Matches that are listed together, under this title."""
FULL_WIDTH: Final = 100
"""Columns of a plot where nobody wraps lines."""


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
        lines += ["", *_players(terminal, fenced), *_rating_legend(terminal, fenced)]
        lines += ["", *_trends(terminal, fenced)]
        lines.append(house_told(words("en"), [summary for summary in kept if summary.match.mode in whole.modes]))
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
    "player": lambda _, player: player.name,
    "rating": lambda terminal, player: _rating(terminal, player.rating),
    "matches": lambda _, player: str(player.tally.played),
    "won": lambda _, player: str(player.tally.won),
    "lost": lambda _, player: str(player.tally.lost),
    "points": lambda _, player: f"{player.tally.points_for}:{player.tally.points_against}",
    "form": lambda _, player: "".join("W" if won else "L" for won in player.form),
    "streak": lambda _, player: f"{abs(player.streak)} {'won' if player.streak > 0 else 'lost'}",
}
"""The columns that a table of players has, in their order."""


def _players(terminal: Terminal, players: Sequence[Player]) -> list[str]:
    """A line for each of these. Of all columns some go where there is no room."""
    head = tuple(_CELLS)
    rows = [tuple(cell(terminal, player) for cell in _CELLS.values()) for player in players]
    spare = tuple(map(head.index, ("streak", "form", "lost", "points")))
    return table(terminal, head, rows, right=(2, 3, 4, 5), spare=spare)


def _rating_legend(terminal: Terminal, fenced: Sequence[Player]) -> list[str]:
    """A line that explains the signs beside a rating."""
    text = f"{terminal.plus_minus}: the range that holds the true strength in 95 of 100 cases"
    if any(player.rating is not None and player.rating.unsure for player in fenced):
        text += "; ?: too few matches to say much yet"
    return [terminal.dim(f"{text}.")]


def _trends(terminal: Terminal, fenced: Sequence[Player]) -> list[str]:
    """Everybody's rating after each of their matches, on one scale."""
    rated = {player.name: player.rating for player in fenced if player.rating is not None and len(player.fights) > 1}
    values = {name: [rating.points for _, rating in line.after] for name, line in rated.items()}
    if not values:
        return []
    low, high = min(map(min, values.values())), max(map(max, values.values()))
    return [f"Rating after each match, from {low:.0f} to {high:.0f}", *_bars(terminal, values, low, high), ""]


def _bars(terminal: Terminal, rows: Mapping[str, Sequence[float]], low: float, high: float) -> Iterator[str]:
    """Values by their names, each row as bars between these two, and its last value."""
    margin = max(columns_of(printable(name)) for name in rows)
    width = max(10, (terminal.width or FULL_WIDTH) - margin - 2 * len(GAP) - 4)
    for name, values in rows.items():
        bars = sparkline(values, low, high, width, signs=terminal.signs)
        blanks = " " * (margin - columns_of(printable(name)))
        yield f"{printable(name)}{blanks}{GAP}{bars}{GAP}{values[-1]:.0f}"


def portrait(terminal: Terminal, say: Words, player: Player, whole: House) -> str:
    """All there is to say about one player of the house."""
    told = [rating_text(say, player.rating), *numbers_told(say, player, whole)]
    if player.form:
        form = "".join("+" if won else "-" for won in player.form)
        told.insert(1, say.say("aloud.told", what=say.say("home.form"), told=form))
    told += [against for _, against, _ in opponents_told(say, player, whole)]
    told += rivals_told(say, player, whole)
    name, curve = terminal.bold(printable(player.name)), _curve(terminal, say, player)
    return "\n".join((name, "", *_spelled(terminal, told), "", *curve)).rstrip()


def match_story(terminal: Terminal, say: Words, summary: Summary) -> str:
    """One match, a line for each finished round."""
    names, final = summary.match.names, score_text(summary.score.white, summary.score.black)
    title = f"{_with_colour(say, Side.WHITE, names.white)} {final} {_with_colour(say, Side.BLACK, names.black)}"
    if not summary.finished:
        title = say.say("past.unfinished", what=title)
    told = [day_of(say, summary.match), *facts_of(say, summary), ""]
    for number, (each, score) in enumerate(summary.scores, 1):
        what = say.say("past.round", round=number, score=score_text(score.white, score.black))
        told.append(f"{what}{GAP}{round_told(say, each, names)}")
    return "\n".join((terminal.bold(*_spelled(terminal, [title])), *_spelled(terminal, told))).rstrip()


def _with_colour(say: Words, side: Side, name: str) -> str:
    """A player and what colour they had; who has no name is called by it."""
    shown, colour = shown_name(say, side, name), side_name(say, side)
    return shown if shown == colour else f"{shown} ({colour})"


def _spelled(terminal: Terminal, lines: Sequence[str]) -> list[str]:
    return [terminal.spelled(printable(line)) for line in lines]


def _curve(terminal: Terminal, say: Words, player: Player) -> list[str]:
    """The rating after each match, between the ends of the range that holds the true strength in 95 of 100 cases."""
    if player.rating is None or len(player.rating.after) < 2:
        return []
    after = [rating for _, rating in player.rating.after]
    lows, highs = zip(*(rating.range_95 for rating in after), strict=True)
    rows = {"+": highs, "": tuple(rating.points for rating in after), "-": lows}
    return [*_spelled(terminal, [say.say("home.curve")]), *_bars(terminal, rows, min(lows), max(highs))]


def _rating(terminal: Terminal, line: RatingLine | None) -> str:
    """``1612 ± 140``, with a question mark while it says little."""
    if line is None:
        return "-"
    low, high = line.now.range_95
    return f"{line.now.points:.0f} {terminal.plus_minus} {(high - low) / 2:.0f}{' ?' if line.unsure else ''}"


def rating_text(say: Words, line: RatingLine | None) -> str:
    """A rating with its 95 % range."""
    if line is None:
        return say.say("home.unrated")
    low, high = line.now.range_95
    key = "home.unsure" if line.unsure else "home.rating"
    return say.say(key, points=round(line.now.points), reach=round((high - low) / 2))


def house_told(say: Words, summaries: list[Summary]) -> str:
    """Averages over all finished matches."""
    finished = [each for each in summaries if each.finished]
    rounds = [each for match in finished for each in match.ended]
    begun = sum(each.result.winner is each.starter for each in rounds)
    long = Lengths.of(finished)
    return say.say(
        "home.house",
        count=long.matches,
        rounds=say.decimal(long.rounds_a_match),
        turns=say.decimal(long.turns_a_round),
        share=percent(begun, len(rounds)),
    )


def percent(part: int, whole: int) -> str:
    """A share in whole percent; a dash if nothing was counted."""
    return str(round(100 * part / whole)) if whole else "-"


def numbers_told(say: Words, player: Player, whole: House) -> Iterator[str]:
    """A player's numbers, line by line; the rest is drawn."""
    counted, starts, long = player.tally, player.starts, player.lengths
    unfinished = player.unfinished
    yield say.say(
        "home.number.matches", count=counted.played, won=counted.won, lost=counted.lost, unfinished=unfinished
    )
    if not player.fights:
        return
    run = "streak_won" if player.streak > 0 else "streak_lost"
    yield say.say(f"home.number.{run}", count=abs(player.streak), longest=player.longest_streak)
    yield say.say("home.number.points", count=counted.points_for, lost=counted.points_against)
    rounds, turns = say.decimal(long.rounds_a_match), say.decimal(long.turns_a_round)
    yield say.say("home.number.length", rounds=rounds, turns=turns, drawn=long.drawn, count=long.rounds)
    share, other = percent(starts.rounds_won, starts.rounds), percent(starts.other_rounds_won, starts.other_rounds)
    yield say.say("home.number.begins", matches=starts.matches, begun=starts.rounds, share=share, other=other)
    made, lost = player.points_by, player.conceded_by
    for how in How:
        if made[how] or lost[how]:
            text = say.say(f"home.how.{how.value}")
            yield say.say("home.number.by", how=with_capital(text), made=made[how], lost=lost[how])
    for preset, same in whole.under(player).items():
        rating, each = rating_text(say, same.rating), same.tally
        yield say.say(
            "home.number.under", preset=preset_name(say, preset), rating=rating, won=each.won, played=each.played
        )


def opponents_told(say: Words, player: Player, whole: House) -> Iterator[tuple[str, str, str]]:
    """The name of every opponent, and the matches and the points made and lost against them."""
    for key, each in player.against.items():
        name = whole.name(key)
        shown = shown_name(say, Side.BLACK if name == NO_NAMES.black else Side.WHITE, name)
        matches = say.say("home.against", name=shown, won=each.won, lost=each.lost)
        yield name, matches, say.say("people.points", what=shown, count=each.points_for, lost=each.points_against)


def rivals_told(say: Words, player: Player, whole: House) -> Iterator[str]:
    """The points made and lost against every opponent, and under each preset, a line each."""
    yield from (points for _, _, points in opponents_told(say, player, whole))
    for preset, same in whole.under(player).items():
        made, lost = same.tally.points_for, same.tally.points_against
        yield say.say("people.points", what=preset_name(say, preset), count=made, lost=lost)


def day_of(say: Words, match: MatchRow) -> str:
    """The day of a match as the players' language writes it, empty where the machine had no clock."""
    began = calendar(match.wall_s)
    return "" if began is None else say.day(began.date())


def facts_of(say: Words, match: Summary) -> tuple[str, ...]:
    """When a match was played, by which rules, and how long it was; and whether its score was corrected by hand."""
    begun = calendar(match.match.wall_s)
    rules = preset_name(say, match.rules), say.say("label.points", count=match.points)
    when = () if begun is None else (begun.strftime("%H:%M"),)
    lines = [" \u00b7 ".join((*when, *rules)), say.say("past.length", rounds=match.rounds, turns=match.turns)]
    if any(match.points_by(side)[How.CORRECTED] for side in Side):
        lines.append(say.say("past.set"))
    return tuple(lines)


def round_told(say: Words, facts: RoundFacts, names: BySide[str]) -> str:
    """Who began a round, who won it, and how."""
    starter, winner = shown_name(say, facts.starter, names[facts.starter]), facts.result.winner
    if winner is None or facts.how is None:
        return say.say("past.round_drawn", starter=starter, count=facts.turns)
    won, how = shown_name(say, winner, names[winner]), say.say(f"home.how.{facts.how.value}")
    if facts.given_up and facts.how is How.STUCK:
        how = say.say("past.gave_up", name=shown_name(say, winner.other, names[winner.other]))
    elif facts.given_up:
        how = say.say("past.not_parried", how=how)
    return say.say("past.round_told", starter=starter, winner=won, count=facts.turns, how=how)
