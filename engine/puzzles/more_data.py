"""Puzzles. Written by ``python -m firmware.workshop.puzzle_maker``: do not edit.

Options: --rules ferti-advanced --seed 41 --of-grade 15 --of-theme 4 --pile 0 4 --prefix e.
``engine.puzzles.collection`` reads them.
"""

from __future__ import annotations

from typing import Final

TEXT: Final = """
e1-01 1 last_defence ferti-advanced white
+5d +4e +1c +5c +4bx3d =3bx3c =3e-1b +2bx2e =2c+1ex1d
1a 2a 2d 4a 4d / 3a 4c 5a 5b 5e

e1-02 1 last_defence ferti-advanced white
+5a +4d +5e +3dx5b5d -3e +3b +1dx4b4e -5c +2a +4c +2cx1b
1a 1e 3a 3c / 1c 2b 2d 2e 4a

e1-03 1 last_defence ferti-advanced black
+5e +5c +2d +5d +3dx2a -4a +4ex2c -5b -3a +3e -3c +4c +4dx2b
1a 1b 1c 3b 4b / 1d 1e 2e 5a

e1-04 1 riposte ferti-advanced black
+5d +4e +3e +3a +4dx3b =3c+1bx2d =2bx2c
2a 2e 3d 4b 5b / 1a 1d 1e 5c 5e

e1-05 1 last_defence ferti-advanced black
+4e +4c +5d -2d -1e +3d +5bx4b =4a+3ax1d =1b-3c +2cx2e2b
1a 1c 2a 5a / 3b 3e 4d 5c 5e

e1-06 1 riposte ferti-advanced black
+5e +5d +3a +4bx5b -1a +2cx4e =4a+3d x1e
2d 3b 3e 4d 5c / 1c 1d 2a 2b 4c

e1-07 1 riposte ferti-advanced white
+5a +5d +5e +4bx3b3c3d -4d +5b x2d2c
1a 1b 1c 1e 3a / 2a 2b 2e 4a 4c

e1-08 1 sure_hit ferti-advanced white
+5c +5e +5b +4ex3a3b -1d +3ex1a1b -2e
1e 4a 4b 5a 5d / 2a 2c 2d 3d 4c

e1-09 1 riposte ferti-advanced black
+5c +5e +1b +5d +4cx2c =2b+1cx1a =1d-2e x3d3b
1e 2a 2d 5a 5b / 3a 3c 3e 4a 4e

e1-10 1 slip_away ferti-advanced black
+3e +5d +3c +4b +5ex2d -1b +2ex1e1c -2c +2bx1a1d
2a 3a 3b 4a 5b / 3d 4c 4e 5a 5c

e1-11 1 last_card ferti-advanced black
+3e +5d +5e +5ax4e =4a+2bx2a =2e-1d +2cx1c1a -1e
2d 3a 3d 4b 4d / 3b 3c 4c 5b 5c

e1-12 1 last_card ferti-advanced black
+4a +3e +2d +5e +2b +4cx2e -1b x3c =3dx3a =3b-1d +2a
1c 4d 5b 5c 5d / 1a 1e 2c 4e 5a

e1-13 1 slip_away ferti-advanced white
+5c +4d +3d -1a +4b +2bx5e =5a+3ex2e -1d +2ax1c1b
2c 2d 3b 4e 5b / 1e 3a 3c 4a 4c

e1-14 1 sure_hit ferti-advanced white
+5a +3e +4d +4c +5dx1a =1ex1c =1d-2d +2a
1b 2c 3a 3c 5b / 3d 4b 4e 5c 5e

e1-15 1 after_parry ferti-advanced white
+4e +2c +5e +4b +4dx3e3a =3c3b+2ex1d =1cx1a
4a 4c 5a 5b 5d / 1e 2b 2d 3d 5c

e2-01 2 after_parry ferti-advanced white
+3b +5b +4b -1e +3c +4ax4c -2b +5dx1a =1dx1b
2a 2c 4d 4e 5c / 1c 2e 3d 3e 5e

e2-02 2 riposte ferti-advanced white
+5b +5a +4b +4c +1bx3b3c -5e -1c +3e +4ex2b2a
1e 3a 3d 4d 5d / 1d 2c 2d 2e 5c

e2-03 2 after_parry ferti-advanced black
+5e +5c +4a +5bx3d -4d +1b +4cx2a =2c-3c +1dx4e
1a 1e 4b 5a 5d / 1c 2b 2e 3a 3b

e2-04 2 how_many ferti-advanced white
+5c +3c +5d +2b -1e +4ex4a4d -5a -2e +4b +1d +3e
1a 1b 2c 3a 4c / 1c 2a 2d 3b 3d

e2-05 2 last_card ferti-advanced black
+4a +5b +2c +5d +4bx2d -5e +3dx4c -5a -1c +3a -3e +4d
1b 1e 3c 4e 5c / 1a 2a 2b 2e 3b

e2-06 2 last_defence ferti-advanced black
+5d +4b +3b +2b +3ax5a -1b +2dx4a =4ex4d =4c-5e +5b +2cx2a
1a 1e 2e 3c 3e / 1c 1d 3d 5c

e2-07 2 right_distance ferti-advanced white
+5d +5e +3d -1d +1a -1c +1e -1b +2a +3bx5b -4c -2d
3c 3e 4a 4b 4e / 2b 2c 2e 4d 5a

e2-08 2 riposte ferti-advanced white
+3c +5a +3d +3b +4e x4a =4c+3ex1a1d1b -1c x2b
3a 4d 5c 5d 5e / 1e 2a 2e 4b 5b

e2-09 2 riposte ferti-advanced black
+3a +5e +2c +4c -3b +4a +4d +1cx2b2a -1d x3d
1a 1e 4b 5a 5c / 1b 2e 3c 3e 4e

e2-10 2 last_defence ferti-advanced white
+5d +3e +4a +4d -1e +3cx4e -2b +1dx5c5a -1c +4bx2a2d
1b 2c 2e 3d 4c / 1a 3a 3b 5b 5e

e2-11 2 riposte ferti-advanced white
+4b +5d +1b +2a -1a +2c -3b +1c +3c +5bx3d
2d 3a 3e 4c 5e / 1d 2e 4a 4d 4e

e2-12 2 slip_away ferti-advanced black counts
+5c +5b +4c +1a +2d +1bx4d4b -1c +2ax3e3b3c
2e 3d 5a 5d 5e / 1e 2b 2c 3a 4a

e2-13 2 after_parry ferti-advanced black
+4e +5e +5b +3cx5d -1a +4cx2c -1b +1ex2a
2d 3a 4a 4d 5c / 2b 3b 3d 3e 5a

e2-14 2 slip_away ferti-advanced black
+5a +5c +2b +1a +4ax5d =5b+1ex4c -3b +3cx4e
1b 1c 2a 2c 4d / 2d 3a 3d 3e 5e

e2-15 2 how_many ferti-advanced black counts
+4a +3d +4b -1c +2e -1a +1e +4c +3ax3b =3e+1d
1b 2b 2c 4d 5d / 2a 2d 5a 5b 5e

e3-01 3 after_parry ferti-advanced black counts
+4e +4c +5d -2d -1e +3d +5bx4b =4a+3ax1d
1c 2b 2c 2e 5a / 1b 3c 4d 5c 5e

e3-02 3 hold_back ferti-advanced black counts
+5a +5c +2b +4d -4a +1a +5ex4b4c -3c +1c +5d
1d 2c 2e 3a 3d / 1e 2a 3b 3e 5b

e3-03 3 after_parry ferti-advanced black
+5d +5c +1d +5a +3dx3c =3e-1b +1ex3a -5b +4cx4b
1c 2a 4a 4d 5e / 1a 2d 2e 3b 4e

e3-04 3 last_card ferti-advanced black
+5d +4b +3b +2b +3ax5a -1b +2dx4a =4ex4d =4c-5e +5b
1a 1e 2e 3c 3e / 1c 1d 2a 2c 5c

e3-05 3 last_card ferti-advanced white
+5d +5e +3d -1d +1a -1c +1e -1b +2a +3bx5b -4c -2d +4e
3c 3e 4a 4b 5c / 2b 2c 2e 4d 5a

e3-06 3 slip_away ferti-advanced black
+5c +5d +3a -2e +1c +3c -1a -3b +4d +5ex2a
1b 2b 2c 3d 3e / 1e 4a 4c 5a 5b

e3-07 3 last_card ferti-advanced black
+5c +5d +3a -2e +1c +3c -1a -3b +4d +5ex2a -5a -3d +1e
1b 1d 2b 2c 3e / 4a 4b 4c 4e 5b

e3-08 3 indirect ferti-advanced black counts
+3e +5b +2b +2c +4c +5dx1e1b -5c +4bx2e2a -1c
1d 2d 3b 5a 5e / 1a 3a 3d 4a 4d

e3-09 3 slip_away ferti-advanced white
+3c +5a +3d +3b +4e x4a =4c+3ex1a1d1b
2b 3a 4d 5c 5d / 1c 1e 2a 2e 5b

e3-10 3 hold_back ferti-advanced white counts
+3c +5a +3d +3b +4e x4a =4c+3ex1a1d1b -1c
2b 3a 4d 5c 5d / 1e 2a 2e 4b 5b

e3-11 3 after_parry ferti-advanced black counts
+5c +3c +4b +3d -1c +2b +3ax3e -1a +2cx2d
1b 2e 3b 4a 4c / 1d 1e 5a 5d 5e

e3-12 3 slip_away ferti-advanced black
+3b +5d +3a +4b +1d +2cx4a =4e+2ax2e2d
1a 1b 2b 3c 3d / 1c 4d 5a 5b 5e

e3-13 3 step_back ferti-advanced black counts
+3b +5d +3a +4b +1d +2cx4a =4e+2ax2e2d -1b
1a 2b 3c 3d 5c / 1c 4d 5a 5b 5e

e3-14 3 right_distance ferti-advanced black
+4a +5b +2b -1e +1a -2d +2e +4c +3ax4b -3b -4d
2a 2c 3c 5a 5d / 1b 1c 4e 5c 5e

e3-15 3 indirect ferti-advanced white
+4e +5c +4a -2a +5b +2cx4c -1e +1cx4b -3c
1a 2d 3a 5d 5e / 2b 3b 3d 3e 4d

e4-01 4 right_distance ferti-advanced white
+5a +4d +5e +3dx5b5d -3e +3b +1dx4b4e -5c
1a 1b 1e 2a 3a / 1c 2b 2e 4a 4c

e4-02 4 right_distance ferti-advanced black
+5d +3e +3d +4d +3ax4a4c -1c +2bx3c -5a
2c 2d 4b 4e 5b / 1a 1d 1e 2e 5c

e4-03 4 right_distance ferti-advanced black
+4d +5b +2d +4e +1b +2cx4c4b -3e -1a +1d -5c
2e 3c 5a 5d 5e / 1c 2a 2b 3a 3d

e4-04 4 hold_back ferti-advanced white
+5c +3c +5d +2b -1e +4ex4a4d -5a -2e +4b +1d
1a 1b 2c 3a 3e / 1c 2a 2d 3b 3d

e4-05 4 right_distance ferti-advanced black
+5c +5d +3a -2e +1c +3c -1a -3b +4d +5ex2a -5a -3d
1b 1d 2b 2c 3e / 1e 4a 4c 4e 5b

e4-06 4 hold_back ferti-advanced black
+3b +5d +3a +4b +1d +2cx4a =4e+2ax2e2d -1b -5a
1a 2b 3c 3d 5c / 1c 4c 4d 5b 5e

e4-07 4 hold_back ferti-advanced white
+5b +1d +1c +4d +2c +5ax4b4e -3c -2b +2a
2e 3b 3d 3e 5c / 1b 2d 4a 4c 5e

e4-08 4 indirect ferti-advanced black counts
+5c +4b +4a -1e +5ex5b =5d+3dx2c -1d +1ax2d -4c
1c 2b 2e 3c 4d / 3a 3b 3e 4e 5a

e4-09 4 hold_back ferti-advanced black
+5c +5e +1b +5d +4cx2c =2b+1cx1a =1d-2e
1e 3b 3d 5a 5b / 3a 3c 3e 4a 4e

e4-10 4 indirect ferti-advanced black
+5e +3b +4b +4d +3ax3e3d -5d -2e +5b +2ax3c -2d
1b 1c 1d 4a 5c / 1a 1e 2b 4e 5a

e4-11 4 indirect ferti-advanced white
+4b +5d +1e +5c +3bx4a4d -5b -2e +1a +3d
1b 1d 2b 2c 3e / 1c 2d 3a 3c 4e

e4-12 4 after_parry ferti-advanced white counts
+4c +5a +2e +3b +5dx3d =3ax3c =3e+1dx2b
1c 2a 4b 4e 5e / 1e 2c 4d 5b 5c

e4-13 4 after_parry ferti-advanced black
+5e +5c +2a +1e -1a +2c +3dx5b =5d+3bx2e
1b 4a 4b 4e 5a / 1c 1d 2b 3a 4c

e4-14 4 indirect ferti-advanced white
+5a +4a +4c +3a +1cx5d =5e+1a x4d =4b+2ax2b -1e
2d 3b 3c 3e 5c / 1b 1d 2c 3d 5b

e4-15 4 after_parry ferti-advanced white counts
+3e +4c +2c +4d -2e +1c -1b +2b +2a +3bx4b
1e 2d 3d 4a 5b / 1d 3a 4e 5c 5e

e5-01 5 hold_back ferti-advanced white counts
+5a +3e +3d +5b +2bx4d -2c +1bx5e =5c+2d
1d 2e 3c 4c 4e / 1a 1c 2a 3a 3b

e5-02 5 hold_back ferti-advanced black
+3a +5e +2c +4c -3b +4a +4d +1cx2b2a -1d
1e 3d 4b 5a 5c / 1b 2e 3c 3e 4e

e5-03 5 right_distance ferti-advanced black counts
+5c +4a +3c -1e +1d +4b +2bx4d4e -2e -5a
1b 1c 3a 3d 4c / 2a 2d 5b 5d 5e

e5-04 5 right_distance ferti-advanced black counts
+5a +4a +3e -1c +1e +2b +5bx3d =3cx3b =3a-4b
1a 1b 2a 4c 4d / 1d 2d 2e 4e 5e

e5-05 5 after_parry ferti-advanced white counts
+5e +3d +4c +4d +3ax3c -5c +5dx3b -1d x4e
1a 1b 2b 5a 5b / 1c 2a 2c 3e 4a

e5-06 5 hold_back ferti-advanced white counts
+5c +5b +2b -1e -1a +2c -2e +1b -2d +3a +3e
1d 3c 3d 4d 4e / 1c 3b 4b 4c 5d

e5-07 5 hold_back ferti-advanced black counts
+5a +5c +5b +3bx4a4d -2b +5dx1d1c -4c -2a
1a 2c 2e 3e 4b / 1e 3a 3c 3d 4e

e5-08 5 right_distance ferti-advanced black counts
+4c +4e +4b +2c -2a -1b +1d -3e +3a +3b -2d
1a 2e 3c 3d 5b / 1c 1e 4a 4d 5e

e5-09 5 step_back ferti-advanced white counts
+3e +5b +3d +2e +3b +2ax4c -2d +1bx5d -2c
1a 1c 2b 4a 4e / 1d 4b 4d 5c 5e

e5-10 5 right_distance ferti-advanced white
+5c +5a +1a +4c -1b +2b +2ex4d4a -3a -1d
1c 1e 3b 5b 5d / 2a 2d 3c 3d 4b

e5-11 5 step_back ferti-advanced white
+5a +3d +5c -2a +5d +3cx3a -4b +2bx5b -2c
1b 1d 2d 2e 4a / 1c 1e 3b 3e 5e

e5-12 5 step_back ferti-advanced white
+5b +5c +1b +2a -2e +2d -3b +3e +1e -1c +3a
1a 1d 2b 4a 4e / 3c 4b 5a 5d 5e

e5-13 5 step_back ferti-advanced black counts
+4e +3d +3e +1b +1e +5bx5d5e -5c +1a +1d
2a 2c 2e 3c 4d / 1c 2d 3a 3b 4a

e5-14 5 after_parry ferti-advanced black counts
+4b +5c +2c +4c +4ax3e3a =3b3d+1cx2e
2a 2b 4d 4e 5e / 1e 2d 5a 5b 5d

e5-15 5 after_parry ferti-advanced white counts
+5d +5b +2e -1b +1e +1a +4dx5e =5c+4ax1d
1c 2c 2d 3c 4e / 2a 2b 3a 3d 5a
"""
