"""The scoreboard for those who are not at the table: pages for a phone and for a stream, sent what may be public."""
