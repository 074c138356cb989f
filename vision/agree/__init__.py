"""What many frames agree on: cards that lie, fencers that stand, codes nobody can read."""
