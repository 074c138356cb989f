"""The labels that a code can be: which of them do the modules that are still visible belong to?

A decoder needs nearly the whole of a code; a label that the next card cuts into, or that glare crosses, has lost too
much for it. But only 25 texts are possible on a deck's faces, and on its backs, each in one of eight masks, so the
modules left over may be enough: every module that agrees with a candidate speaks for it, every one that does not speaks
strongly against it.

Only modules that differ between these labels count. What all of them share (the format's name, the deck) other codes
may share too; the rest is nearly all Reed-Solomon remainder, which differs in 16 of 17 codewords between any two texts.
Source: ISO/IEC 18004 (masks, placement, error correction); READING.md, "Codebook".
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.rules.cards import DECK, Card
from vision.geometry import Floats
from vision.printed.label_code import masks, unmasked_codes
from vision.printed.tags import FINDER_PATTERNS, QR_MODULES, back_payload, payload

ENOUGH: Final = 30.0
AHEAD: Final = 15.0
MISREAD: Final = 0.05  # of the modules of a label that lies there, at 2 to 3 px a module in hard light
_CUT_DIRECTIONS: Final = 24  # every 15°: a cut a little askew loses a few modules, and the next one holds them. Chosen
_CUT_STEP: Final = 1.5  # modules
_ROUGHLY: Final = 8  # of the cuts, every so many are tried on some samplings, all of them on the likeliest few
_TRIED_IN_FULL: Final = FINDER_PATTERNS  # of the likeliest samplings: what was found may be any of these
_TRIED_ROUGHLY: Final = 3 * _TRIED_IN_FULL  # of many samplings, the likeliest whole or cut through the middle
AGREES: Final = float(np.log((1.0 - MISREAD) / 0.5))
DIFFERS: Final = float(np.log(MISREAD / 0.5))
# A module that agrees counts AGREES, one that differs DIFFERS: a mean and a product give both.
_MEAN: Final = np.float32((AGREES + DIFFERS) / 2)
_HALF: Final = np.float32((AGREES - DIFFERS) / 2)

Signs = NDArray[np.float32]
"""Modules as +1 (black), -1 (white) and 0 (cannot be told)."""


class Match(NamedTuple):
    """The label that explains the modules best, by its number; ``evidence`` in nats, how much better than chance.

    ``ahead``: by how much it is better than any other's. ``mask`` is the one that it is in.
    """

    number: int
    evidence: float
    ahead: float
    mask: int

    @property
    def card(self) -> Card:
        """Whose label it is, of a deck's codebook."""
        return DECK[self.number]

    @property
    def certain(self) -> bool:
        """Whether this is enough to call it read.

        Chance gives an evidence of E or more in at most one of exp(E) tries; a search makes fewer than exp(17): one in
        400,000 finds a card where none is.
        """
        return self.evidence >= ENOUGH and self.ahead >= AHEAD


class Codebook:
    """Labels of these texts, two at least, in every mask, and the ways in which a label may be cut off."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._count = len(texts)
        bare = unmasked_codes(texts)
        codes = bare[:, None] ^ masks()
        self.telling = np.flatnonzero((bare != bare[0]).any(axis=0))
        """The numbers, row by row, of those of a code's 441 modules that differ between these labels: (M,)."""
        self._codes = np.ascontiguousarray(codes[:, :, self.telling] * 2.0 - 1.0, dtype=np.float32)
        self._left_by = _cuts()[:, self.telling].T.copy()
        self._turned = (self._codes[0, :1] * self._codes[0])[:, None]  # -1 where a mask turns a module over
        self._halves = self._cut_to(self._left_by[:, [0, *_middle_cuts()]])
        self._rough = self._cut_to(self._left_by[:, ::_ROUGHLY])

    def best(self, flat: Signs, mask: int | None = None) -> tuple[Match, int]:
        """The best match among samplings of what may be one label, and the number of that sampling.

        Each is of the ``telling`` modules alone, (N, M), of a label that has its top left module first. Part of it may
        show something else: a straight cut is allowed for, anywhere, at any slant. ``mask``: the one that all are in,
        if that is known. Raises ValueError without any.
        """
        if not len(flat):
            raise ValueError("expected at least one sampling of 21 by 21 modules, found none; sample the picture first")
        masks = np.arange(self._codes.shape[1]) if mask is None else np.array([mask])
        tried = np.arange(len(flat))
        if len(flat) > _TRIED_ROUGHLY:
            tried = np.argsort(self._explained(flat, self._halves, masks).max(axis=(1, 2)))[-_TRIED_ROUGHLY:]
        rough = self._explained(flat[tried], self._rough, masks)
        likely = np.argsort(rough.max(axis=(1, 2)))[-_TRIED_IN_FULL:]
        in_masks = masks[rough[likely].argmax(axis=2)]
        by_label = np.array(
            [self._in_full(flat[tried[number]], in_mask) for number, in_mask in zip(likely, in_masks, strict=True)]
        )
        number = int(by_label.max(axis=1).argmax())
        second, first = np.sort(by_label[number])[-2:]
        label = int(by_label[number].argmax())
        match = Match(label, float(first), float(first - second), int(in_masks[number, label]))
        return match, int(tried[likely[number]])

    def evidence_for(self, flat: Signs, number: int) -> tuple[float, float]:
        """Evidence for the label of this number, in nats: of all of it, and of what a cut leaves.

        It is that of the sampling, as for ``best``, and the mask that say most. Of what is left, each cut in each mask
        is as unlikely: without that, one look in eighty at bare woven cloth found a part of a label.
        """
        codes = self._codes[number]
        evidence = flat @ codes.T * _HALF + np.abs(flat).sum(axis=1)[:, None] * _MEAN
        sampling, mask = np.unravel_index(int(evidence.argmax()), evidence.shape)
        shown = flat[sampling]
        left = (codes[mask] * shown) @ self._left_by * _HALF + np.abs(shown) @ self._left_by * _MEAN
        return float(evidence[sampling, mask]), float(left.max() - np.log(len(left) * len(codes)))

    def _cut_to(self, left: Signs) -> tuple[Signs, Signs]:
        """A few cuts, and what each module says for each text, in the first mask, under each of them.

        A look at many texts under many cuts is one product.
        """
        said = left.T[:, None, :] * self._codes[:, 0]
        return np.ascontiguousarray(left.T), np.ascontiguousarray(said.reshape(-1, len(self.telling)))

    def _explained(self, flat: Signs, cuts: tuple[Signs, Signs], masks: NDArray[np.int_]) -> Signs:
        """How well each label in each of these masks explains each sampling (N), under a few cuts: (N, labels, masks)
        nats."""
        left, said = cuts
        # A mask is taken off the few samplings, not put on the many codes: there are an eighth of them then. All are
        # whole numbers, which floats add exactly in any order.
        bare = (self._turned[masks] * flat).reshape(-1, len(self.telling))
        evidence = (said @ bare.T).reshape(len(left), self._count, -1)
        evidence *= _HALF
        evidence += np.tile((left @ np.abs(flat).T) * _MEAN, len(masks))[:, None]
        by_mask = evidence.max(axis=0).reshape(self._count, len(masks), len(flat))
        return np.asarray(by_mask.transpose(2, 0, 1), dtype=np.float32)

    def _in_full(self, flat: Signs, in_mask: NDArray[np.int_]) -> Signs:
        """How well each label explains a sampling under its best cut, each in its own mask, (labels,)."""
        codes = self._codes[np.arange(self._count), in_mask]
        evidence = ((codes * flat) @ self._left_by) * _HALF + (np.abs(flat) @ self._left_by) * _MEAN
        return np.asarray(evidence.max(axis=1), dtype=np.float32)


@lru_cache(maxsize=4)
def codebook(deck: str) -> Codebook:
    """The codebook of this deck's 25 cards, made once. Raises ValueError for a deck letter that is none."""
    return Codebook([payload(card, deck) for card in DECK])


@lru_cache(maxsize=4)
def back_book(tokens: tuple[str, ...]) -> Codebook | None:
    """The codebook of the backs with these tokens, made once; None for fewer than two, which nothing tells apart."""
    return Codebook([back_payload(token) for token in tokens]) if len(tokens) > 1 else None


def _edges() -> Floats:
    """Distances of the parallel cuts of one direction from a label's middle, in modules, increasing."""
    middle = (QR_MODULES - 1) / 2
    return np.arange(-middle / 2, middle, _CUT_STEP)


def _middle_cuts() -> list[int]:
    """Indices in ``_cuts`` of the first cuts beyond the middle, which leave the left, top, right and bottom half."""
    edges, directions = _edges(), range(0, _CUT_DIRECTIONS, _CUT_DIRECTIONS // 4)
    return [1 + len(edges) * direction + int(np.searchsorted(edges, 0.0)) for direction in directions]


@lru_cache(maxsize=1)
def _cuts() -> Signs:
    """The modules of a label left by each straight cut, (cuts, 441) of 0 and 1; the first leaves all of them."""
    middle = (QR_MODULES - 1) / 2
    down, across = np.mgrid[0:QR_MODULES, 0:QR_MODULES] - middle
    left: list[Floats] = [np.ones(QR_MODULES**2)]
    edges = _edges()
    for turn in np.arange(_CUT_DIRECTIONS) * (2 * np.pi / _CUT_DIRECTIONS):
        along = across * np.cos(turn) + down * np.sin(turn)
        left += [(along < edge).ravel().astype(np.float64) for edge in edges]
    return np.asarray(left, dtype=np.float32)
