"""The pages of the menu, a class each: what it shows, and what choosing one of its lines does."""
