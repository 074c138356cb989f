"""Pages to keep the score without a camera: a turn in at most three taps, or rounds and points only."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any, Final

from display.i18n import Words
from display.menu.model import Act, Board, GivenUp, Goto, Item, Line, Menu, Open, Page, Pick, kind_of, without_last_card
from display.view import FencerView, Mark, PisteView, Pose
from display.words.ends import ending_title, reason_text
from display.words.sentences import refusal, shown_name, side_name, with_capital
from display.words.verdicts import answer_hint, attack_view, play_sentence
from engine.record.corrections import Correction, Setting, Won
from engine.rules.cards import VALUES, Card
from engine.rules.events import RevealEvent, RoundEvent, UndoEvent, YieldEvent
from engine.rules.legal import Counts, Play
from engine.rules.state import Phase, PublicState, Reason, Result
from engine.rules.track import START, BySide, Side
from engine.table.desk import Desk
from engine.table.possible_turns import Values, can_name, entered, may_hold, meant, picked, rest_of, ways, why_not
from engine.table.presses import Button
from firmware.ui.menu.page import MenuPage

MAX_WAYS: Final = 8
BY_HAND: Final = "by hand, in the menu"
"""Why such a correction was made, as the journal has it."""
Tapped = Callable[[Menu], Menu]
"""Gives the menu after a line of a board was tapped."""


class BoardPage(MenuPage):
    """A page with a board: it stays after a tap, ready for the next one."""

    def tap(self, key: Line, text: str, tapped: Tapped, value: str = "") -> Item:
        """A line of the board; after it the chosen line is the one to go on with."""

        def does(menu: Menu) -> Menu:
            after = tapped(menu)
            return at_what_follows(after, self.shown(self.now.say, after, after.here.page))

        return Item(key, text, value, does=does)

    def way(self, key: Line, text: str, way: Play | GivenUp, chosen: Play | GivenUp | None) -> Item:
        """A turn to choose, marked if it is the ``chosen`` one."""
        return self.tap(key, text, partial(with_values, values={Pick.WAY: way}), value=_CHOSEN if chosen == way else "")

    def ways(self, say: Words, state: PublicState, found: tuple[Play, ...], chosen: Any) -> list[Item]:
        """The turns to choose from."""
        return [self.way(Act("way", at), way_text(say, state, play), play, chosen) for at, play in enumerate(found)]


class _KeptByHand(BoardPage):
    """A page that keeps the score: what is done there is entered."""

    @property
    def state(self) -> PublicState:
        """How the match stands: the page is only there while one does."""
        assert self.now.state is not None
        return self.now.state

    def taking_back(self, menu: Menu) -> Menu:
        """Take back the last card that was tapped; where none was, what was done last."""
        if named_in(menu) or menu.chosen(Pick.WAY, None) is not None:
            return without_last_card(menu)
        self.now.enter((UndoEvent(),) if self.now.last else ())
        return afresh(menu)

    def between(self, say: Words) -> tuple[Item, ...]:
        """Lines before a round and after a match."""
        again = self.tap(Act("take_back"), say.say("keeper.take_back"), self.taking_back)
        if self.state.phase is Phase.MATCH_OVER:
            return (Item(Goto.START, say.say("menu.start")), again)
        begin = self.tap(Act("round"), say.say("menu.round"), self._begin)
        return (begin, Item(Goto.PLAIN, say.say("menu.plain")), again)

    def _begin(self, menu: Menu) -> Menu:
        self.now.enter((RoundEvent(),))
        return afresh(menu)

    def standing(self, say: Words, *, plain: bool = False) -> Board:
        """Nobody is to act: how the last round ended, or that one may begin."""
        now, state = self.now, self.state
        over = state.phase is Phase.MATCH_OVER
        ask = ending_title(say, state)
        if plain and not over:
            ask = say.say("keeper.who_won", round=state.round + (state.phase in (Phase.SETUP, Phase.ROUND_OVER)))
        told = now.answer or ("" if over or plain else say.say("menu.round_note"))
        if over and not now.answer and (why := reason_text(say, state)):
            told = f"{why}."
        fencers = piste_at(say, state, None).fencers
        if state.phase is Phase.SETUP:
            fencers = BySide(*(FencerView(START[side], None, Pose.STAND, False) for side in Side))
        elif state.result is not None:
            poses = {side: _ended(state.result, side) for side in Side}
            fencers = BySide(*(FencerView(state.spaces[side], None, poses[side], False) for side in Side))
        piste = PisteView(
            fencers=fencers,
            distance=fencers.black.space - fencers.white.space,
            distance_text="" if state.result is not None else say.say("label.distance"),
        )
        mark = Mark.BAD if now.answer else Mark.PLAIN
        return self.board(say, ask or say.say("keeper.set_up"), piste=piste, told=told, mark=mark, plain=plain)

    def board(self, say: Words, ask: str, **more: Any) -> Board:
        """The position of the match; with a ``piste`` of its own where a turn is shown."""
        state = self.state
        head = say.say("keeper.head", round=state.round, pile=state.pile)
        if state.round == 0 or more.get("plain"):
            head = say.say("label.points", count=state.points)
        given = {"piste": piste_at(say, state, None), "names": self.names(say), "score": state.score, **more}
        return Board(ask=ask, head=head, **given)

    def names(self, say: Words) -> BySide[str]:
        """Both players, as they are shown."""
        return BySide(*(shown_name(say, side, self.now.names[side]) for side in Side))


class ManualPage(_KeptByHand, id="manual"):
    """Enters turns: cards, the turns they may be, and the line that ends the turn; between rounds, the next round."""

    def shown(self, say: Words, menu: Menu, place: Open) -> Page:
        say, state = self.now.named, self.state
        title = say.say("keeper.title")
        if state.phase is Phase.REVEAL:
            return Page(title, self._hand_items(say, menu), board=self._hands(say, menu))
        if state.to_act is None:
            return Page(title, self.between(say), board=self.standing(say))
        found = ways_in(menu, state, may_hold(state))
        chosen = chosen_in(menu, state, found)
        note = "" if named_in(menu) or not self.now.last else say.say("menu.undo_note", what=self.now.last)
        items = [*self._cards(), *self.ways(say, state, found, chosen)]
        items.append(replace(self.tap(Act("take_back"), say.say("keeper.take_back"), self.taking_back), note=note))
        given_up, gives_up = GivenUp.GIVEN_UP, "keeper.stuck" if state.attack is None else "keeper.hit"
        items.append(self.way(Act("way", given_up.value), say.say(gives_up), given_up, chosen))
        if chosen is not None:
            items.append(self.tap(Act("turn"), say.say("keeper.done"), partial(self._end_turn, chosen)))
        return Page(title, tuple(items), board=self._turn(say, menu, found, chosen))

    def _cards(self) -> list[Item]:
        return [self.tap(Act("lay", value), str(value), partial(self._laid, value)) for value in VALUES]

    def _lying(self) -> list[Card]:
        look = self.now.look
        return [reading.card for reading in look.table.cards] if look is not None else []

    def _end_turn(self, chosen: Play | GivenUp, menu: Menu) -> Menu:
        event = YieldEvent() if isinstance(chosen, GivenUp) else entered(self.state, chosen, self._lying())
        self.now.enter((event,))
        return afresh(menu)

    def _reveal(self, menu: Menu) -> Menu:
        state, named, lying = self.state, named_in(menu), self._lying()
        white = picked(state, named, lying)
        black = picked(state._replace(played=(*state.played, *white)), rest_of(state, named), lying)
        self.now.enter((RevealEvent(white, black),))
        return afresh(menu)

    def _laid(self, value: int, menu: Menu) -> Menu:
        state, named = self.state, named_in(menu)
        if state.phase is Phase.REVEAL:
            more = len(named) < state.hands.white and value in rest_of(state, named)
        else:
            more = value in can_name(state, may_hold(state), named)
        if more:
            return with_named(menu, (*named, value))
        if named and state.phase is not Phase.REVEAL and value in can_name(state, may_hold(state), ()):
            return with_named(menu, (value,))  # it begins another turn instead
        ruling = why_not(state, value) if not named else None
        self.now.told = refusal(self.now.named, ruling) if ruling is not None else ""
        return menu

    def _turn(self, say: Words, menu: Menu, found: tuple[Play, ...], chosen: Play | GivenUp | None) -> Board:
        now, state, named = self.now, self.state, named_in(menu)
        side = state.to_act
        assert side is not None
        play = chosen if isinstance(chosen, Play) else None
        ask = say.say("keeper.which" if named else "keeper.ask", name=shown_name(say, side, now.names[side]))
        if chosen is GivenUp.GIVEN_UP:
            ask = say.say("byhand.ask", turn=say.say("accepted.yield", side=side_name(say, side)))
        elif play is not None:
            ask = say.say("byhand.ask", turn=play_sentence(say, side, state.distance, play))
        told, mark = now.answer, Mark.BAD
        if not told:
            told, mark = (answer_hint(say, state), Mark.NOW) if state.attack else ("", mark)
        if not told and not named and now.last:
            told, mark = say.say("keeper.last", what=now.last), Mark.PLAIN
        owes = state.attack is not None and (chosen is None or (play is not None and play.parry > 0))
        return self.board(
            say,
            ask,
            piste=piste_at(say, state, play),
            told=told,
            mark=mark,
            named=named,
            owed=(state.attack.value,) * state.attack.count if state.attack is not None and owes else (),
            owed_text=say.say("keeper.owed") if state.attack is not None else "",
            usable=can_name(state, may_hold(state), named),
            spaces=() if chosen is not None else spaces_of(state, found),
        )

    def _hand_items(self, say: Words, menu: Menu) -> tuple[Item, ...]:
        items = [*self._cards(), self.tap(Act("take_back"), say.say("keeper.take_back"), self.taking_back)]
        if len(named_in(menu)) == self.state.hands.white:
            items.append(self.tap(Act("reveal"), say.say("keeper.done"), self._reveal))
        return tuple(items)

    def _hands(self, say: Words, menu: Menu) -> Board:
        """White's hand as far as it was tapped; Black's is the rest."""
        state, named, names = self.state, named_in(menu), self.names(say)
        left = rest_of(state, named)
        full = len(named) == state.hands.white
        told = self.now.answer
        if full:
            told = say.say("keeper.rest", name=names.black, cards=" ".join(map(str, left)))
        ask = say.say("keeper.hand", name=names.white, other=names.black, count=state.hands.white)
        usable = () if full else tuple(sorted({*left}))
        return self.board(say, ask, told=told, mark=Mark.GOOD if full else Mark.BAD, named=named, usable=usable)


class PlainPage(_KeptByHand, id="plain"):
    """Rounds and points: one tap for who won the round."""

    def shown(self, say: Words, menu: Menu, place: Open) -> Page:
        say, title = self.now.named, self.now.named.say("menu.plain")
        if self.state.phase is Phase.MATCH_OVER:
            return Page(title, self.between(say), board=self.standing(say, plain=True))
        items = [
            self.tap(
                Act("point", side),
                say.say("keeper.point", name=shown_name(say, side, self.now.names[side])),
                partial(self._won, Won(side.value)),
            )
            for side in Side
        ]
        items.append(self.tap(Act("no_point"), say.say("keeper.no_point"), partial(self._won, Won.NOBODY)))
        items.append(self.tap(Act("take_point_back"), say.say("keeper.take_back"), self._point_back))
        items.append(Item(Goto.MANUAL, say.say("keeper.every_turn")))
        return Page(title, tuple(items), board=self.standing(say, plain=True))

    def _won(self, won: Won, menu: Menu) -> Menu:
        """The round is won so, begun first where none is under way."""
        said = Correction((Setting(won=won),), BY_HAND)
        begins = self.state.phase in (Phase.SETUP, Phase.ROUND_OVER)
        self.now.enter((RoundEvent(), said) if begins else (said,))
        return menu

    def _point_back(self, menu: Menu) -> Menu:
        """Undo the last point, and the round that was begun after it."""
        steps = self.now.course.steps if self.now.course is not None else ()
        begun = len(steps) > 2 and isinstance(steps[-1].entry, RoundEvent)
        self.now.enter((UndoEvent(),) * (2 if begun else min(1, len(steps) - 1)))
        return menu


def named_in(menu: Menu) -> Values:
    """The cards tapped so far."""
    return menu.chosen(Pick.NAMED, ())


def ways_in(menu: Menu, state: PublicState, held: Counts) -> tuple[Play, ...]:
    """The turns there are to choose from now."""
    return ways(state, held, named_in(menu))[:MAX_WAYS]


def chosen_in(menu: Menu, state: PublicState, found: tuple[Play, ...]) -> Play | GivenUp | None:
    """The turn that counts with the next tap: the one chosen, else the only one with just these cards."""
    way: Play | GivenUp | None = menu.chosen(Pick.WAY, None)
    if way is GivenUp.GIVEN_UP or way in found:
        return way
    return meant(state, found, named_in(menu))


def way_text(say: Words, state: PublicState, play: Play) -> str:
    """A turn in as few words as there are: ``Parry, advance 3``."""
    parts = [say.say("keeper.parry")] if play.parry else []
    if play.move:
        parts.append(say.say("keeper.advance" if play.move > 0 else "keeper.retreat", moved=abs(play.move)))
    if play.attack:
        value = state.distance - play.move
        parts.append(say.say("keeper.attack", cards=" ".join([str(value)] * play.attack)))
    return with_capital(", ".join(parts))


def piste_at(say: Words, state: PublicState, play: Play | None) -> PisteView:
    """Both fencers, the one to act where this turn leads; the attack, while no turn answers it."""

    def view(side: Side) -> FencerView:
        space, moved, pose = state.spaces[side], 0, Pose.GUARD
        if state.attack is not None and state.attack.by is side:
            pose = Pose.LUNGE
        if play is not None and state.to_act is side:
            moved = play.move * side.forward
            pose = Pose.LUNGE if play.attack else Pose.PARRY if play.parry and not play.move else Pose.GUARD
        return FencerView(space + moved, space if moved else None, pose, bool(moved))

    fencers = BySide(view(Side.WHITE), view(Side.BLACK))
    return PisteView(
        fencers=fencers,
        to_act=state.to_act,
        distance=fencers.black.space - fencers.white.space,
        distance_text=say.say("label.distance"),
        distance_pending=play is not None and play.move != 0,
        attack=attack_view(say, state) if play is None else None,
    )


def spaces_of(state: PublicState, found: tuple[Play, ...]) -> tuple[int, ...]:
    """The spaces these turns would move the fencer to."""
    side = state.to_act
    moves = sorted({play.move for play in found if play.move})
    return () if side is None else tuple(state.spaces[side] + move * side.forward for move in moves)


def _ended(result: Result, side: Side) -> Pose:
    won, hit = side is result.winner, result.reason is Reason.HIT
    return (Pose.LUNGE if hit else Pose.SALUTE) if won else (Pose.HIT if hit else Pose.STAND)


def at_what_follows(menu: Menu, page: Page) -> Menu:
    """The line to go on with is the one at hand: what ends the turn, else the first turn to choose."""
    lines = [item.key for item in page.items]
    ends = [number for number, line in enumerate(lines) if kind_of(line) in _ENDS]
    at = ends[0] if ends else lines.index(_FIRST_WAY) if _FIRST_WAY in lines else min(menu.here.at, len(lines) - 1)
    return menu.at_line(max(0, at))


_CHOSEN: Final = "*"
_FIRST_WAY: Final = Act("way", 0)
_ENDS: Final = (Act("turn"), Act("reveal"), Act("answer"), Act("next_puzzle"))


def wants_to_choose(desk: Desk, button: Button) -> bool:
    """Whether this button asks for a turn to be entered that the eyes cannot see, and no single one can be proposed."""
    unseen, state = desk.unseen, desk.state
    if unseen is None or state is None or not unseen.due or desk.offer is not None or unseen.proposed is not None:
        return False
    return button is Button.ACT or (button.side is not None and button.side is state.to_act)


def filled_in(desk: Desk) -> dict[Line, object]:
    """The cards that are known of the turn, as if they had been tapped, as far as they can begin one."""
    state, known = desk.state, desk.unseen.known if desk.unseen is not None else None
    if state is None or state.to_act is None or known is None:
        return {}
    values = sorted((card.value for card in known.cards), reverse=True)
    if state.attack is not None and values.count(state.attack.value) >= state.attack.count:
        for _ in range(state.attack.count):
            values.remove(state.attack.value)
    named: tuple[int, ...] = ()
    for value in values:
        if value in can_name(state, may_hold(state), named):
            named = (*named, value)
    return {Pick.NAMED: named}


def with_values(menu: Menu, values: Mapping[Line, object]) -> Menu:
    """The menu with these values chosen."""
    return replace(menu, values={**menu.values, **values})


def with_named(menu: Menu, named: Values) -> Menu:
    """The menu with these cards tapped, and no turn chosen yet."""
    return with_values(menu, {Pick.NAMED: named, Pick.WAY: None})


def afresh(menu: Menu) -> Menu:
    """Ready for the next turn."""
    return with_named(menu, ()).at_line(0)
