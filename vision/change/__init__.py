"""What changed since it was looked at, and what of that is an arm."""
