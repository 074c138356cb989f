"""Cards to print: one for each machine, with the code to join by. Whoever has a card can come in under its name."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from firmware.core.io.files import write_whole
from firmware.extras.club.card import JoinCard, card_text

MM: Final = 72 / 25.4
CARD_MM: Final = (95.0, 138.0)
CODE_MM: Final = 75.0
_MARGIN_MM: Final = 8.0


def print_cards(cards: Sequence[JoinCard], path: Path) -> None:
    """Four cards a page, A4, for eyes and for a camera. Raises OSError."""
    from reportlab.lib.pagesizes import A4
    from reportlab.pdfgen.canvas import Canvas

    from vision.sheets.lettering import REGULAR, load_fonts

    load_fonts()
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=A4, invariant=1, initialFontName=REGULAR)
    canvas.setTitle("En Garde club")
    for at, card in enumerate(cards):
        if at and at % 4 == 0:
            canvas.showPage()
        x = _MARGIN_MM + (at % 2) * (CARD_MM[0] + 2)
        y = 297 - _MARGIN_MM - CARD_MM[1] - (at % 4 // 2) * (CARD_MM[1] + 2)
        _card(canvas, card, x * MM, y * MM)
    canvas.save()
    write_whole(path, file.getvalue(), private=True)


def _card(canvas: Any, card: JoinCard, x: float, y: float) -> None:
    import segno

    from vision.sheets.lettering import BOLD, REGULAR

    width, height = (each * MM for each in CARD_MM)
    canvas.rect(x, y, width, height)
    canvas.setFont(BOLD, 20)
    canvas.drawString(x + 8 * MM, y + height - 12 * MM, f"{card.club} · {card.table}")
    canvas.setFont(REGULAR, 9)
    for line, text in enumerate((f"{card.host}:{card.port}", "engarde club join", "Keep it to yourself.")):
        canvas.drawString(x + 8 * MM, y + height - (18 + 4.5 * line) * MM, text)
    code = segno.make(card_text(card), error="l", micro=False, boost_error=False)
    rows = [list(row) for row in code.matrix]
    cell = CODE_MM * MM / len(rows)
    left, top = x + (width - CODE_MM * MM) / 2, y + 8 * MM + CODE_MM * MM
    for row, cells in enumerate(rows):
        for column, dark in enumerate(cells):
            if dark:
                canvas.rect(left + column * cell, top - (row + 1) * cell, cell, cell, stroke=0, fill=1)
