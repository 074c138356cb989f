"""What the screen shows at the first start: the codes to photograph, and in words what they are."""

from __future__ import annotations

import socket
from typing import Final

import numpy as np
from numpy.typing import NDArray

from display.i18n import words
from display.screens.camera import CameraPicture
from display.view import EyesView, WatchView
from engine.table.observation import Sight
from firmware.cli.first_start.wifi import HOTSPOT_ADDRESS, Hotspot
from firmware.web.address import own_address
from vision.printed.qr import qr_rows

_WIDE: Final = 1280
_HIGH: Final = 576
_QUIET: Final = 4
_PAPER: Final = 255


def address(port: int, code: str, hotspot: Hotspot | None) -> str:
    """Where the page is, for a phone in the same network."""
    host = HOTSPOT_ADDRESS if hotspot is not None else own_address() or f"{socket.gethostname()}.local"
    return f"http://{host}:{port}/#{code}"


def codes_picture(texts: tuple[str, ...]) -> CameraPicture:
    """These texts as QR codes beside each other."""
    picture = np.full((_HIGH, _WIDE), _PAPER, np.uint8)
    for number, text in enumerate(texts):
        code = _code(text)
        scale = min(_HIGH, _WIDE // len(texts)) // code.shape[0]
        large = np.kron(code, np.ones((scale, scale), np.uint8))
        top = (_HIGH - large.shape[0]) // 2
        left = round((number + 0.5) * _WIDE / len(texts)) - large.shape[1] // 2
        picture[top : top + large.shape[0], left : left + large.shape[1]] = large
    return CameraPicture(np.repeat(picture[:, :, None], 3, axis=2).tobytes(), _WIDE, _HIGH)


def _code(text: str) -> NDArray[np.uint8]:
    return np.pad(np.where(qr_rows(text), 0, _PAPER).astype(np.uint8), _QUIET, constant_values=_PAPER)


def first_screen(
    language: str, page: str, hotspot: Hotspot | None, trouble: str = "", *, asking: bool = False
) -> tuple[WatchView, CameraPicture]:
    """The screen of the first start: with a network of its own two codes, the network's first.

    ``trouble`` says why there is no network at all.
    Its two buttons are the requests ``menu`` and ``undo``; ``asking``: whether never to measure was meant.
    """
    say = words(language).say
    lines = [say("setup.scan")]
    texts: tuple[str, ...] = (page,)
    if hotspot is not None:
        lines = [say("setup.scan_both", name=hotspot.name, password=hotspot.password)]
        texts = (hotspot.code, page)
    eyes = EyesView(Sight.BLIND if trouble else Sight.STEADY, None, trouble or say("setup.welcome"))
    forgo = say("setup.really" if asking else "setup.play_never")
    buttons = (("menu", say("setup.play_now")), ("undo", forgo))
    view = WatchView(
        eyes, lines[0], say("setup.address", address=page), say("setup.forgo"), say("setup.leave"), buttons
    )
    return view, codes_picture(texts)
