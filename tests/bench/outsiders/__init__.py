"""Opponents of another kind than ours, to measure our bots by: they judge nothing, they only play rounds out."""
