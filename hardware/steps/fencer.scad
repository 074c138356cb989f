// Step 1 of the guide: a fencer's base, its ring, and the printed tag that goes onto its tab.
//
//   openscad -o fencer.png --imgsize=900,700 --camera=0,0,0,58,0,20,170 --viewall --autocenter --projection=o --colorscheme=Tomorrow fencer.scad

include <../printables/fencer_ring.scad>

color("dimgray") translate([0, 0, 26]) { cylinder(d = base_mm, h = base_height_mm); translate([0, 0, base_height_mm]) cylinder(d1 = 9, d2 = 5, h = 16); }
translate([tag_offset_mm[0] - tab_mm / 2, tag_offset_mm[1] - tab_mm / 2, 16]) {
    color("white") cube([tab_mm, tab_mm, 0.4]);
    color("black") translate([tag_margin_mm, tag_margin_mm, 0.4]) cube([tag_mm, tag_mm, 0.1]);
    color("white") for (x = [1, 3, 4], y = [1, 4]) translate([tag_margin_mm + x * tag_mm / 6.5, tag_margin_mm + y * tag_mm / 7, 0.5]) cube([2.5, 2.5, 0.1]);
}
