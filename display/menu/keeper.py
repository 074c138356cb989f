"""The pages of whoever keeps the score without a camera: a turn in at most three taps, or rounds and points only."""

from __future__ import annotations

from typing import Final

from display.i18n import Words
from display.menu.board import Board, GivenUp
from display.menu.context import MenuContext
from display.menu.lines import Do, Goto, Of, Pick
from display.menu.model import Item, Menu, Page
from display.view import AttackView, FencerView, Mark, Pose
from display.words.ends import ending_title, reason_text
from display.words.sentences import shown_name, side_name, with_capital
from display.words.verdicts import action_text, answer_hint
from engine.rules.cards import VALUES
from engine.rules.legal import Counts, Play
from engine.rules.rulings import ActionKind
from engine.rules.state import Phase, PublicState, Reason
from engine.rules.track import START, BySide, Side
from engine.table.turn_entry import Values, can_name, may_hold, meant, rest_of, ways

MAX_WAYS: Final = 8


def keeper_page(say: Words, menu: Menu, context: MenuContext) -> Page:
    """Where turns are entered: cards, the turns they may be, and what ends it; between rounds, what begins the next."""
    state = context.state
    assert state is not None
    title = say.say("keeper.title")
    if state.phase is Phase.REVEAL:
        return Page(title, _hand_items(say, menu, state), board=_hands(say, menu, context, state))
    if state.to_act is None:
        return Page(title, _between(say, state), board=_standing(say, context, state))
    found = ways_in(menu, state, may_hold(state))
    chosen = chosen_in(menu, state, found)
    items = [*card_items(), *way_items(say, state, found, chosen)]
    items.append(Item(Do.TAKE_BACK, say.say("keeper.take_back"), note=_undone(say, menu, context)))
    gives_up = "keeper.stuck" if state.attack is None else "keeper.hit"
    items.append(Item(Of(Do.WAY, GivenUp.GIVEN_UP.value), say.say(gives_up), value=_picked(chosen, GivenUp.GIVEN_UP)))
    if chosen is not None:
        items.append(Item(Do.TURN, say.say("keeper.done")))
    return Page(title, tuple(items), board=_turn(say, menu, context, state, chosen))


def plain_page(say: Words, menu: Menu, context: MenuContext) -> Page:
    """Rounds and points: one tap for who won the round."""
    state = context.state
    assert state is not None
    title = say.say("menu.plain")
    if state.phase is Phase.MATCH_OVER:
        return Page(title, _between(say, state), board=_standing(say, context, state, plain=True))
    items = [
        Item(Of(Do.POINT, side), say.say("keeper.point", name=shown_name(say, side, context.names[side])))
        for side in Side
    ]
    items.append(Item(Do.NO_POINT, say.say("keeper.no_point")))
    items.append(Item(Do.TAKE_POINT_BACK, say.say("keeper.take_back")))
    items.append(Item(Goto.MANUAL, say.say("keeper.every_turn")))
    return Page(title, tuple(items), board=_standing(say, context, state, plain=True))


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


def turn_sentence(say: Words, state: PublicState, play: Play) -> str:
    """A turn as the verdict tells it: ``White parries and advances 3``."""
    side, action = state.to_act, None
    assert side is not None
    if play.attack:
        action = ActionKind.INDIRECT_ATTACK if play.move else ActionKind.DIRECT_ATTACK
    elif play.move:
        action = ActionKind.ADVANCE if play.move > 0 else ActionKind.RETREAT
    return action_text(say, side, action, bool(play.parry), abs(play.move), state.distance - play.move, play.attack)


def fencers_at(state: PublicState, play: Play | None) -> BySide[FencerView]:
    """Both fencers, the one to act where this turn takes him."""

    def view(side: Side) -> FencerView:
        space, moved, pose = state.spaces[side], 0, Pose.GUARD
        if state.attack is not None and state.attack.by is side:
            pose = Pose.LUNGE
        if play is not None and state.to_act is side:
            moved = play.move * side.forward
            pose = Pose.LUNGE if play.attack else Pose.PARRY if play.parry and not play.move else Pose.GUARD
        return FencerView(space + moved, space if moved else None, pose, bool(moved))

    return BySide(view(Side.WHITE), view(Side.BLACK))


def spaces_of(state: PublicState, found: tuple[Play, ...]) -> tuple[int, ...]:
    """Where these turns would take the fencer, as far as they move him."""
    side = state.to_act
    moves = sorted({play.move for play in found if play.move})
    return () if side is None else tuple(state.spaces[side] + move * side.forward for move in moves)


def attack_view(say: Words, state: PublicState) -> AttackView | None:
    """The attack that waits for its answer."""
    attack = state.attack
    if attack is None:
        return None
    answer = answer_hint(say, state)
    return AttackView(
        attack.by, attack.kind, attack.value, attack.count, say.say(f"attack.{attack.kind.value}"), answer
    )


def _picked(chosen: object, way: object) -> str:
    return _CHOSEN if chosen == way else ""


_CHOSEN: Final = "*"


def _undone(say: Words, menu: Menu, context: MenuContext) -> str:
    return "" if named_in(menu) or not context.last else say.say("menu.undo_note", what=context.last)


def _turn(say: Words, menu: Menu, context: MenuContext, state: PublicState, chosen: Play | GivenUp | None) -> Board:
    """The position with the turn as it is entered so far."""
    side, named = state.to_act, named_in(menu)
    assert side is not None
    play = chosen if isinstance(chosen, Play) else None
    who = shown_name(say, side, context.names[side])
    ask = say.say("keeper.which" if named else "keeper.ask", name=who)
    if chosen is GivenUp.GIVEN_UP:
        ask = say.say("byhand.ask", turn=say.say("accepted.yield", side=side_name(say, side)))
    elif play is not None:
        ask = say.say("byhand.ask", turn=turn_sentence(say, state, play))
    told, mark = context.told, Mark.BAD
    if not told:
        told, mark = (answer_hint(say, state), Mark.NOW) if state.attack else ("", mark)
    if not told and not named and context.last:
        told, mark = say.say("keeper.last", what=context.last), Mark.PLAIN
    owed: Values = (state.attack.value,) * state.attack.count if state.attack is not None else ()
    owes = play.parry > 0 if play is not None else chosen is None and state.attack is not None
    return Board(
        fencers=fencers_at(state, play),
        names=_names(say, context),
        score=state.score,
        ask=ask,
        told=told,
        mark=mark,
        head=_head(say, state),
        to_act=side,
        distance=state.distance - (play.move if play is not None else 0),
        distance_text=say.say("label.distance"),
        distance_pending=play is not None and play.move != 0,
        attack=attack_view(say, state) if play is None else None,
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


def _hands(say: Words, menu: Menu, context: MenuContext, state: PublicState) -> Board:
    """White's hand as far as it was tapped; Black's is the rest."""
    named = named_in(menu)
    names = _names(say, context)
    left = rest_of(state, named)
    full = len(named) == state.hands.white
    told = say.say("keeper.rest", name=names.black, cards=" ".join(map(str, left))) if full else context.told
    return Board(
        fencers=fencers_at(state, None),
        names=names,
        score=state.score,
        ask=say.say("keeper.hand", name=names.white, other=names.black, count=state.hands.white),
        told=told,
        mark=Mark.GOOD if full else Mark.BAD,
        head=_head(say, state),
        distance=state.distance,
        distance_text=say.say("label.distance"),
        named=named,
        usable=() if full else tuple(sorted({*left})),
    )


def _between(say: Words, state: PublicState) -> tuple[Item, ...]:
    """What there is to do before a round, and after a match."""
    again = Item(Do.TAKE_BACK, say.say("keeper.take_back"))
    if state.phase is Phase.MATCH_OVER:
        return (Item(Goto.START, say.say("menu.start")), again)
    return (Item(Do.ROUND, say.say("menu.round")), Item(Goto.PLAIN, say.say("menu.plain")), again)


def _standing(say: Words, context: MenuContext, state: PublicState, *, plain: bool = False) -> Board:
    """Nobody is to act: how the last round ended, or that one may begin."""
    over = state.phase is Phase.MATCH_OVER
    ask = ending_title(say, state)
    if plain and not over:
        ask = say.say("keeper.who_won", round=state.round + (state.phase in (Phase.SETUP, Phase.ROUND_OVER)))
    told = context.told or ("" if over or plain else say.say("menu.round_note"))
    if over and not context.told and (why := reason_text(say, state)):
        told = f"{why}."
    mark = Mark.BAD if context.told else Mark.PLAIN
    fencers = fencers_at(state, None)
    if state.result is not None:
        won_by = state.result.winner
        poses = {side: _ended(state, side is won_by) for side in Side}
        fencers = BySide(*(FencerView(state.spaces[side], None, poses[side], False) for side in Side))
    if state.phase is Phase.SETUP:
        fencers = BySide(*(FencerView(START[side], None, Pose.STAND, False) for side in Side))
    return Board(
        fencers=fencers,
        names=_names(say, context),
        score=state.score,
        ask=ask or say.say("keeper.set_up"),
        told=told,
        mark=mark,
        head=say.say("label.points", count=state.points) if plain else _head(say, state),
        distance=fencers.black.space - fencers.white.space,
        distance_text="" if state.result is not None else say.say("label.distance"),
        plain=plain,
    )


def _ended(state: PublicState, won: bool) -> Pose:
    if state.result is not None and state.result.reason is Reason.HIT:
        return Pose.LUNGE if won else Pose.HIT
    return Pose.SALUTE if won else Pose.STAND


def _names(say: Words, context: MenuContext) -> BySide[str]:
    return BySide(*(shown_name(say, side, context.names[side]) for side in Side))


def _head(say: Words, state: PublicState) -> str:
    if state.round == 0:
        return say.say("label.points", count=state.points)
    return say.say("keeper.head", round=state.round, pile=state.pile)
