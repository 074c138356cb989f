"""Pages to keep the score without a camera: a turn in at most three taps, or rounds and points only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from display.i18n import Words
from display.menu.board import Board, GivenUp
from display.menu.lines import Do, Goto, Line, Of, Open, Pick, kind_of
from display.menu.model import Item, Menu, Page, without_last_card
from display.view import FencerView, Mark, PisteView, Pose
from display.words.ends import ending_title, reason_text
from display.words.sentences import refusal, shown_name, side_name, with_capital
from display.words.verdicts import answer_hint, attack_view, play_sentence
from engine.record.corrections import Correction, Setting, Won
from engine.record.course import Course
from engine.rules.cards import VALUES
from engine.rules.events import RevealEvent, RoundEvent, UndoEvent, YieldEvent
from engine.rules.legal import Counts, Play
from engine.rules.state import Phase, PublicState, Reason
from engine.rules.track import START, BySide, Side
from engine.table.desk import Desk
from engine.table.possible_turns import Values, can_name, entered, may_hold, meant, picked, rest_of, ways, why_not
from engine.table.presses import Button
from firmware.ui.menu.page import MenuPage
from firmware.ui.menu.state import MenuState

MAX_WAYS: Final = 8
BY_HAND: Final = "by hand, in the menu"
"""Why such a correction was made, as the journal has it."""


class _KeptByHand(MenuPage):
    """The page stays after a tap, ready for the next one, and what was done is entered."""

    def chosen(self, key: Line, menu: Menu) -> Menu | None:
        course = self.now.course
        after = None if course is None else self.tapped(key, menu, course)
        if after is None:
            return super().chosen(key, menu)
        return at_what_follows(after, self.shown(self.now.named, after, after.here.page))

    def tapped(self, key: Line, menu: Menu, course: Course) -> Menu | None:
        """The menu after this line; None for one that has nothing to do with keeping the score."""
        match key:
            case Do.ROUND:
                self.now.enter((RoundEvent(),))
                return _afresh(menu)
            case Do.TAKE_BACK:
                # The last card that was tapped; where none was, what was done last.
                if named_in(menu) or menu.chosen(Pick.WAY, None) is not None:
                    return without_last_card(menu)
                self.now.enter((UndoEvent(),) if len(course.steps) > 1 else ())
                return _afresh(menu)
        return None


class ManualPage(_KeptByHand, id="manual"):
    """Enters turns: cards, the turns they may be, and the line that ends the turn; between rounds, the next round."""

    def shown(self, say: Words, menu: Menu, place: Open) -> Page:
        now, say = self.now, self.now.named
        state = now.state
        assert state is not None
        title = say.say("keeper.title")
        if state.phase is Phase.REVEAL:
            return Page(title, _hand_items(say, menu, state), board=_hands(say, menu, now, state))
        if state.to_act is None:
            return Page(title, _between(say, state), board=_standing(say, now, state))
        found = ways_in(menu, state, may_hold(state))
        chosen = chosen_in(menu, state, found)
        items = [*card_items(), *way_items(say, state, found, chosen)]
        items.append(Item(Do.TAKE_BACK, say.say("keeper.take_back"), note=_undone(say, menu, now)))
        gives_up = "keeper.stuck" if state.attack is None else "keeper.hit"
        items.append(
            Item(Of(Do.WAY, GivenUp.GIVEN_UP.value), say.say(gives_up), value=_picked(chosen, GivenUp.GIVEN_UP))
        )
        if chosen is not None:
            items.append(Item(Do.TURN, say.say("keeper.done")))
        return Page(title, tuple(items), board=_turn(say, menu, now, state, chosen))

    def tapped(self, key: Line, menu: Menu, course: Course) -> Menu | None:
        state, named = course.state, named_in(menu)
        look = self.now.look
        lying = [reading.card for reading in look.table.cards] if look is not None else []
        match key:
            case Of(Do.LAY, int(value)):
                return self._laid(menu, state, value)
            case Of(Do.WAY, int(number)):
                found = ways_in(menu, state, may_hold(state))
                return with_values(menu, {Pick.WAY: found[number]}) if number < len(found) else menu
            case Of(Do.WAY):
                return with_values(menu, {Pick.WAY: GivenUp.GIVEN_UP})
            case Do.TURN:
                chosen = chosen_in(menu, state, ways_in(menu, state, may_hold(state)))
                if chosen is None:
                    return menu
                self.now.enter((YieldEvent() if isinstance(chosen, GivenUp) else entered(state, chosen, lying),))
                return _afresh(menu)
            case Do.REVEAL:
                white = picked(state, named, lying)
                black = picked(state._replace(played=(*state.played, *white)), rest_of(state, named), lying)
                self.now.enter((RevealEvent(white, black),))
                return _afresh(menu)
        return super().tapped(key, menu, course)

    def _laid(self, menu: Menu, state: PublicState, value: int) -> Menu:
        named = named_in(menu)
        if state.phase is Phase.REVEAL:
            more = len(named) < state.hands.white and value in rest_of(state, named)
        else:
            more = value in can_name(state, may_hold(state), named)
        if more:
            return with_values(menu, {Pick.NAMED: (*named, value), Pick.WAY: None})
        if named and state.phase is not Phase.REVEAL and value in can_name(state, may_hold(state), ()):
            return with_values(menu, {Pick.NAMED: (value,), Pick.WAY: None})  # it begins another turn instead
        ruling = why_not(state, value) if not named else None
        self.now.told = refusal(self.now.named, ruling) if ruling is not None else ""
        return menu


class PlainPage(_KeptByHand, id="plain"):
    """Rounds and points: one tap for who won the round."""

    def shown(self, say: Words, menu: Menu, place: Open) -> Page:
        now, say = self.now, self.now.named
        state = now.state
        assert state is not None
        title = say.say("menu.plain")
        if state.phase is Phase.MATCH_OVER:
            return Page(title, _between(say, state), board=_standing(say, now, state, plain=True))
        items = [
            Item(Of(Do.POINT, side), say.say("keeper.point", name=shown_name(say, side, now.names[side])))
            for side in Side
        ]
        items.append(Item(Do.NO_POINT, say.say("keeper.no_point")))
        items.append(Item(Do.TAKE_POINT_BACK, say.say("keeper.take_back")))
        items.append(Item(Goto.MANUAL, say.say("keeper.every_turn")))
        return Page(title, tuple(items), board=_standing(say, now, state, plain=True))

    def tapped(self, key: Line, menu: Menu, course: Course) -> Menu | None:
        match key:
            case Of(Do.POINT, Side() as side):
                self._won(course.state, Won(side.value))
            case Do.NO_POINT:
                self._won(course.state, Won.NOBODY)
            case Do.TAKE_POINT_BACK:
                self.now.enter((UndoEvent(),) * _to_undo(course))
            case _:
                return super().tapped(key, menu, course)
        return menu

    def _won(self, state: PublicState, won: Won) -> None:
        """The round is won so, begun first where none is under way."""
        said = Correction((Setting(won=won),), BY_HAND)
        self.now.enter((RoundEvent(), said) if state.phase in (Phase.SETUP, Phase.ROUND_OVER) else (said,))


def named_in(menu: Menu) -> Values:
    """The cards tapped so far."""
    return menu.chosen(Pick.NAMED, ())


def way_in(menu: Menu) -> Play | GivenUp | None:
    """The turn chosen so far."""
    return menu.chosen(Pick.WAY, None)


def ways_in(menu: Menu, state: PublicState, held: Counts) -> tuple[Play, ...]:
    """The turns there are to choose from now."""
    return ways(state, held, named_in(menu))[:MAX_WAYS]


def chosen_in(menu: Menu, state: PublicState, found: tuple[Play, ...]) -> Play | GivenUp | None:
    """The turn that counts with the next tap: the one chosen, else the only one with just these cards."""
    way = way_in(menu)
    if way is GivenUp.GIVEN_UP or way in found:
        return way
    return meant(state, found, named_in(menu))


def card_items() -> tuple[Item, ...]:
    """A card of each value to tap."""
    return tuple(Item(Of(Do.LAY, value), str(value)) for value in VALUES)


def way_items(
    say: Words, state: PublicState, found: tuple[Play, ...], chosen: Play | GivenUp | None
) -> tuple[Item, ...]:
    """The turns to choose from, the chosen one marked."""
    return tuple(
        Item(Of(Do.WAY, number), way_text(say, state, play), value=_picked(chosen, play))
        for number, play in enumerate(found)
    )


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


def _picked(chosen: object, way: object) -> str:
    return _CHOSEN if chosen == way else ""


_CHOSEN: Final = "*"


def _undone(say: Words, menu: Menu, now: MenuState) -> str:
    return "" if named_in(menu) or not now.last else say.say("menu.undo_note", what=now.last)


def _turn(say: Words, menu: Menu, now: MenuState, state: PublicState, chosen: Play | GivenUp | None) -> Board:
    """The position with the turn as it is entered so far."""
    side, named = state.to_act, named_in(menu)
    assert side is not None
    play = chosen if isinstance(chosen, Play) else None
    who = shown_name(say, side, now.names[side])
    ask = say.say("keeper.which" if named else "keeper.ask", name=who)
    if chosen is GivenUp.GIVEN_UP:
        ask = say.say("byhand.ask", turn=say.say("accepted.yield", side=side_name(say, side)))
    elif play is not None:
        ask = say.say("byhand.ask", turn=play_sentence(say, side, state.distance, play))
    told, mark = now.answer, Mark.BAD
    if not told:
        told, mark = (answer_hint(say, state), Mark.NOW) if state.attack else ("", mark)
    if not told and not named and now.last:
        told, mark = say.say("keeper.last", what=now.last), Mark.PLAIN
    owed: Values = (state.attack.value,) * state.attack.count if state.attack is not None else ()
    owes = play.parry > 0 if play is not None else chosen is None and state.attack is not None
    return _board(
        say,
        now,
        state,
        ask,
        piste=piste_at(say, state, play),
        told=told,
        mark=mark,
        named=named,
        owed=owed if owes else (),
        owed_text=say.say("keeper.owed") if state.attack is not None else "",
        usable=can_name(state, may_hold(state), named),
        spaces=() if chosen is not None else spaces_of(state, ways_in(menu, state, may_hold(state))),
    )


def _hand_items(say: Words, menu: Menu, state: PublicState) -> tuple[Item, ...]:
    items = [*card_items(), Item(Do.TAKE_BACK, say.say("keeper.take_back"))]
    if len(named_in(menu)) == state.hands.white:
        items.append(Item(Do.REVEAL, say.say("keeper.done")))
    return tuple(items)


def _hands(say: Words, menu: Menu, now: MenuState, state: PublicState) -> Board:
    """White's hand as far as it was tapped; Black's is the rest."""
    named, names = named_in(menu), _names(say, now)
    left = rest_of(state, named)
    full = len(named) == state.hands.white
    told = say.say("keeper.rest", name=names.black, cards=" ".join(map(str, left))) if full else now.answer
    ask = say.say("keeper.hand", name=names.white, other=names.black, count=state.hands.white)
    usable = () if full else tuple(sorted({*left}))
    return _board(say, now, state, ask, told=told, mark=Mark.GOOD if full else Mark.BAD, named=named, usable=usable)


def _between(say: Words, state: PublicState) -> tuple[Item, ...]:
    """Lines before a round and after a match."""
    again = Item(Do.TAKE_BACK, say.say("keeper.take_back"))
    if state.phase is Phase.MATCH_OVER:
        return (Item(Goto.START, say.say("menu.start")), again)
    return (Item(Do.ROUND, say.say("menu.round")), Item(Goto.PLAIN, say.say("menu.plain")), again)


def _standing(say: Words, now: MenuState, state: PublicState, *, plain: bool = False) -> Board:
    """Nobody is to act: how the last round ended, or that one may begin."""
    over = state.phase is Phase.MATCH_OVER
    ask = ending_title(say, state)
    if plain and not over:
        ask = say.say("keeper.who_won", round=state.round + (state.phase in (Phase.SETUP, Phase.ROUND_OVER)))
    told = now.answer or ("" if over or plain else say.say("menu.round_note"))
    if over and not now.answer and (why := reason_text(say, state)):
        told = f"{why}."
    mark = Mark.BAD if now.answer else Mark.PLAIN
    fencers = piste_at(say, state, None).fencers
    if state.result is not None:
        won_by = state.result.winner
        poses = {side: _ended(state, side is won_by) for side in Side}
        fencers = BySide(*(FencerView(state.spaces[side], None, poses[side], False) for side in Side))
    if state.phase is Phase.SETUP:
        fencers = BySide(*(FencerView(START[side], None, Pose.STAND, False) for side in Side))
    piste = PisteView(
        fencers=fencers,
        distance=fencers.black.space - fencers.white.space,
        distance_text="" if state.result is not None else say.say("label.distance"),
    )
    ask = ask or say.say("keeper.set_up")
    return _board(say, now, state, ask, piste=piste, told=told, mark=mark, plain=plain)


def _board(say: Words, now: MenuState, state: PublicState, ask: str, **more: Any) -> Board:
    """The position of the match; with a ``piste`` of its own where a turn is shown."""
    head = say.say("keeper.head", round=state.round, pile=state.pile)
    if state.round == 0 or more.get("plain"):
        head = say.say("label.points", count=state.points)
    given = {"piste": piste_at(say, state, None), "names": _names(say, now), "score": state.score, **more}
    return Board(ask=ask, head=head, **given)


def _ended(state: PublicState, won: bool) -> Pose:
    if state.result is not None and state.result.reason is Reason.HIT:
        return Pose.LUNGE if won else Pose.HIT
    return Pose.SALUTE if won else Pose.STAND


def _names(say: Words, now: MenuState) -> BySide[str]:
    return BySide(*(shown_name(say, side, now.names[side]) for side in Side))


def _to_undo(course: Course) -> int:
    """Number of events to undo for the last point: two if the next round was begun after it."""
    steps = course.steps
    if len(steps) > 2 and isinstance(steps[-1].entry, RoundEvent):
        return 2
    return 1 if len(steps) > 1 else 0


def at_what_follows(menu: Menu, page: Page) -> Menu:
    """The line to go on with is the one at hand: what ends the turn, else the first turn to choose."""
    lines = [item.key for item in page.items]
    ends = [number for number, line in enumerate(lines) if kind_of(line) in _ENDS]
    at = ends[0] if ends else lines.index(_FIRST_WAY) if _FIRST_WAY in lines else min(menu.here.at, len(lines) - 1)
    return menu.at_line(max(0, at))


_FIRST_WAY: Final = Of(Do.WAY, 0)
_ENDS: Final = (Do.TURN, Do.REVEAL, Do.ANSWER, Do.NEXT_PUZZLE)


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


def _afresh(menu: Menu) -> Menu:
    """Ready for the next turn."""
    return with_values(menu, {Pick.NAMED: (), Pick.WAY: None}).at_line(0)
