"""Two bots at the simulated table: they lay cards, move figures and press buttons, and never talk to the referee."""
