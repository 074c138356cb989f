"""Words of the game said right: those that another voice has to say, or that have to be spelled by sound, as SSML."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

FOREIGN: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {"En garde": "fr"},
    "de": {"En garde": "fr", "Maestro": "it"},
    "fr": {"Brettspielnetz": "de"},
    "nl": {"En garde": "fr", "Maestro": "it"},
}
"""By language of the screen: words that its voice says wrong, and the language whose voice says them right.

Source: what espeak-ng 1.51 makes of them by ``espeak-ng --ipa``: ``ehn gar-deh`` in German, a Dutch g, ``mestro``.
"""
SOUNDS: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {},
    "de": {
        "Parade": "paR'A:d@",
        "Riposte": "rip'Ost@",
        "nachgezogen": "n'A:xg@ts,o:g@n",
        "nachziehen": "n'A:xtsi:@n",
        "Ablagestapel": "'apl,A:g@St,A:p@l",
        "zugestoßen": "ts'u:g@St,o:s@n",
        "Unterschied": "'Unt3S,i:t",
    },
    "fr": {},
    "nl": {
        "riposte": "rip'Ost@",
        "directe": "di:r'Ekt@",
        "indirecte": "Indi:r'Ekt@",
        "trekstapel": "tr'Ekst,a:p@l",
        "opgeven": "'Opxe:v@n",
        "gelijkspel": "Q@l'EIkspEl",
        "meester": "m'e:st@r",
        "bovenste": "b'o:v@nst@",
        "achterkant": "'Axt@rk,Ant",
        "achterkanten": "'Axt@rk,Ant@n",
        "hoekmerktekens": "h'ukmErkt,e:k@ns",
        "hoekmerkteken": "h'ukmErkt,e:k@n",
        "merktekens": "m'Erkt,e:k@ns",
        "merkteken": "m'Erkt,e:k@n",
        "kaartspel": "k'a:rtspEl",
        "scoreboek": "sk'o:r@b,uk",
        "speelveld": "sp'e:lvElt",
        "overblijft": "'o:v@rbl,EIft",
        "verdergaan": "v'Erd@rQ,a:n",
        "verdergaat": "v'Erd@rQ,a:t",
        "hetzelfde": "h@tz'Elvd@",
        "jullie": "j'8li",
    },
}
"""By language: words of its own that its voice stresses wrong, and their sounds as espeak-ng spells them.

Source: ``espeak-ng -x``: it says PArade and RIposte, trekstaPEL, opGEven, DIrecte, bovenstEE, meestERR, kaartSPEL, and
in German a plain s-t in gestoßen and Stapel where a part of a word comes before them.
"""
_IN_MARKUP: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


def ssml(language: str, text: str) -> str:
    """The sentence marked up for espeak-ng. A sign after a foreign word goes with it: alone it would be spelled out."""
    text = text.translate(_IN_MARKUP)
    foreign = {word.lower(): voice for word, voice in FOREIGN[language].items()}
    sounds = {word.lower(): spelled for word, spelled in SOUNDS[language].items()}
    if not foreign and not sounds:
        return f"<speak>{text}</speak>"
    pattern = re.compile(rf"\b({'|'.join(map(re.escape, (*foreign, *sounds)))})\b[!?.,:;]?", re.IGNORECASE)
    marked, at = [], 0
    for found in pattern.finditer(text):
        word = found[1].lower()
        marked.append(text[at : found.start()])
        if word in foreign:
            marked.append(f'<voice xml:lang="{foreign[word]}">{found[0]}</voice>')
        else:
            # Before a tag a stop would be spelled out, and a tag or a bracket that touches the sounds as well.
            sign = found[0][len(word) :] if text[found.end() :].strip() else ""
            marked.append(f" [[{sounds[word]}]]{sign or ' '}")
        at = found.end()
    return f"<speak>{''.join(marked)}{text[at:]}</speak>"
