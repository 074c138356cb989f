#!/bin/sh
# Has KiCad itself check the panel's board: electrical rules, design rules, and that board and schematic agree.
#
#   sh tests/bench/kicad_in_debian.sh [FOLDER]        hardware/board, where no other folder is named
#   EXPORT=yes sh tests/bench/kicad_in_debian.sh      writes gerbers, drills, positions and pictures there anew
#
# KiCad of before version 7 has no such command, and Debian 12 has version 6: it is installed in a Debian 13 of its own.
# Root, mmdebstrap and a network are needed; some minutes. TMPDIR wants 2 GB; KEEP=yes leaves the root there.
set -eu
cd "$(dirname "$0")/../.."
board=${1:-hardware/board}
# shellcheck disable=SC2016
mirror=${MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -v security | head -n 1)}
work=$(mktemp -d)
root=$work/root
trap '[ -n "${KEEP:-}" ] || rm -rf "$work"' EXIT

inside() { chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }

mmdebstrap --quiet --variant=apt --include=ca-certificates trixie "$root" "$mirror" >"$work/log" 2>&1 || { tail -n 5 "$work/log"; exit 1; }
cp -L /etc/resolv.conf "$root/etc/resolv.conf"
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
chmod 755 "$root/usr/sbin/policy-rc.d"
inside apt-get update -qq
inside apt-get install -y -qq --no-install-recommends kicad >"$work/log" 2>&1 || { tail -n 5 "$work/log"; exit 1; }
echo "KiCad $(inside kicad-cli version)"
cp -r "$board" "$root/board"
bad=0
inside sh -c 'cd /board && kicad-cli sch erc --severity-all --exit-code-violations -o /erc.txt panel.kicad_sch' | grep -i found || bad=1
inside sh -c 'cd /board && kicad-cli pcb drc --schematic-parity --severity-all --exit-code-violations -o /drc.txt panel.kicad_pcb' | grep -i found || bad=1
for report in erc drc; do
    # A report names each fault in brackets.
    ! grep '^\[' "$root/$report.txt" || bad=1
done
[ "$bad" = 0 ] || exit 1
echo 'No rule is broken.'
[ -n "${EXPORT:-}" ] || exit 0
plot() { inside sh -c "cd /board && kicad-cli pcb $* panel.kicad_pcb" >"$work/log" 2>&1 || { tail -n 5 "$work/log"; exit 1; }; }
plot export gerbers --no-protel-ext --layers F.Cu,B.Cu,F.Mask,B.Mask,F.SilkS,B.SilkS,Edge.Cuts -o gerbers/
plot export drill --format excellon --excellon-units mm -o gerbers/
plot export pos --format csv --units mm -o positions.csv
for side in top bottom; do plot render --side "$side" -w 1000 --height 1000 -o "$side.png"; done
cp -r "$root/board/gerbers" "$root/board/positions.csv" "$root/board/top.png" "$root/board/bottom.png" "$board/"
