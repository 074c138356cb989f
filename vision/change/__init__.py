"""Finds what changed since it was looked at, and which of that is an arm."""
