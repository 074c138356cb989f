"""Lets the tests here import the simulation's modules by their names, as the bench does."""

import sys
from pathlib import Path

HERE = str(Path(__file__).parent)
if HERE not in sys.path:
    sys.path.append(HERE)
