"""Keeps an unattended game going: extras, parts looked for again, systemd's watchdog, the last resort."""
