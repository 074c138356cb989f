// A ring that slips over a fencer's base and carries its tag on a tab towards the players. Nothing is glued.
// Print two, flat on the bed. Stick the printed tag on the tab, its top away from the players' side.
//
//   openscad -o fencer_ring.stl -D base_mm=23.0 fencer_ring.scad

include <measures.scad>

base_mm = 23.0;       // measure your fencer's base with calipers, across its widest place
base_height_mm = 4.0; // how high the base is: the ring stays below its top
play_mm = 0.3;        // room between ring and base; more if the ring does not slip on, less if it turns
wall_mm = 1.6;
paper_mm = 0.2;       // thickness of the printed tag with its glue: its face has to lie at tag_offset_mm[2]
corner_mm = 1.5;
$fn = 96;

inner_mm = base_mm + 2 * play_mm;
outer_mm = inner_mm + 2 * wall_mm;
tab_mm = tag_mm + 2 * tag_margin_mm;
tab_thick_mm = tag_offset_mm[2] - paper_mm;
ring_height_mm = min(base_height_mm, max(tab_thick_mm, 2.4));

assert(outer_mm < pitch_mm, "two of these rings would touch on neighbouring spaces: take a thinner wall_mm");
assert(tab_mm < pitch_mm, "two tabs would touch on neighbouring spaces: print smaller tags");
assert(tab_thick_mm >= 0.8, "the tab would be too thin: raise tag_offset_mm's third value in hardware/table.toml");
assert(norm([tag_offset_mm[0], tag_offset_mm[1]]) - tab_mm / 2 > inner_mm / 2,
       "the tag would lie under the base: move it further out in hardware/table.toml");

module tab_outline() {
    translate([tag_offset_mm[0], tag_offset_mm[1]])
        offset(corner_mm) square(tab_mm - 2 * corner_mm, center = true);
}

module ring() {
    difference() {
        union() {
            cylinder(d = outer_mm, h = ring_height_mm);
            linear_extrude(tab_thick_mm) {
                tab_outline();
                // A neck from the ring to the tab, as wide as half the ring.
                hull() {
                    translate([tag_offset_mm[0], tag_offset_mm[1]]) square([outer_mm / 2, 1], center = true);
                    square([outer_mm / 2, 1], center = true);
                }
            }
        }
        translate([0, 0, -1]) cylinder(d = inner_mm, h = ring_height_mm + 2);
    }
    // Ribs that give way a little: a round base must not turn in its ring, or the tag would swing off its place.
    for (turn = [0 : 60 : 300])
        rotate([0, 0, turn]) translate([inner_mm / 2 + 0.1, 0, 0]) cylinder(d = 2 * play_mm + 0.5, h = ring_height_mm, $fn = 16);
}

ring();
