"""Makes the photographs' modules in ``tests/photo/photo`` importable as ``photo``, as their tests' conftest does.

Not by a path: the folders beside it have the names of our packages, and would be imported instead of them.
"""

import sys
from pathlib import Path
from types import ModuleType

if "photo" not in sys.modules:
    package = ModuleType("photo")
    package.__path__ = [str(Path(__file__).parents[1] / "photo" / "photo")]
    sys.modules["photo"] = package
