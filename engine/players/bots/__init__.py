"""Bots of six strengths: ``engine.players.bots.strengths``."""
