"""The builder's drawings, tables, bill of materials and printable parts' measures, made from the tables the program uses.

``python -m firmware.guide`` writes them into ``hardware/``, so that no drawing can differ from what the firmware drives.
"""
