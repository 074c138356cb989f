"""The fixed calls and the lessons spoken once by piper, a better voice than espeak-ng's, as recordings to be kept.

Where piper and its voices come from: https://github.com/OHF-Voice/piper1-gpl. Neither is brought here.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from display.i18n import LANGUAGES, PLAYERS, placeholders, words
from display.words.present import CALL_KEYS, call_text
from firmware.core.errors import EngardeError

PROGRAM: Final = "piper"
_TIMEOUT_S: Final = 60.0


def calls(language: str, *, lessons: bool = True) -> Iterator[tuple[str, str]]:
    """Every call that is always the same, as a recording is named, and its words."""
    say = words(language)
    for key in CALL_KEYS:
        yield key, call_text(say, key)
    for key, sentence in say.entries.items():
        if lessons and key.startswith("lessons.") and placeholders(sentence) <= PLAYERS:
            yield key, say.say(key)


def model_of(folder: Path, language: str) -> Path | None:
    """The voice for a language: the first model whose name begins with it, as piper's own are named (de_DE-...)."""
    return next(iter(sorted(folder.glob(f"{language}[_-]*.onnx"))), None)


def render(program: str, model: Path, text: str, file: Path) -> None:
    """Have piper say this into a file. Raises EngardeError where it does not."""
    command = [program, "--model", str(model), "--output_file", str(file)]
    try:
        done = subprocess.run(
            command, input=text, text=True, capture_output=True, timeout=_TIMEOUT_S, encoding="utf-8", check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise EngardeError(f"{program} said nothing with {model}: {error}; try it alone with that model.") from error
    if done.returncode or not file.is_file():
        last = done.stderr.strip().splitlines()[-1:] or [f"exit status {done.returncode}"]
        raise EngardeError(f"{program} said nothing with {model}: {last[0]}; try it alone with that model.")


def main(arguments: list[str] | None = None) -> int:
    """Render what is not there yet; 1, with a sentence, where that cannot be done."""
    parser = argparse.ArgumentParser(description="Have piper speak the fixed calls and the lessons, as recordings.")
    parser.add_argument(
        "--models", type=Path, required=True, metavar="DIR", help="piper's voices: en_*.onnx, de_*.onnx and so on"
    )
    parser.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="the folder that [sound] recordings names"
    )
    parser.add_argument("--language", choices=LANGUAGES, action="append", help="default: each that has a voice there")
    parser.add_argument("--calls-only", action="store_true", help="without the lessons, which take some minutes")
    args = parser.parse_args(arguments)
    program = shutil.which(PROGRAM)
    if program is None:
        print(f"{PROGRAM} is not installed: pip install piper-tts brings it, and nothing was spoken.", file=sys.stderr)
        return 1
    languages = args.language or [each for each in LANGUAGES if model_of(args.models, each) is not None]
    try:
        for language in languages:
            _render_all(program, args.models, language, args.out, lessons=not args.calls_only)
    except (EngardeError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    if not languages:
        print(f"{args.models}: expected voices such as en_GB-alba-medium.onnx, found none.", file=sys.stderr)
    return 0 if languages else 1


def _render_all(program: str, models: Path, language: str, out: Path, *, lessons: bool) -> None:
    model = model_of(models, language)
    if model is None:
        raise EngardeError(f"{models}: expected a voice for {language}, {language}_*.onnx, found none; fetch one.")
    folder = out / language
    folder.mkdir(parents=True, exist_ok=True)
    spoken = 0
    for key, text in calls(language, lessons=lessons):
        file = folder / f"{key}.wav"
        if not file.exists():
            render(program, model, text, file)
            spoken += 1
    print(f"{folder}  {spoken} spoken by {model.name}")


if __name__ == "__main__":
    sys.exit(main())
