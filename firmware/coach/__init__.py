"""The coach beside the referee: help both agreed to, hands laid open, and a round told again."""
