"""Puzzles. Written by ``python -m firmware.workshop.puzzle_maker``: do not edit.

Options: --rules ferti-classic --seed 18 --of-grade 10 --of-theme 4 --pile 0 4 --prefix c.
``engine.puzzles.collection`` reads them.
"""

from __future__ import annotations

from typing import Final

TEXT: Final = """
c1-01 1 sure_hit ferti-classic black
+2e +5b +3b +5a +4a +1e -3e +3d +1b -1d +1c
1a 2a 2c 2d 4e / 3a 3c 4b 4c 4d

c1-02 1 last_card ferti-classic black
+5d +5a +3c +3a +1d +4b -4e -1a -3e +1c +3b +4d -4c -2a
1b 1e 2c 2d 4a / 2e 3d 5b 5c 5e

c1-03 1 last_card ferti-classic black
+5a +5e +2e +1b -1e +1d -3e +3d +2b -2a -3b +3c +2c -2d
1a 1c 4a 4d 4e / 3a 4b 4c 5b 5d

c1-04 1 last_card ferti-classic black
+4b +1e +5b +5d -3c +5e +3e x2d2b =2c2e+1a -4c +3d
3a 4d 4e 5a 5c / 1c 1d 2a 3b 4a

c1-05 1 after_parry ferti-classic black
+4b +5d +5a +3a x5e =5c-2a +4a +2b x1d =1b-2e x3b
1e 3d 4c 4d 5b / 1a 2c 2d 3e 4e

c1-06 1 last_card ferti-classic black
+5a +5c +3e -2e +2c +2d +3b x4e =4dx4c =4b+1c -3d +3c
1e 2a 2b 3a 5d / 1a 1b 4a 5b 5e

c1-07 1 sure_hit ferti-classic white
+5c +1a +4a +4e -3c +4d +4b +1d -1e -4c +3e +2b -3d +2e
1b 3a 5a 5d 5e / 1c 2a 2c 2d 5b

c1-08 1 sure_hit ferti-classic white
+4c +5d +5c +5a x3a3b =3c3e+1a +1e x1d =1b-2a
1c 2b 2c 4d 5e / 2d 2e 3d 4a 4b

c1-09 1 sure_hit ferti-classic black
+5c +5b +1e +5a +2a +1b x3b3c =3d3a+2e
2c 2d 4d 5d 5e / 1d 4a 4b 4c 4e

c1-10 1 riposte ferti-classic white
+3a +5b +5c -1c +1a -2a +2c -1d +3b +1b +4b x2d
2b 2e 3d 3e 4e / 3c 4d 5a 5d 5e

c2-01 2 how_many ferti-classic white
+3a +5d +3b +5b +4c +1d -2a +2e x1c =1ex1a =1b-2c
2b 3d 4a 4d 5c / 2d 3c 3e 4b 5a

c2-02 2 after_parry ferti-classic white
+5c +5e +2a +5d +4a x1e =1a-3d +2d x2c =2e-3e x5a
1d 4b 4c 4d 4e / 1c 3a 3b 3c 5b

c2-03 2 how_many ferti-classic black
+5a +3a +4d +4c -1b +5e x2c2d =2b2e-5d +4a
1d 3d 3e 4b 4e / 1a 1c 3c 5b 5c

c2-04 2 step_back ferti-classic black
+5a +3a +4d +4c -1b +5e x2c2d =2b2e-5d +4a -1d
3b 3d 3e 4b 4e / 1a 1c 3c 5b 5c

c2-05 2 right_distance ferti-classic black
+3a +5d +2e +2a +2c +3d x5c =5ex5b =5a-3e +3b
1b 1e 3c 4d 4e / 1a 1c 1d 4b 4c

c2-06 2 how_many ferti-classic white
+5a +3e +4b +5e +4e x1d =1a-3c x4c =4a+3b
1b 2a 2b 3a 4d / 1c 2d 3d 5c 5d

c2-07 2 after_parry ferti-classic white
+5a +3e +4b +5e +4e x1d =1a-3c x4c =4a+3b x1c
1b 2a 2b 3a 4d / 2d 3d 5b 5c 5d

c2-08 2 last_card ferti-classic white
+5a +3e +4b +5e +4e x1d =1a-3c x4c =4a+3b x1c =1b-2a
1e 2b 2c 3a 4d / 2d 3d 5b 5c 5d

c2-09 2 last_card ferti-classic black
+5b +3e +3c +4b -3d +1c -2e +3a +5a -5e -3b +2b +1d +2c
1e 4a 4c 5c 5d / 1a 1b 2d 4d 4e

c2-10 2 after_parry ferti-classic white counts
+4a +2d +3e +1d +1b +3c -3a +5b +4d x2e =2ax2b
3b 3d 4b 5a 5d / 1a 1e 2c 4c 4e

c3-01 3 step_back ferti-classic black counts
+5c +4a +4d +5b +3d -3b -5a +4c +4e -2d +2a
2c 2e 3a 3c 4b / 1b 1c 1d 1e 5d

c3-02 3 step_back ferti-classic black
+1e +5b +3c +1d +4c -1b +3a +5e x1a =1c-5c +5a -2d
2e 3b 3d 4a 4d / 2a 2b 4b 4e 5d

c3-03 3 how_many ferti-classic black
+5c +3e +3d +4b -4d +3b -4e +2d +1a +5b +2b
1c 1d 2e 3a 3c / 1b 1e 2a 5d 5e

c3-04 3 hold_back ferti-classic white
+5c +5e +2a +5d +4a x1e =1a-3d +2d x2c =2e-3e
4b 4c 4d 4e 5a / 1c 3a 3b 3c 5b

c3-05 3 step_back ferti-classic black
+5d +5a +3c +3a +1d +4b -4e -1a -3e +1c +3b +4d
1b 1e 2a 2c 2d / 3d 4c 5b 5c 5e

c3-06 3 right_distance ferti-classic black
+5d +5a +3c +3a +1d +4b -4e -1a -3e +1c +3b +4d -4c
1b 1e 2a 2c 2d / 2e 3d 5b 5c 5e

c3-07 3 hold_back ferti-classic black
+3a +5d +2e +2a +2c +3d x5c =5ex5b =5a-3e +3b +4b
1b 1e 3c 4d 4e / 1a 1c 1d 2d 4c

c3-08 3 right_distance ferti-classic white
+4b +5a +2a +5e -3a +3b -1e -2b -2e +5b +4c -1d
1a 1c 2c 2d 4d / 1b 3c 3d 3e 5d

c3-09 3 right_distance ferti-classic black
+4c +5b +1b +2e -1d +2d -3a +2c +3b -4b +3e -2b +3d
1a 1e 5c 5d 5e / 3c 4a 4d 4e 5a

c3-10 3 riposte ferti-classic black
+4b +5e +2b +2a +2d +4c +2e -3a +3d -3c -1d x5b
3b 3e 4d 4e 5d / 1a 1c 2c 5a 5c

c4-01 4 right_distance ferti-classic white
+5e +5a +3c +1d +3e -2b -1b +5d -2a +3b -3d
1c 4a 4c 5b 5c / 1e 2c 2e 4b 4e

c4-02 4 hold_back ferti-classic black counts
+5b +3e +5a +2e -2a +2d -2c +3d -3b +3a +5d -3c
1a 2b 4a 4b 4c / 1b 1e 4d 4e 5e

c4-03 4 right_distance ferti-classic black
+5d +5a +3c +3a +1d +4b -4e -1a -3e +1c +3b
1b 1e 2a 2d 4d / 3d 4c 5b 5c 5e

c4-04 4 step_back ferti-classic white
+4b +5a +2a +5e -3a +3b -1e -2b -2e +5b +4c
1a 1c 2c 2d 4d / 1b 1d 3c 3d 3e

c4-05 4 right_distance ferti-classic black counts
+5a +5e +2e +1b -1e +1d -3e +3d +2b -2a -3b +3c +2c
1c 2d 4a 4d 4e / 3a 4b 4c 5b 5d

c4-06 4 right_distance ferti-classic black
+4b +1e +5b +5d -3c +5e +3e x2d2b =2c2e+1a -4c
3a 4d 4e 5a 5c / 1c 1d 2a 3d 4a

c4-07 4 hold_back ferti-classic white
+5c +1a +4a +4e -3c +4d +4b +1d -1e -4c +3e +2b -3d
1b 3a 5a 5d 5e / 1c 2a 2c 2e 5b

c4-08 4 step_back ferti-classic white counts
+5d +5e +1d +1e -1a +2e -2b +2d -3a +3d +1b
2c 3b 3e 4d 4e / 4a 4c 5a 5b 5c

c4-09 4 step_back ferti-classic black
+5d +5e +4d +4a +3c x1e =1d-2c +1b -2d x4b =4c-3a
1a 2b 2e 5b 5c / 1c 2a 3b 3e 5a

c4-10 4 hold_back ferti-classic black
+3e +5d +2e +2b -1a +1d -1c +1e -1b +5c +5a -2a
3a 3d 4c 4e 5b / 2c 2d 3b 3c 4d

c5-01 5 right_distance ferti-classic black
+3a +5d +2e +2a +2c +3d x5c =5ex5b =5a-3e
1b 1e 3b 4d 4e / 1a 1c 1d 4b 4c

c5-02 5 right_distance ferti-classic white
+3d +5e +4c -1a +2a -1d +1b +4d +1e +2c -4a
2e 3a 3e 4b 4e / 2b 2d 3c 5b 5c

c5-03 5 right_distance ferti-classic black counts
+5b +3e +3c +4b -3d +1c -2e +3a +5a -5e -3b
2b 2c 4a 4c 5d / 1b 1d 2d 4d 4e

c5-04 5 right_distance ferti-classic white
+5e +5a +1e +1b -2b +3c -2a +1d +2e -2c -3d
4b 4c 4e 5b 5d / 1a 3b 4a 4d 5c

c5-05 5 hold_back ferti-classic white counts
+5e +5c +3e -2b +4c +5b +1b -2a x3c =3d+1a
1c 1e 2e 3a 4a / 2c 2d 4d 5a 5d

c5-06 5 hold_back ferti-classic black
+2a +2d +4c +5c +1b +4a +3c x1c =1dx1e =1a-2e
2b 3b 3d 4b 5a / 2c 3a 3e 5b 5e

c5-07 5 hold_back ferti-classic black counts
+5e +5d +1d +4d +3d +1a -1e -3e -2d +3b +2e
1c 2a 2b 3c 4e / 1b 4a 4b 4c 5b

c5-08 5 step_back ferti-classic white counts
+5e +5c +1a -1c +1d +2a -2b +2c -3c +3e +1e
3a 3d 4a 4b 4e / 3b 4c 4d 5a 5b

c5-09 5 hold_back ferti-classic white counts
+5a +5e +5c +2c -1a -3e +1c +2e -1b +1d +4b
2b 2d 4d 4e 5d / 1e 2a 3a 3b 4c

c5-10 5 how_many ferti-classic black counts
+2c +4c +4a +5a +4b +2d x1e1b =1a1d-4e
2a 2b 3b 5c 5e / 2e 3a 3c 5b 5d
"""
