"""Join cards: a machine's address, name and secrets, as a file, and as the text of a QR code."""

from __future__ import annotations

import base64
import io
import json
import zlib
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, Final

from engine.strict.text import MalformedError, json_of, toml_of
from engine.strict.values import Length, Pattern, Range, read
from firmware.core.io.files import read_text, write_state, write_whole
from firmware.extras.club.messages import RESERVED, ClubError, good_name
from vision.printed.qr import qr_rows

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
    from vision.sheets.lettering import BOLD, REGULAR

    width, height = (each * MM for each in CARD_MM)
    canvas.rect(x, y, width, height)
    canvas.setFont(BOLD, 20)
    canvas.drawString(x + 8 * MM, y + height - 12 * MM, f"{card.club} · {card.table}")
    canvas.setFont(REGULAR, 9)
    for line, text in enumerate((f"{card.host}:{card.port}", "engarde club join", "Keep it to yourself.")):
        canvas.drawString(x + 8 * MM, y + height - (18 + 4.5 * line) * MM, text)
    rows = qr_rows(card_text(card))
    cell = CODE_MM * MM / len(rows)
    left, top = x + (width - CODE_MM * MM) / 2, y + 8 * MM + CODE_MM * MM
    for row, cells in enumerate(rows):
        for column, dark in enumerate(cells):
            if dark:
                canvas.rect(left + column * cell, top - (row + 1) * cell, cell, cell, stroke=0, fill=1)


BEGINNING: Final = "ENGARDE1:"
DEFAULT_PORT: Final = 8883
MAX_BYTES: Final = 1 << 16


@dataclass(frozen=True, slots=True)
class JoinCard:
    """One machine's way in. ``table`` is its name in the club, ``user`` whom the broker knows it as.

    ``ca`` is the club's own certificate, empty for a broker without TLS, which only a demo on loopback has;
    ``certificate`` and ``key`` are there where the broker asks for them instead of a ``password``. All three as PEM.
    """

    club: str
    table: str
    host: Annotated[str, Length(1, 255), Pattern(r".*\S.*", "a host")]
    port: Annotated[int, Range(1, 65535)] = DEFAULT_PORT
    user: str = ""
    password: str = ""
    ca: str = ""
    certificate: str = ""
    key: str = ""


def card_text(card: JoinCard) -> str:
    """The card as the text of its QR code: letters, figures and a few signs."""
    given = {name: value for name, value in asdict(card).items() if value}
    return BEGINNING + base64.b32encode(zlib.compress(json.dumps(given).encode(), 9)).decode().rstrip("=")


def read_card(path: Path) -> JoinCard:
    """The card in this file: as ``engarde club init`` wrote it, or the text of its code. Raises ClubError, OSError."""
    text = read_text(path, MAX_BYTES)
    if text.startswith(BEGINNING):
        return card_of(text)
    try:
        return _made(toml_of(text), str(path))
    except MalformedError as error:
        raise ClubError(
            f"{path}: expected a card that engarde club init made, found something else ({error})."
        ) from error


def card_of(text: str) -> JoinCard:
    """The card that a code's text is. Raises ClubError."""
    try:
        packed = text.strip().removeprefix(BEGINNING)
        unpacker = zlib.decompressobj()
        content = unpacker.decompress(base64.b32decode(packed + "=" * (-len(packed) % 8)), MAX_BYTES)
        return _made(json_of(content), "the code")
    except (ValueError, zlib.error) as error:
        if isinstance(error, ClubError):
            raise
        raise ClubError("the code: this is no card of a club; scan it again, whole and in good light.") from error


def write_card(path: Path, card: JoinCard) -> None:
    """Write the card as a file that only its owner can read. Raises OSError."""
    given = {name: value for name, value in asdict(card).items() if value}
    lines = [f"{name} = {json.dumps(value)}" for name, value in given.items()]  # of such values JSON is TOML
    write_state(path, "# What this machine needs to join the club. Keep it to yourself.\n" + "\n".join(lines) + "\n")


def _made(given: object, place: str) -> JoinCard:
    try:
        card = read(JoinCard, given)
    except MalformedError as error:
        raise ClubError(f"{place}: expected a club's card with club, table and host ({error}).") from error
    good_name(card.club, f"{place}: the club's name")
    if card.table not in RESERVED:
        good_name(card.table, f"{place}: the table's name")
    return card
