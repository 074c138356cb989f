"""What a screen, a lamp panel, a sound and a voice need, as data: the view model, and what it is made from.

Screens read nothing else: no state, no ruling, no catalogue. All sentences are already in the players' language.
Made by ``display.words.present.present``. Source: engine/RULES.md (ruling 11 for what may be shown).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Final

from engine.companion.companion import Instruction, SlotMark
from engine.record.course import Fallen
from engine.rules.cards import Card
from engine.rules.rulings import Remedy, RemedyKind, Ruling
from engine.rules.state import AttackKind, Phase, PublicState, Reason
from engine.rules.track import BySide, Side
from engine.table.comparison import Comparing
from engine.table.observation import Aim, Sight, TableObservation, Why
from engine.table.presses import Note
from engine.table.table_reading import OpenTurn


@dataclass(frozen=True, slots=True)
class TroubleSpot:
    """A place of the camera's picture where something is wrong; x and y of its ``outline`` go from 0 to 1.

    ``why`` None: a code nobody can read. ``side``: whose tag it is. ``too_small``: the cards are too small in the
    picture to be read, however sharp it is. ``mirrored``: the picture is a mirror image, in which no code can be read.
    """

    why: Why | None
    outline: tuple[tuple[float, float], ...]
    side: Side | None = None
    too_small: bool = False
    mirrored: bool = False

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom."""
        across, down = zip(*self.outline, strict=True)
        return min(across), min(down), max(across), max(down)

    @property
    def is_everything(self) -> bool:
        """Whether it is the picture as a whole."""
        left, top, right, bottom = self.box
        return right - left > _WHOLE and bottom - top > _WHOLE


_WHOLE: Final = 0.98


@dataclass(frozen=True, slots=True)
class TroubleView:
    """What keeps the eyes from seeing, what is to be done about it, and where in the picture it is.

    ``why`` is None where the eyes are steady, but a card cannot be read. Without spots nobody knows where.
    """

    why: Why | None
    text: str
    cure: str
    spots: tuple[TroubleSpot, ...]


NO_NAMES: Final = BySide("White", "Black")
NO_PORTRAITS: Final = BySide("", "")
"""Players who gave no names: they are called by their colours, in the language of the screen."""


class Mark(Enum):
    """What a line of the panel is to its reader; each has a sign and a colour."""

    PLAIN = "plain"
    NOW = "now"  # this is to be done next
    GOOD = "good"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class PanelLine:
    """One line of the panel. ``cards``: pictured before the words. ``stands``: it says where the fencers stand."""

    text: str
    mark: Mark = Mark.PLAIN
    cards: tuple[Card, ...] = ()
    stands: bool = False


@dataclass(frozen=True, slots=True)
class PanelView:
    """Words beside the game, in the players' language: a lesson, help, a round told again. ``page``: such as 3 / 12.

    ``asks``: the distance may be the answer and is neither shown nor said. ``explains``: it says itself why a round
    ended. ``goes_on``: a press goes on, and ends no turn. ``loose``: the pile was not set up. ``task``: the band says
    what to do, and nothing is larger than that. ``pictures`` are of what to do, ``slots`` are the companion's, from the
    left. ``turned``: how many times the leaf was turned, where there are more lines than room; set by whoever draws.
    """

    title: str
    lines: tuple[PanelLine, ...]
    page: str = ""
    asks: bool = False
    explains: bool = False
    goes_on: bool = False
    loose: bool = False
    task: bool = False
    pictures: tuple[RemedyView, ...] = ()
    slots: tuple[SlotMark, ...] = ()
    turned: int = 0


class Tone(Enum):
    """What kind of thing the verdict band says; each has a colour, a mark and a word."""

    READY = "ready"  # nothing to judge: the table waits for somebody
    LEGAL = "legal"  # an accepted turn
    PREVIEW = "preview"  # what is seen of an open turn
    REFUSED = "refused"  # against the rules
    UNSEEN = "unseen"  # the eyes cannot tell
    QUESTION = "question"  # an answer is wanted: give up?
    WON = "won"  # a round or a match is decided
    PAUSED = "paused"  # nothing is judged until somebody goes on


@dataclass(frozen=True, slots=True)
class VerdictView:
    """The verdict band: ``tag`` is the word for the tone; ``detail`` and ``hint`` may be empty."""

    tone: Tone
    tag: str
    headline: str
    detail: str = ""
    hint: str = ""


@dataclass(frozen=True, slots=True)
class MissingPart:
    """What is not there and is looked for: its name in the catalogue (``missing.sound``), and which of several.

    ``failed``: it is there, but does not work, and is tried again.
    """

    part: str
    name: str = ""
    failed: bool = False


@dataclass(frozen=True, slots=True)
class TableSituation:
    """What desk and eyes make of the table now."""

    observation: TableObservation | None = None
    open_turn: OpenTurn | None = None
    offer: OpenTurn | None = None  # the turn that is proposed to a player who asked for that
    by_hand: bool = False  # the turn may be entered by hand, for the eyes do not see it
    remedies: tuple[Remedy, ...] = ()  # what has to be put right now
    comparing: Comparing | None = None  # the table with the record, before play goes on
    trouble: tuple[TroubleSpot, ...] | None = None  # where the eyes cannot see; None while nobody need be shown it
    confirm_give_up: bool = False  # pressed with nothing laid, and gives up by pressing again
    waiting: bool = False  # a press waits for the eyes
    note: Note | None = None  # an answer to a press that is no ruling


@dataclass(frozen=True, slots=True)
class Helped:
    """What helpers of the loop (lesson, coach, companion, menu) say beside the referee."""

    panel: PanelView | None = None
    verdict: VerdictView | None = None  # in the verdict band, instead of its own words
    call: str = ""  # key of what a voice says then, which needs no facts
    spoken: str = ""  # asked aloud
    companion: Instruction | None = None  # what the companion asks for in ``panel`` or ``verdict``, where it does
    asked: str = ""  # the one turn that a lesson asks for: the band says it and nothing else
    asked_end: str = ""  # whose button ends that turn
    aloud: tuple[str, ...] = ()  # read out instead of all the rest, a sentence each
    aloud_page: str = ""  # names where those stand
    can_retell: bool = False  # the round that is over can be told again, from the menu and by a key
    retold: bool = False  # this is such a telling, and not the match as it stands


@dataclass(frozen=True, slots=True)
class DeviceSituation:
    """How it stands with the devices."""

    missing: tuple[MissingPart, ...] = ()  # not there, and looked for
    restarts: bool = False  # one of them comes back by another start of the program only, which is about to begin
    no_camera: bool = False  # it is gone, and the players are offered to go on without
    kept_by_hand: bool = False  # turns are entered by hand, and the camera is not asked
    aim: Aim | None = None  # how the camera looks at the board, while somebody turns it the right way
    tidies: bool = False  # the table puts itself right, as a simulated one does


@dataclass(frozen=True, slots=True)
class Situation:
    """What the loop knows at one moment: the match here, the rest by who knows it."""

    state: PublicState | None
    ruling: Ruling | None = None  # the last one, accepted or refused
    verdict_age_s: float = 0.0
    verdicts: int = 0  # how many there were
    names: BySide[str] = NO_NAMES
    portraits: BySide[str] = NO_PORTRAITS  # those the players chose
    teacher: Side | None = None  # whom the teacher of somebody who learns alone plays
    language: str = "en"
    revealed: BySide[tuple[Card, ...]] | None = None  # both hands, once shown and accepted
    mode: str = "play"  # or demo
    paused: bool = False  # nothing is judged until somebody goes on
    fallen: tuple[Fallen, ...] = ()  # turns that no longer hold after a correction
    clock_s: int | None = None  # left of the match, 0 in its last turn, None without a limit
    next_pair: BySide[str] | None = None  # called to this table next, asked for once the end of this match was read
    table: TableSituation = TableSituation()
    helped: Helped = Helped()
    devices: DeviceSituation = DeviceSituation()


@dataclass(frozen=True, slots=True)
class ActView:
    """The one button: ``text`` says what a press does now, empty for nothing; ``ready``: it is what comes next.

    ``give_up`` is what it says to whoever can do nothing else, as far as somebody knows the hand.
    """

    text: str = ""
    ready: bool = False
    give_up: str = ""


class Pose(Enum):
    """How a fencer is drawn."""

    GUARD = "guard"
    LUNGE = "lunge"
    PARRY = "parry"
    HIT = "hit"
    SALUTE = "salute"  # has won without a touch
    STAND = "stand"  # at ease
    TRIUMPH = "triumph"  # shown while a victory is celebrated, never judged by


class Cue(Enum):
    """Sound keys. A folder of recordings may replace any of them by name."""

    MOVE = "move"
    ATTACK = "attack"
    PARRY = "parry"
    TOUCH = "touch"
    REFUSED = "refused"
    LAST_CARD = "last_card"
    WIN = "win"


@dataclass(frozen=True, slots=True)
class FencerView:
    """One fencer. ``space`` is where to draw it; ``from_space`` where the last ruling left it, if that differs.

    ``pending``: the new place is not ruled on yet (drawn with the old space marked).
    """

    space: int
    from_space: int | None
    pose: Pose
    pending: bool


@dataclass(frozen=True, slots=True)
class AttackView:
    """An attack waiting for its answer. ``text`` says it, ``answer`` what the defender can do now."""

    by: Side
    kind: AttackKind
    value: int
    count: int
    text: str
    answer: str


@dataclass(frozen=True, slots=True)
class RemedyView:
    """One thing to do on the table, to be pictured. ``cards`` are the very cards, where they are known."""

    kind: RemedyKind
    text: str
    side: Side | None = None
    cards: tuple[Card, ...] = ()
    from_space: int | None = None
    to_space: int | None = None
    value: int | None = None
    count: int | None = None


@dataclass(frozen=True, slots=True)
class EyesView:
    """What the camera can see. ``text`` is never empty: nothing is silent. ``foreign`` names other decks' cards.

    ``quiet``: nothing is wrong while they look, or while hands are at work, as in any turn. ``used``: the line is about
    a camera; else no eye stands before it.
    """

    sight: Sight
    why: Why | None
    text: str
    foreign: str = ""
    quiet: bool = False
    used: bool = True


@dataclass(frozen=True, slots=True)
class RevealView:
    """Hands shown or to be shown. ``value`` is the distance: cards equal to it count.

    ``hands`` None: they are still to be shown. ``counts`` is None where hands were not compared.
    """

    value: int
    hands: BySide[tuple[Card, ...]] | None
    counts: BySide[int] | None
    sizes: BySide[int]
    text: str


@dataclass(frozen=True, slots=True)
class EndingView:
    """How the round (or match) ended, with its working. ``working`` lines go from cards to position.

    ``title`` says who won; ``because`` why the round ended, which is the title, too, unless the match is over with it.
    ``decided_by`` says what decided, ``source`` names the ruling, the preset and the rule text, because presets differ.
    ``turned``: as in ``PanelView``.
    """

    winner: Side | None
    reason: Reason
    match_over: bool
    title: str
    because: str
    working: tuple[str, ...]
    decided_by: str
    source: str
    counts: BySide[int] | None
    advances: BySide[int]
    turned: int = 0

    @property
    def steps(self) -> tuple[str, ...]:
        """Why it ended so, step by step: the working, and what decided."""
        return tuple(filter(None, (*self.working, self.decided_by)))


@dataclass(frozen=True, slots=True)
class MatchView:
    """Who fences, and how the match stands."""

    names: BySide[str]
    side_names: BySide[str]
    portraits: BySide[str]  # those the players chose, empty for none
    score: BySide[int]
    points: int
    points_text: str
    history: tuple[Side | None, ...]  # the winner of each finished round, None: drawn
    round: int
    round_text: str
    clock_s: int | None
    starter: Side | None
    starter_text: str
    preset_text: str
    bots: tuple[Side, ...] = ()  # sides that no person plays: a bot, the companion, a teacher


@dataclass(frozen=True, slots=True)
class PisteView:
    """The fencers, the distance between them, and who is to act: of the match, a puzzle or a past turn."""

    fencers: BySide[FencerView]
    before_spaces: BySide[int] | None = None  # where they stood before the last accepted turn, for animation
    distance: int = 0
    distance_pending: bool = False  # a fencer stands where a turn not ruled on yet leads
    distance_text: str = ""
    to_act: Side | None = None
    attack: AttackView | None = None  # waits for its answer
    lit: tuple[int, ...] = ()  # spaces that the laid cards lead to
    moments: bool = True  # a touch and what decided are staged; this and the next two are set by who animates
    before_poses: BySide[Pose] | None = None  # how the fencers were shown before
    joy_s: float | None = None  # for how long the end of a round has been celebrated, None while nothing is


@dataclass(frozen=True, slots=True)
class PilesView:
    """Draw pile, discard pile and the cards nobody has seen: only what ruling 11 lets everybody see."""

    pile: int
    pile_text: str  # empty where nobody set a pile up
    top_discard: Card | None
    discard_text: str
    unseen: tuple[tuple[int, int], ...]
    unseen_text: str


@dataclass(frozen=True, slots=True)
class HeardView:
    """Sounds, calls and what is read out."""

    cue: Cue | None
    call: str  # what a voice would say, empty for nothing
    call_key: str  # names it for a recording in every language; empty for what has too many forms (a move)
    spoken: str = ""  # asked for beside the referee, said once when it changes
    aloud: tuple[str, ...] = ()  # all that has to be known of this moment by who cannot see it, a sentence each
    aloud_page: str = ""  # on another page it is all new


@dataclass(frozen=True, slots=True)
class ViewModel:
    """Everything to be shown at one moment."""

    language: str
    mode: str
    serial: int  # goes up with every verdict: a sound or a call is made once for each
    verdict_age_s: float
    phase: Phase | None
    match: MatchView
    piste: PisteView
    piles: PilesView
    heard: HeardView
    turn_text: str
    verdict: VerdictView
    remedies: tuple[RemedyView, ...]
    eyes: EyesView
    reveal: RevealView | None
    ending: EndingView | None
    lamps: Mapping[str, bool]  # every name in ``LAMPS``
    keys: Mapping[str, str]
    panel: PanelView | None = None
    act: ActView = ActView()
    trouble: TroubleView | None = None  # shown on the camera's picture
    companion: Instruction | None = None
    can_retell: bool = False
    retold: bool = False
    offered: str = ""  # why two more ``keys`` are offered, ``manual`` and ``plain``; empty while there is a camera

    @property
    def celebrated(self) -> Side | None:
        """The winner of a round that is over, unless that is a bot that has beaten a person."""
        winner = None if self.ending is None else self.ending.winner
        return None if self.match.bots == (winner,) else winner


@dataclass(frozen=True, slots=True)
class WatchView:
    """What ``engarde watch`` says under its picture, in one language.

    ``agreed`` and ``frame`` are the table as the frames agree on it and as the last one alone shows it; ``technical``
    the speed and how well the board is known; ``keys`` what can be pressed. ``buttons`` stand between picture and
    words, each the name of a request and what it says; without any, every tap is the same.
    """

    eyes: EyesView
    agreed: str
    frame: str
    technical: str
    keys: str
    buttons: tuple[tuple[str, str], ...] = ()
