"""Finds puzzles: bots play rounds, and every position late in one is solved with both hands open.

A script for maintainers: ``PYTHONPATH=. .venv/bin/python tests/bench/puzzle_maker.py`` writes
``engine/puzzles/data.txt`` anew; the same options write the same file. A position is taken where one turn is clearly
best, as long as its grade and its theme have room. With ``--hidden`` the opponent's hand is not known: what is asked is
proved over every hand he may hold.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Final

from puzzle_counting import depends_on_pile

import engine.puzzles
from engine.players.bots.strengths import STRENGTHS
from engine.players.players import Bot, GreedyBot, choice_event
from engine.players.simulation import play, start_round
from engine.puzzles.collection import print_puzzles
from engine.puzzles.hidden import CERTAIN, Goal, answers, worths
from engine.puzzles.puzzle import AIMS, CLEAR, GRADES, Puzzle, PuzzleTheme, grade_hidden, grade_of, theme_of
from engine.puzzles.solver import Solved, Solver, duel_of, in_any_order
from engine.record.notation import print_move
from engine.rules.cards import Card
from engine.rules.events import MatchEvent, YieldEvent
from engine.rules.legal import Play, Turn, turn_of
from engine.rules.referee import judge
from engine.rules.rulesets import DEFAULT_RULES, RULE_SETS
from engine.rules.state import FullState, Phase
from engine.rules.track import BySide, Side

OF_GRADE: Final = 10
OF_THEME: Final = 3
SEED: Final = 1
MAX_PILE: Final = 4
MAX_POSITIONS: Final = 2000
"""A puzzle takes no more work than this to solve, about a tenth of a second where it was made."""
MIN_TURNS: Final = 3
"""Legal turns to choose from; on the last defence two are enough."""
PILES: Final = {Goal.TOUCH: (2, 13), Goal.SAFE: (4, 8), Goal.FORWARD: (9, 14), Goal.BEST: (0, 1)}
"""Cards in the pile where a hand is hidden: an opening has many, where the best turn is counted out it draws the last,
and nobody is safe from a next turn that the end of the pile takes from the other."""
TEMPTING: Final = Fraction(1, 2)
"""So often a turn is safe that seems so."""
NO_CARDS: Final[BySide[tuple[Card, ...]]] = BySide((), ())
PUZZLES_FILE: Final = Path(next(iter(engine.puzzles.__path__))) / "data.txt"
NOTE: Final = "; Written by tests/bench/puzzle_maker.py: do not edit. Options:\n"


@dataclass(frozen=True, slots=True)
class Search:
    """Where puzzles are looked for: tables with so many cards in the pile, that take no more work to solve.

    ``most``: so many are enough, None for all that were asked for. ``prefix`` begins their ids. ``hidden``: without the
    opponent's hand.
    """

    least_pile: int = 0
    most_pile: int = MAX_PILE
    most_positions: int = MAX_POSITIONS
    most: int | None = None
    prefix: str = ""
    hidden: bool = False


SMALL: Final = Search()


def find(
    rng: Random,
    rules: str,
    grades: Sequence[int],
    of_grade: int,
    of_theme: int,
    about: Collection[PuzzleTheme] = (),
    search: Search | None = None,
) -> tuple[Puzzle, ...]:
    """So many puzzles of each of these grades, in their order, and no more than so many of a theme in a grade.

    Fewer where ``search`` wants no more. One at least is ``about`` each of these: it is looked for until there is one,
    in the place of another of its grade, or as one more than were wanted.
    """
    search = search or SMALL
    found: list[Puzzle] = []
    room = dict.fromkeys(grades, of_grade)
    themes: Counter[tuple[int, PuzzleTheme]] = Counter()
    for full, moves in positions(rng, rules, search):
        missing = {*about} - {each.theme for each in found}
        puzzle = hidden_of(full, moves, about) if search.hidden else puzzle_of(full, moves, search)
        if puzzle is None or puzzle.grade not in room:
            continue
        if search.hidden and any(moves.startswith(each.moves) for each in found):
            continue  # one of a round: a later one would tell what lay hidden, or what was right
        if not room[puzzle.grade] and puzzle.theme in missing:
            _make_way(found, puzzle.grade, room)
        enough = search.most is not None and len(found) >= search.most
        if enough and puzzle.theme not in missing:
            continue
        if not room[puzzle.grade] or themes[puzzle.grade, puzzle.theme] >= of_theme:
            continue
        missing.discard(puzzle.theme)
        found.append(puzzle)
        room[puzzle.grade] -= 1
        themes[puzzle.grade, puzzle.theme] += 1
        if sys.stderr.isatty():
            print(f"\r{len(found)} of {of_grade * len(grades)} puzzles", end="", file=sys.stderr, flush=True)
        enough = search.most is not None and len(found) >= search.most
        if (not any(room.values()) or enough) and not missing:
            break
    named: list[Puzzle] = []
    for grade in grades:
        graded = [each for each in found if each.grade == grade]
        named += [replace(each, id=f"{search.prefix}{grade}-{number:02}") for number, each in enumerate(graded, 1)]
    return tuple(named)


def _make_way(found: list[Puzzle], grade: int, room: dict[int, int]) -> None:
    """Drop the last puzzle of this grade that is not the only one of its theme, if there is one."""
    themes = Counter(each.theme for each in found)
    for number in range(len(found) - 1, -1, -1):
        if found[number].grade == grade and themes[found[number].theme] > 1:
            del found[number]
            room[grade] += 1
            return


def positions(rng: Random, rules: str, search: Search | None = None) -> Iterator[tuple[FullState, str]]:
    """Tables late in rounds of bots, a player to act, and the moves that led there; without end."""
    search = search or SMALL
    bots: list[Bot] = [GreedyBot(), STRENGTHS["novice"](), STRENGTHS["master"]()]
    while True:
        state, _ = judge(None, MatchEvent(rules, rng.choice(list(Side))))
        assert state is not None
        full = start_round(state, rng)
        players = BySide(rng.choice(bots), rng.choice(bots))
        moves: list[str] = []
        while full.public.to_act is not None:
            if search.least_pile <= full.public.pile <= search.most_pile:
                yield full, " ".join(moves)
            side = full.public.to_act
            choice = players[side].choose(full.view(side), rng)
            event = choice_event(full.public, choice)
            moves.append(print_move(choice if isinstance(choice, Turn) else YieldEvent(choice.cards)))
            full, _ = play(full, event)


def puzzle_of(full: FullState, moves: str, search: Search | None = None) -> Puzzle | None:
    """The puzzle this table is, with no id yet; None where it is none."""
    search = search or SMALL
    public = full.public
    solver = Solver(public.rules, in_any_order)
    duel = duel_of(public, full.hands, tuple(sorted(card.value for card in full.pile)))
    solved = solver.plays(duel)
    fewest = 2 if public.phase is Phase.FINAL else MIN_TURNS
    if len(solved) < fewest or solved[0].value - solved[1].value < CLEAR or len(solver) > search.most_positions:
        return None
    theme = theme_of(public, solver, duel)
    if theme is PuzzleTheme.SLIP_AWAY and any(each.play.parry for each in solved):
        return None  # that it could be parried, too, is nothing to explain with this theme
    return Puzzle(
        "",
        grade_of(len(solver.line(duel)), len(solved), is_obvious(full, solved[0].play)),
        theme,
        public.rules.name,
        public.starter,
        moves,
        full.hands.map(lambda hand: tuple(sorted(hand))),
    )


def hidden_of(full: FullState, moves: str, about: Collection[PuzzleTheme]) -> Puzzle | None:
    """The puzzle about one of these that this table is to whoever is to act and sees his own hand alone; None where it
    is none, and no id yet."""
    public = full.public
    side = public.to_act
    assert side is not None
    view = full.view(side)
    for theme, aim in AIMS.items():
        least, most = PILES[aim]
        if theme not in about or not least <= public.pile <= most or len(answers(view, aim)) != 1:
            continue
        solved = worths(view, aim)
        if not _is_asked(aim, solved):
            continue
        own = NO_CARDS.put(side, tuple(sorted(full.hands[side])))
        grade = grade_hidden(solved, is_obvious(full, solved[0].play))
        return Puzzle("", grade, theme, public.rules.name, public.starter, moves, own, counts=True)
    return None


def _is_asked(aim: Goal, solved: Sequence[Solved]) -> bool:
    """Whether there is something to find: turns enough, and among those that do not do it one that might."""
    best, *others = solved
    if len(solved) < MIN_TURNS:
        return False
    if aim is Goal.BEST:
        return best.value - others[0].value >= CLEAR
    if aim is Goal.TOUCH:
        return any(0 < each.value < CERTAIN for each in others)
    if aim is Goal.SAFE:
        return others[0].value >= TEMPTING
    # Without a card that would lead too far it is enough to play the highest one.
    return best.play.move > 0 and any(each.value < CERTAIN and each.play.move > best.play.move for each in others)


def is_obvious(full: FullState, best: Play) -> bool:
    """Whether the greedy bot, who sees his own hand alone, makes this turn too."""
    side = full.public.to_act
    assert side is not None
    return GreedyBot().choose(full.view(side), Random(0)) == turn_of(full.public, full.hands[side], best)


def main() -> int:
    """Find the puzzles and write them."""
    parser = argparse.ArgumentParser(description="Find puzzles anew, and write them.")
    parser.add_argument("--of-grade", type=int, default=OF_GRADE, metavar="N", help="of each (default: %(default)s)")
    parser.add_argument("--of-theme", type=int, default=OF_THEME, metavar="N", help="at most (default: %(default)s)")
    parser.add_argument("--rules", choices=sorted(RULE_SETS), default=DEFAULT_RULES.name, help="default: %(default)s")
    themes = [theme.value for theme in PuzzleTheme]
    parser.add_argument("--about", nargs="*", choices=themes, help="one at least of each (default: all)")
    parser.add_argument("--hidden", action="store_true", help="without the opponent's hand, and only what --about says")
    parser.add_argument("--seed", type=int, default=SEED, help="default: %(default)s")
    parser.add_argument("--pile", type=int, nargs=2, default=(0, MAX_PILE), metavar="N", help="cards in it, from to")
    parser.add_argument("--most-positions", type=int, default=MAX_POSITIONS, metavar="N", help="work to solve one")
    parser.add_argument("--most", type=int, metavar="N", help="of all of them together")
    parser.add_argument("--prefix", default="", help="what their ids begin with")
    parser.add_argument("--out", type=Path, default=PUZZLES_FILE, help="default: %(default)s")
    args = parser.parse_args()
    of_kind = [theme for theme in PuzzleTheme if (theme in AIMS) is args.hidden]
    about = of_kind if args.about is None else [PuzzleTheme(name) for name in args.about]
    low, high = args.pile
    search = Search(low, high, args.most_positions, args.most, args.prefix, args.hidden)
    found = find(Random(args.seed), args.rules, GRADES, args.of_grade, args.of_theme, about, search)
    if not args.hidden:
        found = tuple(replace(puzzle, counts=depends_on_pile(puzzle)) for puzzle in found)
    text = print_puzzles(found)
    how = f"--rules {args.rules} --seed {args.seed} --of-grade {args.of_grade} --of-theme {args.of_theme}"
    how += f" --pile {low} {high}" + (f" --prefix {args.prefix}" if args.prefix else "")
    how += f" --most {args.most}" if args.most else ""
    how += f"\n; --hidden --about {' '.join(theme.value for theme in about)}" if args.hidden else ""
    args.out.write_text(f"{NOTE}; {how}\n\n{text}", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
