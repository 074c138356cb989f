"""The voice: what the referee calls, spoken by espeak-ng in the players' language, or from the owner's recordings.

Speaking is prepared in a thread of its own, so that the loop never waits for it. What is said again is remembered.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Final

from display.i18n import locale_data

_PROGRAM: Final = "espeak-ng"
_WORDS_A_MINUTE: Final = 150
_MAX_KEPT: Final = 200
_TIMEOUT_S: Final = 6.0

Speak = Callable[[str, str], bytes]
"""A language and words to a WAV file's bytes; empty where that failed."""

SUFFIXES: Final = (".wav", ".ogg")


def recording(folder: Path, key: str) -> Path | None:
    """The file in a folder of recordings that is named after this sound key; None without one."""
    return next((path for suffix in SUFFIXES if (path := folder / f"{key}{suffix}").is_file()), None)


def by_espeak(language: str, text: str) -> bytes:
    """Speech of espeak-ng, as a WAV file's bytes; empty where it fails or takes too long."""
    command = [_PROGRAM, "-m", "-v", locale_data(language).voice, "-s", str(_WORDS_A_MINUTE), "--stdout", "--stdin"]
    try:
        done = subprocess.run(
            command, input=ssml(language, text).encode(), capture_output=True, timeout=_TIMEOUT_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return b""
    return done.stdout if done.returncode == 0 else b""


class Voice:
    """Prepares one call after the other; ``take`` hands over the newest once it is ready. ``notice``: as a player."""

    def __init__(
        self, speak: Speak | None, recordings: Path | None = None, *, moves: bool = False, full: bool = False
    ) -> None:
        """``speak`` None: only what was recorded is said. ``moves``: calls without a key are spoken too. ``full``: all
        that the screen says is to be read out instead of calls."""
        self._speak = speak
        self._recordings = recordings
        self._moves = moves or full
        self.full = full
        self._kept: dict[tuple[str, str], bytes] = {}
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="voice")
        self._coming: Future[bytes] | None = None
        self.notice = ""

    def prepare(self, language: str, key: str, text: str) -> None:
        """Get ready to say this; whatever was not said yet is dropped."""
        if self._coming is not None:
            self._coming.cancel()
        wanted = bool(text) and (bool(key) or self._moves)
        self._coming = self._pool.submit(self._made, language, key, text) if wanted else None

    def take(self) -> bytes | None:
        """The call that is ready, once; None while none is."""
        if self._coming is None or not self._coming.done():
            return None
        made, self._coming = self._coming, None
        return None if made.cancelled() or made.exception() is not None else made.result() or None

    def close(self) -> None:
        """Say nothing more."""
        self._coming = None
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _made(self, language: str, key: str, text: str) -> bytes:
        path = recording(self._recordings / language, key) if self._recordings is not None and key else None
        if path is not None:
            return path.read_bytes()
        if self._speak is None:
            return b""
        known = self._kept.get((language, text))
        if known is not None:
            return known
        made = self._speak(language, text)
        if made and len(self._kept) < _MAX_KEPT:
            self._kept[language, text] = made
        return made


def open_voice(way: str, recordings: Path | None = None) -> Voice | None:
    """The voice that the settings ask for, or None; where it has to do without espeak-ng its notice says so."""
    if way == "off":
        return None
    there = shutil.which(_PROGRAM) is not None
    voice = Voice(by_espeak if there else None, recordings, moves=way == "all", full=way == "full")
    if not there:
        kept = "only your recordings are heard" if recordings is not None else "calls are shown only"
        voice.notice = f"There is no voice: {_PROGRAM} is not installed, {kept}; apt-get install {_PROGRAM} brings it."
    return voice


_IN_MARKUP: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})


def ssml(language: str, text: str) -> str:
    """The sentence marked up for espeak-ng. A sign after a foreign word goes with it: alone it would be spelled out."""
    text = text.translate(_IN_MARKUP)
    foreign = {word.lower(): voice for word, voice in locale_data(language).foreign.items()}
    sounds = {word.lower(): spelled for word, spelled in locale_data(language).sounds.items()}
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


SETTLED_S: Final = 0.5
"""Text that changes sooner is not read: a preview follows every card that is laid."""
_ENDS: Final = (".", "!", "?", ":", "…")


class Reader:
    """Turns what stands on the screen, sentence by sentence, into what is to be said now."""

    def __init__(self) -> None:
        self._said: tuple[str, ...] = ()
        self._now: tuple[str, ...] = ()
        self._since_s = 0.0
        self._page = ""

    def news(self, sentences: Sequence[str], now_s: float, page: str = "") -> str:
        """The sentences to say at this time, those that did not stand there before; empty for none.

        On another ``page`` than the one that was read last all of it is new, and so is all after it.
        """
        shown = tuple(sentence for sentence in sentences if sentence)
        if page != self._page:
            self._said, self._page = (), page
        if shown != self._now:
            self._now, self._since_s = shown, now_s
        if shown == self._said or now_s - self._since_s < SETTLED_S:
            return ""
        fresh = [sentence for sentence in shown if sentence not in self._said]
        self._said = shown
        return " ".join(ended(sentence) for sentence in fresh)


def ended(sentence: str) -> str:
    """The sentence with a stop, so that a voice pauses after it."""
    return sentence if sentence.rstrip("\u00a0 ”»").endswith(_ENDS) else f"{sentence}."
