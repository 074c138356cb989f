"""Readers written by others, zxing-cpp, zbar and OpenCV's ArUco, each as one plain function.

A function takes a luminance picture (height, width) uint8 and plain values and gives plain values. So whoever does not
trust the code behind it can run it in another process and give up on it: readers of pictures have looped for ever
before (zxing-cpp's issues 1087 and 1150). ``Run`` is how they are asked.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, Final, Protocol

import cv2
import numpy as np

from vision.frame import Picture
from vision.geometry import Floats
from vision.printed.tags import OWN_IDS, aruco_dictionary

ZXING: Final = "zxing"
ZBAR: Final = "zbar"
ARUCO: Final = "aruco"

QUICK: Final = "quick"
THOROUGH: Final = "thorough"

Texts = list[tuple[str, Floats]]


class Run(Protocol):
    """Has one of ``FUNCTIONS`` look at a picture, told ``how``; gives its answer, None when none came."""

    def __call__(self, name: str, y: Picture, *how: object) -> Any | None: ...


def in_process(name: str, y: Picture, *how: object) -> Any | None:
    """Calls it here and now, whatever comes of that."""
    return FUNCTIONS[name](y, *how)


def zxing(y: Picture, plain: bool) -> tuple[Texts, list[Floats]]:
    """zxing-cpp's codes: texts with their corners (4, 2) px, and the corners of what it could not read.

    ``plain``: with its own settings, as it comes, but for codes that are white on black, as none of ours is.
    """
    library = importlib.import_module("zxingcpp")
    options = _zxing_options(library, plain)
    read, unread = [], []
    for code in library.read_barcodes(y, **options):
        at = code.position
        corners = np.array(
            [(point.x, point.y) for point in (at.top_left, at.top_right, at.bottom_right, at.bottom_left)],
            dtype=np.float64,
        )
        if code.valid:
            read.append((str(code.text), corners))
        else:
            unread.append(corners)
    return read, unread


def zbar(y: Picture) -> Texts:
    """zbar's codes: texts with their corners (4, 2) px, from the code's own top left one, clockwise."""
    library = importlib.import_module("pyzbar.pyzbar")
    found = []
    for code in library.decode(y, symbols=[library.ZBarSymbol.QRCODE]):
        corners = _from_top_left(np.array(code.polygon, dtype=np.float64), getattr(code, "orientation", None))
        if corners is not None:
            found.append((code.data.decode("ascii", "replace"), corners))
    return found


def aruco(y: Picture, dictionary: str, way: str) -> list[tuple[int, Floats]]:
    """Our own markers of a dictionary: ids and corners (4, 2) px, from the top left as printed, clockwise.

    ``way``: QUICK or THOROUGH.
    """
    corners, ids, _ = _detector(dictionary, way).detectMarkers(y)
    if ids is None:
        return []
    # OpenCV up to 4 gives ids the shape (N, 1), 5 gives (N,).
    return [
        (OWN_IDS[int(number)], np.asarray(quad, dtype=np.float64).reshape(4, 2))
        for number, quad in zip(np.asarray(ids).ravel(), corners, strict=True)
    ]


FUNCTIONS: Final[Mapping[str, Callable[..., Any]]] = {ZXING: zxing, ZBAR: zbar, ARUCO: aruco}


def is_there(name: str) -> bool:
    """Whether a reader of labels can be loaded on this machine."""
    try:
        importlib.import_module({ZXING: "zxingcpp", ZBAR: "pyzbar.pyzbar"}[name])
    except ImportError:
        return False
    return True


@lru_cache(maxsize=2)
def _zxing_options(library: Any, plain: bool) -> dict[str, Any]:
    options: dict[str, Any] = {"formats": library.BarcodeFormat.QRCode}
    if not plain:
        options["try_downscale"] = False
    documentation = library.read_barcodes.__doc__ or ""
    # These came with later versions of the library; the platform may bring an older one.
    if "binarizer" in documentation and not plain:
        options["binarizer"] = library.Binarizer.FixedThreshold
    if "try_invert" in documentation:
        options["try_invert"] = False
    if "return_errors" in documentation and not plain:
        options["return_errors"] = True
    return options


def _from_top_left(polygon: Floats, orientation: str | None) -> Floats | None:
    """zbar's outline (in no fixed order) from the code's own top left corner on, clockwise.

    zbar says which way up a code is only to a quarter turn. Without that (pyzbar before 0.1.9) it is of no use to us.
    """
    quarter = {"UP": 0, "RIGHT": 1, "DOWN": 2, "LEFT": 3}.get(str(orientation).rpartition(".")[2])
    if len(polygon) != 4 or quarter is None:
        return None
    middle = polygon.mean(axis=0)
    clockwise = polygon[np.argsort(np.arctan2(polygon[:, 1] - middle[1], polygon[:, 0] - middle[0]))]
    # Sorted by angle from -180 degrees on, the first corner is the upper left one of an upright code.
    return np.roll(clockwise, -quarter, axis=0)


@lru_cache(maxsize=8)
def _detector(dictionary: str, way: str) -> cv2.aruco.ArucoDetector:
    words = aruco_dictionary(dictionary)
    # Fewer words: cheaper, and no other marker of the family in view can be taken for one of ours.
    words.bytesList = words.bytesList[[number for number in OWN_IDS if number < len(words.bytesList)]]
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    if way != THOROUGH:
        settings.adaptiveThreshWinSizeMin = settings.adaptiveThreshWinSizeMax  # the largest of three
    return cv2.aruco.ArucoDetector(words, settings)
