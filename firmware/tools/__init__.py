"""Tools that never run at a table."""
