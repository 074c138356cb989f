"""Rectangles cut in two: a piece of so many pixels from one side, and the rest."""

from __future__ import annotations

from pygame import Rect

Cut = tuple[Rect, Rect]
"""The piece, then the rest."""


def cut_left(box: Rect, width_px: int) -> Cut:
    return Rect(box.left, box.top, width_px, box.height), Rect(
        box.left + width_px, box.top, box.width - width_px, box.height
    )


def cut_right(box: Rect, width_px: int) -> Cut:
    rest, piece = cut_left(box, box.width - width_px)
    return piece, rest


def cut_top(box: Rect, height_px: int) -> Cut:
    return Rect(box.left, box.top, box.width, height_px), Rect(
        box.left, box.top + height_px, box.width, box.height - height_px
    )


def cut_bottom(box: Rect, height_px: int) -> Cut:
    rest, piece = cut_top(box, box.height - height_px)
    return piece, rest
