"""Puzzles. Written by ``python -m firmware.workshop.puzzle_maker``: do not edit.

Options: --rules ferti-classic --seed 62 --of-grade 8 --of-theme 2 --pile 0 14 --prefix k --most 19
--hidden --about counted_touch keep_safe opening hidden_hand.
``engine.puzzles.collection`` reads them.
"""

from __future__ import annotations

from typing import Final

TEXT: Final = """
k1-01 1 keep_safe ferti-classic white counts
+4a +5c +4e -1a +4c +1b +2b x3c3b
1c 1d 3d 3e 5d /

k1-02 1 counted_touch ferti-classic white counts
+5c +5d +3b +3d +4b x2b
2a 2c 2e 3a 4a /

k1-03 1 opening ferti-classic white counts
+5b +5c +4c -3d +4a
/ 1b 1d 2a 2d 4d

k1-04 1 counted_touch ferti-classic black counts
+4e +4a +5d +5b +3b -4d
/ 1a 1b 1e 5a 5e

k1-05 1 opening ferti-classic white counts
+5b +5c +2a +4b +2b
/ 2d 2e 3b 3e 5d

k2-01 2 opening ferti-classic white counts
+4d +5b +5c -3a +3d
/ 1a 1d 1e 2c 3b

k2-02 2 opening ferti-classic black counts
+3b +5b +3a +5c -1d +4b
/ 1e 2a 2b 2c 4a

k2-03 2 counted_touch ferti-classic white counts
+5d +2a +4e +5c -3b +3c -2b +5e
1d 1e 3d 3e 4a /

k2-04 2 counted_touch ferti-classic black counts
+3b +5a +5b -2e +5d -3e +5c
1a 4b 4c 4d 5e /

k2-05 2 keep_safe ferti-classic white counts
+4d +5d +4c -1b +2d -3a +2c +1e +5c
/ 2a 2e 3c 5a 5b

k2-06 2 hidden_hand ferti-classic white counts
+4d +5c +2e +3b -2c -1a +1d -1b +1c -3a +3e +3c -4e +2b
1e 2d 3d 5b 5d /

k3-01 3 opening ferti-classic white counts
+3e +4b +1c +4e
1e 2c 2e 3b 5e /

k3-02 3 opening ferti-classic white counts
+4c +5a +4b
/ 1a 2c 3a 3e 4a

k3-03 3 keep_safe ferti-classic white counts
+4b +5b +3d +5c +3b +1b x1a =1e-4e +4a
/ 2b 2c 3c 5a 5d

k3-04 3 counted_touch ferti-classic white counts
+5b +3c +4a +4d +5a
/ 1a 1b 1c 3d 5e

k3-05 3 keep_safe ferti-classic black counts
+2c +5b +4d +5e +3b +1a +1e
1c 2b 2d 2e 4a /

k3-06 3 counted_touch ferti-classic white counts
+4e +4d +5b +3d +4c
/ 1a 2c 2d 2e 4b

k4-01 4 opening ferti-classic white counts
+5e +2d +3d +5c +4e
/ 1a 1d 2a 2b 3e

k4-02 4 opening ferti-classic white counts
+4e +5e +2b +4b -3a
/ 1a 2c 3b 4a 5a

k4-03 4 keep_safe ferti-classic white counts
+5a +5e +2b +3a -4c +4a +3c +3b
1b 1d 3d 4d 5b /
"""
