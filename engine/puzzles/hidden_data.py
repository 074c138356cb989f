"""Puzzles. Written by ``python -m firmware.workshop.puzzle_maker``: do not edit.

Options: --rules ferti-advanced --seed 61 --of-grade 8 --of-theme 2 --pile 0 14 --prefix h --most 30
--hidden --about counted_touch keep_safe opening hidden_hand.
``engine.puzzles.collection`` reads them.
"""

from __future__ import annotations

from typing import Final

TEXT: Final = """
h1-01 1 opening ferti-advanced white counts
+3b +4b +5a -1c +4a
/ 1d 1e 2b 2d 2e

h1-02 1 keep_safe ferti-advanced white counts
+4e +4b +5a +3b +3cx3a3e
/ 1a 1b 1c 2b 5d

h1-03 1 hidden_hand ferti-advanced white counts
+4e +2a +4c +3a -2d +5b +1cx5d -1e +3bx3e =3d+1dx2b2e2c
1a 1b 3c 4a 5c /

h1-04 1 keep_safe ferti-advanced white counts
+5a +4d +3e +5d +4ax1d1e
/ 2b 2c 3d 4c 4e

h1-05 1 hidden_hand ferti-advanced white counts
+5e +4d +4e -2c +5d +3dx3c -5c -3a +4c +3bx4a -2b +3e +1ax2d2e
/ 1b 1c 1d 2a 4b

h1-06 1 counted_touch ferti-advanced black counts
+4e +3c +5b +5d +2b +1c +1b
1a 1d 4a 4b 4c /

h1-07 1 counted_touch ferti-advanced white counts
+5a +2e +4b +3e -1b -1a +4c -3b +3d +5d
1d 1e 2b 2c 4d /

h1-08 1 opening ferti-advanced white counts
+5a +4d +2a +5e -4b +3c
1a 1c 1e 4a 4c /

h2-01 2 opening ferti-advanced white counts
+5c +5a +1d +2b -3d +4c
1a 1b 1c 4d 5b /

h2-02 2 opening ferti-advanced white counts
+4c +5d +4d
/ 3b 3c 3d 4a 4e

h2-03 2 counted_touch ferti-advanced black counts
+4b +4a +3b +3d +5e
2a 2e 3a 3c 5d /

h2-04 2 hidden_hand ferti-advanced black counts
+4c +5b +3c +1d +4ax5c =5e+2dx3b -5a -1c +1b +5d +1a
2b 3a 3d 3e 4e /

h2-05 2 counted_touch ferti-advanced white counts
+4d +4b +3a +3e +5b
/ 1e 3c 3d 4a 4e

h2-06 2 keep_safe ferti-advanced black counts
+5a +4d +2d +2c +3e +2bx4c -2a +3bx3a
/ 1a 1b 1c 2e 4b

h2-07 2 hidden_hand ferti-advanced white counts
+5c +4b +2e -1c +3a +1a -1b +1d +3bx5e -3e -2b +2c -2a
/ 1e 3c 3d 4c 4d

h3-01 3 opening ferti-advanced black counts
+4c +2a +5e +4e
/ 1a 1c 2c 2d 3d

h3-02 3 opening ferti-advanced white counts
+3c +5b +3e +2d
1b 1e 2a 3a 4b /

h3-03 3 keep_safe ferti-advanced black counts
+5d +3e +4e +2e +3b +4ax1a1e
/ 2a 2c 2d 3d 5c

h3-04 3 keep_safe ferti-advanced black counts
+5e +2b +5a +1a +3e +4d +1dx1c -1b
/ 2e 3a 3c 3d 5c

h3-05 3 hidden_hand ferti-advanced white counts
+5e +4c +2b +5c -1a +5ax2c2e2d -2a +1bx3a -1e x4e
1c 1d 3c 4a 4d /

h3-06 3 counted_touch ferti-advanced white counts
+3e +4e +5b +5d
1d 4b 4c 5c 5e /

h3-07 3 counted_touch ferti-advanced black counts
+4a +5c +4b -1b +3a -3e +2a +5ax3d -1c +1ex3b -2c
2e 3c 4e 5b 5d /

h3-08 3 hidden_hand ferti-advanced black counts
+5d +5e +2d +1d +4dx5b =5c+1ex4c =4bx4a =4e-3d +3a
1a 2a 2c 3e 5a /

h4-01 4 opening ferti-advanced black counts
+5a +1d +5d +1e -1c +3a
/ 2a 2c 2e 3c 5b

h4-02 4 opening ferti-advanced white counts
+5d +5b +4c -3a +4b
/ 1d 1e 2e 3d 4e

h4-03 4 counted_touch ferti-advanced white counts
+5a +4e +5c -3a +2a +1d +5ex3c3d -2d
2b 2e 3e 4c 5b /

h4-04 4 keep_safe ferti-advanced white counts
+3a +5c +5a +4bx5d5b -3b +5ex3c =3e+1b
/ 1a 1e 2a 2b 4c

h4-05 4 hidden_hand ferti-advanced black counts
+5a +4b +3a +1b -1a +1d -2a +2c -3c +4c +3dx5e5d -2b
/ 1e 2d 3b 5b 5c

h5-01 5 opening ferti-advanced black counts
+4a +2a +4b +5c
/ 1a 1b 2c 3b 5b

h5-02 5 opening ferti-advanced black counts
+3d +4a +4b +3c
/ 1a 1d 2e 3b 5a
"""
