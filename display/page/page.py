"""The page of one match: its score, its ratings, and the fight drawn turn by turn, in the players' language.

One file that needs nothing else. Hands shown at the end of a pile are in it, because they belong to the match; whoever
writes the page decides who gets it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Final

from display.draw.theme import DEFAULT, Theme, mix
from display.i18n import Words, words
from display.page.story import Chapter, Shot, Story
from display.page.svg import Curve, Markup, chances, chart, colour, duel, element, ended, joined, piste, symbols
from display.view import EndingView, Mark, RevealView, Tone, ViewModel
from display.words.review import ReviewView, note_on
from display.words.sentences import score_text
from engine.rules.track import BySide, Side


def style(theme: Theme) -> str:
    """The whole style sheet, the theme's colours as its variables."""
    colours = {
        "paper": theme.paper,
        "ink": theme.ink,
        "soft": theme.ink_soft,
        "won": theme.bands[Tone.WON].ground,
        "line": mix(theme.ink, theme.paper, 0.75),
        "bar": theme.header,
        "on-bar": theme.on_header,
        "bar-soft": theme.on_header_soft,
        "gold": theme.gold,
        "card": theme.card,
        "attack": theme.attack,
        **{side.value: theme.figures[side].accent for side in Side},
    }
    variables = " ".join(f"--{name}: {colour(value)};" for name, value in colours.items())
    rules = resources.files("display.page").joinpath("page.css").read_text(encoding="utf-8")
    return f":root {{ {variables} }}\n{rules}".strip()


DOCTYPE: Final = "<!DOCTYPE html>\n"
DOT: Final = " · "
SHORT_ROUNDS: Final = 3
SHORT_TURNS: Final = 42
"""A match of no more is printed with a piste for every turn: two pages have room for that."""
TIMES: Final = "\u00d7"


@dataclass(frozen=True, slots=True)
class About:
    """What a match's page says beside the fight. ``date``, ``ratings`` and ``reviews`` may be empty.

    ``reviews`` are of the rounds that are over, in their order; ``turning`` says on which turns the match turned.
    """

    number: int
    date: str
    finished: bool
    ratings: tuple[Curve, ...] = ()
    reviews: tuple[ReviewView, ...] = ()
    turning: tuple[str, ...] = ()


def match_page(story: Story, about: About) -> str:
    """The whole file as text, for UTF-8."""
    say = words(story.opening.language)
    names = story.opening.match.names
    title = say.say("page.title", white=names.white, black=names.black)
    used = frozenset(
        (side, fencer.pose)
        for chapter in story.chapters
        for view in (chapter.begun, *(shot.view for shot in chapter.shots))
        for side, fencer in view.piste.fencers.items()
    ) | {*ended(_winner(story, about))}
    turns = sum(len(chapter.shots) for chapter in story.chapters)
    short = len(story.chapters) <= SHORT_ROUNDS and turns <= SHORT_TURNS
    body = element(
        "body",
        symbols(used),
        _top(say, DEFAULT, story, about, title),
        _scores(say, story, names),
        _reviews(say, DEFAULT, about.reviews, about.turning),
        _ratings(say, DEFAULT, about.ratings, names),
        element("div", *(_chapter(say, DEFAULT, chapter) for chapter in story.chapters), class_="rounds"),
        element("p", say.say("page.made_by"), class_="soft"),
        class_="short" if short else None,
    )
    return _file(say.language, title, body)


def _file(language: str, title: str, body: Markup, *more: Markup) -> str:
    """The whole file, with ``more`` in its head."""
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        *more,
        element("title", title),
        Markup(f"<style>\n{style(DEFAULT)}\n</style>"),
    )
    return DOCTYPE + element("html", head, Markup("\n"), body, lang=language) + "\n"


def _top(say: Words, theme: Theme, story: Story, about: About, title: str) -> Markup:
    view = story.end
    facts = [
        say.say("page.match", number=about.number),
        about.date,
        story.opening.match.preset_text,
        story.opening.match.points_text,
    ]
    result = view.ending.title if about.finished and view.ending is not None else say.say("page.unfinished")
    winner = _winner(story, about)
    board = element(
        "div",
        element("span", _player(view, Side.WHITE), class_="who won" if winner is Side.WHITE else "who"),
        element("span", score_text(view.match.score.white, view.match.score.black), class_="points"),
        element("span", _player(view, Side.BLACK), class_="who won" if winner is Side.BLACK else "who"),
        class_="board",
    )
    return element(
        "header",
        element("h1", title),
        board,
        duel(theme, winner, result),
        element("p", result, class_="result"),
        element("p", DOT.join(fact for fact in facts if fact), class_="soft"),
    )


def _winner(story: Story, about: About) -> Side | None:
    ending = story.end.ending
    return ending.winner if about.finished and ending is not None else None


def _player(view: ViewModel, side: Side) -> Markup:
    name = view.match.names[side]
    colour = view.match.side_names[side]
    return element("span", name if name == colour else f"{name} ({colour})", class_=f"{side.value}-name")


def _scores(say: Words, story: Story, names: BySide[str]) -> Markup:
    ended = [chapter.end for chapter in story.chapters if chapter.end.ending is not None]
    if not ended:
        return joined()
    head = element(
        "tr",
        element("th", ""),
        *(element("th", element("a", str(view.match.round), href=f"#round-{view.match.round}")) for view in ended),
    )
    lines = []
    for side in Side:
        cells = []
        for view in ended:
            won = view.ending is not None and view.ending.winner is side
            cells.append(element("td", str(view.match.score[side]), class_="won" if won else None))
        lines.append(element("tr", element("th", names[side]), *cells))
    rows = element("table", element("thead", head), element("tbody", *lines))
    return element("section", element("h2", say.say("page.score")), element("div", rows, class_="scroll"))


def _ratings(say: Words, theme: Theme, curves: Sequence[Curve], names: BySide[str]) -> Markup:
    if not any(len(curve.values) > 1 for curve in curves):
        return joined()
    legend = []
    for curve in curves:
        _, value, low, high = curve.values[-1]
        name = element("span", names[curve.side], class_=f"{curve.side.value}-name")
        legend.append(element("span", name, f" {value:.0f} ± {(high - low) / 2:.0f}"))
    title = say.say("page.rating")
    return element(
        "section",
        element("h2", title),
        chart(theme, curves, title),
        element("p", *legend, class_="facts"),
        element("p", say.say("page.rating_range"), class_="soft"),
    )


def _reviews(say: Words, theme: Theme, reviews: Sequence[ReviewView], turning: Sequence[str]) -> Markup:
    """How each round went: its graph, and what is to be said of it."""
    if not reviews:
        return joined()
    told = []
    for view in reviews:
        marks = {Mark.NOW: "deciding", Mark.GOOD: "better"}
        lines = [element("li", line.text, class_=marks.get(line.mark)) for line in view.lines]
        graph = chances(theme, view, f"{view.title}: {view.axis}")
        told.append(element("article", element("h3", view.title), graph, element("ul", *lines), class_="review"))
    how = element("p", f"{reviews[0].axis}. {note_on(reviews)}", class_="soft")
    note = element("details", element("summary", say.say("review.how")), how)
    points = [element("li", line) for line in turning]
    turned = [element("h3", say.say("review.turning_points")), element("ol", *points)] if points else []
    rounds = element("div", *told, class_="reviews")
    return element("section", element("h2", say.say("review.heading")), *turned, rounds, note)


def _chapter(say: Words, theme: Theme, chapter: Chapter) -> Markup:
    begun, end = chapter.begun, chapter.end
    title = f"{begun.match.round_text}{DOT}{chapter.starts}"
    turns = [_turn(say, theme, number, shot) for number, shot in enumerate(chapter.shots, 1)]
    closing = _ending(end, end.ending) if end.ending is not None else joined()
    return element(
        "section",
        element("h2", title, id=f"round-{begun.match.round}"),
        element("div", *turns, class_="turns"),
        closing,
    )


def _turn(say: Words, theme: Theme, number: int, shot: Shot) -> Markup:
    view = shot.view
    spaces = view.piste.fencers.map(lambda fencer: fencer.space)
    description = say.say("page.table", white=spaces.white, black=spaces.black, distance=view.piste.distance)
    cards = [element("span", str(laid.card.value), class_=f"card {laid.role.value}") for laid in shot.laid]
    facts = [
        element("span", *cards) if cards else joined(),
        element("span", f"{view.piste.distance_text} {view.piste.distance}"),
        element("span", f"{view.piles.pile_text} {view.piles.pile}"),
    ]
    if view.piste.attack is not None:
        attack = f"{view.piste.attack.text} {view.piste.attack.count} {TIMES} {view.piste.attack.value}"
        facts.append(element("span", attack, class_="attack"))
    return element(
        "article",
        element("h3", f"{number}. {shot.text}"),
        _hands(view, view.reveal) if view.reveal is not None and view.reveal.hands is not None else joined(),
        piste(theme, view, description),
        element("p", *facts, class_="facts"),
        class_=f"turn {shot.side.value}" if shot.side is not None else "turn",
    )


def _hands(view: ViewModel, reveal: RevealView) -> Markup:
    """Both hands, the cards that count marked, and how many there are."""
    assert reveal.hands is not None
    lines = []
    for side, hand in reveal.hands.items():
        cards = [
            element("span", str(card.value), class_="card counts" if card.value == reveal.value else "card")
            for card in sorted(hand)
        ]
        count = f" {reveal.counts[side]} {TIMES} {reveal.value}" if reveal.counts is not None else ""
        lines.append(element("p", f"{view.match.names[side]} ", *cards, count))
    return joined(*lines)


def _ending(view: ViewModel, ending: EndingView) -> Markup:
    because = "" if ending.because == ending.title else f"{ending.because}."
    names, won = view.match.names, view.match.score
    score = f"{names.white} {score_text(won.white, won.black)} {names.black}"
    return element(
        "div",
        element("p", ending.title, class_="result"),
        *(element("p", line) for line in (because, *ending.steps) if line),
        element("p", ending.source, class_="soft") if ending.source else joined(),
        element("p", score),
        class_="end",
    )


def notice_page(language: str, sentence: str, again_s: int | None = None) -> str:
    """The whole file as text, for UTF-8. ``again_s``: it asks anew by itself after so many seconds, None: never."""
    title = element("span", "En Garde", class_="points")
    top = element("header", element("div", element("span", ""), title, element("span", ""), class_="board"))
    told = element("div", element("p", sentence, class_="result"), class_="end")
    again = () if again_s is None else (element("meta", http_equiv="refresh", content=again_s),)
    return _file(language, "En Garde", element("body", top, told), *again)
