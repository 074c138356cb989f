"""The companion as the other player: its cards' backs, the deck they are registered in, and what it asks for."""
