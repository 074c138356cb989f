"""Films of matches and of disputed turns."""
