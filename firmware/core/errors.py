"""Failures that are told to the user: one plain sentence, no traceback.

A command ends with exit status 1 and the text of an exception of our own, or of an ``OSError``; anything else is a
mistake of ours, told as one, with where its report lies.
"""

from __future__ import annotations

from typing import Final

TEMPORARY_FAILURE: Final = 75
"""The exit status of a program that another start may cure: EX_TEMPFAIL of sysexits.h."""


class EngardeError(Exception):
    """Ends a command with exit status ``status``. Its text is the sentence: the thing, expected, found, the cure."""

    status = 1
