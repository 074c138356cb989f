"""What was worked out is kept as long as it was worked out of the very same things."""

from __future__ import annotations

from collections.abc import Sequence

from vision.memo import Latest, Memo, same_objects


def test_each_thing_is_worked_on_once_while_it_is_among_the_things_of_each_call() -> None:
    memo: Memo[list[int], int] = Memo()
    worked: list[list[int]] = []

    def total(numbers: list[int]) -> int:
        worked.append(numbers)
        return sum(numbers)

    one, two, alike = [1, 2], [3], [1, 2]
    assert memo([one, two], total) == [3, 3]
    assert memo([two, one], total) == [3, 3]
    assert worked == [one, two]
    assert memo([one, alike], total) == [3, 3]
    assert memo([two], total) == [3]  # it was not in the last call
    assert len(worked) == 4
    memo.clear()
    assert memo([two], total) == [3]
    assert len(worked) == 5


def test_several_things_together_are_worked_on_when_any_is_another_one() -> None:
    latest: Latest[list[int], int] = Latest()
    worked: list[int] = []

    def count(things: Sequence[list[int]]) -> int:
        worked.append(len(things))
        return len(things)

    one, two, alike = [1], [2], [1]
    assert [latest((one, two), count), latest((one, two), count)] == [2, 2]
    assert worked == [2]
    assert latest((two, one), count) == 2
    assert latest((two, alike), count) == 2
    assert latest((), count) == 0
    assert latest((), count) == 0
    assert worked == [2, 2, 2, 0]


def test_the_same_objects_are_told_from_equal_ones() -> None:
    one, alike = [1], [1]
    assert same_objects([one], [one])
    assert not same_objects([one], [alike])
    assert not same_objects([one], [one, one])
