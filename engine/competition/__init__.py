"""A competition as fencing knows it: pools, tableau, Swiss and league, worked out of the log of its events."""
