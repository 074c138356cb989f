"""Agreement over time: what single frames show becomes what the table holds. What is agreed on is never an average.

``step`` is a pure function of frozen values. A fencer's space counts when enough looks in a row agree, a card when it
was read often enough at one place that no hand touched. A figure that is read clearly is believed although a hand may
be there, it only has to stay as it is for longer.

A card seen and then covered by a later one stays. It has left only when some looks without a hand show a place where
its label was read, not hidden by a later card that is itself still there, and that place no longer looks like the
label. One whose place is covered before enough such looks were had is in doubt; but one whose place was seen as it had
been before the card came, though a hand was elsewhere on the table, is not under what came to lie there, unless that
itself looks as the place had been.

A code that is seen and that nobody can read, as the corner of a label that looks out from under another card, belongs
to a card of which the other label was read, or to one that nobody has read yet. How far it may lie from where the other
label should be follows from what is known of the cards' shape: see ``CardShapes``.
Source: hardware/PLATFORM.md, "What owners complain of", 1 to 3; roboflow/supervision's smoother as a warning.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from statistics import fmean
from typing import Final, NamedTuple

from engine.rules.cards import Card
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
from vision.belief import BARE, BESIDE_HAND, DOUBT, LONG_S, MISSED, OTHERWISE, PATIENCE_S, READ, STANDS, SURE, weighed
from vision.geometry import Camera, Floats, middle_of
from vision.printed.card_shape import (
    FINDER_OFF,
    SAME_WAY_DEG,
    USUAL_SIZE,
    CardShapes,
    LabelPose,
    Place,
    finder_places,
    shift_mm,
    turned_deg,
)
from vision.printed.table import CardSize
from vision.sights.card_cells import Lies
from vision.sights.observe import AT_REST_MM, HIDDEN, OFF_MM, CardSight, FigureSight

HIDES_WITHIN_MM: Final = CardShapes.qr_mm / math.sqrt(2) + OFF_MM
"""From the middle of a usual label to its corner, read as far off as may be."""
SAME_CODE_MM: Final = FINDER_OFF * CardShapes.qr_mm
"""The side of a finder pattern, 8.3 mm: no two lie nearer to each other. A place so far inside a card lies upon it:
labels tell where it lies, and are stuck up to 4 mm and 4 degrees off, which is 3 mm at a card's end."""
_TURNED_DEG: Final = math.degrees(math.atan(OFF_MM / SAME_CODE_MM))
"""What a finder pattern may seem to be turned to its label, if one of its ends is read as far off as may be."""


class PlaceState(Enum):
    """The look of a place where a label was read before."""

    SAME = "same"
    BARE = "bare"  # as it did before the label came there
    DIFFERENT = "different"
    BURNT = "burnt"  # so bright that nothing tells
    UNSURE = "unsure"


class PlaceLook(NamedTuple):
    """A look at the place of a label of ``card`` that was not read now."""

    card: Card
    place: Place
    verdict: PlaceState


class HeldLabel(NamedTuple):
    """A label of a held card: where it was read, and when last (when last whole, if something lies across it now)."""

    place: Place
    read_s: float
    turn_deg: float

    @property
    def pose(self) -> LabelPose:
        """Its place and the way its top points."""
        return LabelPose(self.place, self.turn_deg)


@dataclass(frozen=True, slots=True)
class HeldCard:
    """A card that may lie here: its middle and turn (0 to 180), millimetres and degrees, and its labels that were read.

    ``laid_at_s``: since when it lies there; ``placed_s``: since when exactly so (it may be nudged without being laid
    anew). ``nats``: how sure it is that it lies there. ``size``: as far as it is known.
    """

    card: Card
    x_mm: float
    y_mm: float
    turn_deg: float
    laid_at_s: float
    placed_s: float
    labels: tuple[HeldLabel, ...]
    nats: float = SURE
    size: CardSize = USUAL_SIZE

    @property
    def poses(self) -> tuple[LabelPose, ...]:
        """Its labels that were read."""
        return tuple(label.pose for label in self.labels)

    def reaches(self, place: Place, margin_mm: float) -> bool:
        """Whether a place lies on this card, grown by a margin (negative: shrunk)."""
        return in_footprint(self.x_mm, self.y_mm, self.turn_deg, place, margin_mm, self.size)

    def weighed(self, evidence: float) -> HeldCard:
        """The same after one more look."""
        return replace(self, nats=weighed(self.nats, evidence))


@dataclass(frozen=True, slots=True)
class CardMemory:
    """``held`` in the order in which the cards came to lie; ``new`` are those not agreed on.

    The next card laid on top may hide a new one for good: then it is neither known to lie there nor forgotten, but
    asked about, and so is one whose place seemed empty before another card covered it.
    ``unsettled``: the last look spoke for or against a card, and not enough.
    """

    held: tuple[HeldCard, ...] = ()
    new: tuple[HeldCard, ...] = ()
    unsettled: bool = False

    @property
    def covered(self) -> frozenset[Card]:
        """The cards of which others may hide every place where a label was read."""
        return frozenset(card.card for card in self.held if is_covered(card, self.held))

    @property
    def glimpsed(self) -> tuple[HeldCard, ...]:
        """The cards that may lie under a later one, sorted: they were read and have not been seen since."""
        held = {card.card for card in self.held}
        likely = (one for one in self.new if one.nats >= DOUBT and one.card not in held)
        return tuple(sorted((one for one in likely if is_covered(one, self.held)), key=lambda one: one.card))

    def table_changed_from(self, other: CardMemory) -> bool:
        """Whether other cards lie here, or at other places."""
        return {(card.card, card.laid_at_s) for card in self.held} != {
            (card.card, card.laid_at_s) for card in other.held
        }


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
    figures: BySide[FigureSight] = BySide(FigureSight(HIDDEN), FigureSight(HIDDEN))
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
    burnt = {look.card for look in reading.places if look.verdict is PlaceState.BURNT}
    burnt -= {look.card for look in reading.places if look.verdict is PlaceState.SAME}
    assert memory.since_s is not None
    return TableObservation(
        t_s=reading.t_s,
        since_s=memory.since_s,
        figures=memory.figures.map(lambda figure: figure.agreed),
        cards=tuple(
            CardReading(
                card.card,
                card.x_mm,
                card.y_mm,
                card.laid_at_s,
                covered=card.card not in seen and (card.card in burnt or is_covered(card, held)),
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


def step_cards(
    memory: CardMemory,
    t_s: float,
    sights: tuple[CardSight, ...],
    looks: tuple[PlaceLook, ...],
    hand: bool,
    shapes: CardShapes | None = None,
) -> CardMemory:
    """One look at the cards; while ``hand`` nothing leaves. ``looks`` are none at places that a hand may cover.

    ``shapes``: what is known of the cards.
    """
    shapes = CardShapes() if shapes is None else shapes
    held = {card.card: card for card in memory.held}
    new = {one.card: one for one in memory.new}
    at_place: dict[Card, tuple[CardSight, float]] = {}
    elsewhere: dict[Card, tuple[CardSight, float]] = {}
    for sight in sights:
        moved_mm = _moved_mm(held.get(sight.card), sight, shapes)
        if moved_mm <= HIDES_WITHIN_MM:
            at_place[sight.card] = sight, moved_mm
            continue
        moved_mm = _moved_mm(new.get(sight.card), sight, shapes)
        if sight.card not in elsewhere or moved_mm < elsewhere[sight.card][1]:
            elsewhere[sight.card] = sight, moved_mm
    for card, (sight, moved_mm) in at_place.items():
        held[card] = _refreshed(held[card], sight, t_s, nudged=moved_mm > AT_REST_MM)
        new.pop(card, None)
        elsewhere.pop(card, None)
    for card, (sight, moved_mm) in elsewhere.items():
        new[card] = _read_elsewhere(new[card] if moved_mm <= AT_REST_MM else None, sight, t_s, hand=hand)
        if card in held and sight.clear:  # there is one of each
            held[card] = held[card].weighed(-OTHERWISE)
    present = [*memory.held, *(new[card] for card in elsewhere)]
    for card in new.keys() - elsewhere.keys():
        if not hand and not is_covered(new[card], present):
            new[card] = new[card].weighed(-MISSED)
    new = {card: one for card, one in new.items() if one.nats > -SURE}
    # What a hand is about to lay was read over what it hides once it lies.
    arriving = [replace(one, placed_s=t_s) for one in _open(new.values(), memory.held)]
    absent = set() if hand else _absent(held.values(), arriving, at_place, looks)
    same = {look.card for look in looks if look.verdict is PlaceState.SAME}
    bare = {look.card for look in looks if look.verdict is PlaceState.BARE}
    present = [*held.values(), *arriving]
    against = set[Card]()
    for card in [card for card in held if card not in at_place]:
        if card in bare and is_covered(held[card], present, 0.0):
            # What lies upon its labels looks as the table did before them: other looks may have shown no more.
            held[card] = replace(held[card], nats=SURE)
        elif card in bare or card in absent:
            held[card] = held[card].weighed(-BARE if card in bare else -OTHERWISE)
            against.add(card)
        elif card in same:
            held[card] = held[card].weighed(OTHERWISE)
        if hand:
            continue
        covered = held[card].nats <= 0.0 and card not in absent and is_covered(held[card], present)
        if covered or held[card].nats <= -SURE:
            gone = held.pop(card)
            if gone.nats > -SURE:
                new.setdefault(card, gone)
    for card, one in list(new.items()):
        if one.nats >= SURE and (card not in held or held[card].nats < 0.0):
            del new[card]
            held.pop(card, None)  # it came last
            # A hand that laid it may have held it over what was read beneath it until now.
            held[card] = replace(one, placed_s=t_s)
    unsettled = bool(against & held.keys()) or bool(_open(new.values(), held.values()))
    return CardMemory(tuple(held.values()), tuple(new.values()), unsettled)


def _moved_mm(card: HeldCard | None, sight: CardSight, shapes: CardShapes) -> float:
    """How far a card has moved since its labels were read; infinite for one that is not known."""
    return math.inf if card is None else shift_mm(card.poses, sight.poses, sight.card, shapes)


def _read_elsewhere(known: HeldCard | None, sight: CardSight, t_s: float, *, hand: bool) -> HeldCard:
    """A card that was read where it is not known to lie; ``known``: as it was read there before, if it was."""
    since_s, nats = (t_s, -SURE) if known is None else (known.laid_at_s, known.nats)
    rests = not hand and t_s - since_s > LONG_S  # something was put beside it
    nats = weighed(nats, READ) if sight.clear or rests else max(nats, min(DOUBT, nats + BESIDE_HAND))
    labels = tuple(HeldLabel(pose.place, t_s, pose.turn_deg) for pose in sight.poses)
    middle = sight.x_mm, sight.y_mm
    return HeldCard(sight.card, *middle, sight.turn_deg, since_s, t_s, labels, nats=nats, size=sight.size)


def _refreshed(card: HeldCard, sight: CardSight, t_s: float, *, nudged: bool) -> HeldCard:
    """The card as it was just read: places read now replace their old ones, others are kept, and go where it goes."""
    found = [(label, _known_at(card, label.pose)) for label in sight.labels]
    kept = [label for label in card.labels if all(label is not known for _, known in found)]
    if nudged:
        moves = [(known.pose, label.pose) for label, known in found if known is not None]
        kept = [_carried(label, *moves[0]) for label in kept] if moves else []
    labels = tuple(
        # One that something lies across stays hidden by what came since it was read whole.
        HeldLabel(label.pose.place, known.read_s if label.cut and known is not None else t_s, label.pose.turn_deg)
        for label, known in found
    )
    labels = (*labels, *kept)[:2]
    middle = sight.x_mm, sight.y_mm
    if len(labels) == 2:  # by one alone it lies where its size was thought to put it
        middle = fmean(label.place[0] for label in labels), fmean(label.place[1] for label in labels)
    if not nudged and math.dist(middle, (card.x_mm, card.y_mm)) <= AT_REST_MM:
        middle = card.x_mm, card.y_mm
    return HeldCard(
        card.card,
        *middle,
        sight.turn_deg if nudged else card.turn_deg,
        card.laid_at_s,
        t_s if nudged else card.placed_s,
        labels,
        size=sight.size,
    )


def _known_at(card: HeldCard, pose: LabelPose) -> HeldLabel | None:
    """The label of a card that was just read at this place, if it is known."""
    near = [
        label
        for label in card.labels
        if turned_deg(label.pose, pose) <= SAME_WAY_DEG and math.dist(label.place, pose.place) <= HIDES_WITHIN_MM
    ]
    return min(near, key=lambda label: math.dist(label.place, pose.place), default=None)


def _carried(label: HeldLabel, before: LabelPose, now: LabelPose) -> HeldLabel:
    """A label that was not read, moved as another one of its card was."""
    turn = now.turn_deg - before.turn_deg
    return HeldLabel(now.towards(*before.to(label.place)), label.read_s, (label.turn_deg + turn) % 360.0)


def _open(new: Iterable[HeldCard], held: Collection[HeldCard]) -> list[HeldCard]:
    """The cards that may be coming to lie here in plain sight."""
    return [one for one in new if one.nats >= DOUBT and not is_covered(one, held)]


def _absent(
    held: Collection[HeldCard], arriving: list[HeldCard], read: Collection[Card], looks: tuple[PlaceLook, ...]
) -> set[Card]:
    """The held cards that this look speaks against, and that no card may hide which lies there or is ``arriving``.

    A card that this look speaks against hides nothing: so a pile that is swept away goes at once, and so do nudged
    cards of which each seems to hide the other.
    """
    there = {look.card for look in looks if look.verdict is PlaceState.SAME}.union(read)
    otherwise = {(look.card, look.place) for look in looks if look.verdict in (PlaceState.BARE, PlaceState.DIFFERENT)}
    missed = [
        (card, labels)
        for card in held
        if card.card not in there
        for labels in [[label for label in card.labels if (card.card, label.place) in otherwise]]
        if labels
    ]
    gone = [card for card, _ in missed]
    lying = [*arriving, *(card for card in held if card not in gone)]
    while under := [card for card, labels in missed if card in gone and all(hidden_by(at, lying) for at in labels)]:
        lying += under
        gone = [card for card in gone if card not in under]
    return {card.card for card in gone}


def is_covered(card: HeldCard, held: Iterable[HeldCard], margin_mm: float = HIDES_WITHIN_MM) -> bool:
    """Whether other cards may hide every place where this card's labels were read.

    With a ``margin_mm`` of 0 they lie upon half of each label at least.
    """
    others = [other for other in held if other.card != card.card]
    return all(hidden_by(label, others, margin_mm) for label in card.labels)


def in_footprint(
    x_mm: float, y_mm: float, turn_deg: float, place: Place, margin_mm: float, size: CardSize = USUAL_SIZE
) -> bool:
    """Whether a place lies on a card with this middle and turn, the card grown by a margin (negative: shrunk)."""
    dx, dy = place[0] - x_mm, place[1] - y_mm
    # Most places are nowhere near: that is told without the card's turn.
    if abs(dx) + abs(dy) > size.height_mm + size.width_mm + 4 * max(margin_mm, 0.0):
        return False
    angle = math.radians(turn_deg)
    up = dx * math.cos(angle) + dy * math.sin(angle)
    side = -dx * math.sin(angle) + dy * math.cos(angle)
    return abs(up) <= size.height_mm / 2 + margin_mm and abs(side) <= size.width_mm / 2 + margin_mm


def hidden_by(label: HeldLabel, cards: Iterable[HeldCard], margin_mm: float = HIDES_WITHIN_MM) -> bool:
    """Whether any of these cards, so much larger, reaches the middle of a label: it may hide a part of it.

    Only one that came to lie where it lies after the label was last read: what lay there already did not hide it.
    """
    return any(card.placed_s > label.read_s and card.reaches(label.place, margin_mm) for card in cards)


class UnreadCode(NamedTuple):
    """A finder pattern of a code that nobody can read: its middle in mm, its turn in degrees (0 to 90).

    ``hint``: the card that what is left of the code speaks for, if for any.
    """

    place: Place
    turn_deg: float
    hint: Card | None = None


def unread_code(outline: Floats, camera: Camera, hint: Card | None = None) -> UnreadCode:
    """The finder pattern with this outline, (4, 2) px."""
    corners = camera.at_height(outline, 0.0)
    x, y = middle_of(corners)
    edge = corners[1] - corners[0] + corners[2] - corners[3]
    return UnreadCode((x, y), math.degrees(math.atan2(edge[1], edge[0])) % 90.0, hint)


def unexplained(
    codes: Iterable[UnreadCode],
    sights: Sequence[CardSight],
    remembered: Sequence[HeldCard],
    shapes: CardShapes,
    t_s: float = -math.inf,
    face_down: Iterable[Lies] = (),
) -> tuple[UnreadCode, ...]:
    """The codes that are no part of these cards: ``sights`` are read now, others ``remembered``, or lie ``face_down``.

    No part of a card is seen where another one was laid on it, nor comes into sight there once both have lain for a
    while, as they do at ``t_s``: a code there is on top of both.
    """
    known, now = _labels_of((*sights, *remembered)), _labels_of(sights)
    held = remembered if shapes.known else ()
    backs = [(back.x_mm, back.y_mm, back.turn_deg) for back in face_down]
    return tuple(
        code
        for code in codes
        if not any(in_footprint(*back, code.place, AT_REST_MM, shapes.outline) for back in backs)
        if (code.hint is not None and code.hint not in known)
        or not _is_part(code, known, now, shapes, _buried(code, held, t_s))
    )


def _labels_of(cards: Sequence[CardSight | HeldCard]) -> dict[Card, list[LabelPose]]:
    """The places where labels of each card were read, each label once."""
    known: dict[Card, list[LabelPose]] = {}
    for card in cards:
        labels = known.setdefault(card.card, [])
        labels += [
            pose for pose in card.poses if all(math.dist(pose.place, other.place) > SAME_CODE_MM for other in labels)
        ]
    return known


def _buried(code: UnreadCode, held: Sequence[HeldCard], t_s: float) -> set[Card]:
    """The cards that another one, which still lies there, covers where this code is seen.

    It was laid later than they; or with them, and all so long ago that a label upon it would have been seen before.
    """
    covering = [card for card in held if card.nats > 0.0 and card.reaches(code.place, -SAME_CODE_MM)]
    return {
        own.card
        for own in held
        for other in covering
        if other.card != own.card
        and other.laid_at_s - own.placed_s
        > (-PATIENCE_S if t_s - max(own.placed_s, other.placed_s) > PATIENCE_S else PATIENCE_S)
    }


def _is_part(
    code: UnreadCode,
    known: dict[Card, list[LabelPose]],
    now: dict[Card, list[LabelPose]],
    shapes: CardShapes,
    buried: set[Card],
) -> bool:
    """Whether this code is on a label of a card that is ``known``, or where its other label may be."""
    if any(_on_label(code, label, shapes.qr_mm) for labels in known.values() for label in labels):
        return True
    for card in known.keys() - buried:
        alone = _without_other(known[card], shapes)
        if card in shapes.own:
            # A card that was pushed since its other label was read has that where the one that is read now tells.
            alone += _without_other(now.get(card, []), shapes)
        regions = shapes.regions(card) if alone else ()
        alike = [label for label in alone if _turned_alike(code, label)]
        if any(region.holds_finder(label, code.place, shapes.qr_mm) for label in alike for region in regions):
            return True
    return False


def _without_other(labels: list[LabelPose], shapes: CardShapes) -> list[LabelPose]:
    """Those of a card's labels of which the other one is not known: where it is, there is no further one."""
    return [
        label
        for label in labels
        if not any(0.0 < math.dist(other.place, label.place) <= shapes.reach_mm for other in labels)
    ]


def _on_label(code: UnreadCode, label: LabelPose, qr_mm: float) -> bool:
    """Whether this is a finder pattern of a label that was read here."""
    # All three are as far from the label's middle, and most codes are nowhere near: that is told without the turn.
    if math.dist(code.place, label.place) > 2 * FINDER_OFF * qr_mm + AT_REST_MM:
        return False
    return _turned_alike(code, label) and any(
        math.dist(code.place, place) <= AT_REST_MM for place in finder_places(label, qr_mm)
    )


def _turned_alike(code: UnreadCode, label: LabelPose) -> bool:
    return abs((code.turn_deg - label.turn_deg + 45.0) % 90.0 - 45.0) <= _TURNED_DEG
