"""The one loop that owns the state, and the moments it hands to whoever attends."""
