"""What stands beside the table: no place is left dark for a picture that there is none of."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from display.draw.theme import DEFAULT
from display.screens.camera import CameraPicture
from display.screens.compose import Arrangement, composed_parts, layout
from display.view import Situation
from display.words.present import present

PICTURE = CameraPicture(bytes(64 * 36 * 3), 64, 36)


@pytest.mark.parametrize("size", [(800, 480), (1280, 720)])
def test_without_a_picture_the_lamps_have_the_cameras_place(
    shown: Mapping[str, Situation], size: tuple[int, int]
) -> None:
    view = present(shown["advance"])
    places = layout(size, Arrangement.BOTH, with_buttons=True)

    def boxes(camera: CameraPicture | None) -> dict[str, object]:
        return {part.name: part.box for part in composed_parts(places, view, camera, 1.0, DEFAULT)}

    assert boxes(PICTURE)["lamps"] == places.lamps
    assert boxes(PICTURE)["camera"] == places.camera
    assert boxes(None)["lamps"] == places.lamps.union(places.camera)
    assert "camera" not in boxes(None)


def test_trouble_without_a_picture_keeps_its_place(shown: Mapping[str, Situation]) -> None:
    view = present(next(situation for situation in shown.values() if situation.trouble))
    places = layout((800, 480), Arrangement.BOTH, with_buttons=True)
    boxes = {part.name: part.box for part in composed_parts(places, view, None, 1.0, DEFAULT)}
    assert boxes["lamps"] == places.lamps
    assert boxes["camera"] == places.camera
