"""What keeps a game going that nobody watches: systemd's unit, its watchdog, the last resort."""
