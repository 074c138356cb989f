"""Fencing words said right: which words of a sentence another voice has to say, as SSML for espeak-ng."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final
from xml.sax.saxutils import escape

FOREIGN: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {"En garde": "fr"},
    "de": {"En garde": "fr", "Riposte": "fr", "Maestro": "it"},
    "fr": {},
    "nl": {"En garde": "fr", "Riposte": "fr", "Maestro": "it"},
}
"""By language of the screen: words that its voice says wrong, and the language whose voice says them right.

Source: what espeak-ng 1.51 makes of them by ``espeak-ng --ipa``: ``ehn gar-deh`` in German, a Dutch g, ``mestro``.
"""


def ssml(language: str, text: str) -> str:
    """The sentence marked up for espeak-ng. A sign after a foreign word goes with it: alone it would be spelled out."""
    words = FOREIGN[language]
    if not words:
        return f"<speak>{escape(text)}</speak>"
    pattern = re.compile(rf"\b({'|'.join(map(re.escape, words))})\b[!?.,:;]?", re.IGNORECASE)
    by_word = {word.lower(): voice for word, voice in words.items()}
    marked, at = [], 0
    for found in pattern.finditer(text):
        voice = by_word[found[1].lower()]
        marked += [escape(text[at : found.start()]), f'<voice xml:lang="{voice}">{escape(found[0])}</voice>']
        at = found.end()
    return f"<speak>{''.join(marked)}{escape(text[at:])}</speak>"
