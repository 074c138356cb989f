"""The menu's pages of the self-test: every check with its verdict, and one of them with all that was found."""

from __future__ import annotations

from dataclasses import dataclass

from display.i18n import Words
from display.menu.lines import Goto, Of
from display.menu.model import Item, Page


@dataclass(frozen=True, slots=True)
class CheckLine:
    """One check: its number, what it looks at, how that is, and its page line by line; ``well``: it passed."""

    number: str
    heading: str
    verdict: str
    lines: tuple[str, ...]
    well: bool = False


def checks_page(say: Words, checks: tuple[CheckLine, ...]) -> Page:
    """Every check in the order of the numbers, to be opened; none while they are still being made."""
    # Only what is well has its verdict at the end of its line, where a tick stands beside it.
    items = tuple(
        Item(Of(Goto.CHECK, each.number), each.heading, value=each.verdict)
        if each.well
        else Item(Of(Goto.CHECK, each.number), f"{each.heading} – {each.verdict}")
        for each in checks
    )
    return Page(say.say("menu.checks"), items, () if checks else (say.say("checks.wait"),))


def check_page(say: Words, checks: tuple[CheckLine, ...], number: str) -> Page:
    """One check; what it stands for no more while they are made again."""
    check = next((each for each in checks if each.number == number), None)
    if check is None:
        return Page(say.say("menu.checks"), (), (say.say("checks.wait"),))
    return Page(check.heading, (), check.lines)
