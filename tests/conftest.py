"""For all tests: none fails because a day is slow."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

# All else stays as the environment has it; but neither an example nor the making of it may be too slow.
settings.register_profile("any_day", settings.default, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any_day")
