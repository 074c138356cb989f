"""For all tests: none fails because a day is slow."""

from __future__ import annotations

from hypothesis import settings

# All else stays as the environment has it; but no example may be too slow.
settings.register_profile("any_day", settings.default, deadline=None)
settings.load_profile("any_day")
