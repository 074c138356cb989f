"""Sounds, the voice, and the owner's own recordings."""
