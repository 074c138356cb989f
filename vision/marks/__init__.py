"""What can be read in pixels: corner markers and tabs, labels whole or cut."""
