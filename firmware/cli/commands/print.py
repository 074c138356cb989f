"""``engarde print``: labels, tabs, markers and mat to cut out, as PDF, true to size."""

from __future__ import annotations

import argparse
import re
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import Final

from display.draw.fonts import font_files
from display.i18n import LANGUAGES, words
from firmware.cli.commands.declared import option, part, switch
from firmware.cli.commands.options import add_table_option
from firmware.core.config import load_config, own_table_path
from firmware.core.errors import EngardeError
from firmware.core.io.files import make_folder, read_text, write_whole
from firmware.core.names import BadNameError, new_name
from firmware.table.camera.setup import table_in_force, table_of
from firmware.ui.companion.deck_file import draw_tokens, load_tokens, tokens_text
from vision.printed.card_shape import USUAL_MARGIN, USUAL_SIZE
from vision.printed.table import CARD_LIMITS_MM, CardSize, LabelMargin, Table
from vision.sheets.catalogue import SHEETS, wanted
from vision.sheets.lettering import fall_back_on
from vision.sheets.page import PAPERS, Job
from vision.sheets.pdf import pdf_bytes

_CARD: Final = re.compile(r"(\d+(?:\.\d+)?)x(\d+(?:\.\d+)?)", re.IGNORECASE)
_LABELLED: Final = frozenset({"labels", "spares", "cards"})


def _name(text: str) -> str:
    try:
        return new_name(text)
    except BadNameError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _card_size(text: str) -> CardSize:
    found = _CARD.fullmatch(text)
    low, high = CARD_LIMITS_MM
    if found is None or not all(low <= float(side) <= high for side in found.groups()):
        raise argparse.ArgumentTypeError(
            f"width and height of a card in millimetres are expected, {low:g} to {high:g}, such as 63x88, not {text!r}"
        )
    return CardSize(float(found[1]), float(found[2]))


@dataclass(frozen=True, slots=True, kw_only=True)
class Print:
    """Sheets for which paper, into the folder ``out``; what is None is as the settings have it."""

    out: Path = option("the folder for the PDF files; made if need be", required=True, metavar="DIR")
    paper: str = option(
        "both by default, each in files of its own: paper of the other size would be scaled or cut off",
        default="both",
        choices=(*PAPERS, "both"),
    )
    language: str | None = option("of the sheets (default: that of your settings)", choices=LANGUAGES)
    table: Path | None = part(add_table_option, attrgetter("table"))
    cards: bool = switch("whole playing cards too, with backs")
    spares: bool = switch("the labels once more, for what gets lost; never both of a card at once")
    track: bool = switch("a flat track too, for play without the 3D board; the corner markers are on it")
    companion: bool = switch(
        "to play against the companion: labels for the cards' backs, and its five slots on the mat"
    )
    backs_from: Path | None = option(
        "the tokens of backs printed before (backs-DECK.txt beside them), to print the same labels again",
        metavar="FILE",
    )
    player: tuple[str, ...] = option(
        "whose certificate it is; may be given again", default=(), action="append", type=_name, metavar="NAME"
    )
    only: tuple[str, ...] = option(
        f"just this sheet, of {', '.join(SHEETS)}; may be given again",
        default=(),
        action="append",
        choices=tuple(SHEETS),
        metavar="NAME",
    )
    card_mm: CardSize | None = option(
        "the size of your cards (default: as the table file has it, else "
        f"{USUAL_SIZE.width_mm:g}x{USUAL_SIZE.height_mm:g}); a table file that says so is written too",
        type=_card_size,
        metavar="WxH",
    )

    @property
    def with_backs(self) -> bool:
        """Whether it is for play against the companion."""
        return self.companion or self.backs_from is not None or "backs" in self.only

    @property
    def sheets(self) -> tuple[str, ...]:
        kinds = {"with_cards": self.cards, "with_track": self.track, "with_spares": self.spares}
        names = self.only or tuple(wanted(with_companion=self.with_backs, **kinds))
        return names if not self.player or "certificate" in names else (*names, "certificate")

    def do(self) -> int:
        """Write the files. Raises SheetError for a table they cannot be made for, OSError where they cannot be
        written."""
        measured = table_in_force(self.table)
        table = table_of(measured)
        language = self.language or load_config().language
        names = self.sheets
        if self.out.exists() and not self.out.is_dir():
            raise EngardeError(f"--out {self.out}: a folder is expected, this is a file; name a folder, new or not.")
        tokens, kept = _tokens(self, table.deck_letter) if "backs" in names else ((), None)
        card = self.card_mm or table.card_size or USUAL_SIZE
        files: list[tuple[str, int, bytes]] = []
        fall_back_on(font_files())
        # All sheets are made before the first is written: a table of which one cannot be made leaves no half a set.
        for paper in (paper for name, paper in PAPERS.items() if self.paper in (name, "both")):
            job = Job(table, measured.name, paper, card, words(language).say, tokens, self.with_backs, self.player)
            for name in SHEETS:
                if name in names:
                    sheet = SHEETS[name](job)
                    files.append((f"{name}-{paper.name}.pdf", len(sheet.pages), pdf_bytes(sheet, language)))
        make_folder(self.out)
        for file, pages, data in files:
            write_whole(self.out / file, data)
            print(f"{self.out / file}  {pages} page{'' if pages == 1 else 's'}")
        if self.card_mm is not None and _LABELLED & {*names}:
            _write_table(self.out, measured, table, card)
        if kept is not None:
            if not kept.exists():
                write_whole(kept, tokens_text(tokens, table.deck_letter))
            print(f"{kept}  keep it to print the same backs again; then: engarde register")
        print(f"Deck {table.deck_letter}, {measured}. Print at 100 %, then hold a ruler against the printed ones.")
        return 0


def _write_table(folder: Path, measured: Path, table: Table, card: CardSize) -> None:
    """The table file with the cards' size and their labels' place, for the eyes; the owner's own stays as it is."""
    margin = table.label_margin or USUAL_MARGIN
    rows = " and ".join(card_rows(card, margin))
    if (table.card_size, table.label_margin) == (card, margin):
        print(f"{measured}  says so of these cards: {rows}")
        return
    file = folder / f"table-{card.width_mm:g}x{card.height_mm:g}.toml"
    write_whole(file, with_cards(read_text(measured), card, margin))
    print(f"{file}  your table with {rows}")
    print(f"  copy it to {own_table_path()} or play with --table; without it the eyes learn both from the cards.")


def _tokens(wish: Print, deck: str) -> tuple[tuple[str, ...], Path]:
    """The tokens for the backs, and the file that keeps them: those of the same folder are printed again."""
    kept: Path = wish.backs_from or wish.out / f"backs-{deck}.txt"
    return (load_tokens(kept) if wish.backs_from is not None or kept.exists() else draw_tokens()), kept


_CARDS: Final = re.compile(r"^([ \t]*\[\s*cards\s*\].*)((?:\n(?![ \t]*\[).*)*)", re.MULTILINE)
"""The heading of a table file's cards, and the lines up to the next heading."""
_OURS: Final = re.compile(r"\n[ \t]*(size_mm|label_mm)\s*=.*")


def card_rows(size: CardSize, margin: LabelMargin) -> tuple[str, str]:
    """The two rows as a table file has them."""
    return (f"size_mm = [{size.width_mm}, {size.height_mm}]", f"label_mm = [{margin.across_mm}, {margin.down_mm}]")


def with_cards(text: str, size: CardSize, margin: LabelMargin) -> str:
    """This table file's text with these rows in ``[cards]``, in place of such as were there; all else stays."""
    rows = "\n".join(card_rows(size, margin))
    return _CARDS.sub(lambda found: f"{found[1]}\n{rows}{_OURS.sub('', found[2])}", text)
