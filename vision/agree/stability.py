"""Agreement over time: what single frames show becomes what the table holds. What is agreed on is never an average.

``step`` is a pure function of frozen values. A fencer's space counts when enough looks in a row agree, a card when it
was read often enough at one place that no hand touched. A figure that is read clearly is believed although a hand may
be there, it only has to stay as it is for longer. A card leaves only on evidence; see
``vision.agree.held_card``.
Source: hardware/PLATFORM.md, "What owners complain of", 1 to 3; roboflow/supervision's smoother as a warning.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

from engine.rules.track import BySide, Side
from engine.table.observation import (
    CardReading,
    Doubt,
    DoubtReason,
    FigureProblem,
    FigureReading,
    Sight,
    TableObservation,
    Why,
)
from vision.agree.held_card import SAME_CODE_MM, CardMemory, PlaceLook, is_covered, step_cards
from vision.belief import PATIENCE_S, STANDS, SURE, weighed
from vision.printed.card_shape import CardShapes, Place
from vision.sights.observe import AT_REST_MM, HIDDEN, OFF_MM, CardSight, FigureSight


@dataclass(frozen=True, slots=True)
class FrameReading:
    """One frame as far as agreement needs it.

    ``blind`` is why nothing in this frame can be trusted, else None; ``hand``: a hand or arm is over the table;
    ``guessed``: nothing moves there and it may be light or a thing as well.
    ``pending``: a part of the table was not looked at since something changed there. ``places`` are looks at the
    places of labels that were read before and not now. ``hint`` is what keeps something from being seen in this frame
    (glare, blur): the eyes are not steady then. ``unread`` are places, in mm, of codes that nobody can read and no
    known card explains, ``burnt`` those of them that light burns out. ``things`` are places of what came and burns so
    that no code is seen, ``outshone`` where light burns on cards that are not read, both with when a hand was there
    last. ``shapes`` is what is known of the cards. ``moved``: the view has just moved.
    """

    t_s: float
    figures: BySide[FigureSight]
    cards: tuple[CardSight, ...] = ()
    places: tuple[PlaceLook, ...] = ()
    hand: bool = False
    guessed: bool = False
    pending: bool = False
    blind: Why | None = None
    hint: Why | None = None
    foreign_decks: tuple[str, ...] = ()
    unread: tuple[Place, ...] = ()
    burnt: tuple[Place, ...] = ()
    things: tuple[tuple[Place, float], ...] = ()
    outshone: tuple[tuple[Place, float], ...] = ()
    shapes: CardShapes = field(default_factory=CardShapes)
    moved: bool = False


@dataclass(frozen=True, slots=True)
class UnreadMemory:
    """A place, in mm, where a code is seen that nobody can read, since when, how sure, in nats, and if it is burnt."""

    place: Place
    since_s: float
    nats: float = -SURE
    glares: bool = False


@dataclass(frozen=True, slots=True)
class FigureMemory:
    """A fencer's agreed reading, and another one that looks in a row have shown, HIDDEN too; ``nats``: how sure.

    ``t_s`` is the last look's that told anything. ``twice``: two tags of this fencer were seen, and none alone
    agreed on since: nobody knows which place is right.
    """

    agreed: FigureReading = HIDDEN
    other: FigureReading | None = None
    nats: float = -SURE
    t_s: float = 0.0
    twice: bool = False


@dataclass(frozen=True, slots=True)
class Memory:
    """Everything that is carried from look to look. ``lost``: in the last one there was no camera."""

    figures: BySide[FigureMemory] = field(default_factory=lambda: BySide(FigureMemory(), FigureMemory()))
    cards: CardMemory = field(default_factory=CardMemory)
    since_s: float | None = None
    unread: tuple[UnreadMemory, ...] = ()
    lost: bool = False


def step(memory: Memory, reading: FrameReading) -> tuple[Memory, TableObservation]:
    """Takes one look: gives the memory from now on, and the table as agreed."""
    since_s = reading.t_s if memory.since_s is None else memory.since_s
    if reading.blind is not None:
        memory = replace(memory, since_s=since_s, lost=reading.blind is Why.CAMERA_LOST)
        return memory, _observation(memory, reading, Sight.BLIND, reading.blind, None)
    excused = reading.hand or reading.hint is not None
    figures = BySide(
        _step_figure(memory.figures.white, reading.figures.white, reading.t_s, excused),
        _step_figure(memory.figures.black, reading.figures.black, reading.t_s, excused),
    )
    cards = step_cards(memory.cards, reading.t_s, reading.cards, reading.places, reading.hand, reading.shapes)
    changed = cards.table_changed_from(memory.cards) or any(
        figures[side].agreed.space != memory.figures[side].agreed.space
        or figures[side].agreed.problem != memory.figures[side].agreed.problem
        for side in Side
    )
    unread = _step_unread(memory.unread, reading)
    came_back = memory.lost
    memory = Memory(figures, cards, reading.t_s if changed else since_s, unread)
    sight, why, side = _sight(memory, reading)
    if came_back and sight is Sight.STEADY:
        # A camera that fails in the middle of a frame may begin again with the half it had: one look proves nothing.
        sight, why = Sight.CHECKING, Why.CAMERA_LOST
    return memory, _observation(memory, reading, sight, why, side)


def _step_unread(before: tuple[UnreadMemory, ...], reading: FrameReading) -> tuple[UnreadMemory, ...]:
    """The unread codes after one look. While a hand is over the table none is forgotten: it may hide them."""
    now = list[UnreadMemory]()
    seen = [(place, -math.inf, place in reading.burnt) for place in reading.unread]
    seen += [(place, handed_s, True) for place, handed_s in reading.things]
    for place, handed_s, glares in seen:
        near = (one for one in before if math.dist(one.place, place) <= SAME_CODE_MM)
        known = next(near, UnreadMemory(place, reading.t_s))
        # Nobody can tell a thing that burns from another one that a hand laid there.
        since_s = max(known.since_s, handed_s)
        now.append(replace(known, nats=weighed(known.nats, STANDS), glares=glares, since_s=since_s))
    hidden = before if reading.hand else ()
    now += [one for one in hidden if all(math.dist(one.place, place) > SAME_CODE_MM for place, _, _ in seen)]
    return tuple(now)


def _step_figure(memory: FigureMemory, sight: FigureSight, t_s: float, excused: bool) -> FigureMemory:
    """``excused``: there is a reason, other than the figure, for not seeing it."""
    now = sight.reading
    unseen = now.problem is FigureProblem.HIDDEN
    if not sight.twice and (unseen or memory.twice) and (excused or not sight.clear):
        return memory  # it, or one of the two, may only be covered
    if not memory.twice and _same(memory.agreed, now, stands=True):
        return FigureMemory(now if sight.clear and now.space == memory.agreed.space else memory.agreed, t_s=t_s)
    goes_on = memory.other is not None and (memory.other == now or _same(memory.other, now, stands=False))
    since_s = t_s - memory.t_s if goes_on else 0.0
    plain = sight.twice or (sight.clear and not unseen)
    evidence = STANDS if plain else min(STANDS, 2 * SURE * since_s / PATIENCE_S)
    nats = weighed(memory.nats if goes_on else -SURE, evidence)
    twice = sight.twice or (memory.twice and (unseen or nats < SURE))
    if nats >= SURE:
        return FigureMemory(now, now if unseen else None, nats, t_s, twice)
    return FigureMemory(memory.agreed, now, nats, t_s, twice)


def _same(agreed: FigureReading, now: FigureReading, *, stands: bool) -> bool:
    """Whether both say the same. A figure that stands on a space may be nudged a little without leaving it."""
    if agreed.x_mm is None or now.x_mm is None:
        return False
    apart = abs(agreed.x_mm - now.x_mm)
    if stands and agreed.space is not None and now.problem is FigureProblem.BETWEEN_SPACES:
        return apart < OFF_MM
    return agreed.space == now.space and agreed.problem == now.problem and (stands or apart < AT_REST_MM)


def _sight(memory: Memory, reading: FrameReading) -> tuple[Sight, Why | None, Side | None]:
    """How far this look can be trusted. What troubles the whole picture is said before a hand that may hide a part."""
    if reading.hint is Why.BLUR:
        return Sight.CHECKING, Why.BLUR, None
    glares = reading.hint is Why.GLARE and reading.guessed  # light is seen, a hand only supposed
    if reading.hand and not glares:
        return Sight.CHECKING, Why.MOVED if reading.moved else Why.HAND, None
    if reading.hint is not None:
        return Sight.CHECKING, reading.hint, None
    moves = (figure.other not in (None, HIDDEN) for _, figure in memory.figures.items())
    settling = memory.cards.unsettled or any(moves)
    if reading.moved and (settling or reading.pending):
        return Sight.CHECKING, Why.MOVED, None
    for side, figure in memory.figures.items():
        if HIDDEN in (figure.other, figure.agreed):
            return Sight.CHECKING, Why.MOVED if reading.moved else Why.TAG_HIDDEN, side
    if settling or reading.pending:
        return Sight.CHECKING, Why.HAND, None
    return Sight.STEADY, None, None


def _observation(
    memory: Memory, reading: FrameReading, sight: Sight, why: Why | None, side: Side | None
) -> TableObservation:
    seen = {sight.card for sight in reading.cards}
    held = memory.cards.held
    assert memory.since_s is not None
    return TableObservation(
        t_s=reading.t_s,
        since_s=memory.since_s,
        figures=memory.figures.map(lambda figure: figure.agreed),
        cards=tuple(
            CardReading(
                card.card, card.x_mm, card.y_mm, card.laid_at_s, card.card not in seen and is_covered(card, held)
            )
            for card in held
        ),
        sight=sight,
        why=why,
        why_side=side,
        foreign_decks=reading.foreign_decks,
        doubts=(
            *(
                Doubt(card.x_mm, card.y_mm, card.laid_at_s, DoubtReason.COVERED, card.card)
                for card in memory.cards.glimpsed
            ),
            *(
                Doubt(*code.place, code.since_s, DoubtReason.BURNT if code.glares else DoubtReason.HALF_HIDDEN)
                for code in memory.unread
                if code.nats >= SURE
            ),
            *(Doubt(*place, since_s, DoubtReason.LIGHT) for place, since_s in reading.outshone),
        ),
    )
