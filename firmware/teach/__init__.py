"""Lessons at the table: the teacher, his pupils' progress, and the sitting at which they are given."""
