"""A competition as fencing knows it: pools, tableau, Swiss, league and relay, worked out of the log of its events."""
