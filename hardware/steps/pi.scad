// Step 2 of the guide: the Pi before its holder, card down, and the four screws.
//
//   openscad -o pi.png --imgsize=900,700 --camera=0,0,0,65,0,215,420 --viewall --autocenter --projection=o --colorscheme=Tomorrow pi.scad

include <../printables/mast.scad>

part = "none";
behind_mm = shell_mm / 2 - 2 + pi_plate_mm + pi_boss_mm;

color("silver") translate([0, 0, -40]) cylinder(d = tube_mm, h = 190);
pi();
translate([-pi_board_mm[0] / 2, behind_mm + 45, pi_foot_mm]) {
    color("green") cube([pi_board_mm[0], 1.4, pi_board_mm[1]]);
    // USB and network above, the card's slot below.
    color("silver") for (x = [2, 20, 38]) translate([x, 1.4, pi_board_mm[1] - 16]) cube([15, 15, 18]);
    color("black") translate([50, 1.4, 7]) cube([5, 8.5, 51]);
    color("dimgray") translate([22, -1.5, -2]) cube([12, 1.5, 14]);
    color("ivory") translate([3, 1.4, 38]) cube([3, 6, 22]);
    color("dimgray") for (x = [3.5, 52.5], z = [3.5, 61.5]) translate([x, 40, z]) rotate([90, 0, 0]) { cylinder(d = 2.5, h = 16); cylinder(d = 4.5, h = 2); }
}
