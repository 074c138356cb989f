"""Where the bots learn: ``python -m firmware.workshop.bot_school``."""
