"""The companion at the table: a helper that knows the cards in its slots and says what is to be done with them.

It plays whenever one of the two names is one of its own (``opponents``). What it sees are the backs in its slots, and
what everybody sees; the referee judges what the person's hands then did for it, as any turn.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from random import Random
from typing import Final

from display.i18n import Words, words
from display.view import Mark, PanelLine, PanelView, Situation, Tone
from display.words.companion import asked_text, companion_panel, companion_verdict
from display.words.sentences import shown_name, side_name, verdict
from engine.companion.backs import DeckBacks
from engine.companion.companion import (
    NO_CARDS,
    Asked,
    Companion,
    CompanionWish,
    Instruction,
    Slot,
    Slots,
    Strange,
    TurnProgress,
    asked,
    looked,
    progress_of,
)
from engine.players.players import Bot
from engine.rules.legal import GiveUp, Turn
from engine.rules.rulings import Remedy, RemedyKind
from engine.rules.state import Phase, PlayerView, PublicState
from engine.rules.track import Side
from engine.table.desk import Desk, EndTurn
from engine.table.observation import BackReading, CardReading, Doubt, DoubtReason, Sight, TableObservation
from engine.table.presses import Button, Press
from engine.table.table_reading import new_cards
from firmware.core.errors import EngardeError
from firmware.table.loop.moment import Helper, Moment, People
from firmware.table.loop.requests import Enter, Watch
from firmware.table.loop.watched import Part
from firmware.ui.companion.opponents import companion_in
from vision.look import Look
from vision.printed.table import Table
from vision.reading.backs import slot_areas

SETTLED_S: Final = 0.5
"""A slot's card counts once it has lain there so long."""
RULED_S: Final = 2.5
"""So long the band says what the referee ruled; what the companion asks for next stands in the panel meanwhile."""
YIELDS_AFTER_S: Final = 4.0
"""The companion gives up once what it was struck with has been on the screen so long."""
_SPOKEN: Final = (
    CompanionWish.TURN,
    CompanionWish.YIELD,
    CompanionWish.DEAL,
    CompanionWish.TOO_MANY,
    CompanionWish.STRANGE,
    CompanionWish.REVEAL,
)


class TableCompanion(Helper):
    """Plays at this ``table`` whenever one of ``people`` has one of its names.

    ``deck_of`` gives a deck's registered backs by its letter. ``meanwhile``: it thinks in a thread; without it the same
    frames give the same words. ``recorded``: presses and giving up come from a recording.
    """

    part: Final = Part.COMPANION

    def __init__(
        self,
        deck_of: Callable[[str], DeckBacks],
        strengths: Mapping[str, Callable[[], Bot]],
        table: Table,
        people: People,
        *,
        meanwhile: bool,
        recorded: bool = False,
    ) -> None:
        super().__init__()
        self._deck_of = deck_of
        self._strengths = strengths
        self._table = table
        self._people = people
        self._meanwhile = meanwhile
        self._recorded = recorded
        self._plays: tuple[Side, str] | None = None
        self._deck = DeckBacks("")
        self._trouble = ""
        self._thinker: Thinker | None = None
        self._companion = Companion(Side.BLACK, "")
        self._calm = False
        self._yielded = -1
        self._begun = False
        self._by_button = True
        self.asked: Asked | None = None
        """What it asks its person for at this moment; None while it does not play."""

    def hear(self, presses: tuple[Press, ...], now_s: float) -> tuple[Press, ...]:
        """Let a single person's own button end the companion's turns, too, once something was done for it."""
        if self._recorded or self._plays is None or not self._begun:
            return presses
        own = self._plays[0].other
        return tuple(replace(press, button=Button.ACT) if press.button.side is own else press for press in presses)

    def close(self) -> None:
        """Let go of what it thinks with."""
        if self._thinker is not None:
            self._thinker.close()

    def sift(self, seen: TableObservation, desk: Desk) -> TableObservation:
        """Leave out half hidden codes in the slots, and cards that were dealt there face up.

        At a reveal the companion's own cards count wherever they were turned over.
        """
        self._sit_down()
        state = desk.state
        self.asked = None
        self._begun = self._begun and desk.comparing is None
        if self._plays is None or self._thinker is None or state is None or not self._deck.complete:
            return seen
        table = self._table
        newest = max((back.since_s for back in seen.backs), default=0.0)
        self._calm = seen.sight is Sight.STEADY and seen.t_s - newest >= SETTLED_S and desk.comparing is None
        face_up = self._dealt_face_up(seen, state)
        slots = slots_of(seen.backs, self._deck, table, face_up)
        self._companion = looked(self._companion, state, slots, self._thinker, calm=self._calm)
        self.asked = asked(self._companion, state)
        # A code half under a hand in a slot is the back of a card that is being dealt, and no card that was played.
        areas = slot_areas(table)
        doubts = [
            doubt
            for doubt in seen.doubts
            if doubt not in seen.unread or not any(area.holds(doubt.x_mm, doubt.y_mm) for area in areas)
        ]
        # One dealt face up is asked about before a turn is judged: nobody knows that it was not laid.
        cards = tuple(reading for reading in seen.cards if reading not in face_up)
        doubts += [Doubt(each.x_mm, each.y_mm, each.laid_at_s, DoubtReason.COVERED, each.card) for each in face_up]
        return self._in_its_half(replace(seen, cards=cards, doubts=tuple(doubts)), state)

    def advise(self, situation: Situation, look: Look, desk: Desk) -> Situation:
        """The situation with the companion's words: in the band where the referee leaves it, and in the panel."""
        if self._plays is None:
            return situation
        say, (side, _) = words(situation.language), self._plays
        title = say.say("companion.title", name=shown_name(say, side, situation.names[side]), side=side_name(say, side))
        if self._trouble or not self._deck.complete:
            return self._cannot_play(situation, say, title)
        made, state = self._asked_now(desk), desk.state
        if made is None or state is None:
            return situation
        if not (situation.paused or situation.helped.retold or self._recorded):
            self._give_up(made, look.table, desk, state)
        progress = None
        if made.wish is CompanionWish.TURN and made.plan is not None:
            progress = progress_of(made.plan, state, look.table, side)
        self._begun = progress is not None
        held = [slot is not None for slot in self._companion.slots]
        panel = companion_panel(say, title, made, side, progress, self._companion.otherwise, held)
        instruction = Instruction(made, progress)
        helped = replace(
            situation.helped,
            panel=situation.helped.panel or panel,
            companion=instruction if situation.helped.panel is None else None,
            spoken=asked_text(say, made, side) if made.wish in _SPOKEN else "",
        )
        # The other player's turn is seen: that is what counts then.
        other = situation.table.open_turn is not None and made.wish is not CompanionWish.TURN
        if _is_taken(situation) or other:
            return replace(situation, helped=helped)
        band = companion_verdict(say, made, side, progress, by_button=self._by_button)
        helped = replace(helped, verdict=band, companion=helped.companion if band is None else instruction)
        remedies = situation.table.remedies or self._remedies(made, progress, side)
        return replace(situation, helped=helped, table=replace(situation.table, remedies=remedies))

    def attend(self, moment: Moment) -> None:
        """Its person is asked to press only where a press ends turns."""
        self._by_button = moment.settings.end_turn is EndTurn.BUTTON

    def _asked_now(self, desk: Desk) -> Asked | None:
        """Its request after this moment's rulings: a turn accepted just now is not asked for again."""
        state = desk.state
        if self.asked is not None and self._thinker is not None and state is not None:
            self._companion = looked(self._companion, state, NO_CARDS, self._thinker, calm=False)
            self.asked = asked(self._companion, state)
        return self.asked

    def _sit_down(self) -> None:
        """Play, or leave, as the names of the match say now."""
        plays = companion_in(self._people.names)
        if plays == self._plays:
            return
        self.close()
        self._plays, self._thinker, self._trouble = plays, None, ""
        if plays is None:
            self._asked.append(Watch(()))
            return
        side, strength = plays
        self._read_deck()
        # A back is told from a card by its token, and never from which card it is: sorted, they tell nothing.
        tokens = tuple(sorted(self._deck.tokens.values()))
        self._thinker = Thinker(self._strengths[strength](), meanwhile=self._meanwhile)
        self._companion = Companion(side, f"{strength} {[*tokens]}")
        self._asked.append(Watch(tuple(slot_areas(self._table)), tokens))

    def _read_deck(self) -> None:
        try:
            self._deck = self._deck_of(self._table.deck_letter)
        except EngardeError as error:
            self._deck, self._trouble = DeckBacks(self._table.deck_letter), str(error)

    def _dealt_face_up(self, seen: TableObservation, state: PublicState) -> tuple[CardReading, ...]:
        """Cards in its slots that would count as laid, although it has not asked for any: they are being dealt."""
        if self._plays is None or state.to_act is None:
            return ()
        if state.to_act is self._plays[0] and self._companion.plan_of(state) is not None:
            return ()  # whoever turns the card it asked for over where it lies has laid it
        return tuple(reading for reading in new_cards(state, seen) if slots_under(reading, self._table))

    def _give_up(self, made: Asked, seen: TableObservation, desk: Desk, state: PublicState) -> None:
        """Ask that it gives up, once for every time it comes to that: it is the only one who knows."""
        if made.wish is not CompanionWish.YIELD or made.plan is None:
            return
        shown = seen.t_s - desk.verdict_s >= YIELDS_AFTER_S
        stands = seen.figures.map(lambda figure: figure.space) == state.spaces
        if self._calm and shown and stands and desk.verdicts != self._yielded:
            self._yielded = desk.verdicts
            self._asked.append(Enter(made.plan.event()))

    def _in_its_half(self, seen: TableObservation, state: PublicState) -> TableObservation:
        """Its cards are known: turned over where they lie, they count in its half all the same."""
        if state.phase is not Phase.REVEAL or self._plays is None:
            return seen
        side, area = self._plays[0], self._table.play_area
        middle = area.middle[0]

        def placed(x_mm: float) -> float:
            wrong = x_mm >= middle if side is Side.WHITE else x_mm < middle
            return 2 * middle - x_mm - (0.001 if side is Side.WHITE else 0.0) if wrong else x_mm

        cards = tuple(
            replace(reading, x_mm=placed(reading.x_mm)) if reading.card in self._companion.own else reading
            for reading in seen.cards
        )
        return replace(seen, cards=cards)

    def _cannot_play(self, situation: Situation, say: Words, title: str) -> Situation:
        known = len(self._deck.tokens)
        text, hint = say.say("companion.no_deck", known=known), say.say("companion.no_deck_hint")
        panel = PanelView(title, (PanelLine(text, Mark.BAD), PanelLine(hint, Mark.NOW)))
        helped = replace(situation.helped, panel=situation.helped.panel or panel)
        if not _is_taken(situation) and situation.table.open_turn is None:
            helped = replace(helped, verdict=verdict(say, Tone.QUESTION, text, hint=hint, tag="companion.tag"))
        return replace(situation, helped=helped)

    def _remedies(self, made: Asked, progress: TurnProgress | None, side: Side) -> tuple[Remedy, ...]:
        """Pictures of what was done otherwise, or of where its fencer goes."""
        if made.wish is not CompanionWish.TURN or made.plan is None:
            return ()
        wrong = () if progress is None else progress.unasked
        take_back = tuple(Remedy(RemedyKind.TAKE_BACK_CARD, card=card) for card in wrong)
        state = self._companion.seen
        assert state is not None
        if (progress is None or not progress.done) and made.plan.spaces[side] != state.spaces[side]:
            return (*take_back, Remedy(RemedyKind.MOVE_FIGURE, side=side, space=made.plan.spaces[side]))
        return take_back


def _is_taken(situation: Situation) -> bool:
    """True if the band shows a recent verdict, a refusal, a question or a lesson, which must not be hidden."""
    if situation.helped.verdict is not None or situation.verdict_age_s < RULED_S:
        return True
    refused = situation.ruling is not None and not situation.ruling.ok
    over = situation.state is None or situation.state.phase in (Phase.SETUP, Phase.ROUND_OVER, Phase.MATCH_OVER)
    table = situation.table
    asks = table.confirm_give_up or table.comparing is not None or table.note is not None
    return refused or over or asks or situation.table.waiting or situation.paused


ASIDE_MM: Final = 26.0
ASKEW_MM: Final = 32.0


def slots_of(
    backs: Iterable[BackReading], deck: DeckBacks, table: Table, face_up: Collection[CardReading] = ()
) -> Slots:
    """The content of each slot, from the left. ``face_up``: cards that were dealt into slots the wrong way up."""
    lying: list[list[BackReading]] = [[] for _ in table.slots_mm]
    for back in backs:
        for number in slots_under(back, table):
            lying[number].append(back)
    wrong = {number for reading in face_up for number in slots_under(reading, table)}
    return tuple(Strange.FACE_UP if number in wrong else _slot(cards, deck) for number, cards in enumerate(lying))


def slots_under(card: BackReading | CardReading, table: Table) -> tuple[int, ...]:
    """The slots this card lies in, counted from 0: one at most, where they lie apart."""
    return tuple(
        number
        for number, (x, y) in enumerate(table.slots_mm)
        if abs(card.x_mm - x) <= ASIDE_MM and abs(card.y_mm - y) <= ASKEW_MM
    )


def _slot(cards: list[BackReading], deck: DeckBacks) -> Slot:
    if not cards:
        return None
    if len(cards) > 1:
        return Strange.TWO
    card = deck.card_of(cards[0].token)
    return Strange.UNKNOWN if card is None else card


class Thinker:
    """Chooses for the companion: at once, or ``meanwhile``, so that the choice is there some looks later."""

    def __init__(self, bot: Bot, *, meanwhile: bool) -> None:
        self._bot = bot
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="companion") if meanwhile else None
        self._about: PlayerView | None = None
        self._coming: Future[Turn | GiveUp] | None = None

    def __call__(self, view: PlayerView, rng: Random) -> Turn | GiveUp | None:
        """The choice for what this player sees; None while it is still thought about."""
        if self._pool is None:
            return self._bot.choose(view, rng)
        if self._coming is None or self._about != view:
            if self._coming is not None:
                self._coming.cancel()
            self._about, self._coming = view, self._pool.submit(self._bot.choose, view, rng)
        if not self._coming.done():
            return None
        made, self._coming = self._coming, None
        return made.result()

    def close(self) -> None:
        """Think no more."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
