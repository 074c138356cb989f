"""Pictures of every screen for whoever works on them; nothing of this runs at a table."""
