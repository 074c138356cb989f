"""Text: one family in two weights, all sizes of it read from memory, and leaves for what has no room at once."""

from __future__ import annotations

import os
from itertools import product

import pygame
import pytest

from display.draw.canvas import Canvas, fit, font, line_height, text_width
from display.draw.leaves import fitted, foot_px, sentences
from display.draw.theme import PARCHMENT

HIGH = "\u1ea8\u1ea4"
"""Vietnamese letters with two accents over another."""


def drawn(text: str, *, heavy: bool = False, size_px: int = 60) -> pygame.Surface:
    canvas = Canvas(pygame.Surface((900, 200)), PARCHMENT)
    canvas.surface.fill((255, 255, 255))
    canvas.text(text, pygame.Rect(20, 60, 860, 60), size_px, (0, 0, 0), heavy=heavy, least_px=size_px)
    return canvas.surface


def ink_of(surface: pygame.Surface, left: int = 0) -> pygame.Rect:
    mask = pygame.mask.from_threshold(surface, (0, 0, 0), (128, 128, 128, 255))
    boxes = [box for box in mask.get_bounding_rects() if box.left >= left]
    return boxes[0].unionall(boxes[1:])


def test_no_two_letters_are_further_apart_than_each_alone_wants() -> None:
    """A list of pairs, such as that of the font of pygame, tears "zur\u00fcckweichen" in two."""
    letters = [chr(code) for code in range(32, 256) if chr(code).isalnum()]
    alone = {letter: font(96).size(letter)[0] for letter in letters}
    widths = {
        one + other: font(96).size(one + other)[0] - alone[one] - alone[other]
        for one, other in product(letters, repeat=2)
    }
    assert max(widths.values()) < 96 / 20
    assert widths["33"] == widths["kw"] == 0
    assert widths["AV"] < 0
    assert widths["To"] < 0


@pytest.mark.parametrize("heavy", [False, True])
def test_letters_are_as_tall_as_those_of_pygames_font(heavy: bool) -> None:
    for letter in "xH5":
        own = pygame.font.Font(None, 240).render(letter, True, (0, 0, 0)).get_bounding_rect().height / 4
        assert ink_of(drawn(letter, heavy=heavy)).height == pytest.approx(own, abs=1.5)


def test_figures_and_what_is_heavy_are_darker() -> None:
    def dark(text: str, *, heavy: bool) -> int:
        return pygame.mask.from_threshold(drawn(text, heavy=heavy), (0, 0, 0), (128, 128, 128, 255)).count()

    assert dark("Annegret", heavy=True) > 1.15 * dark("Annegret", heavy=False)
    assert dark("5 : 2", heavy=False) == dark("5 : 2", heavy=True), "a score is heavy anyway"


def test_all_letters_stand_on_one_line_and_none_is_cut() -> None:
    low = ink_of(drawn("H")).bottom
    for text in ("x", f"H{HIGH}H", "H\u00c5H"):
        assert abs(ink_of(drawn(text)).bottom - low) <= 1, text
    assert ink_of(drawn(f"{HIGH}")).top < ink_of(drawn("H")).top - 10
    assert ink_of(drawn("g")).bottom > low + 6


def test_a_size_more_keeps_no_file_open() -> None:
    font(20)
    before = len(os.listdir("/proc/self/fd"))
    held = [font(size_px) for size_px in range(300, 330)]
    assert len(held) == 30
    assert len(os.listdir("/proc/self/fd")) == before


@pytest.mark.parametrize(
    ("text", "pair"),
    [
        ("Parry, advance 2, attack 3 3", "advance 2"),
        ("Parry, advance 2, attack 3 3", "attack 3 3"),
        ("Parer, avancer de 2, attaquer 3 3", "de 2"),
        ("Parieren, 2 vor, mit 3 3 angreifen", "2 vor,"),
        ("Pareren, 2 vooruit, aanval 3", "2 vooruit,"),
        ("Annegret wins the match 5 : 2", "5 : 2"),
        ("Only a step and an attack: 5 + 5", "5 + 5"),
        ("Annegret pareert, gaat 2 vooruit en valt aan", "gaat 2 vooruit"),
        ("De schermer van Zwart is 4 opgeschoven", "is 4 opgeschoven"),
        ("Annegret pariert, geht 2 vor und greift an", "geht 2 vor"),
        ("Knop Wit: ja, zo was het. Knop Zwart: nee.", "Knop Zwart:"),
        ("Knopf Weiß und Knopf Schwarz: ja. Zurück: nein.", "Knopf Schwarz:"),
        ("Bouton Blanc : précédent. Bouton Noir : suivant.", "Bouton Noir"),
        ("Annegret won after 11 turns: touch by an indirect attack.", "11 turns:"),
        ("Alle Karten liegen offen, im Stapel noch 4 Karten, gemischt", "4 Karten,"),
        ("Toutes visibles, il reste 4 cartes dans la pioche", "4 cartes"),
        ("Op de trekstapel liggen nog 4 kaarten, geschud", "4 kaarten,"),
        ("Annegret moet pareren met twee vijven (daarvan gelegd: 1) of terug", "gelegd: 1)"),
        ("Take the spare tag away: I can\u2019t tell which one counts.", "I can\u2019t"),
        ("Jouer : Annegret \u2013 Ben", "Annegret \u2013"),
        ("Im Stapel liegen noch 4 Karten, gemischt", "4 Karten,"),
        ("Gelijk na 11 zetten", "11 zetten"),
        ("enthält in 95 von 100 Fällen den Wert", "100 Fällen"),
        ("Nul n'a joué : 12 cartes restent", "12 cartes"),
        ("mit zwei Fünfen parieren (davon gelegt: 1) oder zurück", "gelegt: 1)"),
    ],
)
def test_a_number_stays_with_its_word_at_any_width(text: str, pair: str) -> None:
    for width_px in range(text_width(max((*text.split(" "), pair), key=len), 20) + 40, 300):
        size_px, lines = fit(text, width_px, 200, 20, 10, 6) or (0, ())
        assert " ".join(lines) == text
        assert size_px == 20
        assert any(pair in line for line in lines), (width_px, lines)


def test_of_two_lines_the_second_begins_with_a_sentence() -> None:
    text = "Knop Wit: de tafel klopt. Knop Zwart: het verslag klopt."
    sentences = ("Knop Wit: de tafel klopt.", "Knop Zwart: het verslag klopt.")
    for width_px in range(text_width(sentences[1], 20), text_width(text, 20), 10):
        assert fit(text, width_px, 60, 20, 20, 2) == (20, sentences)


def test_a_short_sentence_has_no_line_of_its_own() -> None:
    text = "No. The table is right and the record is wrong."
    _, lines = fit(text, text_width(text, 20) - 10, 60, 20, 20, 2) or (0, ())
    assert len(lines) == 2
    assert lines[0] != "No."


def test_a_number_stays_with_its_word_in_brackets() -> None:
    torn = "parry with two fives (laid:"
    _, lines = fit(f"{torn} 1) or retreat", text_width(torn, 20), 60, 20, 20, 2) or (0, ())
    assert len(lines) == 2
    assert lines[1].startswith("(laid: 1)")


def test_a_number_with_a_fraction_stays_with_what_it_counts() -> None:
    for text in ("jouées ici, 7,4 manches", "played here, 7.4 rounds"):
        torn = text.rsplit(" ", 1)[0]
        _, lines = fit(text, text_width(torn, 20), 60, 20, 20, 2) or (0, ())
        assert len(lines) == 2
        assert not lines[0].endswith("4")


def test_numbers_of_a_list_may_stand_on_two_lines() -> None:
    assert fit("1, 1, 2, 5", text_width("1, 1,", 20), 100, 20, 20, 2) == (20, ("1, 1,", "2, 5"))


def test_a_text_is_torn_rather_than_much_smaller() -> None:
    size_px, lines = fit("attack with 3 3 3 3 3 3 3", text_width("attack with", 20), 60, 20, 8, 3) or (0, ())
    assert size_px >= 16
    assert len(lines) > 1


TOLD = (
    "Right: White advances 2. This may follow: Black attacks with a 3! What then? White parries… "
    "White stands further forward and wins the round."
)
FOOT = foot_px(20)


def test_a_text_is_cut_after_its_sentences() -> None:
    told = sentences(TOLD)
    assert [text[-1] for text in told] == [".", "!", "?", "…", "."]
    assert " ".join(told) == TOLD
    assert sentences("No end") == ("No end",)


def test_what_fits_stands_on_one_leaf_as_large_as_it_fits() -> None:
    (leaf,) = fitted(sentences(TOLD), (500, 200), (10, 60), FOOT, apart=False)
    assert leaf.texts == sentences(TOLD)
    larger = fitted(sentences(TOLD), (500, 200), (leaf.size_px + 1, 60), FOOT, apart=False)
    assert len(larger) > 1


@pytest.mark.parametrize("apart", [True, False])
def test_as_few_leaves_as_the_least_size_takes_at_the_largest_that_takes_no_more(*, apart: bool) -> None:
    texts = sentences(TOLD)
    for width in range(260, 600, 20):
        leaves = fitted(texts, (width, 70), (20, 40), FOOT, apart)
        assert tuple(text for leaf in leaves for text in leaf.texts) == texts
        assert all(leaf.size_px >= 20 for leaf in leaves)
        assert len({leaf.size_px for leaf in leaves}) == 1
        fewer = fitted(texts, (width, 70), (20, 20), FOOT, apart)
        assert len(leaves) == len(fewer)
        more = fitted(texts, (width, 70), (leaves[0].size_px + 1, 40), FOOT, apart)
        assert len(more) > len(leaves) or leaves[0].size_px == 40


def test_texts_kept_apart_begin_lines_of_their_own() -> None:
    short = ("One two.", "Three four.")
    room = (text_width(" ".join(short), 20) + 1, line_height(20))
    assert len(fitted(short, room, (20, 20), 0, apart=False)) == 1
    assert len(fitted(short, room, (20, 20), 0, apart=True)) == 2


def test_a_text_that_is_too_much_for_a_leaf_is_smaller_rather_than_cut() -> None:
    leaves = fitted((TOLD, "Short."), (300, 60), (30, 30), FOOT, apart=True)
    assert [leaf.texts for leaf in leaves] == [(TOLD,), ("Short.",)]
    assert leaves[0].size_px < 30
    assert leaves[1].size_px == 30
