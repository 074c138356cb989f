"""What never runs at a table: the guide's tables, the bots' school and tournament, the puzzle maker."""
