"""A player's own level off the scorebook: his finished matches against bots and the companion, and nobody else's."""

from __future__ import annotations

from engine.companion.companion import name_of
from engine.players.bots.strengths import OwnLevel, rival_name
from engine.rules.track import BySide, Side
from firmware.book.scorebook.book import MatchRow
from firmware.book.scores.history import Summary, level_of


def a_match(white: str, black: str, winner: Side | None) -> Summary:
    return Summary(
        match=MatchRow(1, BySide(white, black), "play", None, 0.0),
        rules="ferti-advanced",
        points=5,
        starter=Side.WHITE,
        score=BySide(0, 0),
        winner=winner,
        finished=winner is not None,
        rounds=1,
        turns=1,
        ended=(),
        problem="",
    )


def test_whoever_never_ended_a_match_against_a_bot_has_no_level() -> None:
    assert level_of("Ana", []) is None
    matches = [
        a_match("Ana", "Ben", Side.WHITE),
        a_match("Ana", rival_name("club"), None),
        a_match("Ben", rival_name("club"), Side.WHITE),
    ]
    assert level_of("Ana", matches) is None


def test_bots_and_the_companion_count_alike_on_either_side() -> None:
    matches = [a_match("Ana", rival_name("fencer"), Side.WHITE), a_match(name_of("fencer"), " ana", Side.BLACK)]
    assert level_of("Ana", matches) == OwnLevel("club", 2)
    lost = [a_match("Ana", rival_name("fencer"), Side.BLACK), a_match(name_of("fencer"), "Ana", Side.WHITE)]
    assert level_of("ANA", lost) == OwnLevel("novice", 2)
