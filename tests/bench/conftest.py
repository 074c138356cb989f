"""Lets the tests here import the benches' own modules by their names, as the benches themselves do."""

import sys
from pathlib import Path

HERE = str(Path(__file__).parent)
if HERE not in sys.path:
    sys.path.append(HERE)
