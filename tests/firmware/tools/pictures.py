"""``python -m tests.firmware.tools.pictures``: the four pictures of the program in README and guide, made anew.

Two are drawn, one is kept by a match of the demo in which somebody moves the other's fencer, and the phone's page is
photographed by Chromium, which has to be installed for that one. ``tests/firmware/tools/test_pictures.py`` says when
one of them is no longer what the program shows.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Final

import pygame
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from display.draw.parts import draw_parts
from display.draw.pictures import new_surface, png_of
from display.draw.theme import DEFAULT
from display.i18n import LOCALES
from display.screens.compose import Arrangement, button_parts, layout
from display.tabletop.hands import Hands
from display.tabletop.model import Fan, LyingCard, TopView
from display.tabletop.places import fan_boxes
from display.words.present import present
from engine.rules.track import BySide, Side
from firmware.cli.commands.setup import first_screen
from firmware.cli.first_start.answers import PAGE, FirstStart, Site
from firmware.cli.first_start.mark import StartMark
from firmware.cli.first_start.table import TableEye
from firmware.cli.first_start.wifi import Hotspot, Wifi
from firmware.core.config import Config
from firmware.core.errors import EngardeError
from firmware.extras.hands.pictures import table_pictures
from firmware.extras.simulation.camera import untouched_table
from firmware.table.camera.setup import TABLE_FILE, table_of
from firmware.table.panel.devices import no_panel
from tests.display.drawn import draw_watch
from tests.display.showcase import CLOSE, cards, play, situations, table
from vision.marks.foreign import in_process

FOLDER: Final = TABLE_FILE.parent / "pictures"
ROOT: Final = TABLE_FILE.parents[1]
PAGE_MADE_OF: Final = (PAGE, LOCALES / "en" / "setup.toml")
"""What the phone's page looks like is in these."""
MADE_OF: Final = "Made of"
"""The text in the picture of the phone's page that says of which of them it was made."""
_CODE: Final = "7kq2m9wd"
_PHONE_PX: Final = (500, 920)
_WAITS_MS: Final = 60_000  # of the page's own time: measuring takes a second or two
_CHROMIUMS: Final = ("chromium", "chromium-browser", "google-chrome")
# Does what a thumb does: the button that measures, once it is there.
_THUMB: Final = """<script>
const waits = setInterval(() => {
  const button = document.querySelector("section button.main");
  if (!button) return;
  clearInterval(waits);
  button.click();
}, 50);
</script>
"""


def setup_screen(path: Path) -> None:
    """What the screen shows the first time, where the Pi opened a network of its own."""
    surface = new_surface(1024, 600)
    page = f"http://10.42.0.1:8766/#{_CODE}"
    draw_watch(surface, *first_screen("en", page, Hotspot("engarde-7QK4", "mfn2k8wz")))
    path.write_bytes(png_of(surface))


def table_played(path: Path) -> None:
    """The table that people play at: a card of White's hand is dragged onto the others."""
    size = (1280, 720)
    state, ruling = play(*CLOSE)
    shown = replace(
        situations()["advance"],
        state=state,
        ruling=ruling,
        table=replace(situations()["advance"].table, observation=table(9, 14), remedies=()),
    )
    view = present(replace(shown, names=BySide("Anna", "Bot (novice)")))
    laid = zip(cards("4a 4b 4c 5a"), (92.0, 186.0, 252.0, 350.0), (-130.0, -132.0, -128.0, -150.0), strict=True)
    board = table_of(TABLE_FILE)
    pitch_mm = board.spaces_mm[1][0] - board.spaces_mm[0][0]
    hands = Hands(table_pictures(board), lambda deed: None)
    hands.view = TopView(
        cards=tuple(
            LyingCard(card, x_mm, y_mm, turn) for (card, x_mm, y_mm), turn in zip(laid, (0, 1, -2, 2), strict=True)
        ),
        figures=state.spaces.map(lambda space: (pitch_mm * (space - 1), 0.0)),
        fans=(Fan(Side.WHITE, cards("1a 2c 3b 5c 5d")),),
        pile=state.pile,
        distance=state.distance,
    )
    places = layout(size, Arrangement.TABLE, with_buttons=True, names=("undo", "review", "camera", "menu"))
    foot_px = max(box.height for box in places.buttons.values())
    surface = new_surface(*size)
    hands.parts(size, foot_px, view, DEFAULT)
    at = hands.places
    assert at is not None
    start, end = fan_boxes(at, (5,))[0][4].center, at.px(372.0, -176.0)
    mouse = {"touch": False, "button": 1}
    hands.take(pygame.event.Event(pygame.MOUSEBUTTONDOWN, mouse | {"pos": start}), size)
    hands.take(pygame.event.Event(pygame.MOUSEMOTION, {"touch": False, "buttons": (1, 0, 0), "pos": end}), size)
    draw_parts(surface, (*hands.parts(size, foot_px, view, DEFAULT), *button_parts(places, view)), DEFAULT)
    pygame.image.save(surface, str(path))


def table_screen(path: Path) -> None:
    """A refusal as the demo keeps it: screen, lamps and what the camera saw."""
    with tempfile.TemporaryDirectory() as folder:
        words = ("demo", "--headless", "--fast", "--points", "1", "--mistakes", "0.9", "--seed", "4")
        who = ("--language", "en", "--white", "Anna", "--black", "Ben")
        where = ("--scorebook", f"{folder}/book.sqlite", "--out", folder)
        done = subprocess.run(
            (sys.executable, "-m", "firmware", *words, *who, *where),
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        kept = sorted(Path(folder).glob("*-refused-opponent_moved.png"))
        if done.returncode or not kept:
            raise EngardeError(f"expected the demo to keep a fencer that was moved, found none: {done.stderr[-200:]}")
        shutil.copy(kept[-1], path)


def setup_measure(path: Path) -> None:
    """The phone's page when the camera has measured. Raises EngardeError without Chromium, or where it fails."""
    chromium = next(filter(None, map(shutil.which, _CHROMIUMS)), None)
    if chromium is None:
        raise EngardeError(f"{path.name} is photographed by Chromium, which is not here: install it with apt.")
    measured = table_of(TABLE_FILE)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        page, shot = folder / "setup.html", folder / "shot.png"
        page.write_text(PAGE.read_text(encoding="utf-8").replace("</body>", f"{_THUMB}</body>"), encoding="utf-8")
        mark = StartMark(folder / "first-start")
        mark.begin()
        mark.reach("measure")
        with closing(TableEye(untouched_table(measured, 1), measured, in_process)) as eye:
            wifi = Wifi(lambda words: (1, ""))
            config, settings, own = Config(), folder / "menu.toml", folder / "table.toml"
            first = FirstStart(config, settings, own, wifi, eye, no_panel(""), mark=mark)
            with closing(Site(first, "127.0.0.1", 0, _CODE, page)) as site:
                words = ("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars")
                scale = "--force-device-scale-factor=1"
                size, waits = f"--window-size={_PHONE_PX[0]},{_PHONE_PX[1]}", f"--virtual-time-budget={_WAITS_MS}"
                kept = (f"--user-data-dir={folder / 'chromium'}", f"--screenshot={shot}")
                command = (chromium, *words, scale, size, waits, *kept, f"http://127.0.0.1:{site.port}/#{_CODE}")
                done = subprocess.run(
                    command, capture_output=True, text=True, check=False, env=os.environ | {"LANG": "C"}
                )
        if not shot.exists():
            raise EngardeError(f"expected Chromium to photograph the page, found: {done.stderr[-300:]}")
        told = PngInfo()
        told.add_text(MADE_OF, made_of(PAGE_MADE_OF))
        with Image.open(shot) as image:
            image.save(path, pnginfo=told, optimize=True)


def made_of(sources: Sequence[Path]) -> str:
    """A sum over the texts, to tell whether any has changed since."""
    return hashlib.sha256(b"\0".join(source.read_bytes() for source in sources)).hexdigest()[:16]


PICTURES: Final[Mapping[str, Callable[[Path], None]]] = MappingProxyType(
    {
        "setup-screen.png": setup_screen,
        "table-played.jpg": table_played,
        "table-screen.png": table_screen,
        "setup-measure.png": setup_measure,
    }
)
"""Every picture of the folder, and who makes it."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status 0, or 1 where one could not be made."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.firmware.tools.pictures", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"which (default: all): {', '.join(PICTURES)}")
    parser.add_argument("--out", type=Path, default=FOLDER, metavar="DIR", help="the folder")
    asked = parser.parse_args(arguments)
    unknown = [name for name in asked.names if name not in PICTURES]
    if unknown:
        parser.error(f"there is no picture {unknown[0]}; there are {', '.join(PICTURES)}")
    asked.out.mkdir(parents=True, exist_ok=True)
    try:
        for name in asked.names or PICTURES:
            PICTURES[name](asked.out / name)
            print(asked.out / name)
    except (EngardeError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
