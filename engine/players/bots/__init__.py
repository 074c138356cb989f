"""Bots of five strengths: ``engine.players.bots.strengths``."""
