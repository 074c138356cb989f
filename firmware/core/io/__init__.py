"""Files read and written, and lines printed, with care: whatever is read or left in the world passes here."""
