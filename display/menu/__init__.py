"""The menu around the game, as values: what its pages hold, and what a key or a finger does to it."""
