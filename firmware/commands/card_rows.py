"""The cards' rows of a table file: their size and their labels' place. The rest of the file stays as it is."""

from __future__ import annotations

import re

from vision.printed.table import CardSize, LabelMargin

_SECTION = re.compile(r"^\s*\[")
_CARDS = re.compile(r"^\s*\[\s*cards\s*\]")
_OURS = re.compile(r"^\s*(size_mm|label_mm)\s*=")


def card_rows(size: CardSize, margin: LabelMargin) -> tuple[str, str]:
    """The two rows as a table file has them."""
    return (
        f"size_mm = [{size.width_mm}, {size.height_mm}]",
        f"label_mm = [{margin.across_mm}, {margin.down_mm}]",
    )


def with_cards(text: str, size: CardSize, margin: LabelMargin) -> str:
    """This table file's text with these rows in ``[cards]``, in place of such as were there."""
    lines: list[str] = []
    within = False
    for line in text.splitlines():
        if _SECTION.match(line):
            within = bool(_CARDS.match(line))
        if within and _OURS.match(line):
            continue
        lines.append(line)
        if within and _CARDS.match(line):
            lines += card_rows(size, margin)
    return "\n".join(lines) + "\n"
