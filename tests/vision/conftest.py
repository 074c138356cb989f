"""What tests of the eyes have in common."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest


@pytest.fixture
def noting() -> Callable[..., Callable[..., Any]]:
    """``noting(calls, what, does)`` is ``does``, which first adds to ``calls`` what ``what`` says of its call."""

    def made(calls: list[Any], what: Callable[..., object], does: Callable[..., Any]) -> Callable[..., Any]:
        def called(*given: object, **how: object) -> Any:
            calls.append(what(*given))
            return does(*given, **how)

        return called

    return made
