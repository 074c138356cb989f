"""Puzzles. Written by ``python -m firmware.workshop.puzzle_maker``: do not edit.

Options: --rules ferti-advanced --seed 1 --of-grade 10 --of-theme 3 --pile 0 4.
``engine.puzzles.collection`` reads them.
"""

from __future__ import annotations

from typing import Final

TEXT: Final = """
1-01 1 last_defence ferti-advanced white
+5d +5a +1c -1a +3c -2e +2d +3b +2cx4c =4d+3ex1b -3a +1ex3d
2b 4a 4e 5b 5c / 1d 2a 4b 5e

1-02 1 last_defence ferti-advanced black
+5e +5d +3c +2d +2ax5c =5a+2cx3d3b -4d +1c -1b +1a +4cx2e
3a 4a 4b 4e 5b / 1d 1e 2b 3e

1-03 1 last_defence ferti-advanced white
+5b +3c +3d +4b -3e +2b -2d +2a -1c -2e +1b +4e +5dx1d1a
1e 2c 4c 5c 5e / 3a 3b 4a 4d 5a

1-04 1 riposte ferti-advanced black
+5c +4a +3e +3a +2dx5b -1d +2cx4d =4e+3c x1e
1b 1c 2a 2e 4c / 3b 4b 5a 5d 5e

1-05 1 slip_away ferti-advanced black
+5c +5e +1c +1d -1b +2c +4cx5d =5a+3bx2e -1a +2dx1e
3c 4a 4b 4e 5b / 2b 3a 3d 3e 4d

1-06 1 last_card ferti-advanced white
+5b +2a -1a +4b -2b +4e +3b +4cx3d3a -5d -4d +2c -5e
2d 2e 3c 3e 5c / 1b 1c 1d 1e 4a

1-07 1 last_card ferti-advanced black
+4e +5b +2c +2b +1e -1b -3b +1d -1c +1a +3e -2a -3c +2e
3a 4d 5c 5d 5e / 3d 4a 4b 4c 5a

1-08 1 slip_away ferti-advanced black
+5a +5d +1d -2c +4d +2a +3bx4c =4b+2dx2b -3a +3dx2e
1a 1b 1c 1e 5e / 3e 4a 4e 5b 5c

1-09 1 slip_away ferti-advanced black
+5e +5d +3b +1b +3ex5c -1e +1dx5a -1a +2dx4a4e4d
1c 2a 3d 4b 5b / 2b 2c 3a 3c 4c

1-10 1 riposte ferti-advanced white
+5e +5b +2e +1a +4ax5d =5c+1cx4b =4cx4e =4d+3cx1e
1b 1d 3a 3b 3e / 2a 2b 2c 3d 5a

2-01 2 after_parry ferti-advanced white
+2b +5a +5d +3d +1d +2dx4d -3c +2ax5b -1e +4ax2e
1b 2c 3a 3b 4e / 1a 1c 4b 4c 5e

2-02 2 slip_away ferti-advanced white
+5a +1d +5c +4e +2ex5b -2a +3cx4c =4b+2cx2b2d
1a 1b 1e 4a 5d / 1c 3b 3d 3e 5e

2-03 2 last_card ferti-advanced white
+5a +1d +5c +4e +2ex5b -2a +3cx4c =4b+2cx2b2d -5d
1a 1b 1e 3a 4a / 1c 3b 3d 3e 5e

2-04 2 step_back ferti-advanced black
+5b +5a +2a +1c +4ax5d =5c+2cx3c =3dx3a =3e-4c
2d 2e 4b 4d 4e / 1a 1b 1d 1e 3b

2-05 2 last_card ferti-advanced black
+5b +5a +2a +1c +4ax5d =5c+2cx3c =3dx3a =3e-4c -3b
2d 2e 4b 4d 4e / 1a 1b 1d 1e 5e

2-06 2 riposte ferti-advanced white
+4c +2e +1a +5d +4d -4b +1b -3c +2d +5b +2ax3b
1d 1e 2c 5c 5e / 2b 3a 3d 4e 5a

2-07 2 riposte ferti-advanced white
+2a +2e +5d +2b +1a -1e -3e +3a +3c +4ax4c
2c 3d 4b 4e 5c / 1b 1c 2d 5b 5e

2-08 2 how_many ferti-advanced black
+3a +2c -1d -1c +1b +3c +4a +2b +4dx5a5e -2d +2a
2e 3d 4c 5b 5d / 1e 3b 3e 4b 5c

2-09 2 sure_hit ferti-advanced black
+3d +5a +4a +4e +5c -2c +2dx1c1b -2a -4b +5e -3c +3b
1a 3a 3e 4c 5d / 1d 1e 2e 4d 5b

2-10 2 riposte ferti-advanced white counts
+4e +5c +2a -2b +2d +5a -4b +5ex5d -1b +4ax2c -1d x3a
1a 1e 3c 3e 4c / 1c 2e 3d 4d 5b

3-01 3 how_many ferti-advanced white counts
+4d +5a +2d +5b +2cx4a =4c+1ax3e3c -1c
1d 2e 3d 4b 5c / 1b 1e 2a 2b 4e

3-02 3 indirect ferti-advanced black
+4e +5e +2e +3a -3e +1a +2a -2c -1b +1d +3b
2b 2d 4a 4b 5c / 1e 3c 4c 5a 5d

3-03 3 step_back ferti-advanced white counts
+5c +5a +1d +1c -2a +3c +4ex5b =5e-4a -1e +1b
2b 2c 2d 3d 4c / 3a 3b 3e 4b 4d

3-04 3 last_card ferti-advanced white
+5c +5a +1d +1c -2a +3c +4ex5b =5e-4a -1e +1b -2c +3e
2b 2d 2e 3d 4c / 1a 3a 3b 4b 4d

3-05 3 how_many ferti-advanced white
+3b +5a +3d +1c -1a +1e -2e +2d +3c +5cx2a =2c-1d
3a 4a 4b 4d 5e / 2b 3e 4c 4e 5b

3-06 3 step_back ferti-advanced black
+5e +5d +3c +2d +2ax5c =5a+2cx3d3b -4d +1c -1b
1a 4a 4b 4e 5b / 1d 1e 2b 2e 4c

3-07 3 last_card ferti-advanced black
+5e +5d +3c +2d +2ax5c =5a+2cx3d3b -4d +1c -1b +1a
3a 4a 4b 4e 5b / 1d 1e 2b 2e 4c

3-08 3 after_parry ferti-advanced black
+5b +5a +2a +1c +4ax5d =5c+2cx3c =3dx3a
2d 2e 3e 4b 4c / 1a 1b 1d 1e 3b

3-09 3 right_distance ferti-advanced white counts
+5b +1c +1e +2c +4d -1d +3a +5a -2b -3c -2d
1b 4a 4c 4e 5e / 2a 2e 3b 3d 5c

3-10 3 stuck ferti-advanced white
+3e +5c -2b +1e -1c +4c +2a +3d +2e +4a -4d
3b 4b 5a 5b 5e / 1a 1b 3a 3c 5d

4-01 4 right_distance ferti-advanced black
+4e +2e +4b +3e -2b +3d +5ex3b -5d -3a +2a
1c 3c 4c 5b 5c / 1a 1b 2c 2d 4d

4-02 4 hold_back ferti-advanced white counts
+3e +5a +5c +1b +2c -2d -4e +4a +3dx5d -3b +1a
1c 1e 2e 3a 4b / 2b 3c 4c 4d 5e

4-03 4 hold_back ferti-advanced white
+5b +1c +1e +2c +4d -1d +3a +5a -2b -3c -2d +3b
1b 4a 4c 4e 5e / 2a 2e 3d 4b 5c

4-04 4 after_parry ferti-advanced white
+5a +5e +3e +1d +1c +4dx3c3a -4b +4ax3d
1b 2a 2b 3b 5c / 1e 2c 2d 2e 4c

4-05 4 after_parry ferti-advanced white
+5b +5d +3c +4ex5c =5a+1ex4c =4d+2cx2a
1b 1d 2e 3b 4b / 1c 2b 3d 3e 5e

4-06 4 right_distance ferti-advanced white counts
+3b +1e -1b +3c +1c -2b -3e -1a +3a +2c +3d +2d
2e 4e 5a 5c 5e / 2a 4b 4d 5b 5d

4-07 4 indirect ferti-advanced black
+5e +5a +1e -1a +2e +2b +1b +3cx4c =4dx4b =4a-3d
1c 2a 2d 3e 5d / 1d 2c 3a 3b 5c

4-08 4 right_distance ferti-advanced white
+2c +2b +3b +5b +5a +3dx2e2a -1e -4e -2d +1a
1b 1c 3a 3e 4b / 4a 4c 4d 5d 5e

4-09 4 after_parry ferti-advanced black
+5d +1a -4c +4b +4a +1d -2b +4d +5c +1cx3a
2d 2e 3c 4e 5b / 1b 1e 2a 2c 3e

4-10 4 hold_back ferti-advanced black
+5c +4a +2c -1b +1c +4c -4b +3d -2e -2b +1a +2d
2a 3a 3b 4e 5d / 1d 1e 3e 4d 5e

5-01 5 right_distance ferti-advanced white counts
+3e +5a +5c +1b +2c -2d -4e +4a +3dx5d -3b
1a 1e 2e 3a 4b / 2b 3c 4c 4d 5e

5-02 5 right_distance ferti-advanced black
+5e +5d +3c +2d +2ax5c =5a+2cx3d3b -4d
1a 1c 4a 4b 5b / 1b 1d 1e 2b 2e

5-03 5 right_distance ferti-advanced white
+3d +5b +5e -2c +1d -1b +2b +3a -3c -2d +1c
3b 4a 4c 4d 4e / 1a 1e 2a 4b 5c

5-04 5 hold_back ferti-advanced black counts
+4a +1a +1b +2c -2e +2d +2a -5d -3a +3d +3b +5c
1c 1d 3c 5a 5b / 3e 4b 4c 4e 5e

5-05 5 hold_back ferti-advanced white counts
+5a +3a +5d +1a -2b +2a +2e +2dx4d4a -1e
1b 1c 1d 4e 5c / 3c 3d 3e 4c 5e

5-06 5 hold_back ferti-advanced white counts
+3a +5c -1a +1b +3d +4d +3e +1dx3b3c -2a
1c 1e 4b 5a 5b / 2b 4c 4e 5d 5e

5-07 5 how_many ferti-advanced black
+5c +5a +1c -2e +1e -2b +3c +5d +4dx2c -2d
1a 1b 3b 4c 4e / 3a 3e 4a 4b 5b

5-08 5 step_back ferti-advanced black
+4e +5a +2c +3a -4a +2a -1e +1c -1d +3c +2b
3d 4b 5b 5d 5e / 1a 1b 2e 3b 3e

5-09 5 how_many ferti-advanced black
+5a +1c +1e +3c +2d +5cx5e =5d+2ax3b -1a
1b 1d 3d 4d 4e / 2b 3a 3e 4a 4b

5-10 5 step_back ferti-advanced white counts
+1b +5c +2e +4d -1e +1a +4e +4bx2b2d -5a
1d 2a 2c 5d 5e / 1c 3a 3c 3d 5b
"""
