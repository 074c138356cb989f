"""The panel: the pin table, buttons that bounce, lamps, the buzzer, and who drives them."""
