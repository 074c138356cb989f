// Made by `python -m firmware.tools.guide` from hardware/table.toml and firmware/table/panel/pins.py:
// change those, not this.
// All lengths in millimetres.

// The fencers' tags.
tag_mm = 20;
tag_margin_mm = 2.5;
tag_offset_mm = [0, -32, 3];  // from the middle of the space to the middle of the tag's face
pitch_mm = 28;  // between neighbouring spaces, the closest two

// The panel's front, its lower left corner at 0, 0, seen from the front.
panel_mm = [190, 110, 3];
lamp_holes = [  // [x, y, diameter]
    [26, 86, 10.2],  // touch_left
    [164, 86, 10.2],  // touch_right
    [64, 86, 10.2],  // attack_left
    [126, 86, 10.2],  // attack_right
    [95, 86, 10.2],  // refused
    [95, 43, 5.2],  // alive
    [67, 62, 5.2],  // distance_1
    [81, 62, 5.2],  // distance_2
    [95, 62, 5.2],  // distance_3
    [109, 62, 5.2],  // distance_4
    [123, 62, 5.2],  // distance_5
    [22, 43, 5.2],  // score_left_1
    [34, 43, 5.2],  // score_left_2
    [46, 43, 5.2],  // score_left_3
    [58, 43, 5.2],  // score_left_4
    [70, 43, 5.2],  // score_left_5
    [33, 62, 5.2],  // turn_left
    [168, 43, 5.2],  // score_right_1
    [156, 43, 5.2],  // score_right_2
    [144, 43, 5.2],  // score_right_3
    [132, 43, 5.2],  // score_right_4
    [120, 43, 5.2],  // score_right_5
    [157, 62, 5.2],  // turn_right
];
button_holes = [  // [x, y, diameter]
    [26, 18, 16.2],  // white
    [164, 18, 16.2],  // black
    [70, 18, 16.2],  // undo
    [120, 18, 16.2],  // menu
];
sound_holes = [  // [x, y, diameter]
    [95, 18, 2],  // buzzer
    [99, 18, 2],  // buzzer
    [91, 18, 2],  // buzzer
    [95, 22, 2],  // buzzer
    [95, 14, 2],  // buzzer
];
screw_holes = [  // [x, y, diameter]
    [6, 6, 3.3],  // screw
    [6, 104, 3.3],  // screw
    [184, 6, 3.3],  // screw
    [184, 104, 3.3],  // screw
];
