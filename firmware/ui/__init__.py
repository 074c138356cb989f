"""What people do at the table: menu, lessons, coach, companion, and the window."""
