"""How sure the eyes are that a thing lies where it was read: log-odds in nats, as evidence adds up.

A sequential test (Wald 1945): believed from ``SURE`` on, given up at minus that, open in between. How much a look
counts was measured on seven variants of a path-traced round, 2,600 frames with their truth; one that cannot say adds
nothing.
"""

from __future__ import annotations

from typing import Final

SURE: Final = 9.2  # ln 10,000
"""One wrong in ten thousand, either way; also how unlikely a thing is before it was read anywhere."""
UNLIKELY: Final = 2 * SURE
"""Chi-squared with two degrees of freedom that one in ten thousand exceeds: of a point that is where it should be."""
READ: Final = SURE
"""A code read with no hand near: none was read wrongly in 44,871 (READING.md, "QR"), which is 9.6 nats at least."""
BESIDE_HAND: Final = SURE / 4
"""A code read beside a hand, which may still hold it: adds up to ``DOUBT`` and no farther. Chosen."""
PATIENCE_S: Final = 1.4
"""A hand holds a figure still, or an arm hides its tag, for at most so long; cards laid together are agreed on within
it, and a moved view explains what is not agreed on for as long. Chosen."""
BRIEFLY_S: Final = 2 * PATIENCE_S
"""So long people are told of what may be nothing: a part still to be looked at, light that may always have been there,
an arm of which no outline shows. Another hand may follow the first."""
LONG_S: Final = 12.0
"""What rests for so long is no hand: longer than anybody thinks with one on the table, shorter than a game can wait.
The plain second look, which costs as much as fifteen frames (READING.md, "What a frame costs"), is as seldom. Chosen.
"""
STANDS: Final = 6.2
"""A fencer, or a code that nobody can read, that may still be sliding: three looks. A table at which nothing moves is
at rest once that is likelier than not: of 61 arms in a path-traced round all paused for one look, 5 for two. Chosen."""
MISSED: Final = SURE / 4
"""Not read although nothing hides it, one look in ten: midway between hard light, where up to half of the reads fail
(READING.md, "QR"), and films, where one of fifty does."""
OTHERWISE: Final = SURE / 2
"""Its place looks otherwise: 122 of 252 looks at cards that had gone, 14 of 3,586 at cards that lay there, 4.8 nats."""
BARE: Final = SURE
"""Its place looks as before it came: 89 of 252 and none of 3,586, which is 6 nats at least. Chosen beyond."""
DOUBT: Final = -OTHERWISE
"""Players are not asked about a card that is less likely than this, one in a hundred; nor is a camera, or a marker that
lies elsewhere, thought of that explains a picture so much worse than another."""


def weighed(nats: float, evidence: float) -> float:
    """The belief after one more look; never surer than it takes, so that it can be unlearned as fast."""
    return max(-SURE, min(SURE, round(nats + evidence, 6)))
