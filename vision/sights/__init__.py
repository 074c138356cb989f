"""Turns one frame's marks into cards, labels and fencers in millimetres."""
