"""Reads pixels: corner markers and tabs, labels whole or cut."""
