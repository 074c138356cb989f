"""The scorebook told: tables and a plot for a terminal, JSON and CSV for other programs. Text out; nothing is printed."""
