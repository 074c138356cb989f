"""What the bots have learned from playing themselves, for each kind of rules."""
