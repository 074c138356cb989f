"""A session at the table: devices opened once, and the match, lessons and menu at them."""
