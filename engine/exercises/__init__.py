"""Exercises in playing: principles, each with positions made anew from a seed and solved here; drills in counting."""
