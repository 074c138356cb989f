"""Parts that a table at home does without: the club and the simulated table. Loaded by name."""
