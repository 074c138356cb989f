"""Failures that are told to the user: one plain sentence, no traceback.

All exceptions of our own, each below what it is first of all a kind of. A command ends with exit status 1 and the text
of one of them, or of an ``OSError``; anything else is a mistake of ours, told as one, with where its report lies.

    EngardeError                    what was asked for cannot be done
        BadNameError                a player's name that cannot be one
            OtherLettersError       one in letters that nothing here is set in
        ClubError                   something about a club's machines that cannot be used
        ConfigError                 settings that cannot be used
        EndsGameError               what no game can go on with
            BookLostError           the scorebook failed, and what is in it now is open
            PartLostError           what only another start brings back; exit status 75, for systemd
        ExchangeError               a text that cannot be taken into the scorebook
        HaveMetError                two names that cannot be one player, as they have fenced each other
        HeaderError                 the pins of the 40-pin header cannot be had
        NoHomeError                 no folder that settings or a scorebook could be in
        PinError                    a pin table that cannot be wired
        ScorebookError              the scorebook cannot be used
            DamagedError            it is not whole
            NotKeptError            it is whole, and what was to be written is not in it
        WebError                    the scoreboard cannot be served
    Exception
        HungError                   a part of the table did not come back
        NoAnswerError               a helper process hung, crashed or could not begin
        NonsenseError               a part of the table gave what it cannot give
        NotDecodedError             what decodes a picture or a film hung or crashed
        OutOfBudgetError            more positions of the end of a round than a bot may count
    ValueError
        BadRequestError             bytes that are no request to the scoreboard
        CalibrationError            no calibration can be made or read
            MirroredError           the picture is mirrored, in which no marker can be read
        CodecError                  bytes that are no kept frame
        CompetitionError            an event that has no place in this competition
        CorrectionError             a correction that cannot be made
        EventError                  a JSON value that is no event
        MalformedError              bytes or values from outside that cannot be used
        MeasureError                a table that the camera cannot measure as it lies
        RecordError                 a game record that cannot be read, or cannot be
        SheetError                  a sheet that cannot be made of this table or card
        SourceError                 a camera or recording that cannot be used
            CameraMissingError      no such camera, or nothing to drive it
            RecordingError          a recording that cannot be read, or not beyond some place
        TableError                  a table file that cannot be used
        TextTooLongError            a text that does not fit its place on a sheet
        TooManyError                more rows in a scorebook than any has
        TranslationError            a PO file that is no whole catalogue
        WrongUseError               options of a command that do not go together
    OSError
        LabelReaderMissingError     neither library that reads labels can be loaded
        NotTextError                a file of other bytes than text in UTF-8; a ValueError, too
    RuntimeError
        StuckMatchError             a simulated match that cannot go on, told by the command that plays it
"""

from __future__ import annotations

from typing import Final

TEMPORARY_FAILURE: Final = 75
"""The exit status of a program that another start may cure: EX_TEMPFAIL of sysexits.h."""


class EngardeError(Exception):
    """Ends a command with exit status ``status``. Its text is the sentence: the thing, expected, found, the cure."""

    status = 1
