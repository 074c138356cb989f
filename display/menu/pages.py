"""What each page of the menu holds, in the language of the screen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from display.i18n import Words, words
from display.menu.asking import own_level_line
from display.menu.checks import check_page, checks_page
from display.menu.context import POINTS, RULES, MenuContext, TurnLine
from display.menu.home import change_page, honours_page, numbers_page, people_page, person_page
from display.menu.keeper import keeper_page, plain_page
from display.menu.learning import learn_page, path_page, to_learn
from display.menu.lines import Do, Goto, Line, Of, Pick, Where
from display.menu.model import Item, Menu, Page
from display.menu.naming import chosen_name, faces_page, write_page
from display.menu.past import elsewhere_page, history_page, past_page, round_page, share_page
from display.menu.puzzles import puzzle_page, puzzles_page, theme_page
from display.menu.settings import MENU_SETTINGS
from display.menu.tiles import coach_line, home_page, is_playing, line, main_page, more_page, over_page, wrong_page
from display.view import NO_NAMES
from display.words.sentences import preset_name, shown_name, side_name, words_for
from engine.companion.companion import LEVELS
from engine.players.bots.strengths import STRENGTHS, rival_name
from engine.rules.cards import LETTERS, VALUES, Card
from engine.rules.state import Phase
from engine.rules.track import SPACES, Side

_MAX_NAMES: Final = 30
_MAX_MORE: Final = 20


def page_of(menu: Menu, context: MenuContext) -> Page:
    """The page that is shown."""
    say = words(context.language)
    made = _made(say, menu, context)
    lines = (*made.lines, context.told) if context.told and made.board is None else made.lines
    return replace(made, lines=lines)


def _made(say: Words, menu: Menu, context: MenuContext) -> Page:
    match menu.here.page:
        case Of(Goto.WRITE, Side() | str() as whose):
            return write_page(say, menu.text, whose)
        case Of(Goto.FACE, Side() as side):
            return faces_page(say, side, say.say("menu.face", name=chosen_name(menu, side, context.names[side])))
        case Of(Goto.TURN, int(turn)):
            return _turn(say, menu, context, turn)
        case Of(Goto.RESTORE, int(copy)):
            return _restore(say, context, copy)
        case Of(Goto.PAST):
            return past_page(say, context.past)
        case Of(Goto.SHARE):
            return share_page(say, context.past)
        case Of(Goto.THEME, str(theme), part):
            return theme_page(say, context, theme, part)
        case Of(Goto.ROUND):
            return round_page(say, menu, context.past_round)
        case Of(Goto.CHECK, str(number)):
            return check_page(say, context.checks, number)
        case Of(Goto.PERSON, str()):
            return person_page(say, context)
        case Of(Goto.NUMBERS, str()):
            return numbers_page(say, context)
        case Of(Goto.HONOURS, str()):
            return honours_page(say, context)
        case Of(Goto.RENAME, str(name)):
            return change_page(say, context, name, Do.RENAME)
        case Of(Goto.FORGET, str(name)):
            return change_page(say, context, name, Do.FORGET)
        case Of(Goto.PUZZLE, str(puzzle)):
            return puzzle_page(say, menu, context, puzzle)
    return _PAGES[menu.here.page](say, menu, context)


def names_to_choose(context: MenuContext) -> tuple[str, ...]:
    """The names a player can be given without writing: the present ones first, then those known from the book."""
    own = [name for side, name in context.names.items() if name != NO_NAMES[side]]
    return tuple(dict.fromkeys([*own, *context.known]))[:_MAX_NAMES]


def _start(say: Words, menu: Menu, context: MenuContext) -> Page:
    names = names_to_choose(context)
    note = say.say("menu.begin_note") if context.state is not None else ""
    items = [Item(Do.BEGIN, say.say("menu.begin"), note=note)]
    if Do.BEGIN_OPEN in context.coach:
        items.append(coach_line(say, Do.BEGIN_OPEN))
    for side in Side:
        colour = side_name(say, side)
        shown: dict[Any, str] = {NO_NAMES[side]: say.say("menu.no_name"), **{name: name for name in names}}
        shown[Of(Goto.WRITE, side)] = say.say("menu.write_name")
        named = _choice(menu, Of(Pick.NAME, side), say.say("menu.name", side=colour), shown, context.names[side])
        items.append(replace(named, portrait=context.portraits.get(named.value, ""), note=say.say("menu.name_note")))
    items.append(_against(say, menu, context))
    rules = {name: preset_name(say, name) for name in RULES}
    items.append(_choice(menu, Pick.RULES, say.say("menu.rules"), rules, context.rules))
    starters = {side.value: side_name(say, side) for side in Side} | {"lot": say.say("menu.by_lot")}
    items.append(_choice(menu, Pick.STARTER, say.say("menu.starter"), starters, context.starter))
    points = {number: str(number) for number in sorted({*POINTS, context.points})}
    items.append(_choice(menu, Pick.POINTS, say.say("menu.points"), points, context.points))
    items += to_learn(say, context)
    return Page(say.say("menu.start"), tuple(items))


def _against(say: Words, menu: Menu, context: MenuContext) -> Item:
    """Who plays Black: a person, a bot where people are seated at a simulated table, or the companion.

    The strength that suits who plays White comes first, and the note says so.
    """
    white = chosen_name(menu, Side.WHITE, context.names.white)
    own = context.levels.get(white)
    first = () if own is None else (own.strength,)
    rivals: dict[str | None, str] = {None: say.say("companion.menu.person")}
    if context.seated:
        rivals |= {rival_name(level): say.say(f"hands.level.{level}") for level in STRENGTHS}
    rivals |= {level: say.say(f"companion.level.{level}") for level in (*first, *LEVELS)}
    item = _choice(menu, Pick.AGAINST, say.say("companion.menu.against"), rivals, context.against)
    return item if own is None else replace(item, note=own_level_line(say, white, own, rivals[own.strength]))


def _correct(say: Words, menu: Menu, context: MenuContext) -> Page:
    state = context.state
    # Once a round is over its figures stand where they stand: its last turn is changed instead.
    standing = state is not None and state.phase in (Phase.TURN, Phase.FINAL, Phase.REVEAL)
    items = [line(say, Goto.FIGURES)] if standing else []
    items += [line(say, Goto.SCORE)]
    items += [Item(Of(Goto.TURN, each.number), each.text) for each in reversed(context.turns)]
    return Page(say.say("menu.correct"), tuple(items), (say.say("menu.correct_lines"),))


def _figures(say: Words, menu: Menu, context: MenuContext) -> Page:
    assert context.state is not None
    track, stand = range(1, SPACES + 1), context.state.spaces
    # A fencer is known by its colour, a score by who has it.
    items = [_number(menu, Of(Pick.SPACE, side), side_name(say, side), track, stand[side]) for side in Side]
    items.append(Item(Do.SET_FIGURES, say.say("menu.apply")))
    return Page(say.say("menu.figures"), tuple(items), (say.say("menu.figures_note"),))


def _score(say: Words, menu: Menu, context: MenuContext) -> Page:
    assert context.state is not None
    highest = max(score for _, score in context.state.score.items()) + _MAX_MORE
    points = range(min(context.state.points, highest) + 1)
    items = [
        _number(menu, Of(Pick.SCORE, side), shown_name(say, side, context.names[side]), points, score)
        for side, score in context.state.score.items()
    ]
    items.append(Item(Do.SET_SCORE, say.say("menu.apply")))
    return Page(say.say("menu.score"), tuple(items), (say.say("menu.score_note"),))


def _turn(say: Words, menu: Menu, context: MenuContext, turn: int) -> Page:
    here = next((each for each in context.turns if each.number == turn), TurnLine(turn, ""))
    items = []
    for at, card in enumerate(here.cards):
        text = say.say("menu.card_was", card=str(card))
        items.append(_choice(menu, Of(Pick.CARD, turn, at), text, CARDS, card))
    if here.cards:
        items.append(Item(Of(Do.REPLACE, turn), say.say("menu.apply")))
    items.append(Item(Of(Do.REMOVE, turn), say.say("menu.remove"), note=say.say("menu.remove_note")))
    return Page(say.say("menu.turn"), tuple(items), (here.text,) if here.text else ())


CARDS: Final = {card: str(card) for value in VALUES for letter in LETTERS for card in [Card(value, letter)]}
"""The cards a mis-read one may have been, in the order of the CHOICE that corrects it."""


def _settings(say: Words, menu: Menu, context: MenuContext) -> Page:
    items = []
    for row in MENU_SETTINGS:
        called = {value: row.called(say, value) for value in row.values}
        now = row.nearest(context.settings.get(row.name, row.default))
        items.append(_choice(menu, row, say.say(row.title), called, now))
    if context.can_set_up:
        items += [line(say, do) for do in (Do.SET_UP, Do.REGISTER, Do.PRINT_BACKS)]
    return Page(say.say("menu.settings"), tuple(items))


def _sight(say: Words, menu: Menu, context: MenuContext) -> Page:
    again = (Do.CALIBRATE, Do.FOCUS) if context.can_focus else (Do.CALIBRATE,)
    return Page(say.say("menu.sight"), tuple(line(say, do) for do in again), context.sight, camera=True)


def _health(say: Words, menu: Menu, context: MenuContext) -> Page:
    test = line(say, Do.TEST)
    return Page(say.say("menu.health"), (test, line(say, Goto.CHECKS)), context.health)


def _care(say: Words, menu: Menu, context: MenuContext) -> Page:
    backup = line(say, Do.BACK_UP)
    found = tuple(
        Item(Of(Goto.RESTORE, number), name, note=say.say("menu.restore_note"))
        for number, name in enumerate(context.backups)
    )
    return Page(say.say("menu.care"), (backup, line(say, Do.TABLES), *found))


def _restore(say: Words, context: MenuContext, copy: int) -> Page:
    name = context.backups[copy] if copy < len(context.backups) else ""
    items = (Item(Of(Do.BRING_BACK, copy), say.say("menu.restore")),) if name else ()
    return Page(
        say.say("menu.care"), items, (name, say.say("menu.restore_lines")) if name else (say.say("menu.bad_copy"),)
    )


def _hand(say: Words, menu: Menu, context: MenuContext) -> Page:
    go_on = Item(Do.CLOSE, say.say("menu.go_on"), note=say.say("menu.go_on_note"))
    return Page(say.say("menu.hand"), (go_on,), (say.say("menu.hand_lines"),))


def _off(say: Words, menu: Menu, context: MenuContext) -> Page:
    another = (line(say, Goto.START),) if is_playing(context) and not context.teaching else ()
    items = (*another, Item(Do.QUIT, say.say("menu.quit")), Item(Do.SHUT_DOWN, say.say("menu.shut_down")))
    return Page(say.say("menu.off"), items, (say.say("menu.off_note"),))


def _choice(menu: Menu, key: Line, text: str, options: Mapping[Any, str], start: Any) -> Item:
    """A line with these values to choose from, each with what it is called."""
    item = Item(key, text, "", tuple(options), start)
    return replace(item, value=options[menu.option(item)])


def _number(menu: Menu, key: Of, text: str, numbers: range, now: int) -> Item:
    return _choice(menu, key, text, {number: str(number) for number in numbers}, now)


def _named(context: MenuContext) -> Words:
    """The words for those who play here, for pages on which their own match goes on."""
    return words_for(context.language, context.names)


_PAGES: Final[Mapping[Where, Callable[[Words, Menu, MenuContext], Page]]] = {
    Goto.MAIN: lambda say, menu, context: main_page(say, context),
    Goto.WRONG: lambda say, menu, context: wrong_page(say, context),
    Goto.MORE: lambda say, menu, context: more_page(say, context),
    Goto.OVER: lambda say, menu, context: over_page(say, context),
    Goto.START: _start,
    Goto.CORRECT: _correct,
    Goto.FIGURES: _figures,
    Goto.SCORE: _score,
    Goto.MANUAL: lambda say, menu, context: keeper_page(_named(context), menu, context),
    Goto.PLAIN: lambda say, menu, context: plain_page(_named(context), menu, context),
    Goto.SETTINGS: _settings,
    Goto.HISTORY: lambda say, menu, context: history_page(say, context.history),
    Goto.SIGHT: _sight,
    Goto.HEALTH: _health,
    Goto.CHECKS: lambda say, menu, context: checks_page(say, context.checks),
    Goto.CARE: _care,
    Goto.OFF: _off,
    Goto.HAND: _hand,
    Goto.HOME: lambda say, menu, context: home_page(say, context),
    Goto.PEOPLE: lambda say, menu, context: people_page(say, context),
    Goto.ELSEWHERE: lambda say, menu, context: elsewhere_page(say, context.history),
    Goto.PATH: lambda say, menu, context: path_page(say, context),
    Goto.LEARN: lambda say, menu, context: learn_page(say, context),
    Goto.PUZZLES: lambda say, menu, context: puzzles_page(say, context),
}
