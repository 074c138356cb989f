"""The builder's drawings, tables, parts list and printed parts' measures, made from the tables the program uses.

``python -m firmware.workshop.guide`` writes them into ``hardware/``: no drawing can differ from what is driven.
"""
