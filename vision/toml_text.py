"""TOML that somebody may have made on purpose.

The standard library's reader keeps every beginning of a dotted key: a key of a hundred thousand parts, in a file of a
quarter of a megabyte, fills the memory of any machine.
"""

from __future__ import annotations

import re
import tomllib
from typing import Any, Final

MOST_PARTS: Final = 20
"""Of a key such as ``a.b.c``; ours have three at most."""
_PART: Final = r"""(?:[A-Za-z0-9_-]++|"[^"\n]*+"|'[^'\n]*+')"""
_LONG_KEY: Final = re.compile(rf"(?<![\w.-]){_PART}(?:[ \t]*+\.[ \t]*+{_PART}){{{MOST_PARTS}}}")


class EndlessTomlError(tomllib.TOMLDecodeError):
    """TOML that is too much to read, said in a sentence: from Python 3.14 on its base wants text and place as well."""

    def __init__(self, sentence: str) -> None:
        ValueError.__init__(self, sentence)


def parsed(text: str) -> dict[str, Any]:
    """What this TOML says. Raises TOMLDecodeError, a ValueError, also for what nests or dots without end."""
    if _LONG_KEY.search(text):
        raise EndlessTomlError(f"a key has more than {MOST_PARTS} parts")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        raise
    except RecursionError:
        raise EndlessTomlError("it nests without end") from None
    except ValueError as error:  # a number without end
        raise EndlessTomlError(str(error)) from None
