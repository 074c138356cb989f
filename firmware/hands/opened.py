"""The simulated table that people play at, opened as ``--camera synthetic`` asks for it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from firmware.camera.camera import HandsWanted, OpenCamera
from firmware.camera.meanwhile import PacedSource
from firmware.hands.act_file import ActWriter, open_new, read_acts
from firmware.hands.pictures import table_pictures
from firmware.hands.played_table import PlayedTable
from firmware.hands.table_top import table_top
from firmware.simulation.camera import TICK_S, kept_scenery, unwatched_table
from firmware.simulation.showing import backs_by_lot
from vision.printed.table import Table
from vision.synthetic.disturbances import TYPICAL
from vision.synthetic.poses import camera_variant
from vision.synthetic.renderer import Renderer


def open_simulated(table: Table, seed: int, wanted: HandsWanted | None) -> OpenCamera:
    """The simulated table: for people where a window shows it, for a file's hands, else for two bots.

    None is ``wanted`` where nobody looks on: two bots play, as fast as pictures are read.

    Raises EngardeError or OSError for files of acts that cannot be read or written.
    """
    if wanted is None or (wanted.acts is None and (wanted.watch or not wanted.shown)):
        bots = unwatched_table(table, seed)
        paced = wanted is not None and wanted.shown
        return OpenCamera(PacedSource(bots) if paced else bots, bots, live=False, agree=bots.agree)
    script = () if wanted.acts is None else read_acts(wanted.acts)
    top = table_top(table, backs_by_lot(seed))
    with ThreadPoolExecutor(1, "pictures") as beside:
        # What the window shows of the table is drawn meanwhile; the seat there asks for it next.
        drawn = beside.submit(table_pictures, table) if wanted.shown else None
        renderer = Renderer(table, camera_variant(table, seed), TYPICAL, seed, kept_scenery)
    if drawn is not None:
        drawn.result()
    writer = None if wanted.acts_out is None else ActWriter(open_new(wanted.acts_out))
    played = PlayedTable(top, renderer, tick_s=TICK_S, script=script, ends=not wanted.shown, writer=writer)
    return OpenCamera(PacedSource(played) if wanted.shown else played, played, live=wanted.shown, played=True)
