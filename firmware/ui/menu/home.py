"""Statistics on the players' pages: two rivals, everybody, and one player in full."""

from __future__ import annotations

from collections.abc import Iterator

from display.i18n import Words, words
from display.menu.lines import Act, Goto
from display.menu.model import Item, Person, Rivalry
from display.view import NO_NAMES
from display.words.sentences import preset_name, score_text, shown_name, with_capital
from engine.rules.track import BySide, Side
from firmware.book.scores.history import How, Summary
from firmware.book.scores.honours import Honour, honours
from firmware.book.scores.players import House, Lengths, Player
from firmware.book.scores.ratings import RatingLine
from firmware.core.names import person_key
from firmware.table.loop.moment import People
from firmware.ui.companion.opponents import is_a_person
from firmware.ui.menu.machine import Household, day_of


class Home:
    """Statistics of the people who play here, from the matches read so far."""

    def __init__(self, machine: Household, people: People) -> None:
        self._machine, self._people = machine, people

    def rivalry(self) -> Rivalry | None:
        """The two who play now, else the last two who played; None if nobody has ever played under a name."""
        people, names, say = self._people, self._people.names, words(self._people.language)
        if names == NO_NAMES:
            named = (each.match.names for each in reversed(self._here()) if each.match.names != NO_NAMES)
            names = next(named, NO_NAMES)
        if names == NO_NAMES:
            return None
        keys = names.map(person_key)
        both = {keys.white, keys.black}
        met = [each for each in self._here() if each.winner and _keys(each) == both]
        winners = [person_key(each.match.names[each.winner]) for each in met if each.winner is not None]
        shown = BySide(*(shown_name(say, side, name) for side, name in names.items()))
        faces, won = names.map(people.picture_of), keys.map(winners.count)
        return Rivalry(shown, faces, won, say.say("home.won"), _met(say, met))

    def _here(self) -> list[Summary]:
        """The matches of this table."""
        return [each for each in self._machine.known.summaries if each.match.mode in self._machine.modes]

    def everybody(self) -> tuple[Item, ...]:
        """A line for everybody who has a match in the book, the best rated first."""
        say, people = words(self._people.language), self._people
        return tuple(
            Item(
                Goto.PERSON.of(each.name),
                each.name,
                note=rating_text(say, each.rating),
                portrait=people.picture_of(each.name),
            )
            for each in self._machine.known.house.players
            if each.fights
        )

    def in_common(self) -> str:
        """Averages over all finished matches of this table."""
        return house_told(words(self._people.language), self._here())

    def person(self, name: str) -> Person | None:
        """All statistics of a player; None for one without a match."""
        say, people, whole = words(self._people.language), self._people, self._machine.known.house
        player = whole.player(name)
        if player is None:
            return None
        counted, after = player.tally, () if player.rating is None else player.rating.after
        return Person(
            name=player.name,
            portrait=people.picture_of(player.name),
            rating=rating_text(say, player.rating),
            curve=tuple((rating.points, *rating.range_95) for _, rating in after),
            form=player.form,
            standing=say.say("home.standing", won=counted.won, lost=counted.lost),
            against=tuple(_against(say, player, whole)),
            feats=tuple(_feats(say, player, whole)),
            numbers=(*numbers_told(say, player, whole), *rivals_told(say, player, whole)),
            curve_title=say.say("home.curve"),
            form_title=say.say("home.form"),
            named=is_a_person(player.name),
        )


def _keys(summary: Summary) -> set[str]:
    return {person_key(name) for _, name in summary.match.names.items()}


def _met(say: Words, met: list[Summary]) -> str:
    if not met:
        return say.say("home.never")
    last = met[-1]
    names = {side.value: shown_name(say, side, name) for side, name in last.match.names.items()}
    score = score_text(last.score.white, last.score.black)
    return say.say("home.met", date=day_of(say, last.match.wall_s), score=score, **names)


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


def _against(say: Words, player: Player, whole: House) -> Iterator[Item]:
    for key, each in player.against.items():
        name = whole.name(key)
        shown = shown_name(say, Side.BLACK if name == NO_NAMES.black else Side.WHITE, name)
        figures = say.say("home.against", name=shown, won=each.won, lost=each.lost)
        yield Item(Goto.PERSON.of(name), figures, note=say.say("home.standing", won=each.won, lost=each.lost))


def _feats(say: Words, player: Player, whole: House) -> Iterator[Item]:
    earned = honours(player, whole)
    for honour in Honour:
        title, how = (say.say(f"home.{kind}.{honour.value}") for kind in ("honour", "honour_how"))
        if (match := earned.get(honour)) is None:
            yield Item(Act("show", honour.value), title, note=how)
        else:
            yield Item(Goto.PAST.of(match), title, value=say.say("home.in_match", number=match), note=how)


def numbers_told(say: Words, player: Player, whole: House) -> Iterator[str]:
    """A player's numbers, line by line; the rest is drawn."""
    counted, starts, long = player.tally, player.starts, player.lengths
    unfinished = player.unfinished
    yield say.say(
        "home.number.matches", count=counted.played, won=counted.won, lost=counted.lost, unfinished=unfinished
    )
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


def rivals_told(say: Words, player: Player, whole: House) -> Iterator[str]:
    """The points made and lost against every opponent, and under each preset, a line each."""
    for key, each in player.against.items():
        name = whole.name(key)
        shown = shown_name(say, Side.BLACK if name == NO_NAMES.black else Side.WHITE, name)
        yield say.say("people.points", what=shown, made=each.points_for, lost=each.points_against)
    for preset, same in whole.under(player).items():
        made, lost = same.tally.points_for, same.tally.points_against
        yield say.say("people.points", what=preset_name(say, preset), made=made, lost=lost)
