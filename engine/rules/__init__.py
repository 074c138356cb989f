"""The rules as values: cards and track, states and events, the referee, and its answers."""
