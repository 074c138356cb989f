// Step 5 of the guide, taken apart: box, board and front, in the order in which they are screwed together.
//
//   openscad -o panel.png --imgsize=1000,900 --camera=95,55,70,62,0,25,760 --projection=o --colorscheme=Tomorrow panel.scad

include <../printables/panel_front.scad>

part = "none";
board_mm = [100, 100, 1.6];
board_at_mm = (panel_mm[0] - board_mm[0]) / 2;
colours = ["red", "limegreen", "white", "white", "orange", "ivory"];

box();
translate([board_at_mm, (panel_mm[1] - board_mm[1]) / 2, box_depth_mm + 35]) {
    color("seagreen") difference() {
        cube(board_mm);
        for (x = [4, 96], y = [4, 96]) translate([x, y, -1]) cylinder(d = 3.2, h = 4);
    }
    // The driver and the three registers.
    color("black") for (y = [18, 38, 58, 78]) translate([30, y, board_mm[2]]) cube([22, 7.6, 6]);
}
translate([0, 0, box_depth_mm + 110]) {
    translate([0, panel_mm[1], panel_mm[2]]) rotate([180, 0, 0]) front();
    for (number = [0 : len(lamp_holes) - 1]) {
        hole = lamp_holes[number];
        color(number < 6 ? colours[number] : number < 11 ? "gold" : number < 16 ? "red" : "limegreen")
            translate([hole[0], hole[1], 16]) { cylinder(d = hole[2] - 0.3, h = 5); translate([0, 0, 5]) sphere(d = hole[2] - 0.3); }
    }
    for (hole = button_holes) color("dimgray") translate([hole[0], hole[1], 22]) cylinder(d = hole[2], h = 9);
}
