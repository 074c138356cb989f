"""The guide's pages as blocks of a book: as much Markdown as they use."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final
from xml.sax.saxutils import escape

from vision.sheets.book import BookBlock, BookPicture, BookTable, BookText, Heading, Listing

_ITEM: Final = re.compile(r"( *)(?:(\d+)\.|-) (.*)")
_PICTURE: Final = re.compile(r"!\[[^\]]*\]\(([^)]+)\)")
_FENCE: Final = "```"


def blocks_of(page: Path) -> Iterator[BookBlock]:
    """The page's blocks in their order; its pictures are looked for beside it."""
    lines = re.sub(r"<!--.*?-->", "", page.read_text(encoding="utf-8"), flags=re.DOTALL).splitlines()
    at = 0
    while at < len(lines):
        line = lines[at]
        at += 1
        if not line.strip():
            continue
        if line.startswith(_FENCE):
            end = lines.index(_FENCE, at)
            yield Listing("\n".join(lines[at:end]))
            at = end + 1
        elif line.startswith("#"):
            level = len(line) - len(line.lstrip("#"))
            yield Heading(level, marked_up(line[level:].strip()))
        elif line.startswith("|"):
            rows = [line]
            while at < len(lines) and lines[at].startswith("|"):
                rows.append(lines[at])
                at += 1
            yield _grid(rows, page.parent)
        elif found := _PICTURE.fullmatch(line.strip()):
            yield BookPicture(page.parent / found[1])
        else:
            while at < len(lines) and _goes_on(lines[at]):
                line = f"{line} {lines[at].strip()}"
                at += 1
            yield _words(line)


def _goes_on(line: str) -> bool:
    """Whether a line belongs to the paragraph or item before it."""
    return bool(line.strip()) and not (line.startswith(("#", "|", _FENCE, "![")) or _ITEM.match(line))


def _words(line: str) -> BookText:
    item = _ITEM.match(line)
    if item is None:
        return BookText(marked_up(line.strip()))
    return BookText(marked_up(item[3]), mark=f"{item[2]}." if item[2] else "•", depth=len(item[1]) // 2)


def _grid(rows: list[str], folder: Path) -> BookTable:
    def cell(text: str) -> str | BookPicture:
        found = _PICTURE.fullmatch(text)
        return BookPicture(folder / found[1]) if found else marked_up(text)

    cells = [[cell(each.strip()) for each in re.split(r"(?<!\\)\|", row.strip().strip("|"))] for row in rows]
    return BookTable(tuple(tuple(row) for number, row in enumerate(cells) if number != 1))


def marked_up(text: str) -> str:
    """Bold, commands, links: as reportlab's paragraphs have them. Links within the guide are its words alone."""
    made = escape(text)
    made = re.sub(r"`([^`]+)`", r'<font color="#7a1f1f">\1</font>', made)
    made = re.sub(r"\*\*([^*]+)\*\*", r"<b>\1</b>", made)
    made = re.sub(r"(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])", r'<font color="#30506e">\1</font>', made)
    made = re.sub(r"\[([^\]]+)\]\((https?://[^)]+)\)", r'<link href="\2">\1</link>', made)
    return re.sub(r"\[([^\]]+)\]\([^)]+\)", r"\1", made)
