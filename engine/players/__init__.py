"""Who plays without hands: bots, and a whole table for them."""
