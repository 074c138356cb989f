"""The last answer, kept while what it was made of stays the same."""

from __future__ import annotations

from firmware.ui.coach.coach import Kept


def test_an_answer_stands_until_what_it_was_made_of_changes() -> None:
    kept: Kept[int | None] = Kept()
    worked: list[int] = []

    def asked(*made_of: object) -> int | None:
        def work() -> int | None:
            worked.append(len(worked))
            return len(worked) if made_of else None

        return kept(made_of, work)

    assert [asked("a", 1), asked("a", 1), asked("a", 2), asked("a", 1)] == [1, 1, 2, 3]
    assert asked() is None
    assert asked() is None  # None is an answer as well
    assert worked == [0, 1, 2, 3]
