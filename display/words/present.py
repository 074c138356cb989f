"""``present(situation) -> ViewModel``: everything to be shown, as data, in the players' language. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Final

from display.i18n import Words
from display.lamps import lamp_state
from display.view import (
    ActView,
    Cue,
    EyesView,
    FencerView,
    HeardView,
    MatchView,
    PanelView,
    PilesView,
    PisteView,
    Pose,
    RemedyView,
    Situation,
    Tone,
    TroubleView,
    VerdictView,
    ViewModel,
)
from display.words.aloud import aloud
from display.words.ends import TurnTold, ending_view, last_turn, reveal_view, round_winners
from display.words.sentences import (
    clock_text,
    eyes_reason,
    is_bot,
    listed,
    preset_name,
    remedy_views,
    shown_name,
    side_name,
    words_for,
)
from display.words.trouble import aim_text, aim_verdict, aim_view, offer_pictures, trouble_view
from display.words.verdicts import attack_view, turn_text, verdict_view
from engine.rules.events import TimeEvent
from engine.rules.rulings import ATTACKS, ActionKind, RemedyKind
from engine.rules.state import Phase, PublicState, Reason
from engine.rules.track import SPACES, START, BySide, Side
from engine.table.observation import Sight, TableObservation, Why
from engine.table.possible_turns import next_step
from engine.table.table_reading import OpenTurn

KEYS: Final = (
    *("white", "black", "act", "undo", "camera", "review", "back", "live", "forward"),
    *("retell", "language", "menu", "manual", "plain", "quit"),
)
"""What the window's buttons and keys are called: ``ViewModel.keys`` has a word for each."""


def present(situation: Situation) -> ViewModel:
    """The view model of this moment. Raises ValueError for a language there is no catalogue of."""
    say = words_for(situation.language, situation.names)
    state, ruling = situation.state, situation.ruling
    told = last_turn(state, ruling) if state is not None and ruling is not None else None
    # A lesson may begin where a round is over, which nobody at this table has just won.
    over = state if not situation.helped.asked else None
    working = ruling.working if ruling else None
    ending = ending_view(say, over, working, told) if over is not None else None
    # A turn that is proposed is on the screen whoever else has the word: the next press may mean it.
    own = None if situation.table.offer is not None else situation.helped.verdict
    verdict = aim_verdict(say, situation) or own or verdict_view(say, situation, told, ending)
    seen = situation.table.observation
    to_act = state.to_act if state is not None else None
    amber = verdict.tone in (Tone.REFUSED, Tone.UNSEEN) or (seen is not None and seen.sight is Sight.BLIND)
    cue, call_key, call = _sounds(say, situation, told)
    remedies, trouble = _pictures(say, situation), aim_view(say, situation) or trouble_view(say, situation)
    helped, devices, panel = situation.helped, situation.devices, situation.helped.panel
    return ViewModel(
        language=situation.language,
        mode=situation.mode,
        serial=situation.verdicts,
        verdict_age_s=situation.verdict_age_s,
        phase=state.phase if state is not None else None,
        match=_match(say, situation),
        piste=_piste(say, situation, told),
        piles=_piles(say, state, loose=panel is not None and panel.loose),
        heard=HeardView(
            cue,
            call,
            call_key,
            spoken=helped.spoken if devices.aim is None else aim_text(say, devices.aim),
            aloud=aloud(say, situation, verdict, remedies, ending, trouble, missing_text(say, situation)),
            aloud_page=helped.aloud_page,
        ),
        turn_text=say.say("label.to_act", side=side_name(say, to_act)) if to_act else say.say("label.nobody"),
        verdict=verdict,
        remedies=remedies,
        eyes=_kept(say) if devices.kept_by_hand and not devices.missing else _eyes(say, situation, trouble),
        reveal=reveal_view(say, state, situation.revealed) if state is not None else None,
        ending=ending,
        lamps=lamp_state(state, amber=amber, asks=panel is not None and panel.asks),
        keys=_keys(say, situation),
        panel=_panel(panel, verdict),
        act=act_view(say, situation),
        trouble=trouble,
        companion=helped.companion,
        can_retell=helped.can_retell,
        retold=helped.retold,
        offered=say.say("keeper.offer") if devices.no_camera else "",
    )


def _match(say: Words, situation: Situation) -> MatchView:
    state = situation.state
    return MatchView(
        names=BySide(*(shown_name(say, side, name) for side, name in situation.names.items())),
        side_names=BySide(say.say("name.white"), say.say("name.black")),
        portraits=situation.portraits,
        score=state.score if state is not None else BySide(0, 0),
        points=state.points if state is not None else 0,
        points_text=say.say("label.points", count=state.points) if state is not None else "",
        history=round_winners(state),
        round=state.round if state is not None else 0,
        round_text=_round_text(say, situation),
        clock_s=situation.clock_s,
        starter=state.starter if state is not None else None,
        starter_text=say.say("label.starts", side=side_name(say, state.starter)) if state is not None else "",
        preset_text=preset_name(say, state.rules.name) if state is not None else "",
        bots=tuple(side for side, name in situation.names.items() if side is situation.teacher or is_bot(name)),
    )


def _piste(say: Words, situation: Situation, told: TurnTold | None) -> PisteView:
    turn, official = situation.table.open_turn, situation.state.spaces if situation.state is not None else START
    fencers = _fencers(situation, told)
    pending = turn is not None and turn.ruling.ok
    spaces = fencers.map(lambda fencer: fencer.space) if pending else official
    return PisteView(
        fencers=fencers,
        before_spaces=told.before if told is not None else None,
        distance=spaces.black - spaces.white,
        distance_pending=pending and spaces != official,
        distance_text=say.say("label.distance"),
        to_act=situation.state.to_act if situation.state is not None else None,
        attack=attack_view(say, situation.state),
        lit=lit_spaces(situation),
    )


def _piles(say: Words, state: PublicState | None, *, loose: bool) -> PilesView:
    return PilesView(
        pile=state.pile if state is not None else 0,
        pile_text="" if loose else say.say("label.pile"),
        top_discard=state.top_discard if state is not None and not loose else None,
        discard_text=say.say("label.discard"),
        unseen=_unseen(state),
        unseen_text=say.say("label.unseen"),
    )


def _panel(panel: PanelView | None, verdict: VerdictView) -> PanelView | None:
    """The panel without what the band says in larger letters, unless that is all it holds: it does not come and go."""
    if panel is None:
        return None
    said = (verdict.headline, verdict.detail, verdict.hint)
    lines = tuple(line for line in panel.lines if line.text not in said or line.cards)
    return replace(panel, lines=lines) if lines or panel.page or panel.slots else panel


def _kept(say: Words) -> EyesView:
    return EyesView(Sight.STEADY, None, say.say("keeper.eyes"), used=False)


def _pictures(say: Words, situation: Situation) -> tuple[RemedyView, ...]:
    """The pictures in the verdict band: of what to put right or, while a turn is proposed, of that turn."""
    if situation.table.offer is not None and situation.state is not None and not situation.paused:
        return offer_pictures(say, situation.table.offer, situation.state)
    # Whoever is asked whether to give up has read that a card would do instead.
    asked = (RemedyKind.PLAY_ACTION,) if situation.table.confirm_give_up else ()
    remedies = tuple(remedy for remedy in situation.table.remedies if remedy.kind not in asked)
    return remedy_views(say, remedies, situation.table.observation)


def _keys(say: Words, situation: Situation) -> Mapping[str, str]:
    """What the buttons are called now: while table and record differ, White's and Black's choose between them; in a
    round told again they go back and on."""
    names = {name: f"key.{name}" for name in KEYS}
    comparing = situation.table.comparing
    if comparing is not None and not comparing.rebuilding:
        names["white"] = "key.table_right"
        names["black"] = "key.go_on" if comparing.insisted_s is not None else "key.record_right"
    if situation.helped.retold:
        names["white"], names["black"], names["undo"] = "key.back", "key.forward", "key.live"
    return MappingProxyType({name: say.say(key) for name, key in names.items()})


def _round_text(say: Words, situation: Situation) -> str:
    """The round, and what is left of the match's time while there is a limit."""
    state, left_s = situation.state, situation.clock_s
    begun = 0 if state is None else state.round
    text = say.say("label.round", round=begun) if begun else say.say("label.no_round")
    if left_s is None:
        return text
    return f"{text} · {clock_text(left_s) if left_s else say.say('label.last_turn')}"


def _unseen(state: PublicState | None) -> tuple[tuple[int, int], ...]:
    """How many cards of each value nobody has seen played; empty where the rules keep that hidden (ruling 11)."""
    if state is None or not state.rules.shows_unseen_counts or state.phase is Phase.SETUP:
        return ()
    return tuple(sorted(state.unseen_counts.items()))


def _is_calm(situation: Situation) -> bool:
    """Whether the eyes are unsteady for no bad reason: they are still looking, or hands are at work.

    A tag is hidden by a hand, too: that is told only once it lasts, or somebody waits.
    """
    seen = situation.table.observation
    if seen is None or seen.sight is not Sight.CHECKING:
        return seen is None
    if seen.why is Why.TAG_HIDDEN:
        return situation.table.trouble is None and not situation.table.waiting and not situation.table.by_hand
    return seen.why in (None, Why.HAND)


def missing_text(say: Words, situation: Situation) -> str:
    """One sentence of what is missing and looked for, one of what does not work; empty if there is neither."""
    told = []
    for failed, key in (
        (False, "missing.restart" if situation.devices.restarts else "missing.parts"),
        (True, "missing.failed"),
    ):
        parts = [
            say.say(f"missing.{each.part}", name=each.name)
            for each in situation.devices.missing
            if each.failed is failed
        ]
        told += [say.say(key, parts=listed(say, parts, "and"))] if parts else []
    return " ".join(told)


def _eyes(say: Words, situation: Situation, trouble: TroubleView | None) -> EyesView:
    """What the eyes say, in the words of the trouble that is shown; what else is missing while they are content."""
    eyes = eyes_view(say, situation.table.observation, quiet=_is_calm(situation))
    if situation.devices.missing and (eyes.quiet or eyes.sight is Sight.STEADY or situation.devices.restarts):
        return replace(eyes, text=missing_text(say, situation), foreign="")
    return eyes if trouble is None or trouble.why is None else replace(eyes, text=trouble.text)


def eyes_view(say: Words, seen: TableObservation | None, *, quiet: bool = False, mirrored: bool = False) -> EyesView:
    """What the camera can see and what keeps it from seeing; ``seen`` None: it has not looked yet.

    ``mirrored``: its picture is a mirror image.
    """
    if seen is None:
        return EyesView(Sight.CHECKING, None, say.say("sight.checking"), quiet=quiet)
    foreign = say.say("label.foreign_deck", letters=", ".join(seen.foreign_decks)) if seen.foreign_decks else ""
    if mirrored:
        text = say.say("why.mirrored")
    else:
        text = say.say(f"sight.{seen.sight.value}") if seen.why is None else eyes_reason(say, seen.why, seen.why_side)
    return EyesView(seen.sight, seen.why, text, foreign, quiet)


def _fencers(situation: Situation, told: TurnTold | None) -> BySide[FencerView]:
    """Where each fencer is drawn: where the camera sees the fencer, else where the last ruling left it."""
    state, seen = situation.state, situation.table.observation
    official = state.spaces if state is not None else START

    # While hands are shown a fencer may be seen elsewhere too: eyes that were blind for the last turn, a nudged figure.
    playing = state is not None and (state.to_act is not None or state.phase is Phase.REVEAL)

    def view(side: Side) -> FencerView:
        space = seen.figures[side].space if seen is not None and state is not None else None
        if space is None or not 1 <= space <= SPACES:
            space = official[side]
        if space == official[side]:
            return FencerView(space, None, _pose(state, side, told), False)
        # Between rounds the fencers are carried back to their ends: nothing to mark, and the last pose is over.
        pose = Pose.GUARD if playing else Pose.STAND
        return FencerView(space, official[side] if playing else None, pose, playing)

    return BySide(view(Side.WHITE), view(Side.BLACK))


def _pose(state: PublicState | None, side: Side, told: TurnTold | None) -> Pose:
    if state is None:
        return Pose.GUARD
    if state.result is not None:
        if state.result.reason is Reason.HIT:
            return Pose.LUNGE if state.result.winner is side else Pose.HIT
        return Pose.SALUTE if state.result.winner is side else Pose.STAND
    if state.attack is not None and state.attack.by is side:
        return Pose.LUNGE
    if told is not None and told.side is side and told.parried:
        return Pose.PARRY
    return Pose.GUARD


def _sounds(say: Words, situation: Situation, told: TurnTold | None) -> tuple[Cue | None, str, str]:
    """The sound and the call of the last verdict: the cue, the call's key and its words."""
    state, ruling = situation.state, situation.ruling
    if situation.helped.call:
        return None, situation.helped.call, say.say(situation.helped.call)
    if ruling is None or (state is None and ruling.ok):
        return None, "", ""
    if not ruling.ok:
        return _called(say, Cue.REFUSED, "refused")
    assert state is not None
    if ruling.event == TimeEvent.name and state.phase is not Phase.MATCH_OVER:
        return _called(say, Cue.LAST_CARD, "time")
    if state.result is not None:
        return _ending_sounds(say, state)
    if ruling.event == "round":
        return _called(say, None, "round")
    if told is None:
        return None, "", ""
    if told.drawn and state.pile == 0:
        return _called(say, Cue.LAST_CARD, "last_card")
    if told.action in ATTACKS:
        return _called(say, Cue.ATTACK, "attack")
    if told.parried:
        return _called(say, Cue.PARRY, "parry")
    return Cue.MOVE, "", turn_text(say, told)


def _called(say: Words, cue: Cue | None, name: str, side: Side | None = None) -> tuple[Cue | None, str, str]:
    if side is None:
        return cue, name, say.say(f"call.{name}")
    return cue, f"{name}_{side.value}", say.say(f"call.{name}", side=side_name(say, side))


def _ending_sounds(say: Words, state: PublicState) -> tuple[Cue | None, str, str]:
    assert state.result is not None
    winner = state.result.winner
    if winner is None:
        return _called(say, Cue.WIN, "level" if state.phase is Phase.MATCH_OVER else "draw")
    if state.phase is Phase.MATCH_OVER:
        return _called(say, Cue.WIN, "match", winner)
    if state.result.reason is Reason.HIT:
        return _called(say, Cue.TOUCH, "touch", winner)
    return _called(say, Cue.WIN, "round_won", winner)


CALL_KEYS: Final = (
    *("round", "attack", "parry", "refused", "last_card", "draw", "time", "level"),
    *(f"{name}_{side.value}" for name in ("touch", "round_won", "match") for side in Side),
)
"""Every ``ViewModel.call_key`` there is: what a recording of that call is named after."""


def call_text(say: Words, key: str) -> str:
    """What a call of ``CALL_KEYS`` says."""
    for side in Side:
        if key.endswith(f"_{side.value}"):
            return say.say(f"call.{key.removesuffix(f'_{side.value}')}", side=side_name(say, side))
    return say.say(f"call.{key}")


def act_view(words: Words, situation: Situation) -> ActView:
    """What a press of the button does; empty where it is no answer to what is asked."""
    state = situation.state
    give_up = words.say("act.give_up")
    if situation.helped.retold:
        return ActView(words.say("key.live"), True)
    if situation.paused:
        return ActView(words.say("act.go_on"), True)
    if situation.helped.panel is not None and situation.helped.panel.goes_on:
        return ActView(words.say("act.further"), True)
    if situation.table.offer is not None:
        return ActView(words.say("act.yes"), True)
    if situation.table.comparing is not None and not situation.table.comparing.rebuilding:
        return ActView()
    if state is None or state.phase is Phase.MATCH_OVER:
        return ActView(words.say("act.new_match"), True)
    if state.phase in (Phase.SETUP, Phase.ROUND_OVER):
        return ActView(words.say("act.round" if state.round else "act.begin"), True)
    if state.phase is Phase.REVEAL:
        return ActView(words.say("act.reveal"), True)
    if situation.table.confirm_give_up:
        return ActView(words.say("act.give_up_now"), True)
    turn = situation.table.open_turn
    if turn is not None and turn.ruling.ok:
        return ActView(_turn(words, turn, state), True)
    return ActView(words.say("key.act"), give_up=give_up if turn is None else "")


def lit_spaces(situation: Situation) -> tuple[int, ...]:
    """The spaces the fencer to act may go to with the cards that lie there; empty once the fencer stands on one."""
    state, turn = situation.state, situation.table.open_turn
    if state is None or turn is None or turn.ruling.ok or situation.helped.asked or state.to_act is None:
        return ()
    moves = next_step(state, turn.cards, turn.spaces).moves
    return tuple(state.spaces[state.to_act] + move * state.to_act.forward for move in moves)


def _turn(words: Words, turn: OpenTurn, state: PublicState) -> str:
    """``End turn: advance 3``, ``Parry, advance 2, attack 1 x 4``, or the parry alone."""
    ruling, parts = turn.ruling, []
    moved = abs(turn.spaces[turn.player] - state.spaces[turn.player])
    if ruling.parry is not None and ruling.action is None:
        return words.say("act.parry", value=ruling.parry.value, count=ruling.parry.count)
    if moved:
        parts.append(words.say("act.retreat" if ruling.action is ActionKind.RETREAT else "act.advance", moved=moved))
    if count := ruling.attack_count(len(turn.cards)):
        distance = turn.spaces.black - turn.spaces.white
        parts.append(words.say("act.attack", value=distance, count=count))
    return words.say("act.end" if ruling.parry is None else "act.parried", turn=", ".join(parts))
