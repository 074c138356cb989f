"""The builder's tables, parts list and printed parts' measures, made from the tables the program uses.

``python -m firmware.tools.guide`` writes them into ``hardware/``, and tells what the drawings lack of the pin table.
"""
