"""The simulated table as people play at it: what lies there as values, drawn, and pointed at."""
