"""From pixels to what lies on the table. Knows the engine's values and nothing of the game's course."""
