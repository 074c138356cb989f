"""Faults that ``bench_mutations.py`` puts into files and that change nothing anybody could notice, each with why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

SAME: Final[Mapping[tuple[str, str, str], str]] = {
    (
        "engine/rules/endings.py",
        "_NO_CARDS: Final[Counts] = (0, 0, 0, 0, 0)",
        change,
    ): "both sides get the same, and their hands are only compared with each other"
    for change in ("0 -> 1", "0 -> -1")
} | {
    (
        "engine/rules/reading.py",
        'return Refusal(RulingCode.CARD_ALREADY_PLAYED, MappingProxyType({"card": str(cards[0])}))',
        "0 -> -1",
    ): "there is one card only",
    (
        "engine/rules/legal.py",
        "room = min(room, 5)",
        "5 -> 6",
    ): "no card goes farther back than five: fewer positions share one answer",
    (
        "engine/rules/messages.py",
        """return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}\"""",
        "0 -> -1",
    ): "there is one word only",
    (
        "engine/rules/reading.py",
        "_PARRIES: Final = {(value, count): Parry(value, count) for value in range(1, 6) for count in range(1, 6)}",
        "6 -> 7",
    ): "nobody parries a six, nor with six cards",
    (
        "engine/players/players.py",
        "steps = [(unseen[step - 1], distance - step) for step in range(1, 6) if 1 <= distance - step <= 5]",
        "1 -> 0",
    ): "from six apart on no card leads nearer than one, and the one that would be nought leads nowhere",
    (
        "engine/competition/phases.py",
        "pairs = zip(places[::2], places[1::2], strict=True)",
        "True -> False",
    ): "the places are a power of two, so that both have as many",
    (
        "engine/lessons/outcome.py",
        "return False",
        "return False -> return None",
    ): "it is only asked whether a sign fits, and None does not either",
    (
        "engine/competition/phases.py",
        "return replace(bout, forfeit=here[0] if here else best)",
        "0 -> -1",
    ): "one is here, or nobody",
    ("engine/record/course.py", "return 0", "return 0 -> return None"): "it is only asked whether a round has begun",
    (
        "engine/review/chance.py",
        "side = state.to_act or Side.WHITE",
        "Side.WHITE -> (Side.BLACK)",
    ): "nobody is to act: hands are compared, and the one's chance is what the other's leaves",
    (
        "engine/table/stand_ins.py",
        "return [some for size in range(len(cards) + 1) for some in combinations(cards, size)]",
        "1 -> 2",
    ): "no combination has more cards than there are",
}
"""By file, what the line says, and the change as the bench prints it."""
