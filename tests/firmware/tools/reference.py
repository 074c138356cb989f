"""``python -m tests.firmware.tools.reference``: ``firmware/REFERENCE.md``, from what the program declares."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from engine.strict.values import expected, plain
from firmware.cli import main
from firmware.cli.main import COMMANDS, parser_with
from firmware.core.config import SETTINGS

FILE: Final = Path(main.__file__).parents[1] / "REFERENCE.md"
_HEAD: Final = """# Reference: commands and settings

Made by `python -m tests.firmware.tools.reference` from what the program declares; a test holds it to that.
"""


def reference() -> str:
    """The whole document."""
    parts = [_HEAD]
    for name, line in COMMANDS.items():
        parts.append(f"\n## engarde {name}\n\n{line[0].upper()}{line[1:]}.\n")
        parts += _command(f"engarde {name}", _asked(name))
    parts.append(
        "\n## Settings\n\nIn `~/.config/engarde/config.toml`, under these headings; those set in the menu are in "
        "`menu.toml` beside it and hold over them.\n\n| setting | default | what it may be | |\n|---|---|---|---|\n"
    )
    return "".join((*parts, *_settings()))


def _asked(name: str) -> argparse.ArgumentParser:
    """The parser of this command."""
    (commands,) = (each for each in parser_with(name)._actions if isinstance(each, argparse._SubParsersAction))
    found: argparse.ArgumentParser = commands.choices[name]
    return found


def _command(typed: str, parser: argparse.ArgumentParser) -> Iterator[str]:
    """Its options as a table, and those of its tasks under headings of their own."""
    rows, tasks = [], []
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            tasks += [(name, task, action) for name, task in action.choices.items()]
        elif action.help != argparse.SUPPRESS and not isinstance(action, argparse._HelpAction):
            rows.append(f"| {_form(action)} | {_cell(_help(action, parser))} |\n")
    if rows:
        yield "\n| option | |\n|---|---|\n"
        yield from rows
    for name, task, among in tasks:
        told = next((each.help for each in among._choices_actions if each.dest == name), None)
        yield f"\n### {typed} {name}\n\n{_sentence(told or task.description or '')}\n"
        yield from _command(f"{typed} {name}", task)


def _form(action: argparse.Action) -> str:
    """``--paper a4|letter``, as it is typed."""
    names = ", ".join(action.option_strings)
    if action.nargs == 0:
        return f"`{names}`"
    values = action.metavar or "|".join(map(str, action.choices or ())) or action.dest.upper()
    shown = " ".join(values) if isinstance(values, tuple) else values
    return f"`{names} {shown}`".replace("` ", "`").replace("|", "\\|")


def _help(action: argparse.Action, parser: argparse.ArgumentParser) -> str:
    facts = {**vars(action), "prog": parser.prog, "choices": ", ".join(map(str, action.choices or ()))}
    return (action.help or "") % facts


def _settings() -> Iterator[str]:
    """A row for each setting, under its heading."""
    headings = [path.partition(".")[0] for path in SETTINGS]
    for path, each in sorted(SETTINGS.items(), key=lambda row: headings.index(row[0].partition(".")[0])):
        heading, _, key = path.partition(".")
        value = plain(each.kind, each.default)
        shown = str(value).lower() if isinstance(value, bool) else "" if value == [] else value
        yield f"| `[{heading}] {key}` | `{shown}` | {_cell(expected(each.kind))} | {_cell(each.about)} |\n"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:].rstrip('.')}." if text else ""


if __name__ == "__main__":
    FILE.write_text(reference(), encoding="utf-8")
    print(FILE)
