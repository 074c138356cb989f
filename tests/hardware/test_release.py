"""What a release hands out: the guide as one PDF, parts, packages and images that ask for what the game needs."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import re
import subprocess
import tomllib
from pathlib import Path
from shutil import which

import pypdfium2
import pytest
from packaging.requirements import Requirement
from PIL import Image

from firmware.core.errors import EngardeError
from firmware.tools.guide import HARDWARE
from firmware.tools.release import (
    CHAPTERS,
    ICON,
    main,
    manifest,
    packed,
    parts,
    write_board,
    write_guide,
    write_parts,
    write_sheets,
    write_sums,
)
from tests.hardware.test_wiring import PRINTED_CM3

ROOT = HARDWARE.parent
PACKAGING = ROOT / "firmware" / "packaging"
GUIDE = (HARDWARE / "README.md").read_text(encoding="utf-8")


def _text_of(path: Path) -> str:
    with pypdfium2.PdfDocument(path) as document:
        return "\n".join(document[number].get_textpage().get_text_bounded() for number in range(len(document)))


@pytest.mark.slow
@pytest.mark.skipif(
    not all(map(which, ("pandoc", "weasyprint", "rsvg-convert"))), reason="the guide's makers are missing"
)
def test_the_guide_is_one_book_with_every_heading_in_its_order(tmp_path: Path) -> None:
    write_guide(tmp_path, "1.2.3")
    text = " ".join(_text_of(tmp_path / "guide.pdf").split())
    at = 0
    for name in CHAPTERS:
        for line in (HARDWARE / name).read_text(encoding="utf-8").splitlines():
            if line.startswith("#"):
                wanted = re.sub(r"[`*]", "", line.lstrip("# "))
                assert wanted in text[at:], line
                at = text.index(wanted, at)
    assert "En Garde Companion 1.2.3" in text
    assert b"Source-Sans-Pro" in (tmp_path / "guide.pdf").read_bytes().replace(b"SourceSansPro", b"Source-Sans-Pro")
    assert b"file:" not in (tmp_path / "guide.pdf").read_bytes(), "no link to where it was made"
    assert len(list((tmp_path / "drawings").iterdir())) == len(list((HARDWARE / "drawings").iterdir()))


@pytest.mark.slow
def test_the_released_sheets_have_the_corner_markers_and_the_flat_piste_apart(tmp_path: Path) -> None:
    write_sheets(tmp_path)
    for paper in ("A4", "Letter"):
        folder = tmp_path / "sheets" / paper
        names = {path.relative_to(folder).as_posix() for path in folder.rglob("*.pdf")}
        sheets = {
            f"{name}-{paper.lower()}.pdf" for name in ("start", "labels", "tabs", "corners", "mat", "guide", "cards")
        }
        assert names == sheets | {f"flat-piste/track-{paper.lower()}.pdf"}


def test_a_missing_program_is_named_with_its_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(EngardeError, match="pandoc is not installed: sudo apt install pandoc"):
        write_guide(tmp_path, "1.2.3")
    with pytest.raises(EngardeError, match="openscad is not installed"):
        write_parts(tmp_path)


def test_every_printed_part_of_the_bill_is_released() -> None:
    released = {stem.split("_x")[0].removesuffix("_module3"): words for stem, _, words in parts()}
    wanted = {name for block in PRINTED_CM3.values() for name in block} - {"front", "box"} | {
        "panel_front",
        "panel_box",
    }
    assert wanted <= set(released)
    assert released["plate"] == ('part="plate"', 'module_name="module3"')
    assert [stem for stem, _, _ in parts() if "_x" in stem] == ["fencer_ring_x2", "clip_x4"]


def test_the_guide_names_the_package_of_this_version() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert set(re.findall(r"engarde-companion_(\S+?)_arm64\.deb", GUIDE)) == {version}


def test_there_are_as_many_parts_as_the_guide_says_and_none_is_left_out() -> None:
    stems = [stem for stem, _, _ in parts()]
    assert len(set(stems)) == len(stems)
    assert f"as STL, {len(stems)} files with the camera's plate for each of five" in GUIDE
    mast = (HARDWARE / "printables" / "mast.scad").read_text(encoding="utf-8")
    modules = re.findall(r'^    \["(\w+)", [\d., ]+\],$', mast, re.MULTILINE)
    assert [stem for stem in stems if stem.startswith("plate_")] == [f"plate_{module}" for module in modules]
    for source in sorted(set((HARDWARE / "printables").glob("*.scad")) - {HARDWARE / "printables" / "measures.scad"}):
        named = re.search(
            r"^part = .*?// ([\w, ]+?),? or (assembled|both)", source.read_text(encoding="utf-8"), re.MULTILINE
        )
        for part in named[1].split(", ") if named else (source.stem,):
            assert any(stem.removeprefix("panel_").startswith(part) for stem in stems), part


def test_the_sums_are_of_every_file(tmp_path: Path) -> None:
    write_board(tmp_path)
    assert write_sums(tmp_path) == 2
    lines = (tmp_path / "SHA256SUMS").read_text().splitlines()
    assert lines[0] == f"{hashlib.sha256((tmp_path / 'board-gerbers.zip').read_bytes()).hexdigest()}  board-gerbers.zip"
    before = (tmp_path / "board-gerbers.zip").read_bytes()
    write_board(tmp_path)
    assert (tmp_path / "board-gerbers.zip").read_bytes() == before


def test_imager_is_told_of_each_image(tmp_path: Path) -> None:
    image = tmp_path / "engarde-1.2.3-pi5.img"
    image.write_bytes(bytes(range(256)) * 4096)
    file = packed(image)
    (entry,) = json.loads(manifest({"pi5": (image, file)}, "1.2.3", "https://example.org/"))["os_list"]
    assert entry["url"] == "https://example.org/engarde-1.2.3-pi5.img.xz"
    assert entry["extract_size"] == 1 << 20
    assert entry["extract_sha256"] == hashlib.sha256(image.read_bytes()).hexdigest()
    assert entry["image_download_size"] == file.stat().st_size < 1 << 20
    assert entry["image_download_sha256"] == hashlib.sha256(file.read_bytes()).hexdigest()
    assert entry["devices"] == ["pi5-64bit"]
    # What Imager's own schema asks of every entry.
    wanted = {"name", "description", "icon", "url", "extract_size", "extract_sha256", "image_download_size"}
    assert wanted | {"release_date", "devices"} <= set(entry)
    assert entry["icon"] == f"https://example.org/{ICON}"
    with Image.open(PACKAGING / "image" / ICON) as icon:
        assert icon.size == (160, 160)


def test_the_images_script_ends_with_a_command_that_lists_them(tmp_path: Path) -> None:
    """It was refused, once hours of building were over."""
    script = (PACKAGING / "image.sh").read_text(encoding="utf-8")
    (words,) = re.findall(r"-m firmware\.tools\.release (.*)$", script, re.MULTILINE)
    asked = [str(tmp_path) if word == "build/release" else word for word in words.split()]
    assert str(tmp_path) in asked
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    images = [tmp_path / f"engarde-{version}-{model}.img" for model in ("pi4", "pi5")]
    for image in images:
        image.write_bytes(bytes(1000))
    assert main(asked) == 0
    listed = json.loads((tmp_path / "engarde-imager.json").read_text(encoding="utf-8"))["os_list"]
    assert [entry["devices"] for entry in listed] == [["pi4-64bit"], ["pi5-64bit"]]
    for image, entry in zip(images, listed, strict=True):
        packed_here = tmp_path / f"{image.name}.xz"
        assert entry["url"] == packed_here.as_uri()
        assert hashlib.sha256(packed_here.read_bytes()).hexdigest() == entry["image_download_sha256"]
        assert not image.exists()
    sums = (tmp_path / "SHA256SUMS").read_text(encoding="utf-8").splitlines()
    assert {line.split()[1] for line in sums} == {path.name for path in tmp_path.iterdir()} - {"SHA256SUMS"}


def _names(field: str, text: str) -> set[str]:
    found = re.search(rf"^{field}: (.*)$", text, re.MULTILINE)
    assert found is not None
    return {name.split()[0] for part in found[1].split(",") for name in part.split("|")}


def test_package_and_image_ask_for_what_the_installer_asks_for() -> None:
    control = (PACKAGING / "deb" / "control").read_text(encoding="utf-8")
    asked = _names("Depends", control) | _names("Recommends", control)
    script = (ROOT / "firmware" / "install.sh").read_text(encoding="utf-8")
    found = re.search(r"^PACKAGES='(.*?)'", script, re.MULTILINE | re.DOTALL)
    assert found is not None
    installed = set(found[1].split()) - {"git", "python3-venv"}
    assert installed <= asked
    layer = (PACKAGING / "image" / "layer" / "engarde.yaml").read_text(encoding="utf-8")
    assert installed - {"libglib2.0-0"} <= set(re.findall(r"^    - (\S+)$", layer, re.MULTILINE))


APTS = {"numpy", "pygame-ce"}


def _locked(*more: str) -> set[str]:
    words = ["sh", str(PACKAGING / "locked.sh"), *more]
    said = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    return set(re.findall(r"^([A-Za-z][\w-]*)==", said, re.MULTILINE))


def _needed(names: set[str]) -> set[str]:
    """These and what they need, as they say themselves."""
    found = set[str]()
    while names:
        name = names.pop()
        found.add(name)
        for each in map(Requirement, importlib.metadata.requires(name) or ()):
            if each.marker is None or each.marker.evaluate({"extra": ""}):
                names |= {each.name.lower().replace("_", "-")} - found - APTS
    return found


@pytest.mark.parametrize("more", ["", "club"])
def test_a_pi_and_the_package_get_every_library_that_is_needed_and_apt_does_not_bring(more: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = project["dependencies"] + project["optional-dependencies"].get(more, [])
    names = {re.split(r"[<>=!]", each)[0] for each in wanted} - APTS
    got = _locked(more)
    assert _needed(set(names)) == got
    tools = {re.split(r"[<>=!]", each)[0] for each in project["optional-dependencies"]["dev"]} - {"setuptools"}
    assert not got & tools
    assert tools <= _locked("dev")


def test_the_newest_release_in_the_changelog_is_the_version() -> None:
    """Above it may stand the changes that wait for the next one."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    headings = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert next(each for each in headings if each != "Unreleased") == version
    assert "Unreleased" not in headings[1:]
