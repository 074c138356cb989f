"""A printed card under a camera: its code is read, the table is in its club, and the broker lets it in."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np
import pypdfium2
import pytest

from engine.rules.track import BySide
from firmware.cli.commands.club import scan_card
from firmware.cli.main import main
from firmware.core.config import club_card_path
from firmware.extras.club.broker import Broker, Founding, found, mosquitto
from firmware.extras.club.card import JoinCard, print_cards, read_card
from firmware.extras.club.messages import ClubError
from firmware.extras.club.publisher import Publisher
from firmware.table.loop.moment import People
from tests.waiting import until
from vision.camera.files import ImageFolder
from vision.frame import Picture
from vision.geometry import look_at
from vision.marks.foreign import in_process

if TYPE_CHECKING:
    from vision.geometry import Camera

WIDE, HIGH = 2304, 1296
CARD_MM = (95.0, 138.0)
SHEET_AT_MM = 8.0
DPI = 300


def printed(card: JoinCard, folder: Path) -> Picture:
    """The card cut out of its sheet."""
    path = folder / "cards.pdf"
    print_cards([card], path)
    with pypdfium2.PdfDocument(path) as document:
        sheet = document[0].render(scale=DPI / 72, grayscale=True).to_numpy()
    sides_mm = (SHEET_AT_MM, SHEET_AT_MM + CARD_MM[0], SHEET_AT_MM + CARD_MM[1])
    left, right, down = (round(mm / 25.4 * DPI) for mm in sides_mm)
    return np.ascontiguousarray(sheet[left:down, left:right])


def held(card: Picture, camera: Camera, seed: int) -> Picture:
    """What this camera sees of it, held flat, on a grey table, with the noise and blur of a usual one."""
    rng = np.random.default_rng(seed)
    high, wide = card.shape
    corners = np.array([(x, y, 0.0) for x, y in ((-0.5, 0.5), (0.5, 0.5), (0.5, -0.5), (-0.5, -0.5))])
    px = camera.project(corners * (*CARD_MM, 1.0)).astype(np.float32)
    paper = np.array([(0, 0), (wide, 0), (wide, high), (0, high)], np.float32)
    onto = cv2.getPerspectiveTransform(paper, px)
    y = np.full((HIGH, WIDE), 95, np.uint8)
    # Averaged as a lens does: drawn three times as large, and made smaller.
    scale = np.diag([3.0, 3.0, 1.0])
    seen = cv2.warpPerspective(card, scale @ onto, (3 * WIDE, 3 * HIGH), borderValue=95.0)
    small = cv2.resize(seen, (WIDE, HIGH), interpolation=cv2.INTER_AREA)
    inside = cv2.warpPerspective(np.full_like(card, 255), onto, (WIDE, HIGH)) > 0
    y[inside] = small[inside]
    soft = cv2.GaussianBlur(y.astype(np.float32) * 0.75 + 20.0, (0, 0), 0.7)
    return np.asarray(np.clip(soft + rng.normal(0.0, 3.0, soft.shape), 0, 255), dtype=np.uint8)


def above(high_mm: float) -> Camera:
    """A Camera Module 3 so far over the card, not quite above its middle."""
    return look_at((15.0, -40.0, high_mm), (0.0, 0.0, 0.0), hfov_deg=66.0)


@pytest.mark.slow
@pytest.mark.skipif(not mosquitto(), reason="there is no Mosquitto on this machine")
@pytest.mark.parametrize("certificates", [False, True], ids=["password", "certificate"])
def test_a_card_held_under_the_camera_lets_the_table_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], port: int, certificates: bool
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "settings"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    club = tmp_path / "club"
    given = found(Founding("fk", club, "127.0.0.1", ("1",), port, certificates=certificates, address="127.0.0.1"))
    card = next(each for each in given if each.table == "1")
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    sheet = printed(card, tmp_path)
    empty = np.full((HIGH, WIDE), 95, np.uint8)
    # First nothing, then too far away, then near enough.
    for number, picture in enumerate((empty, held(sheet, above(1500.0), 1), held(sheet, above(350.0), 2))):
        cv2.imwrite(str(pictures / f"{number}.png"), picture)
    assert main(["club", "join", "--camera", str(pictures)]) == 0
    assert "now table 1 of the club fk" in capsys.readouterr().out
    assert read_card(club_card_path()) == card
    broker = Broker(club, port)
    table = Publisher(read_card(club_card_path()), tmp_path / "outbox", People(BySide("A", "B"), "en"))
    table.start()
    try:
        assert until(lambda: table.up)
    finally:
        table.close()
        broker.stop()


def test_without_a_card_in_view_it_is_said_what_to_do(tmp_path: Path) -> None:
    cv2.imwrite(str(tmp_path / "1.png"), np.full((200, 200), 95, np.uint8))
    with pytest.raises(ClubError, match="none in 1 pictures; hold the card flat"):
        scan_card(ImageFolder(tmp_path), in_process)
    with pytest.raises(ClubError, match="1 pictures of which none could be read"):
        scan_card(ImageFolder(tmp_path), lambda name, y, *how: None)
