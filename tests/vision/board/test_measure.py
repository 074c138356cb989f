"""The table measured by its camera: nothing known but what was printed, and where the two figures stand."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from vision.board.calibration import calibrate_corners
from vision.board.lens_fit import unit_square
from vision.board.measure import Fault, MeasuredTable, MeasureError, corrected, measure, measure_frames, with_measures
from vision.frame import Frame
from vision.geometry import Camera, Floats, look_at
from vision.printed.table import Corner, Table, TablePoint, load_table, read_table

FILE = Path(__file__).parents[3] / "hardware" / "table.toml"
PRINTED = load_table(FILE)
NOISE_PX = 0.15


def _own(seed: int, level_mm: float = 0.0) -> tuple[Table, Camera]:
    """A table nobody measured, and the camera over it."""
    rng = np.random.default_rng(seed)
    pitch = rng.uniform(24, 32)
    length = 22 * pitch
    roughly = [(-45, 45), (length + 45, 45), (length + 45, -45), (-45, -45)]
    corners = tuple(
        Corner(number, x + rng.uniform(-15, 15), y + rng.uniform(-10, 10), level_mm)
        for number, (x, y) in enumerate(roughly)
    )
    spaces = tuple(TablePoint(pitch * number, 0.0, 0.0) for number in range(23))
    above = (length / 2 + rng.uniform(-40, 40), rng.uniform(-450, -60), rng.uniform(640, 820))
    lens = (rng.uniform(-0.06, 0.06), rng.uniform(-0.02, 0.02), 0.0, 0.0, 0.0)
    roll = rng.uniform(-4, 4) + 180 * (seed % 2)  # the camera may hang the other way round
    camera = look_at(above, (length / 2, -90.0, 0.0), roll_deg=roll, hfov_deg=66 * rng.uniform(0.97, 1.03), dist=lens)
    return replace(PRINTED, spaces_mm=spaces, corners=corners), camera


def _seen(own: Table, camera: Camera, white: int = 1, black: int = 23) -> dict[int, Floats]:
    """What the camera sees of it: each square a little turned, as people lay them."""
    rng = np.random.default_rng(5)
    places = {corner.id: (np.array(corner[1:]), own.board_size_mm) for corner in own.corners}
    places[4] = np.array(own.tag_mm(white)), own.fencer_size_mm
    places[5] = np.array(own.tag_mm(black)), own.fencer_size_mm
    seen = {}
    for number, (place, side) in places.items():
        turn = math.radians(rng.uniform(-4.0, 4.0))
        square = unit_square() * side / 2
        square[:, :2] @= np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
        seen[number] = camera.project(place + square) + rng.normal(0, NOISE_PX, (4, 2))
    return seen


def _size(camera: Camera) -> tuple[int, int]:
    return camera.width, camera.height


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("level_mm", [0.0, -12.0])
def test_a_table_nobody_measured_is_read_as_if_somebody_had(seed: int, level_mm: float) -> None:
    own, camera = _own(seed, level_mm)
    seen = _seen(own, camera)
    told = measure(seen, PRINTED, _size(camera), level_mm)
    length = own.spaces_mm[-1].x
    # The whole may come out a hundredth too large, as a printer's scale would make it; on it, all is where it belongs.
    assert told.table.spaces_mm[-1].x == pytest.approx(length, rel=0.012)
    found = calibrate_corners(seen, told.table, *_size(camera))
    for space in range(1, 24):
        px = camera.project([own.tag_mm(space)])
        x, y = found.camera.at_height(px, told.table.fencer_offset_mm.z)[0]
        wanted = told.table.tag_mm(space)
        assert math.hypot(x - wanted.x, y - wanted.y) < 1.0
    assert found.worst_mm is not None
    assert found.worst_mm < 3.5
    assert max(map(abs, told.turned_deg.values())) < 6


def test_two_markers_are_enough_and_only_those_in_view_are_written() -> None:
    own, camera = _own(2)
    seen = {number: px for number, px in _seen(own, camera).items() if number not in (0, 1)}
    told = measure(seen, PRINTED, _size(camera))
    assert [corner.id for corner in told.table.corners] == [2, 3]


@pytest.mark.parametrize(("ours", "others"), [(0, 293), (293, 0)])
def test_markers_of_the_other_set_are_somebody_elses(ours: int, others: int) -> None:
    """A table printed from one set of ids is measured beside markers of the other; one more of its own is found."""
    own, camera = _own(2)
    own = replace(own, corners=(*own.corners, Corner(6, 300.0, 45.0, 0.0)))
    seen = _seen(own, camera)
    markers = [(ours + number, px) for number, px in seen.items()] + [(others + 3, seen[0] + 50.0)]
    corners = tuple(corner._replace(id=ours + corner.id) for corner in PRINTED.corners)
    printed = replace(PRINTED, corners=corners, fencer_ids=PRINTED.fencer_ids.map(lambda number: ours + number))
    frames = [Frame(number, number / 10, np.zeros((camera.height, camera.width), np.uint8)) for number in range(3)]
    told = measure_frames(frames, printed, run=lambda name, y, *how: markers)
    assert [corner.id for corner in told.table.corners] == [ours + number for number in (0, 1, 2, 3, 6)]


PITCH_MM = _own(4)[0].spaces_mm[1].x


@pytest.mark.parametrize(
    ("gone", "stood", "printed", "fault", "facts"),
    [
        ((4,), {}, PRINTED, Fault.WHITE, {}),
        ((5,), {}, PRINTED, Fault.BLACK, {}),
        ((0, 1, 2), {}, PRINTED, Fault.MARKERS, {}),
        ((), {"white": 23, "black": 1}, PRINTED, Fault.SWAPPED, {}),
        # Eight spaces, taken for 22.
        ((), {"white": 1, "black": 9}, PRINTED, Fault.PITCH, {"pitch_mm": pytest.approx(PITCH_MM * 8 / 22, rel=0.02)}),
        ((), {}, replace(PRINTED, fencer_size_mm=26.0), Fault.SQUARES, {"board_mm": 30.0, "tag_mm": 26.0}),
    ],
)
def test_a_table_that_cannot_be_measured_is_told_with_its_fault(
    gone: tuple[int, ...], stood: dict[str, int], printed: Table, fault: Fault, facts: dict[str, float]
) -> None:
    own, camera = _own(4)
    seen = {number: px for number, px in _seen(own, camera, **stood).items() if number not in gone}
    with pytest.raises(MeasureError) as told:
        measure(seen, printed, _size(camera))
    assert (told.value.fault, told.value.facts) == (fault, facts)


@pytest.mark.parametrize("deep_mm", [0.4, 30.0, 200.0])
def test_a_play_area_is_as_deep_as_in_the_table_file_where_all_of_it_is_seen(deep_mm: float) -> None:
    own, camera = _own(3)
    usual = PRINTED.play_area._replace(y0=PRINTED.play_area.y1 - deep_mm)
    told = measure(_seen(own, camera), replace(PRINTED, play_area=usual), _size(camera)).table.play_area
    assert told.y1 - told.y0 == pytest.approx(deep_mm, abs=0.5)


def _measured(seed: int = 3) -> tuple[MeasuredTable, Table, Camera]:
    own, camera = _own(seed)
    return measure(_seen(own, camera), PRINTED, _size(camera)), own, camera


def test_what_is_dragged_is_where_the_spaces_are() -> None:
    told, own, camera = _measured()
    # The owner's figures carry their tags otherwise than was thought: the spaces lie 5 mm further away.
    ends = camera.project([(0.0, 5.0, 0.0), (own.spaces_mm[-1].x, 5.0, 0.0)])
    area = camera.project([(100.0, -200.0, 0.0), (500.0, -70.0, 0.0)])
    new = corrected(told, ends[0], ends[1], area).table
    assert new.fencer_offset_mm.y == pytest.approx(told.table.fencer_offset_mm.y - 5, abs=0.5)
    assert new.corners[0].y == pytest.approx(told.table.corners[0].y - 5, abs=0.5)
    assert new.play_area.x0 == pytest.approx(100, rel=0.02, abs=1)
    assert new.play_area.y1 == pytest.approx(-75, rel=0.03, abs=1)
    first, last = told.camera.project([(0, 0, 0), told.table.spaces_mm[-1]])
    same = corrected(told, first, last, told.camera.project([(80, -200, 0), (400, -80, 0)]))
    assert same.table.corners == told.table.corners
    assert same.table.spaces_mm == told.table.spaces_mm


def test_what_cannot_be_is_refused() -> None:
    told, _, _ = _measured()
    first, last = told.camera.project([(0, 0, 0), told.table.spaces_mm[-1]])
    with pytest.raises(MeasureError) as ends:
        corrected(told, last, first, np.array([first, last]))
    with pytest.raises(MeasureError) as small:
        corrected(told, first, last, np.array([first, first + 5]))
    assert (ends.value.fault, small.value.fault) == (Fault.ENDS, Fault.AREA)


def test_the_file_is_written_as_a_person_would() -> None:
    told, _, _ = _measured()
    text = with_measures(FILE.read_text(encoding="utf-8"), told.table)
    again = read_table(text)
    assert again.corners == told.table.corners
    assert again.play_area == told.table.play_area
    assert np.allclose(again.spaces_mm, told.table.spaces_mm)
    assert again.qr_mm == PRINTED.qr_mm
    assert "# the letter printed in every QR label of this deck" in text
    bent = text.replace("spaces = 23\npitch_mm", "spaces_mm = [\n" + "[0, 0, 0],\n" * 23 + "] #").replace(
        "] # =", "] #"
    )
    slots = "\n[slots]\nmiddles = [[1, 1], [2, 2], [3, 3], [4, 4], [5, 5]]\n"
    assert read_table(with_measures(bent + slots, told.table)) == again
    assert with_measures(text, told.table) == text
