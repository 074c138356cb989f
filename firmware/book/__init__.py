"""The scorebook and what it tells."""
