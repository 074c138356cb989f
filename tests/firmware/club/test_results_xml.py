"""What the XML of result software has no place for is said, not left empty."""

from __future__ import annotations

import urllib.error
import urllib.request
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from engine.competition.bouts import CompetitionError, Entrant, Terms
from engine.competition.events import Entered, LeagueBegun, MatchFenced, Opened, SwissBegun, TableauBegun
from firmware.club.evening import Evening
from firmware.club.overview import overview
from firmware.club.results_xml import ELSEWHERE, results_xml
from firmware.club.server import WallServer

if TYPE_CHECKING:
    from tests.firmware.club.conftest import Club


@pytest.mark.parametrize("way", [LeagueBegun(), SwissBegun()])
def test_what_has_no_place_in_the_xml_is_said(way: LeagueBegun | SwissBegun, tmp_path: Path) -> None:
    evening = Evening(tmp_path / "evening.jsonl")
    evening.add(Opened("Season", Terms(5)))
    for name in ("Ana", "Ben"):
        evening.add(Entered(Entrant(name, name)))
    sentence = "results.xml has pools and tableaux only"
    assert "Ana" in results_xml(evening.now).title(), "who entered can be read by other programs before anything begins"
    assert sentence not in "\n".join(overview(evening, {}))
    evening.add(way)
    with pytest.raises(CompetitionError, match=sentence):
        results_xml(evening.now)
    assert sentence in "\n".join(overview(evening, {}))
    assert evening.now is not None
    evening.add(MatchFenced(evening.now.due()[0].id, 5, 1, True))
    evening.add(TableauBegun())
    text = results_xml(evening.now)
    assert text.count(f"<!-- {sentence}") == 1
    assert text.count("<Tableau ") == 1
    assert sentence not in "\n".join(overview(evening, {}))


@pytest.mark.slow
def test_a_browser_is_told_where_the_results_are(club: Club) -> None:
    hall = club.hall()
    for event in (Opened("Season"), Entered(Entrant("a", "Ana")), Entered(Entrant("b", "Ben")), LeagueBegun()):
        hall.evening.add(event)
    with closing(WallServer(hall, "en", port=0)) as server:
        with pytest.raises(urllib.error.HTTPError, match="404") as refused:
            urllib.request.urlopen(f"{server.url}results.xml")
        told = refused.value.read().decode()
        assert told == f"{ELSEWHERE}.\n"
