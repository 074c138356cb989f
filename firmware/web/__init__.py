"""The web server, and the scoreboard: pages for phones and streams that show what is public."""
