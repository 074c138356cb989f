"""What was worked out is kept as long as it was worked out of the very same things."""

from __future__ import annotations

from vision.memo import Memo, same_objects


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


def test_the_same_objects_are_told_from_equal_ones() -> None:
    one, alike = [1], [1]
    assert same_objects([one], [one])
    assert not same_objects([one], [alike])
    assert not same_objects([one], [one, one])
