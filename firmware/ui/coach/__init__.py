"""The coach beside the referee: hints both agreed to, hands laid open, and a round told again."""
