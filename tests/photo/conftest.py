"""Lets the tests here import the photographs' own modules as ``photo``.

Not by a path: the folders beside this one have the names of our packages, and would be imported instead of them.
"""

import sys
from pathlib import Path
from types import ModuleType

if "photo" not in sys.modules:
    package = ModuleType("photo")
    package.__path__ = [str(Path(__file__).parent / "photo")]
    sys.modules["photo"] = package
