"""The sheets to print: labels, tabs, markers, mat and track, laid out in millimetres.

Source: FORMATS.md, "Printed codes".

Every sheet is a value (``page.Sheet``) made of placed vector shapes; ``pdf`` alone knows how to write one down. A
page's frame of reference has its origin at the paper's top left corner, x to the right, y down.
"""
