// The panel's front: holes for every lamp and button of the pin table, and a frame that screws to a box.
// Print it face down. The places come from measures.scad, which is made from firmware/table/panel/pins.py.
//
//   openscad -o panel_front.stl panel_front.scad
//   openscad -o panel_box.stl -D 'part="box"' panel_front.scad

include <measures.scad>

part = "front";       // front, box or both
play_mm = 0.0;        // added to every hole's diameter: printers differ
corner_mm = 4;
box_depth_mm = 55;    // room for the board with its chips and, over it, the buttons' bodies
wall_mm = 2.4;
post_mm = 8;          // the screw posts in the box's corners
slot_mm = [40, 12];   // for the lead, in the box's far side
tie_mm = [4, 2.2];    // a cable tie round the lead goes through the floor beside it
stand_mm = [92, 92];  // the board's holes, from middle to middle
stand_high_mm = 6;
$fn = 48;

module plate(size) {
    translate([corner_mm, corner_mm])
        offset(corner_mm) square([size[0] - 2 * corner_mm, size[1] - 2 * corner_mm]);
}

// Its face lies on the bed: left and right are changed over, so that they are right seen from the front.
module front() {
    translate([panel_mm[0], 0, 0]) mirror([1, 0, 0]) difference() {
        linear_extrude(panel_mm[2]) plate(panel_mm);
        for (hole = concat(lamp_holes, button_holes, sound_holes, screw_holes))
            translate([hole[0], hole[1], -1]) cylinder(d = hole[2] + play_mm, h = panel_mm[2] + 2);
        // A lamp's collar sinks into the back, so that it stands straight.
        for (hole = lamp_holes)
            translate([hole[0], hole[1], panel_mm[2] - 1]) cylinder(d = hole[2] + 1, h = 2);
    }
}

module box() {
    difference() {
        linear_extrude(box_depth_mm) plate(panel_mm);
        translate([0, 0, wall_mm]) linear_extrude(box_depth_mm) offset(-wall_mm) plate(panel_mm);
        translate([(panel_mm[0] - slot_mm[0]) / 2, panel_mm[1] - wall_mm - 1, wall_mm]) cube([slot_mm[0], wall_mm + 2, slot_mm[1]]);
        for (x = [-1, 1], near = [0, 1])
            translate([panel_mm[0] / 2 + x * 12 - tie_mm[0] / 2, panel_mm[1] - wall_mm - 4 - near * 6, -1])
                cube([tie_mm[0], tie_mm[1], wall_mm + 2]);
    }
    // The board lies on four stands; M3 screws cut their own thread.
    for (x = [-1, 1], y = [-1, 1])
        translate([panel_mm[0] / 2 + x * stand_mm[0] / 2, panel_mm[1] / 2 + y * stand_mm[1] / 2, 0]) difference() {
            cylinder(d = 7, h = wall_mm + stand_high_mm);
            translate([0, 0, 1]) cylinder(d = 2.6, h = 20);
        }
    for (hole = screw_holes)
        translate([hole[0], hole[1], 0]) difference() {
            cylinder(d = post_mm, h = box_depth_mm);
            translate([0, 0, box_depth_mm - 12]) cylinder(d = 2.6, h = 13);  // M3 cuts its own thread
        }
}

if (part == "front" || part == "both") front();
if (part == "box") box();
if (part == "both") translate([0, panel_mm[1] + 15, 0]) box();
