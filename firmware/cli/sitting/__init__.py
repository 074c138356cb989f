"""One sitting at the table: devices opened once, and what is begun at them."""
