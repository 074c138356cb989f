"""What ``engarde watch --survey`` says: a sentence for each way in which cards can lie, and nothing besides."""

from __future__ import annotations

from collections.abc import Callable

from vision.printed.arrangements import ARRANGEMENTS, Laid


def test_every_way_has_its_sentence(topic_keys: Callable[[str], set[str]]) -> None:
    ways = {way.value for way in Laid} | {
        f"{each.laid.value}_alone" for each in ARRANGEMENTS if each.held and not each.cards
    }
    assert topic_keys("survey") == {f"survey.{key}" for key in ways | {"keys", "ask", "kept", "no_board", "done"}}
