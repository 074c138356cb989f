"""Frames as the loop reads them: what a camera is opened with, waited for, kept in step with and remembered by."""
