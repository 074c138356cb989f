"""For all tests: none fails because a day is slow, and none waits for garbage."""

from __future__ import annotations

import gc

from hypothesis import HealthCheck, settings

# All else stays as the environment has it; but neither an example nor the making of it may be too slow.
settings.register_profile("any_day", settings.default, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any_day")


# Left to itself Python goes through all that was made so often that taking sources apart takes three times as long.
gc.set_threshold(100_000, 20, 50)
