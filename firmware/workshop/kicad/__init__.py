"""The panel's circuit board as a KiCad project, made from the same circuit as the strip board.

``python -m firmware.workshop.kicad`` places and routes it into ``hardware/board/`` and, where kicad-cli is installed,
checks it and writes what a board house wants.
"""
