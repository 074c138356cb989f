"""Lessons at the table: the teacher, and the pupils' progress."""
