"""What Raspberry Pi Imager is told of the cards' images: a list of them, with sizes and checksums.

Source: the repository format that Raspberry Pi Imager documents (``os_list`` with ``devices``), and its JSON Schema.
"""

from __future__ import annotations

import hashlib
import json
import lzma
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

ICON: Final = "engarde-icon.png"
"""What Imager shows beside the name: without one it takes no entry."""
_MODELS: Final = {"pi4": ("Raspberry Pi 4", "pi4-64bit"), "pi5": ("Raspberry Pi 5", "pi5-64bit")}
_CHUNK: Final = 1 << 20


def packed(image: Path) -> Path:
    """The image packed beside it, as Imager takes it."""
    target = image.with_name(f"{image.name}.xz")
    with image.open("rb") as plain, lzma.open(target, "wb") as file:
        while chunk := plain.read(_CHUNK):
            file.write(chunk)
    return target


def manifest(images: dict[str, tuple[Path, Path]], version: str, address: str) -> str:
    """The list for Imager: each model's image and packed image, which is at ``address`` for everybody.

    ``address`` is a folder's, such as ``https://example.org/engarde/``; a file's where the images are tried at home.
    """
    return (
        json.dumps({"os_list": [_entry(model, *images[model], version, address) for model in images]}, indent=2) + "\n"
    )


def _entry(model: str, image: Path, file: Path, version: str, address: str) -> dict[str, object]:
    name, device = _MODELS[model]
    return {
        "name": f"En Garde Companion {version} ({name})",
        "description": "The referee for the board game En Garde; it asks for language and Wi-Fi at its first start",
        "icon": f"{address}{ICON}",
        "url": f"{address}{file.name}",
        "extract_size": image.stat().st_size,
        "extract_sha256": checksum(image),
        "image_download_size": file.stat().st_size,
        "image_download_sha256": checksum(file),
        "release_date": datetime.fromtimestamp(file.stat().st_mtime, UTC).date().isoformat(),
        "devices": [device],
        # Nothing for Imager to set: the game asks at its first start.
        "init_format": "none",
    }


def checksum(path: Path) -> str:
    """The file's SHA-256."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
