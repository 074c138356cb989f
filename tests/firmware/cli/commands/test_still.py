"""The first picture: there before the libraries are, and only for who is going to open a window."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pygame
import pytest

from display.draw import screen
from display.draw.canvas import Canvas
from display.draw.screen import TITLE
from display.draw.theme import THEMES
from display.screens.salle import draw_still
from display.window import open_window
from firmware.cli import main as cli
from firmware.cli.commands.still import show_still


@pytest.fixture(autouse=True)
def a_screen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """SDL's own stand-in for a screen, taken for one; nobody has set anything."""
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    monkeypatch.setattr(screen, "NO_SCREEN", ())
    monkeypatch.setattr(screen, "_hide_cursor", lambda: None)  # it has none
    pygame.display.quit()
    yield
    pygame.display.quit()


def _pixels(surface: pygame.Surface) -> bytes:
    return pygame.image.tobytes(surface, "RGB")


@pytest.mark.parametrize("colours", THEMES)
def test_two_fencers_are_shown_in_the_colours_asked_for(colours: str) -> None:
    assert show_still(("--theme", colours, "--camera", "0", "--unheard-of"))
    shown = pygame.display.get_surface()
    assert shown is not None
    expected = pygame.Surface(shown.get_size(), 0, shown)
    draw_still(Canvas(expected, THEMES[colours]["normal"]), TITLE, "One moment \u2026")
    assert _pixels(shown) == _pixels(expected)


def test_the_window_goes_on_with_it() -> None:
    assert show_still(())
    shown = pygame.display.get_surface()
    before = _pixels(shown) if shown is not None else b""
    window = open_window()
    assert window is not None
    assert window.surface is shown
    assert _pixels(window.surface) == before
    window.show_still("en")
    assert _pixels(window.surface) == before
    assert not show_still(()), "a screen that is open is left alone"
    covering = open_window(fullscreen=True)
    assert covering is not None
    assert covering.surface.get_flags() & pygame.FULLSCREEN


@pytest.mark.parametrize(
    "words", ["-h", "--help", "--headless", "--list", "--theme unheard-of", "--config /nowhere", "--config"]
)
def test_nothing_is_opened_where_no_window_will_be_and_what_is_wrong_is_left_to_the_command(words: str) -> None:
    assert not show_still(words.split())
    assert not pygame.display.get_init()


def test_only_commands_with_a_window_have_one(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr("firmware.cli.commands.still.show_still", lambda words: asked.append(" ".join(words)))
    for name in cli.COMMANDS:
        with pytest.raises(SystemExit):
            cli.main([name, "--help"])
    assert asked == ["--help"] * len(cli.STILLS)
    assert set(cli.COMMANDS) > cli.STILLS


@pytest.mark.slow
def test_it_waits_for_no_library_that_looks_at_pictures() -> None:
    program = "import sys, firmware.cli.commands.still; print(*sys.modules)"
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in told.stdout.split()} | set(told.stdout.split())
    assert "pygame" in loaded
    assert (
        not {"cv2", "zxingcpp", "pyzbar", "segno", "vision.eyes", "firmware.table.loop.loop", "display.window"} & loaded
    )
