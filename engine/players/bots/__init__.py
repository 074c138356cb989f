"""Bots of four strengths: ``engine.players.bots.strengths``."""
