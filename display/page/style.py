"""A match page's style sheet: ``page.css`` with the colours of a theme. It fetches no font, picture or other file."""

from __future__ import annotations

from importlib import resources

from display.draw.theme import Theme, mix
from display.page.figures import colour
from display.view import Tone
from engine.rules.track import Side


def style(theme: Theme) -> str:
    """The whole style sheet, the theme's colours as its variables."""
    colours = {
        "paper": theme.paper,
        "ink": theme.ink,
        "soft": theme.ink_soft,
        "won": theme.bands[Tone.WON].ground,
        "line": mix(theme.ink, theme.paper, 0.75),
        "bar": theme.header,
        "on-bar": theme.on_header,
        "bar-soft": theme.on_header_soft,
        "gold": theme.gold,
        "card": theme.card,
        "attack": theme.attack,
        **{side.value: theme.figures[side].accent for side in Side},
    }
    variables = " ".join(f"--{name}: {colour(value)};" for name, value in colours.items())
    rules = resources.files("display.page").joinpath("page.css").read_text(encoding="utf-8")
    return f":root {{ {variables} }}\n{rules}".strip()
