"""The people who play here: their statistics for the menu's pages, and a name corrected or forgotten."""

from __future__ import annotations

from collections.abc import Iterator

from display.i18n import Words, words
from display.menu.model import Act, Goto, Item, Person, Rivalry
from display.view import NO_NAMES
from display.words.sentences import score_text, shown_name
from engine.rules.track import BySide
from firmware.book.scorebook.people import HaveMetError
from firmware.book.scores.history import Summary
from firmware.book.scores.honours import Honour, honours
from firmware.book.scores.players import House, Player
from firmware.book.scores.telling import house_told, numbers_told, opponents_told, rating_text, rivals_told
from firmware.core.errors import EngardeError
from firmware.core.names import BadNameError, OtherLettersError, new_name, person_key
from firmware.table.loop.moment import People
from firmware.ui.companion.opponents import is_a_person
from firmware.ui.lessons.progress import Progress
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
        ways = keys, BySide(keys.black, keys.white)
        met = [each for each in self._here() if each.winner and each.match.names.map(person_key) in ways]
        winners = [person_key(each.match.names[each.winner]) for each in met if each.winner is not None]
        shown = BySide(*(shown_name(say, side, name) for side, name in names.items()))
        faces, won = names.map(people.picture_of), keys.map(winners.count)
        return Rivalry(shown, faces, won, say.say("home.won"), _met(say, met))

    def _here(self) -> list[Summary]:
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


def _met(say: Words, met: list[Summary]) -> str:
    if not met:
        return say.say("home.never")
    last = met[-1]
    names = {side.value: shown_name(say, side, name) for side, name in last.match.names.items()}
    score = score_text(last.score.white, last.score.black)
    return say.say("home.met", date=day_of(say, last.match.wall_s), score=score, **names)


def _against(say: Words, player: Player, whole: House) -> Iterator[Item]:
    standings = (say.say("home.standing", won=each.won, lost=each.lost) for each in player.against.values())
    for (name, matches, _), standing in zip(opponents_told(say, player, whole), standings, strict=True):
        yield Item(Goto.PERSON.of(name), matches, note=standing)


def _feats(say: Words, player: Player, whole: House) -> Iterator[Item]:
    earned = honours(player, whole)
    for honour in Honour:
        title, how = (say.say(f"home.{kind}.{honour.value}") for kind in ("honour", "honour_how"))
        if (match := earned.get(honour)) is None:
            yield Item(Act("show", honour.value), title, note=how)
        else:
            yield Item(Goto.PAST.of(match), title, value=say.say("home.in_match", number=match), note=how)


class Renaming:
    """Renames a player after asking."""

    def __init__(self, machine: Household, people: People, progress: Progress | None) -> None:
        """``progress`` is what people have learned here; None where nobody learns, and the file is left alone."""
        self._machine, self._people, self._progress = machine, people, progress
        self._new = ""
        self._asked: tuple[str, str | None, str] | None = None
        self._shown: tuple[str, ...] = ()

    def plays(self, name: str) -> str:
        """The refusal to rename a player of the match under way; empty for anybody else."""
        playing = person_key(name) in map(person_key, (self._people.names.white, self._people.names.black))
        return words(self._people.language).say("people.plays_now", name=name) if playing else ""

    def written(self, name: str, text: str) -> tuple[bool, str]:
        """Whether the written name has to be confirmed, and why it is refused, in words."""
        say = words(self._people.language)
        self._asked = None
        try:
            new = new_name(text)
            if new == name:
                return False, ""
            self._machine.change_of(name, new)
        except BadNameError as error:
            return False, name_refusal(error, say)
        except HaveMetError:
            return False, say.say("people.met", name=name, new=new)
        except EngardeError:
            return False, say.say("people.unchanged")
        self._new = new
        return True, ""

    def change(self, do: str, name: str) -> tuple[bool, str]:
        """Change the name everywhere, or take it out; gives success and a report in words."""
        say, new = words(self._people.language), None if do == "forget" else self._new
        self._asked = None
        try:
            change = self._machine.change_of(name, new)
            self._machine.change(change, copies=new is None)
            if self._progress is not None and new is None:
                self._progress.forget(name)
            elif self._progress is not None:
                self._progress.rename(name, change.new)
        except (EngardeError, OSError):
            return False, say.say("people.unchanged")
        self._people.names = self._people.names.map(
            lambda each: change.new if person_key(each) == person_key(name) else each
        )
        return True, say.say("people.changed", name=change.new)

    def change_of(self, do: str, name: str) -> tuple[str, ...]:
        """What would change, line by line; none if nothing can. Cached: the book is read once, not for every frame."""
        asked = name, None if do == "forget" else self._new, self._people.language
        if self._asked != asked:
            self._asked, self._shown = asked, self._changes(name, asked[1])
        return self._shown

    def _changes(self, name: str, new: str | None) -> tuple[str, ...]:
        say = words(self._people.language)
        try:
            change = self._machine.change_of(name, new)
        except EngardeError:
            return ()
        lines = [say.say("people.becomes", name=name, new=change.new, count=len(change.matches))]
        if change.joins:
            lines.append(say.say("people.joins", new=change.new))
        if new is None:
            lines.append(say.say("people.gone", name=name))
        return tuple(lines)


def name_refusal(error: BadNameError, say: Words) -> str:
    """Why this cannot be a name, in the players' language; empty for one that is empty, as nothing was wanted."""
    if isinstance(error, OtherLettersError):
        return say.say("menu.other_letters", letters=" ".join(error.letters))
    return ""
