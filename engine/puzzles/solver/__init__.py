"""Exact values of positions in which both hands lie open: ``engine.puzzles.solver.solve``."""
