"""Bots against bots: the matches, what they say, and the table of it."""
