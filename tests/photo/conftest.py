"""Lets the tests here, and only them, import the photographs' own modules as ``photo``."""

import sys
from pathlib import Path

TESTS = str(Path(__file__).parents[1])
if TESTS not in sys.path:
    sys.path.append(TESTS)
