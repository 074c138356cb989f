"""Picture files and videos whose decoding never ends or crashes: what can be read is read."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import pytest

from firmware.table.readers.apart import Decoders
from firmware.table.readers.progress import Limits
from tests.waiting import HANG_S
from vision.camera.files import Decoder, ImageFolder, VideoFile
from vision.camera.sources import SourceError
from vision.frame import Frame

pytestmark = pytest.mark.slow

STUBS = """
import os, signal, time
from vision.camera.files import DecodesHere
here = DecodesHere()
def fails(way):
    while "hang" in way: pass
    if "sleep" in way: time.sleep(60)
    if "crash" in way: os.kill(os.getpid(), signal.SIGSEGV)
    if "stumble" in way: raise ValueError("no such picture")
    if "greedy" in way: bytearray(2_000_000_000)
def picture(path, colour):
    fails(path)
    return here.picture(path, colour)
def video_fps(path):
    return here.video_fps(path)
def video_frame(path, index, colour):
    with open(path + ".fails") as file:
        ways = dict(line.split() for line in file)
    fails(ways.get(str(index), ""))
    return here.video_frame(path, index, colour)
FUNCTIONS = {"picture": picture, "video_fps": video_fps, "video_frame": video_frame}
"""


@pytest.fixture
def decoders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Decoders]:
    (tmp_path / "stubs").mkdir()
    (tmp_path / "stubs" / "decoder_stubs.py").write_text(STUBS, encoding="utf-8")
    monkeypatch.setattr(sys, "path", [str(tmp_path / "stubs"), *sys.path])
    made = Decoders(limits=Limits(0.3, 0.3, HANG_S), module="decoder_stubs")
    yield made
    made.close()


def all_of(source: ImageFolder | VideoFile) -> list[Frame]:
    frames = []
    while (frame := source.read()) is not None:
        frames.append(frame)
    return frames


def film(path: Path, frames: int) -> None:
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 20.0, (64, 48))
    assert writer.isOpened()
    for number in range(frames):
        writer.write(np.full((48, 64, 3), 10 + 20 * number, np.uint8))
    writer.release()


def test_an_image_that_cannot_be_decoded_is_left_out_and_told(tmp_path: Path, decoders: Decoders) -> None:
    folder = tmp_path / "images"
    folder.mkdir()
    for number, name in enumerate(("1", "2-hangs", "3", "4-sleeps", "5-crashes", "6-stumbles", "7")):
        assert cv2.imwrite(str(folder / f"{name}.png"), np.full((24, 32), 10 * number, np.uint8))
    told: list[str] = []
    source = ImageFolder(folder, 4.0, told.append, decoders)
    frames = all_of(source)
    assert [(frame.index, frame.t_s, int(frame.y[0, 0])) for frame in frames] == [(0, 0, 0), (2, 0.5, 20), (6, 1.5, 60)]
    fates = [re.search(r"what decodes it (\w+) \(.*\); it is left out$", sentence) for sentence in told]
    assert [fate and fate[1] for fate in fates] == ["hung", "hung", "crashed", "stumbled"]
    assert frames[0].bgr().shape == (24, 32, 3)
    source.close()
    assert frames[2].bgr().shape == (24, 32, 3)  # grey: nothing is decoded any more


def test_a_frame_of_a_video_that_cannot_be_decoded_is_left_out_and_told(tmp_path: Path, decoders: Decoders) -> None:
    path = tmp_path / "match.avi"
    film(path, 8)
    path.with_name("match.avi.fails").write_text("1 hangs\n4 crashes\n5 sleeps\n", encoding="utf-8")
    told: list[str] = []
    source = VideoFile(path, told=told.append, decoder=decoders)
    frames = all_of(source)
    assert [frame.index for frame in frames] == [0, 2, 3, 6, 7]
    # It was opened anew after each mishap, and went on at the right frame.
    assert all(abs(int(frame.y[20, 20]) - (10 + 20 * frame.index)) < 12 for frame in frames)
    assert [round(20 * frame.t_s) for frame in frames] == [0, 2, 3, 6, 7]
    assert [sentence.partition("frame ")[2][0] for sentence in told] == ["1", "4", "5"]


def test_a_video_that_gives_nothing_any_more_ends_with_a_sentence(tmp_path: Path, decoders: Decoders) -> None:
    path = tmp_path / "match.avi"
    film(path, 6)
    path.with_name("match.avi.fails").write_text("2 crashes\n3 crashes\n4 crashes\n", encoding="utf-8")
    source = VideoFile(path, decoder=decoders)
    with pytest.raises(SourceError, match=r"as frame 4, found one .* crashed .*, as the 2 before it; convert it"):
        all_of(source)


def test_what_is_decoded_in_another_process_is_what_is_decoded_here(tmp_path: Path) -> None:
    image, path = tmp_path / "a.png", tmp_path / "match.avi"
    assert cv2.imwrite(str(image), np.arange(24 * 32 * 3, dtype=np.uint8).reshape(24, 32, 3))
    film(path, 5)
    apart: Decoder = Decoders()
    try:
        for decoder in (None, apart):
            shown = [frame.bgr() for frame in (*all_of(VideoFile(path)), *all_of(ImageFolder(tmp_path)))]
            other = VideoFile(path, decoder=decoder), ImageFolder(tmp_path, decoder=decoder)
            again = [frame.bgr() for source in other for frame in all_of(source)]
            assert len(shown) == len(again) == 6
            assert all(np.array_equal(a, b) for a, b in zip(shown, again, strict=True))
    finally:
        apart.close()


def test_what_unpacks_to_more_memory_than_there_is_for_it_is_told(tmp_path: Path, decoders: Decoders) -> None:
    told: list[str] = []
    for name in ("1", "2-greedy"):
        assert cv2.imwrite(str(tmp_path / f"{name}.png"), np.full((20, 30), 7, np.uint8))
    assert len(all_of(ImageFolder(tmp_path, told=told.append, decoder=decoders))) == 1
    (sentence,) = told
    assert "2-greedy.png: expected an image of at most 25 million pixels, found one that cannot be decoded" in sentence


def test_a_video_with_frames_larger_than_any_cameras_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    film(tmp_path / "film.avi", 2)
    monkeypatch.setattr("vision.camera.files.MAX_PIXELS", 64 * 48 - 1)
    with pytest.raises(SourceError, match="million pixels a frame, found none in it"):
        VideoFile(tmp_path / "film.avi")
