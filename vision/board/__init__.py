"""Where the board is and how far that can be trusted: lens, pose, the zones of the picture."""
