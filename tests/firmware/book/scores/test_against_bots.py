"""A player's own level off the scorebook: his finished matches against bots and the companion, and nobody else's."""

from __future__ import annotations

from engine.companion.companion import name_of
from engine.players.bots.strengths import OwnLevel, rival_name
from engine.rules.track import Side
from firmware.book.scores.history import Summary, levels_of
from tests.firmware.book.scores.conftest import a_match


def against(white: str, black: str, winner: Side | None) -> Summary:
    return a_match(1, white, black, {Side.WHITE: "ww", Side.BLACK: "bb", None: "w"}[winner])


def test_whoever_never_ended_a_match_against_a_bot_has_no_level() -> None:
    assert levels_of(["Ana"], []) == {}
    matches = [
        against("Ana", "Ben", Side.WHITE),
        against("Ana", rival_name("club"), None),
        against("Ben", rival_name("club"), Side.WHITE),
    ]
    assert levels_of(["Ana"], matches) == {}


def test_bots_and_the_companion_count_alike_on_either_side() -> None:
    matches = [against("Ana", rival_name("fencer"), Side.WHITE), against(name_of("fencer"), " ana", Side.BLACK)]
    assert levels_of(["Ana"], matches) == {"Ana": OwnLevel("club", 2)}
    lost = [against("Ana", rival_name("fencer"), Side.BLACK), against(name_of("fencer"), "Ana", Side.WHITE)]
    assert levels_of(["ANA"], lost) == {"ANA": OwnLevel("novice", 2)}
