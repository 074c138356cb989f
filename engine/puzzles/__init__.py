"""Positions with one best answer: ``engine.puzzles.puzzles``."""
