"""The game taught in lessons: what each teaches, the positions, what is to be done, and the likely mistakes. Values."""
