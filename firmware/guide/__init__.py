"""The builder's drawings, tables, parts list and printed parts' measures, made from the tables the program uses.

``python -m firmware.guide`` writes them into ``hardware/``: no drawing can differ from what the firmware drives.
"""
