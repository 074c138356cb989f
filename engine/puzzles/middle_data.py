"""Puzzles. Written by ``python -m firmware.workshop.puzzle_maker``: do not edit.

Options: --rules ferti-advanced --seed 77 --of-grade 12 --of-theme 5 --pile 5 6 --most-positions 8000
--most 25 --prefix m.
``engine.puzzles.collection`` reads them.
"""

from __future__ import annotations

from typing import Final

TEXT: Final = """
m1-01 1 riposte ferti-advanced black
+5c +5e +3c +4dx5b =5d+4c x1e1d
2d 3a 3b 4e 5a / 1a 1b 1c 2b 4b

m1-02 1 how_many ferti-advanced white
+5d +3c +3e +5c +4ax2d =2a+1bx1a -1e
1d 2b 4b 4d 4e / 2c 2e 3a 5a 5b

m2-01 2 riposte ferti-advanced black
+5c +5a +1e +2e -2d +4a +5ex2c -1d x3e
1a 3c 3d 4b 5b / 1c 2b 4c 4d 5d

m3-01 3 step_back ferti-advanced white counts
+4a +5c +5a +1a +1b +4ex2d2b -1d +2c
2a 3b 3c 3d 4b / 1c 3a 3e 4d 5b

m3-02 3 slip_away ferti-advanced white
+5c +4b +4d -2a +1a +3b +3ex4e4a
2b 2c 2d 2e 3d / 1e 3a 3c 4c 5d

m3-03 3 step_back ferti-advanced white counts
+5e +5b +2d +1e +4bx5a =5c-4d -2a +3a
2b 3b 3c 3d 3e / 1a 4a 4c 4e 5d

m3-04 3 riposte ferti-advanced black counts
+5e +5a +1d -1a +1b -1c +2a +4b +3cx3e
2e 3a 3b 4a 5c / 2b 3d 4c 5b 5d

m3-05 3 after_parry ferti-advanced white
+4d +4e +2b +5c +5e +1cx1d -1e x2c2d
1b 2a 2e 3c 4a / 3a 3d 4c 5b 5d

m3-06 3 riposte ferti-advanced white counts
+5d +5c +2c +5bx5e -3c -2b +3a +4dx3e
1a 1d 2d 3d 4c / 1b 1c 1e 4a 4b

m3-07 3 riposte ferti-advanced white
+5c +5a +1b -1a +4c +4dx4a =4b+1ex3e
1c 2e 3a 5d 5e / 2a 2b 2c 3b 3c

m3-08 3 slip_away ferti-advanced white
+4b +5e +2b +1c +4d -3a +3c +1ex5d5b
1b 2a 2c 2d 3b / 1d 4a 4c 4e 5a

m3-09 3 step_back ferti-advanced white
+5d +5c +2c -1b -1e +2d -2b +1c +3b -1a
3a 3c 3d 4b 4d / 2a 4e 5a 5b 5e

m3-10 3 step_back ferti-advanced white
+5c +4c +4e -1b +4d +3bx3d =3e+2c -5a
1a 1c 1d 4a 4b / 2a 2d 2e 3c 5b

m3-11 3 step_back ferti-advanced white counts
+5d +2c +5e +3d +2bx5c =5b-2e -3c +3b
1b 1c 1d 3a 3e / 2a 4a 4b 4c 4d

m3-12 3 slip_away ferti-advanced white counts
+4e +5c +1b +2e +4d +4ax2d -1c +2cx1a
2a 3a 3d 3e 4b / 3c 4c 5b 5d 5e

m4-01 4 riposte ferti-advanced white counts
+5a +4b +3e -1b +1e -1c +2d +3a +1ax5c
1d 2a 4e 5d 5e / 2c 3b 3c 4d 5b

m4-02 4 right_distance ferti-advanced white
+5e +4c +2b +4d +5dx2d =2a+1dx1e -1b
2c 2e 3e 4e 5b / 1c 3a 3c 3d 5c

m4-03 4 hold_back ferti-advanced white
+4b +4a +2b +4c -2c +5b +4ex1a =1e-2e
1b 1d 3b 5a 5c / 1c 2a 3c 3d 3e

m4-04 4 riposte ferti-advanced black counts
+5c +5a +1d -1c +4e -3d +3b +2e +2cx4a
1b 1e 2b 3a 4c / 3c 4d 5b 5d 5e

m4-05 4 indirect ferti-advanced black counts
+5e +4b +5a -3a +4e +1b +2c x4d =4c-1d
2b 2d 3b 3d 3e / 1a 1e 2e 5b 5d

m4-06 4 indirect ferti-advanced white counts
+4b +5d +4d -2e +3e -3b +5e +2ax4c -2b
1e 2c 4e 5a 5b / 1a 1c 1d 3d 5c

m4-07 4 step_back ferti-advanced white
+3e +5d +3a -1b +2c -2d +1e +4b -4a +3b
1a 1d 4d 5b 5c / 2a 2b 3c 4c 4e

m5-01 5 right_distance ferti-advanced black
+3c +5b +3a +1a -1d +1c -2d +1b +5a -3e
1e 4d 4e 5c 5d / 2a 2c 2e 3b 4a

m5-02 5 hold_back ferti-advanced white counts
+5a +5b +1e +3a -3e +4b +4ax3c =3b-4c
1a 1c 2b 3d 5d / 2a 2c 4e 5c 5e

m5-03 5 after_parry ferti-advanced white counts
+4b +3d +4e +5c -1e +4dx3e =3a+1bx2a
2b 2d 2e 3b 4a / 1d 2c 4c 5d 5e
"""
