"""A match written down: its course with corrections, its journal, its record, and a round told again."""
