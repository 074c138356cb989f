"""What never runs at a table: drawings, the bots' school and tournament, the puzzle maker."""
