"""From what the eyes agree on and who pressed what to events: the referee's desk, as a pure step."""
