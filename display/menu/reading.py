"""A page of the menu as sentences to be read aloud: for who chooses by ear, with four buttons."""

from __future__ import annotations

from collections.abc import Iterator

from display.i18n import Words
from display.menu.model import Board, Menu, Page, said_of
from display.words.aloud import attack_aloud
from display.words.sentences import score_text


def menu_aloud(say: Words, menu: Menu, page: Page, told: str = "") -> tuple[str, ...]:
    """A page read aloud: title, answer to the last choice, contents, and the chosen line. Nothing is told twice."""
    item = page.items[min(menu.here.at, len(page.items) - 1)] if page.items else None
    board = () if page.board is None else tuple(_board(say, page.board))
    chosen = () if item is None else (f"{item.text}: {item.value}" if item.value else item.text, item.note)
    past = () if page.past is None else tuple(line.text for line in said_of(page.past))
    cards = ", ".join(map(str, page.cards))
    return tuple(dict.fromkeys((page.title, told, *_people(page), *page.lines, cards, *board, *chosen, *past)))


def _people(page: Page) -> Iterator[str]:
    """The score between two rivals, and a player's rating and record, if the page draws them."""
    if page.rivalry is not None:
        names, won = page.rivalry.names, page.rivalry.won
        yield f"{names.white} {score_text(won.white, won.black)} {names.black}, {page.rivalry.label}"
        yield page.rivalry.met
    if page.person is not None:
        yield from (page.person.rating, page.person.standing)


def _board(say: Words, board: Board) -> Iterator[str]:
    """A position that is drawn: who stands where, what attacks, and the cards that lie open."""
    if not board.plain:
        white, black = (fencer.space for _, fencer in board.piste.fencers.items())
        yield say.say("aloud.table", white=white, black=black, distance=abs(black - white))
    if board.piste.attack is not None:
        yield attack_aloud(say, board.piste.attack)
    for hand in board.hands:
        yield f"{hand.title}: {', '.join(map(str, hand.cards))}" if hand.cards else hand.title
    if board.played:
        yield f"{board.played_text}: {', '.join(str(card.value) for card in board.played)}"
    yield from (board.head, board.ask, board.told)
    if board.named:
        yield ", ".join(map(str, board.named))
