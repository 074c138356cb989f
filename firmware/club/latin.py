"""Names in the plain letters that every receiver of fencing's own protocol reads.

Sources: ICAO Doc 9303 part 3, section 6, for Cyrillic; ISO 843 (ELOT 743), as passports have it, for Greek.
"""

from __future__ import annotations

import unicodedata
from typing import Final

_LATIN: Final = {
    "ß": "ss", "ø": "o", "ł": "l", "æ": "ae", "œ": "oe", "đ": "d", "ð": "d", "þ": "th", "ı": "i", "’": "'", "–": "-",
}  # fmt: skip
"""Those that are no plain letter with a mark on it."""
_CYRILLIC: Final = {
    "а": "a", "б": "b", "в": "v", "г": "g", "ґ": "g", "д": "d", "ђ": "d", "е": "e", "є": "ie", "ж": "zh", "з": "z",
    "ѕ": "dz", "и": "i", "і": "i", "ј": "j", "к": "k", "л": "l", "љ": "lj", "м": "m", "н": "n", "њ": "nj", "о": "o",
    "п": "p", "р": "r", "с": "s", "т": "t", "ћ": "c", "у": "u", "ф": "f", "х": "kh", "ц": "ts", "ч": "ch", "џ": "dz",
    "ш": "sh", "щ": "shch", "ъ": "ie", "ы": "y", "ь": "", "э": "e", "ю": "iu", "я": "ia",
}  # fmt: skip
_GREEK: Final = {
    "ου": "ou", "α": "a", "β": "v", "γ": "g", "δ": "d", "ε": "e", "ζ": "z", "η": "i", "θ": "th", "ι": "i", "κ": "k",
    "λ": "l", "μ": "m", "ν": "n", "ξ": "x", "ο": "o", "π": "p", "ρ": "r", "σ": "s", "ς": "s", "τ": "t", "υ": "y",
    "φ": "f", "χ": "ch", "ψ": "ps", "ω": "o",
}  # fmt: skip
_SPELT: Final = {**_LATIN, **_CYRILLIC, **_GREEK}


def plain(text: str) -> str:
    """The text in the letters of ASCII; empty where any of its letters has no such spelling here."""
    apart = unicodedata.normalize("NFKD", text)
    whole = "".join(each for each in apart if not unicodedata.combining(each))
    for letters, spelt in _SPELT.items():
        whole = whole.replace(letters, spelt)
        if letters.upper() != letters and letters != "ß":
            whole = whole.replace(letters.capitalize(), spelt.capitalize())
            whole = whole.replace(letters.upper(), spelt.capitalize())
    return whole if whole.isascii() else ""
