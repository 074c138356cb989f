"""HTML and SVG elements that escape whatever is not markup itself."""

from __future__ import annotations

from html import escape
from typing import Final

VOID: Final = frozenset({"meta", "br", "line", "path", "rect", "circle", "polyline", "polygon", "use"})


class Markup(str):
    """Text that is markup already. Anything else is escaped where it is put in."""

    __slots__ = ()


def element(name: str, /, *content: str, **attributes: object) -> Markup:
    """``<name attributes>content</name>``. An attribute's underscores become hyphens, an end one (``class_``) goes."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in VOID and not content:
        return Markup(f"<{name}{written}/>")
    return Markup(f"<{name}{written}>{joined(*content)}</{name}>")


def joined(*content: str) -> Markup:
    """All of it one after the other, escaped where it is no markup."""
    return Markup("".join(each if isinstance(each, Markup) else escape(each) for each in content))


def number(value: float) -> str:
    """A coordinate, to a tenth and without needless digits."""
    return f"{value:.1f}".rstrip("0").rstrip(".") or "0"
