// The camera's mast: printed joints on two aluminium tubes from the hardware shop. The upright stands behind the board,
// the arm reaches over its middle. Nothing touches the game. Cut the tubes as hardware/layout.md says.
//
//   openscad -o clamp.stl  -D 'part="clamp"'  mast.scad      holds the upright on the table's edge
//   openscad -o foot.stl   -D 'part="foot"'   mast.scad      or screw this to a board of 30 by 30 cm
//   openscad -o elbow.stl  -D 'part="elbow"'  mast.scad      upright to arm
//   openscad -o cradle.stl -D 'part="cradle"' mast.scad      on the arm's end, tilts
//   openscad -o plate.stl  -D 'part="plate"' -D 'module_name="module3"' mast.scad
//   openscad -o pi.stl     -D 'part="pi"'     mast.scad      carries the Pi on the upright, with places for cable ties
//   openscad -o clip.stl   -D 'part="clip"'   mast.scad      holds the ribbon on a tube: print four

part = "assembled"; // clamp, foot, elbow, cradle, plate, pi, clip, or assembled
module_name = "module3"; // module2, module3, module3wide, hq, gs

tube_mm = 16;            // outside of both tubes
play_mm = 0.3;
wall_mm = 4;
socket_mm = 45;          // how deep a tube sits
bolt_mm = 4.4;           // M4
nut_mm = 8.4;            // M4, across its corners, with a little room
clamp_bolt_mm = 6.6;     // M6
clamp_nut_mm = 11.9;
table_mm = 45;           // the thickest table top that fits
reach_mm = 40;           // how far the clamp reaches over it
foot_mm = 120;
lug_mm = 8;              // the tilting joint: a tongue so thick between two ears
gap_mm = 8.4;            // the room between the ears
tongue_mm = 18;          // how wide tongue and ears are
drop_mm = 14;            // from the camera's plate to the tilting bolt
cradle_mm = 30;          // how much of the arm the cradle holds
assembled_mm = [660, 330];  // upright and arm in the picture
boss_mm = 5;             // the camera's board stands off so far
plate_mm = 3;            // the plate behind the camera
lip_mm = 14;             // the clamp's lips
back_mm = 12;            // and its back, against the table's edge
pi_plate_mm = 4;         // the plate behind the Pi
pi_boss_mm = 6;          // the Pi's board stands off so far
pi_screw_mm = 2.7;       // M2.5
ribbon_mm = [17.5, 1.4]; // the camera's ribbon, with a little room
tie_mm = [4, 2.2];       // a cable tie of 2.5 mm
assembled_pi_mm = 120;   // the Pi's middle over the table in the picture
$fn = 64;

// [name, holes along x, holes along y, screw, board's width, board's height], from the makers' drawings.
camera_modules = [
    ["module2", 21, 12.5, 2.2, 25, 24],
    ["module3", 21, 12.5, 2.2, 25, 24],
    ["module3wide", 21, 12.5, 2.2, 25, 24],
    ["hq", 30, 30, 2.7, 38, 38],
    ["gs", 30, 30, 2.7, 38, 38],
];

found = [for (row = camera_modules) if (row[0] == module_name) row];
assert(len(found) == 1, str("no camera module is called ", module_name));
camera = found[0];

bore_mm = tube_mm + play_mm;
shell_mm = bore_mm + 2 * wall_mm;
hinge_mm = shell_mm / 2 + tongue_mm / 2 + 3;  // from the arm's middle to the tilting bolt
ear_mm = 12;             // the ears that pinch a socket
slit_mm = 2;

// A split socket standing on z = 0, its ears towards +x, closed by two bolts.
module socket(length = socket_mm) {
    difference() {
        union() {
            cylinder(d = shell_mm, h = length);
            translate([0, -(slit_mm + 2 * wall_mm) / 2, 0]) cube([shell_mm / 2 + ear_mm, slit_mm + 2 * wall_mm, length]);
        }
        socket_cut(length);
    }
}

module socket_cut(length = socket_mm) {
    translate([0, 0, -0.01]) cylinder(d = bore_mm, h = length + 0.02);
    translate([0, -slit_mm / 2, -0.01]) cube([shell_mm / 2 + ear_mm + 1, slit_mm, length + 0.02]);
    for (z = [length * 0.27, length * 0.73])
        translate([shell_mm / 2 + ear_mm / 2 - 0.5, 0, z]) rotate([90, 0, 0]) {
            cylinder(d = bolt_mm, h = 60, center = true);
            translate([0, 0, slit_mm / 2 + wall_mm - 2]) cylinder(d = nut_mm, h = 30, $fn = 6);
        }
}

module clamp() {
    depth = reach_mm + lip_mm;
    width = shell_mm;
    // The jaw: back, upper lip, lower lip with the M6 nut. The thumb screw comes up from below; put a coin on its end.
    translate([-width / 2, 0, 0]) difference() {
        cube([width, depth, table_mm + 2 * lip_mm]);
        translate([-1, back_mm, lip_mm]) cube([width + 2, depth, table_mm]);
        translate([width / 2, back_mm + reach_mm * 0.55, -1]) cylinder(d = clamp_bolt_mm, h = 30);
        translate([width / 2, back_mm + reach_mm * 0.55, 8]) cylinder(d = clamp_nut_mm, h = 20, $fn = 6);
    }
    // The upright stands behind the table's edge.
    translate([0, -shell_mm / 2 + 2, 0]) rotate([0, 0, -90]) socket(table_mm + 2 * lip_mm);
}

module foot() {
    difference() {
        translate([-foot_mm / 2, -foot_mm / 2, 0]) cube([foot_mm, foot_mm, 6]);
        for (x = [-1, 1], y = [-1, 1])
            translate([x * (foot_mm / 2 - 10), y * (foot_mm / 2 - 10), -1]) {
                cylinder(d = 4.5, h = 10);
                translate([0, 0, 4]) cylinder(d1 = 4.5, d2 = 9, h = 3.1);
            }
    }
    translate([0, 0, 5]) socket();
    // Ribs from the socket to the corners.
    difference() {
        for (turn = [45, 135, 225, 315])
            rotate([0, 0, turn]) translate([0, -2, 5])
                rotate([90, 0, 0]) mirror([0, 0, 1]) linear_extrude(4)
                    polygon([[shell_mm / 2 - 1, 0], [foot_mm / 2, 0], [shell_mm / 2 - 1, 30]]);
        translate([0, 0, 5]) socket_cut();
    }
}

module elbow() {
    socket();
    // The arm crosses above the upright's end, so that both can be turned and shifted.
    translate([0, socket_mm / 2, socket_mm + shell_mm / 2 - 2]) rotate([90, 0, 0]) socket();
}

// On the arm's end: the socket around the arm, and two ears between which the plate's tongue tilts.
module cradle() {
    difference() {
        union() {
            socket(cradle_mm);
            translate([-hinge_mm, 0, 0]) difference() {
                union() {
                    for (y = [gap_mm / 2, -gap_mm / 2 - 5]) translate([0, y, 0]) ear();
                    translate([tongue_mm / 2 + 1, -gap_mm / 2 - 5, 0])
                        cube([hinge_mm - tongue_mm / 2 - 1 - bore_mm / 2, gap_mm + 10, cradle_mm]);
                }
                translate([0, 0, cradle_mm / 2]) rotate([90, 0, 0]) cylinder(d = bolt_mm, h = 60, center = true);
            }
        }
        socket_cut(cradle_mm);
    }
}

module ear() {
    translate([0, 0, cradle_mm / 2]) rotate([-90, 0, 0]) cylinder(d = tongue_mm, h = 5);
    translate([0, 0, (cradle_mm - tongue_mm) / 2]) cube([tongue_mm / 2 + 2, 5, tongue_mm]);
}

// The camera is bolted on by its back and looks away from the plate; its cable leaves over the lower edge.
module plate() {
    width = camera[4] + 6;
    height = camera[5] + 6;
    difference() {
        union() {
            translate([-width / 2, -height / 2, 0]) cube([width, height, plate_mm]);
            for (x = [-1, 1], y = [-1, 1])
                translate([x * camera[1] / 2, y * camera[2] / 2, plate_mm]) cylinder(d = camera[3] + 2.4, h = boss_mm);
        }
        for (x = [-1, 1], y = [-1, 1])
            translate([x * camera[1] / 2, y * camera[2] / 2, -1]) cylinder(d = camera[3], h = boss_mm + 6);
    }
    // The tongue of the tilting joint, behind the plate.
    difference() {
        translate([-lug_mm / 2, 0, 0]) {
            translate([0, -tongue_mm / 2, -drop_mm]) cube([lug_mm, tongue_mm, drop_mm + 0.5]);
            translate([0, 0, -drop_mm]) rotate([0, 90, 0]) cylinder(d = tongue_mm, h = lug_mm);
        }
        translate([0, 0, -drop_mm]) rotate([0, 90, 0]) cylinder(d = bolt_mm, h = 60, center = true);
    }
}

pi_board_mm = [56, 85];
pi_holes_mm = [49, 58];  // of a Pi 4 or 5; the lower two are 3.5 mm from the end with the card
pi_foot_mm = 4;          // that end over the holder's lower one

// On the upright: the Pi stands behind it with its card down. The wings beside it have slots for cable ties, which take
// the pull of ribbon, lead and plugs off the sockets.
module pi() {
    width = pi_board_mm[0] + 6;
    height = pi_board_mm[1] + 2 * pi_foot_mm;
    front = shell_mm / 2 - 2;
    difference() {
        union() {
            rotate([0, 0, -90]) socket();
            translate([-width / 2 - 10, front, 0]) cube([width + 20, pi_plate_mm, height]);
            for (x = [-1, 1], z = [0, 1])
                translate([x * pi_holes_mm[0] / 2, front + pi_plate_mm, pi_foot_mm + 3.5 + z * pi_holes_mm[1]])
                    rotate([-90, 0, 0]) cylinder(d1 = 9, d2 = 6, h = pi_boss_mm);
        }
        rotate([0, 0, -90]) socket_cut();
        for (x = [-1, 1], z = [0, 1])
            translate([x * pi_holes_mm[0] / 2, 0, pi_foot_mm + 3.5 + z * pi_holes_mm[1]])
                rotate([-90, 0, 0]) cylinder(d = pi_screw_mm, h = 60);
        for (x = [-1, 1], z = [18, 34, 58, 74], side = [-1, 1])
            translate([x * (width / 2 + 5) + side * 2.9 - tie_mm[1] / 2, front - 1, z]) cube([tie_mm[1], pi_plate_mm + 2, tie_mm[0]]);
        // Air behind the Pi, and less to print.
        translate([-16, front - 1, 50]) cube([32, pi_plate_mm + 2, 30]);
    }
}

// Snaps onto a tube; the ribbon passes through its back.
module clip() {
    ring = 2.4;
    back = ribbon_mm[0] + 2 * ring;
    difference() {
        union() {
            cylinder(d = bore_mm + 2 * ring, h = 10);
            translate([bore_mm / 2, -back / 2, 0]) cube([ribbon_mm[1] + 2 * ring, back, 10]);
        }
        translate([0, 0, -1]) cylinder(d = bore_mm - play_mm, h = 12);
        translate([-bore_mm, -bore_mm * 0.36, -1]) cube([bore_mm, bore_mm * 0.72, 12]);
        translate([bore_mm / 2 + ring, -ribbon_mm[0] / 2, -1]) cube([ribbon_mm[1], ribbon_mm[0], 12]);
    }
}

// How it all goes together, with tubes and a camera; for the picture, not for printing.
module assembled() {
    rise = assembled_mm[0];
    behind = -shell_mm / 2 + 2;
    clamp();
    translate([0, behind, 0]) {
        color("silver") cylinder(d = tube_mm, h = rise);
        translate([0, 0, lip_mm + table_mm + assembled_pi_mm - pi_foot_mm - pi_board_mm[1] / 2]) rotate([0, 0, 180]) {
            pi();
            color("green") translate([-pi_board_mm[0] / 2, shell_mm / 2 - 2 + pi_plate_mm + pi_boss_mm, pi_foot_mm])
                cube([pi_board_mm[0], 1.4, pi_board_mm[1]]);
        }
        for (z = [0.55, 0.8]) translate([0, 0, rise * z]) rotate([0, 0, 90]) clip();
        translate([0, 0, rise - socket_mm]) elbow();
        translate([0, 0, rise + shell_mm / 2 - 2]) {
            color("silver") translate([0, -socket_mm / 2, 0]) rotate([-90, 0, 0]) cylinder(d = tube_mm, h = assembled_mm[1]);
            translate([0, assembled_mm[1] - socket_mm / 2 - cradle_mm, 0]) {
                rotate([-90, 0, 0]) rotate([0, 0, -90]) cradle();
                translate([0, cradle_mm / 2, -hinge_mm]) rotate([180, 0, 0]) translate([0, 0, drop_mm]) {
                    plate();
                    color("green") translate([-camera[4] / 2, -camera[5] / 2, plate_mm + boss_mm]) cube([camera[4], camera[5], 1.2]);
                    color("black") translate([0, 0, plate_mm + boss_mm]) cylinder(d = 9, h = 8);
                }
            }
        }
    }
}

if (part == "clamp") clamp();
if (part == "foot") foot();
if (part == "elbow") elbow();
if (part == "cradle") cradle();
if (part == "plate") plate();
if (part == "pi") pi();
if (part == "clip") clip();
if (part == "assembled") assembled();
