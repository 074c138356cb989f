"""Addresses of cameras: which are any, and that what may be secret in them is told nobody."""

from __future__ import annotations

from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.cli.sitting.cameras import open_camera
from firmware.table.camera.camera import CameraKind, CameraWanted, camera_spec
from vision.camera.sources import SourceError
from vision.printed.table import Table

SECRET = st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=8, max_size=20)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("http://phone:4747/video", "http://phone:4747/…"),
        ("https://192.168.1.5", "https://192.168.1.5"),
        ("rtsp://ana:p%40ss@192.168.1.5:554/user=ana_password=x_stream=0.sdp", "rtsp://192.168.1.5:554/…"),
        ("RTSP://[fe80::1]/", "RTSP://[fe80::1]"),
        ("http://ana:p@ss@phone/video", "http://phone/…"),
        ("http://phone?password=x", "http://phone/…"),
    ],
)
def test_an_address_is_a_live_camera_told_by_its_host(name: str, told: str) -> None:
    spec = camera_spec(name)
    assert (spec.kind, spec.name, spec.url, spec.live) == (CameraKind.STREAM, told, name, True)


@pytest.mark.parametrize(
    "name", ["http://", "htp://ana:geheim@phone/", "http://ana:ge/heim@phone", "http://phone:geheim/", "://geheim"]
)
def test_what_is_no_address_is_refused_without_a_word_of_it(name: str, table: Table) -> None:
    spec = camera_spec(name)
    assert spec.kind is CameraKind.NOTHING
    with pytest.raises(SourceError, match="--camera ://…") as refused:
        open_camera(CameraWanted(spec), table)
    assert not any(part in str(refused.value) for part in ("geheim", "heim", "ana"))


@given(SECRET, SECRET, SECRET)
def test_no_secret_is_told_wherever_it_stands(user: str, password: str, path: str) -> None:
    for written in (lambda text: text, lambda text: quote(text, safe="")):
        spec = camera_spec(f"rtsp://{written(user)}:{written(password)}@camera.lan:554/{written(path)}?{written(user)}")
        assert spec.name in ("rtsp://camera.lan:554/…", "://…")
        assert password not in repr(spec)
