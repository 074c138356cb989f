"""Everything that was found by changing bytes, and what reached most of the parsers, tried again."""

from __future__ import annotations

import pytest
from fuzz_targets import CORPUS, TARGETS, close_book


@pytest.mark.parametrize("name", TARGETS)
def test_what_was_found_once_is_answered_as_it_should_be(name: str) -> None:
    cases = sorted((CORPUS / name).iterdir())
    assert cases
    for path in cases:
        TARGETS[name](path.read_bytes())
    close_book()
