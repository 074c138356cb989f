// Step 3 of the guide, taken apart: everything in the order in which it goes onto the tubes.
//
//   openscad -o mast.png --imgsize=900,1100 --camera=0,0,0,72,0,55,1000 --viewall --autocenter --projection=o --colorscheme=Tomorrow mast.scad

include <../printables/mast.scad>

part = "none";
apart_mm = 70;

module tube(long) { color("silver") cylinder(d = tube_mm, h = long); }
module screw(long, wide) { color("dimgray") { cylinder(d = wide, h = long); cylinder(d = wide * 1.8, h = wide * 0.6); } }

clamp();
translate([0, 0, -60]) screw(60, 6);
translate([0, -shell_mm / 2 + 2, 110]) {
    tube(250);
    translate([0, -apart_mm, 60]) rotate([0, 0, 180]) {
        pi();
        color("green") translate([-pi_board_mm[0] / 2, shell_mm / 2 - 2 + pi_plate_mm + pi_boss_mm + 40, pi_foot_mm])
            cube([pi_board_mm[0], 1.4, pi_board_mm[1]]);
    }
    translate([apart_mm, 0, 200]) rotate([0, 0, 90]) clip();
    translate([0, 0, 250 + apart_mm]) {
        elbow();
        translate([0, apart_mm - 20, socket_mm + shell_mm / 2 - 2]) {
            rotate([-90, 0, 0]) tube(200);
            translate([0, 60, apart_mm]) rotate([90, 0, 0]) clip();
            translate([0, 200 + apart_mm, 0]) {
                rotate([-90, 0, 0]) rotate([0, 0, -90]) cradle();
                translate([40, cradle_mm / 2, -hinge_mm]) rotate([0, 90, 0]) screw(30, 4);
                translate([0, cradle_mm / 2, -hinge_mm - apart_mm]) rotate([180, 0, 0]) translate([0, 0, drop_mm]) {
                    plate();
                    translate([0, 0, 35]) {
                        color("green") translate([-camera[4] / 2, -camera[5] / 2, plate_mm + boss_mm]) cube([camera[4], camera[5], 1.2]);
                        color("black") translate([0, 0, plate_mm + boss_mm]) cylinder(d = 9, h = 8);
                    }
                }
            }
        }
    }
}
