"""Pages of a few large tiles with pictures: where one begins, in a match, after one, and what lies behind them."""

from __future__ import annotations

from typing import Final

from display.i18n import Words
from display.menu.context import MenuContext
from display.menu.learning import STAR, teaching_page, to_warm_up
from display.menu.lines import Do, Goto, Line, Of
from display.menu.model import Item, Page
from display.words.sentences import shown_name
from engine.players.bots.strengths import RIVALS
from engine.puzzles.collection import puzzle_of_the_day
from engine.rules.state import Phase
from engine.rules.track import Side

NAME: Final = "En Garde"
ACROSS: Final = 3
"""So many tiles stand side by side."""


def tile(say: Words, key: Line, name: str, sign: str, *, text: str = "", note: str = "") -> Item:
    """A tile with this picture; its words are ``tiles.NAME`` and ``tiles.NAME_note`` where none are given."""
    note = note or say.say(f"tiles.{name}_note")
    return Item(key, text or say.say(f"tiles.{name}"), note=note, sign=sign)


def tiles_page(title: str, *tiles: Item | None, lines: tuple[str, ...] = ()) -> Page:
    """These tiles; None is left out."""
    return Page(title, tuple(each for each in tiles if each is not None), lines, columns=ACROSS, gallery=True)


def home_page(say: Words, context: MenuContext) -> Page:
    """Who played last, and what there is to do: go on or begin as last time, first of all."""
    names = context.names if context.against not in RIVALS else context.names.put(Side.BLACK, context.against)
    two = " \u2013 ".join(shown_name(say, side, names[side]) for side in Side)
    begins = Item(Do.BEGIN, say.say("tiles.play"), note=say.say("tiles.begin_note", two=two), sign="swords")
    first = tile(say, Do.CLOSE, "go_on", "play") if is_playing(context) else begins
    page = tiles_page(NAME, first, *_at_leisure(say, context), tile(say, Goto.MORE, "more", "menu"))
    return Page(NAME, page.items, columns=ACROSS, gallery=True, rivalry=context.rivalry)


def _at_leisure(say: Words, context: MenuContext) -> tuple[Item | None, ...]:
    """What there is to do but to play."""
    learn = puzzle = None
    if context.lessons:
        done = sum(bool(line.learned) for line in context.lessons)
        stars = sum(line.stars for line in context.lessons)
        told = say.say("tiles.learn_note", count=done, of=len(context.lessons), stars=f"{stars} {STAR}")
        learn = Item(Goto.LEARN, say.say("tiles.learn"), note=told, sign="star")
    if context.puzzles and not context.teaching:
        puzzle = tile(say, Of(Goto.PUZZLE, puzzle_of_the_day(context.day).id), "puzzle", "question")
    matches = tile(say, Goto.HISTORY, "matches", "crown", note=say.say("menu.history_note"))
    return learn, puzzle, matches, tile(say, Goto.PEOPLE, "players", "", note=say.say("menu.people_note"))


def is_playing(context: MenuContext) -> bool:
    """Whether a match goes on."""
    return context.state is not None and context.state.phase is not Phase.MATCH_OVER


def main_page(say: Words, context: MenuContext) -> Page:
    """In a match: to pause, to take back, what helps where something is wrong, to stop. Else where one begins."""
    if context.teaching:
        more = tuple(line(say, page) for page in (Goto.SETTINGS, Goto.SIGHT, Goto.OFF))
        return teaching_page(say, more, puzzling=context.puzzling)
    if not is_playing(context):
        return home_page(say, context)
    back = None
    if context.last:
        back = tile(say, Do.UNDO, "take_back", "arrow_left", note=say.say("menu.undo_note", what=context.last))
    pause = Do.RESUME if context.paused else Do.PAUSE
    return tiles_page(
        say.say("menu.title"),
        tile(say, Do.CLOSE, "go_on", "play", note=say.say("menu.go_on_note")),
        tile(say, pause, pause.value, "pause", note=say.say(f"menu.{pause.value}_note")),
        back,
        tile(say, Goto.WRONG, "wrong", "speech"),
        tile(say, Goto.OFF, "stop", "cross"),
        tile(say, Goto.MORE, "more", "menu"),
    )


def wrong_page(say: Words, context: MenuContext) -> Page:
    """What helps where the record, the camera or the machine is wrong."""
    state = context.state
    items = [line(say, Goto.CORRECT)] if state is not None and state.round else []
    if is_playing(context):
        items += [line(say, Goto.MANUAL), line(say, Goto.PLAIN)]
    items += [line(say, page) for page in (Goto.SIGHT, Goto.HEALTH)]
    return Page(say.say("tiles.wrong"), tuple(items))


def more_page(say: Words, context: MenuContext) -> Page:
    """All else: help in this match, other matches, learning, and the machine."""
    items = [coach_line(say, do) for do in context.coach if do is not Do.BEGIN_OPEN]
    items += [line(say, Goto.HAND)] if context.settings.get("voice") == "full" else []
    items += [line(say, Goto.START), *to_warm_up(say, context)]
    if is_playing(context):
        items += [each for each in _at_leisure(say, context) if each is not None]
    if context.puzzles and not context.teaching:
        items.append(Item(Goto.PUZZLES, say.say("lessons.menu.puzzles"), note=say.say("lessons.menu.puzzles_note")))
    items += [line(say, page) for page in (Goto.SETTINGS, Goto.SIGHT, Goto.HEALTH, Goto.CARE, Goto.OFF)]
    return Page(say.say("tiles.more"), tuple(items), columns=2)


def over_page(say: Words, context: MenuContext) -> Page:
    """A match is over: another one of the same two, a look back at it, and something of it to show."""
    number = context.number
    two = " \u2013 ".join(shown_name(say, side, context.names[side]) for side in Side)
    again = Item(Do.BEGIN, say.say("tiles.rematch"), note=say.say("tiles.begin_note", two=two), sign="swords")
    return tiles_page(
        say.say("tiles.over"),
        again,
        tile(say, Of(Goto.PAST, number), "review", "eye") if number else None,
        tile(say, Of(Goto.SHARE, number), "share", "arrow_up") if number else None,
        tile(say, Goto.START, "another", "play", note=say.say("menu.start_note")),
        tile(say, Do.CLOSE, "result", "crown"),
        tile(say, Goto.HOME, "start", "menu"),
    )


COACH: Final = {
    Do.HINTS: ("coach.menu_hints", "coach.menu_hints_note"),
    Do.OPEN_HANDS: ("coach.menu_open", "coach.menu_open_note"),
    Do.END_HINTS: ("coach.menu_end_hints", "coach.menu_end_note"),
    Do.END_OPEN_HANDS: ("coach.menu_end_open", "coach.menu_end_note"),
    Do.RETELL: ("retold.menu", "retold.menu_note"),
    Do.BEGIN_OPEN: ("coach.menu_first", "coach.menu_first_note"),
}
"""What the coach may offer: its words and its note."""


def coach_line(say: Words, do: Do) -> Item:
    """The line of something that the coach offers."""
    text, note = COACH[do]
    return Item(do, say.say(text), note=say.say(note))


def line(say: Words, key: Goto | Do) -> Item:
    """A line with its own words and note."""
    return Item(key, say.say(f"menu.{key.value}"), note=say.say(f"menu.{key.value}_note"))
