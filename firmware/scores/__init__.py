"""The scorebook told: tables and a plot for people, JSON and CSV for other programs. Text out, nothing is printed."""
