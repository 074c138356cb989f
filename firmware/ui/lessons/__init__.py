"""Lessons at the table: the teacher, and his pupils' progress."""
