"""How a match page looks: on a phone one column, on a desk two, on paper without breaks inside a turn."""

from __future__ import annotations

from display.draw.theme import Theme, mix
from display.page.figures import colour
from display.view import Tone
from engine.rules.track import Side


def style(theme: Theme) -> str:
    """The page's style sheet. No font, picture or other file is fetched by it."""
    paper, ink, soft = colour(theme.paper), colour(theme.ink), colour(theme.ink_soft)
    won = colour(theme.bands[Tone.WON].ground)
    line = colour(mix(theme.ink, theme.paper, 0.75))
    bar, on_bar, bar_soft = colour(theme.header), colour(theme.on_header), colour(theme.on_header_soft)
    gold = colour(theme.gold)
    white, black = (colour(theme.figures[side].accent) for side in Side)
    return f"""
:root {{ color-scheme: light; }}
* {{ box-sizing: border-box; }}
body {{ margin: 0 auto; padding: 1rem; max-width: 66rem; background: {paper}; color: {ink};
  font: 1rem/1.4 system-ui, sans-serif; -webkit-text-size-adjust: 100%; overflow-wrap: anywhere; }}
header {{ text-align: center; }}
h1 {{ font-size: 1.1rem; font-weight: normal; line-height: 1.2; margin: 0; padding: 0.6rem 1rem 0;
  background: {bar}; color: {bar_soft}; border-radius: 0.4rem 0.4rem 0 0; }}
.board {{ display: grid; grid-template-columns: 1fr auto 1fr; align-items: center; gap: 1rem;
  padding: 0.2rem 1rem 0.6rem; background: {bar}; color: {on_bar}; border-bottom: 4px solid {gold}; }}
.board .who {{ font-size: 1.5rem; font-weight: bold; line-height: 1.2; }}
.board .won {{ color: {gold}; }}
.board .points {{ font-size: 3.2rem; font-weight: bold; line-height: 1; white-space: nowrap; }}
@media (max-width: 34rem) {{ .board {{ gap: 0.5rem; padding-inline: 0.6rem; }} .board .who {{ font-size: 1.1rem; }}
  .board .points {{ font-size: 2.4rem; }} }}
.duel {{ display: block; margin: 0.4rem auto 0.6rem; width: min(100%, 21rem); height: auto; }}
h2 {{ font-size: 1.25rem; margin: 1.6rem 0 0.5rem; border-bottom: 2px solid {line}; break-after: avoid; }}
h3 {{ font-size: 1rem; margin: 0; }}
p {{ margin: 0.3rem 0; }}
.soft {{ color: {soft}; font-size: 0.9rem; }}
.symbols {{ position: absolute; }}
.result {{ font-size: 1.2rem; font-weight: bold; }}
.turns {{ display: grid; gap: 0.8rem; grid-template-columns: repeat(auto-fill, minmax(min(100%, 24rem), 1fr)); }}
.turn {{ background: {colour(theme.card)}; border: 1px solid {line}; border-left: 0.4rem solid {line};
  border-radius: 0.4rem; padding: 0.5rem 0.7rem; break-inside: avoid; }}
.turn.white {{ border-left-color: {white}; }}
.turn.black {{ border-left-color: {black}; }}
.turn svg.piste, svg.curve {{ display: block; width: 100%; height: auto; }}
.reviews {{ display: grid; gap: 0.6rem 1.2rem;
  grid-template-columns: repeat(auto-fill, minmax(min(100%, 24rem), 1fr)); }}
.review {{ break-inside: avoid; }}
.review ul {{ margin: 0.2rem 0; padding-left: 1.1rem; font-size: 0.9rem; }}
.deciding {{ font-weight: bold; }}
.better {{ list-style: "→ "; }}
.facts {{ display: flex; flex-wrap: wrap; gap: 0.3rem 1rem; align-items: center; margin: 0.3rem 0; }}
.attack {{ color: {colour(theme.attack)}; font-weight: bold; }}
.card {{ display: inline-block; min-width: 1.7rem; padding: 0.25rem 0.2rem; margin-right: 0.2rem; text-align: center;
  font-weight: bold; background: {colour(theme.card)}; border: 2px solid {soft}; border-radius: 0.25rem; }}
.card.attack, .card.counts {{ border: 3px solid {colour(theme.attack)}; color: {ink}; }}
.card.parry {{ border: 3px double {ink}; }}
.end {{ background: {won}; border: 1px solid {line}; border-radius: 0.4rem; margin-top: 0.8rem;
  padding: 0.5rem 0.7rem; break-inside: avoid; }}
table {{ border-collapse: collapse; }}
.scroll {{ overflow-x: auto; }}
th, td {{ border: 1px solid {line}; padding: 0.2rem 0.6rem; text-align: center; }}
th:first-child {{ text-align: left; }}
td.won {{ font-weight: bold; background: {won}; }}
a {{ color: inherit; }}
.white-name {{ border-bottom: 3px solid {white}; }}
.black-name {{ border-bottom: 3px dashed {black}; }}
@page {{ size: A4; margin: 9mm; }}
@media print {{
  html {{ font-size: 56%; }}
  body {{ background: none; max-width: none; padding: 0; font-size: 1rem; }}
  .duel {{ height: 24mm; margin: 0.2rem auto; }}
  h2 {{ margin: 0.5rem 0 0.2rem; font-size: 1.15rem; }}
  .reviews {{ grid-template-columns: repeat(3, 1fr); gap: 0.2rem 0.9rem; }}
  .review svg.curve {{ max-height: 22mm; }}
  .review ul {{ font-size: 0.85rem; line-height: 1.2; }}
  .rounds {{ columns: 3; column-gap: 0.9rem; break-before: page; }}
  .turns {{ display: block; }}
  .turn {{ background: none; border-width: 0 0 0 0.25rem; border-radius: 0; margin: 0; padding: 0 0 0 0.35rem; }}
  .turn h3 {{ font-weight: normal; font-size: 0.92rem; line-height: 1.25; }}
  .turn svg.piste, .turn .facts, .turn p, .end .soft {{ display: none; }}
  .turn:last-child svg.piste {{ display: block; max-height: 13mm; }}
  .short .turn svg.piste {{ display: block; max-height: 11mm; }}
  .short .rounds section {{ break-inside: avoid; }}
  .short .turn {{ margin-bottom: 0.5mm; }}
  .short .reviews {{ grid-template-columns: 1fr; gap: 0.6rem; }}
  .short .review svg.curve {{ max-height: 42mm; }}
  .short .review ul {{ font-size: 1.1rem; }}
  .end {{ padding: 0.1rem 0.4rem; margin: 0.15rem 0 0.4rem; font-size: 0.9rem; }}
  .end p {{ margin: 0; }}
  * {{ print-color-adjust: exact; -webkit-print-color-adjust: exact; }}
}}
""".strip()
