"""What each page of the menu holds, in the language of the screen."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from display.i18n import LANGUAGES, Words, words
from display.menu.context import POINTS, RULES, STARTERS, VOLUMES, MenuContext, TurnLine
from display.menu.learning import learn_page, puzzle_page, puzzles_page, teaching_page, to_learn
from display.menu.model import RUB_OUT, Item, Kind, Menu, Page
from display.view import NO_NAMES
from display.words.sentences import preset_name, side_name
from engine.companion.companion import LEVELS
from engine.rules.cards import LETTERS, VALUES, Card
from engine.rules.state import Phase
from engine.rules.track import SPACES, Side

END_TURNS: Final = ("button", "auto")
_ALPHABET: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÜÉÈÇ-'"
_COLUMNS: Final = 9
_MOST_NAMES: Final = 30
_MOST_MORE: Final = 20


def page_of(menu: Menu, context: MenuContext) -> Page:
    """The page that is shown."""
    say = words(context.language)
    name, _, of = menu.here.page.partition(":")
    made = _PAGES[name](say, menu, context, of)
    lines = (*made.lines, context.told) if context.told else made.lines
    return Page(made.title, made.items, lines, made.columns)


def turn_item(number: int) -> str:
    """The key of the page that corrects this turn."""
    return f"turn:{number}"


def names_to_choose(context: MenuContext) -> tuple[str, ...]:
    """The names a player can be given without writing: the present ones first, then those known from the book."""
    own = [name for side, name in context.names.items() if name != NO_NAMES[side]]
    return tuple(dict.fromkeys([*own, *context.known]))[:_MOST_NAMES]


def points_to_choose(context: MenuContext) -> tuple[int, ...]:
    """The points that may win a match: what most people play to, and what it is now."""
    return tuple(sorted({*POINTS, context.points}))


def _main(say: Words, menu: Menu, context: MenuContext, of: str) -> Page:
    if context.teaching:
        more = tuple(_page(say, name) for name in ("settings", "sight", "off"))
        return teaching_page(say, more, puzzling=context.puzzling)
    state = context.state
    items = [Item("close", say.say("menu.go_on"), note=say.say("menu.go_on_note"))]
    if state is not None:
        key = "resume" if context.paused else "pause"
        items.append(Item(key, say.say(f"menu.{key}"), note=say.say(f"menu.{key}_note")))
    if context.last:
        items.append(Item("undo", say.say("menu.undo"), note=say.say("menu.undo_note", what=context.last)))
    if state is not None and state.round:
        items.append(_page(say, "correct"))
    if state is not None and state.phase is not Phase.MATCH_OVER:
        items.append(_page(say, "manual"))
    items += [_coach(say, key) for key in context.coach if key != BEGIN_OPEN]
    items.append(_page(say, "start"))
    items += to_learn(say, context)
    items += [_page(say, name) for name in ("settings", "history", "sight", "health", "care", "off")]
    return Page(say.say("menu.title"), tuple(items))


BEGIN_OPEN: Final = "begin_open"
_COACH: Final = {
    "propose:help": ("coach.menu_help", "coach.menu_help_note"),
    "propose:open": ("coach.menu_open", "coach.menu_open_note"),
    "end:help": ("coach.menu_end_help", "coach.menu_end_note"),
    "end:open": ("coach.menu_end_open", "coach.menu_end_note"),
    "retell": ("retold.menu", "retold.menu_note"),
    BEGIN_OPEN: ("coach.menu_first", "coach.menu_first_note"),
}
"""What the coach may offer, by key: its words and its note."""


def _coach(say: Words, key: str) -> Item:
    text, note = _COACH[key]
    return Item(key, say.say(text), note=say.say(note))


def _learn(say: Words, menu: Menu, context: MenuContext, of: str) -> Page:
    return learn_page(say, context)


def _page(say: Words, name: str) -> Item:
    return Item(name, say.say(f"menu.{name}"), Kind.PAGE, note=say.say(f"menu.{name}_note"))


def _start(say: Words, menu: Menu, context: MenuContext, of: str) -> Page:
    names = names_to_choose(context)
    items = []
    for side in Side:
        colour = side_name(say, side)
        own = 0 if context.names[side] == NO_NAMES[side] else 1 + names.index(context.names[side])
        options = (say.say("menu.no_name"), *names)
        items.append(_choice(menu, f"name_{side.value}", say.say("menu.name", side=colour), options, own))
        items.append(Item(f"write:{side.value}", say.say("menu.write_name", side=colour), Kind.PAGE))
    rivals = (say.say("partner.menu.person"), *(say.say(f"partner.level.{level}") for level in LEVELS))
    items.append(_choice(menu, "against", say.say("partner.menu.against"), rivals, context.against))
    rules = tuple(preset_name(say, name) for name in RULES)
    items.append(_choice(menu, "rules", say.say("menu.rules"), rules, RULES.index(context.rules)))
    starters = (side_name(say, Side.WHITE), side_name(say, Side.BLACK), say.say("menu.by_lot"))
    items.append(_choice(menu, "starter", say.say("menu.starter"), starters, STARTERS.index(context.starter)))
    numbers = points_to_choose(context)
    points = tuple(str(number) for number in numbers)
    items.append(_choice(menu, "points", say.say("menu.points"), points, numbers.index(context.points)))
    note = say.say("menu.begin_note") if context.state is not None else ""
    items.append(Item("begin", say.say("menu.begin"), note=note))
    if BEGIN_OPEN in context.coach:
        items.append(_coach(say, BEGIN_OPEN))
    items += to_learn(say, context)
    return Page(say.say("menu.start"), tuple(items))


def _write(say: Words, menu: Menu, context: MenuContext, of: str) -> Page:
    letters = _ALPHABET if not menu.text or menu.text.endswith((" ", "-", "'")) else _ALPHABET.lower()
    items = [Item(letter, letter, Kind.LETTER) for letter in letters]
    items.append(Item("space", " ", Kind.LETTER, "_"))
    items.append(Item(RUB_OUT, "", Kind.LETTER, "<"))
    items.append(Item(f"named:{of}", say.say("menu.done")))
    title = say.say("menu.name", side=side_name(say, Side(of)))
    return Page(title, tuple(items), (f"{menu.text}_",), _COLUMNS)


def _correct(say: Words, menu: Menu, context: MenuContext, of: str) -> Page:
    state = context.state
    # Once a round is over its figures stand where they stand: its last turn is changed instead.
    standing = state is not None and state.phase in (Phase.TURN, Phase.FINAL, Phase.REVEAL)
    items = [_page(say, "figures")] if standing else []
    items += [_page(say, "score")]
    items += [Item(turn_item(line.number), line.text, Kind.PAGE) for line in reversed(context.turns)]
    return Page(say.say("menu.correct"), tuple(items), (say.say("menu.correct_lines"),))


def _figures(say: Words, menu: Menu, context: MenuContext, of: str) -> Page:
    assert context.state is not None
    items = [
        _number(say, menu, f"space_{side.value}", side, range(1, SPACES + 1), context.state.spaces[side])
        for side in Side
    ]
    items.append(Item("set_figures", say.say("menu.apply")))
    return Page(say.say("menu.figures"), tuple(items), (say.say("menu.figures_note"),))


def _score(say: Words, menu: Menu, context: MenuContext, of: str) -> Page:
    assert context.state is not None
    highest = max(score for _, score in context.state.score.items()) + _MOST_MORE
    points = range(min(context.state.points, highest) + 1)
    items = [_number(say, menu, f"score_{side.value}", side, points, context.state.score[side]) for side in Side]
    items.append(Item("set_score", say.say("menu.apply")))
    return Page(say.say("menu.score"), tuple(items), (say.say("menu.score_note"),))


def _turn(say: Words, menu: Menu, context: MenuContext, of: str) -> Page:
    line = next((line for line in context.turns if line.number == int(of)), TurnLine(int(of), ""))
    items = []
    for at, card in enumerate(line.cards):
        text = say.say("menu.card_was", card=str(card))
        items.append(_choice(menu, card_key(line.number, at), text, CARDS, CARDS.index(str(card))))
    if line.cards:
        items.append(Item(f"replace:{line.number}", say.say("menu.apply")))
    items.append(Item(f"remove:{line.number}", say.say("menu.remove"), note=say.say("menu.remove_note")))
    return Page(say.say("menu.turn"), tuple(items), (line.text,) if line.text else ())


CARDS: Final = tuple(str(Card(value, letter)) for value in VALUES for letter in LETTERS)
"""The cards a mis-read one may have been, in the order of the CHOICE that corrects it."""


def card_key(turn: int, at: int) -> str:
    """The key under which the corrected card ``at`` of a turn is chosen."""
    return f"card_{turn}_{at}"


def count_key(side: Side, value: int) -> str:
    """The key under which it is chosen how many cards of this value a player laid or shows."""
    return f"count_{side.value}_{value}"


def space_key(side: Side) -> str:
    """The key under which it is chosen where a player's figure stands after his turn."""
    return f"to_{side.value}"


def _by_hand(say: Words, menu: Menu, context: MenuContext, of: str) -> Page:
    """Which turn it was that could not be seen: the likeliest ones, and a page to put another one together."""
    side = context.state.to_act if context.state is not None else None
    found = (Item(f"proposal:{number}", text) for number, text in enumerate(context.proposals))
    lines = (say.say("menu.by_hand_lines", side=side_name(say, side)),) if side is not None else ()
    return Page(say.say("menu.by_hand"), (*found, _page(say, "manual")), lines)


def _manual(say: Words, menu: Menu, context: MenuContext, of: str) -> Page:
    state = context.state
    assert state is not None
    if state.phase is Phase.REVEAL:
        items = [_count(say, menu, side, value, named=True) for value in VALUES for side in Side]
        items.append(Item("reveal", say.say("menu.apply")))
        return Page(say.say("menu.manual"), tuple(items), (say.say("menu.manual_hands"),), 2)
    side = state.to_act
    if side is None:
        begin = Item("round", say.say("menu.round"), note=say.say("menu.round_note"))
        return Page(say.say("menu.manual"), (begin,))
    space = _number(say, menu, space_key(side), side, range(1, SPACES + 1), state.spaces[side])
    items = [space, *(_count(say, menu, side, value, named=False) for value in VALUES)]
    items.append(Item("turn", say.say("menu.apply")))
    items.append(Item("yield", say.say("menu.give_up", side=side_name(say, side)), note=say.say("menu.give_up_note")))
    return Page(say.say("menu.manual"), tuple(items), (say.say("menu.manual_lines", side=side_name(say, side)),))


def _count(say: Words, menu: Menu, side: Side, value: int, *, named: bool) -> Item:
    text = say.say("menu.cards_of", value=value)
    if named:
        text = say.say("menu.side_cards", side=side_name(say, side), value=value)
    return _choice(menu, count_key(side, value), text, tuple(str(number) for number in range(6)), 0)


def _settings(say: Words, menu: Menu, context: MenuContext, of: str) -> Page:
    languages = tuple(words(language).say("language") for language in LANGUAGES)
    volumes = tuple(f"{volume} %" for volume in VOLUMES)
    at = min(range(len(VOLUMES)), key=lambda number: abs(VOLUMES[number] - context.volume_percent))
    voices = tuple(say.say(f"menu.voice_{way}") for way in context.voices)
    themes = tuple(say.say(f"theme.{name}") for name in context.themes)
    ends = tuple(say.say(f"menu.end_{way}") for way in END_TURNS)
    items = (
        _choice(menu, "language", say.say("menu.language"), languages, LANGUAGES.index(context.language)),
        _choice(menu, "volume", say.say("menu.volume"), volumes, at),
        _choice(menu, "voice", say.say("menu.voice"), voices, context.voices.index(context.voice)),
        _choice(menu, "theme", say.say("menu.theme"), themes, context.themes.index(context.theme)),
        _choice(menu, "end_turn", say.say("menu.end_turn"), ends, END_TURNS.index(context.end_turn)),
    )
    return Page(say.say("menu.settings"), items)


def _history(say: Words, menu: Menu, context: MenuContext, of: str) -> Page:
    return Page(say.say("menu.history"), (), context.history or (say.say("menu.history_empty"),))


def _sight(say: Words, menu: Menu, context: MenuContext, of: str) -> Page:
    again = Item("calibrate", say.say("menu.calibrate"), note=say.say("menu.calibrate_note"))
    return Page(say.say("menu.sight"), (again,), context.sight)


def _health(say: Words, menu: Menu, context: MenuContext, of: str) -> Page:
    test = Item("test", say.say("menu.test"), note=say.say("menu.test_note"))
    return Page(say.say("menu.health"), (test,), context.health)


def _care(say: Words, menu: Menu, context: MenuContext, of: str) -> Page:
    backup = Item("backup", say.say("menu.backup"), note=say.say("menu.backup_note"))
    found = tuple(
        Item(f"restore:{number}", name, Kind.PAGE, note=say.say("menu.restore_note"))
        for number, name in enumerate(context.backups)
    )
    return Page(say.say("menu.care"), (backup, *found))


def _restore(say: Words, menu: Menu, context: MenuContext, of: str) -> Page:
    name = context.backups[int(of)] if int(of) < len(context.backups) else ""
    items = (Item(f"bring_back:{of}", say.say("menu.restore")),) if name else ()
    return Page(
        say.say("menu.care"), items, (name, say.say("menu.restore_lines")) if name else (say.say("menu.bad_copy"),)
    )


def _off(say: Words, menu: Menu, context: MenuContext, of: str) -> Page:
    items = (Item("quit", say.say("menu.quit")), Item("shut_down", say.say("menu.shut_down")))
    return Page(say.say("menu.off"), items, (say.say("menu.off_note"),))


def _choice(menu: Menu, key: str, text: str, options: Sequence[str], start: int) -> Item:
    item = Item(key, text, Kind.CHOICE, count=len(options), start=start)
    return Item(key, text, Kind.CHOICE, options[menu.value(item)], len(options), start)


def _number(say: Words, menu: Menu, key: str, side: Side, numbers: range, now: int) -> Item:
    return _choice(menu, key, side_name(say, side), tuple(str(number) for number in numbers), now - numbers.start)


_PAGES: Final[Mapping[str, Callable[[Words, Menu, MenuContext, str], Page]]] = {
    "main": _main,
    "start": _start,
    "write": _write,
    "correct": _correct,
    "figures": _figures,
    "score": _score,
    "turn": _turn,
    "manual": _manual,
    "by_hand": _by_hand,
    "settings": _settings,
    "history": _history,
    "sight": _sight,
    "health": _health,
    "care": _care,
    "restore": _restore,
    "off": _off,
    "learn": _learn,
    "puzzles": lambda say, menu, context, of: puzzles_page(say, context),
    "puzzle": lambda say, menu, context, of: puzzle_page(say, of, answered=bool(context.told)),
}

PAGES: Final = tuple(_PAGES)
"""Every page there is."""
