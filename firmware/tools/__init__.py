"""What never runs at a table."""
