"""The simulated table that people play at: what hands do there as values, and the scene that comes of it."""
