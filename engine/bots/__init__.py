"""Bots of four strengths: ``engine.bots.strengths``."""
