"""Shapes, colours and figures, drawn with pygame."""
