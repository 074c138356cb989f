"""The companion as a player at a real table: its cards' backs, what it asks for, and how far that was done."""
