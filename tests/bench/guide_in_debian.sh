#!/bin/sh
# Types what the guide and the README tell a builder to type, in a Debian that has nothing else, from a clone.
#
#   sh tests/bench/guide_in_debian.sh bookworm        or trixie
#
# Root, mmdebstrap and a network are needed. What wants a Pi (the installer's service, the pins, rpicam-hello) is asked for
# with --dry-run, or left out and said. Ten minutes or so; TMPDIR wants 2 GB.
set -eu
suite=${1:?bookworm or trixie}
cd "$(dirname "$0")/../.."
# shellcheck disable=SC2016
mirror=${MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -v security | head -n 1)}
work=$(mktemp -d)
root=$work/root
bad=0
clear_away() {
    umount "$root/proc" 2>/dev/null || true
    rm -rf "$work"
}
trap clear_away EXIT

mmdebstrap --quiet --variant=apt --include=ca-certificates,git,make "$suite" "$root" "$mirror" >"$work/log" 2>&1 ||
    { tail -n 5 "$work/log"; exit 1; }
mount -t proc proc "$root/proc"
cp -L /etc/resolv.conf "$root/etc/resolv.conf"
git clone --quiet --no-hardlinks . "$root/srv/en-garde"
# How pip reaches packages here is the machine's own business, and goes with it; BRING names folders it wants for that.
for file in /etc/pip.conf "${HOME:-/}/.config/pip/pip.conf" "${HOME:-/}/.pip/pip.conf"; do
    [ ! -f "$file" ] || { cp "$file" "$root/etc/pip.conf"; break; }
done
for folder in ${BRING:-}; do mkdir -p "$root$folder" && cp -r "$folder/." "$root$folder"; done
cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
reach=$(env | grep '^PIP_' | grep -v ' ' || true)

typed() {
    began=$(date +%s)
    status=0
    # shellcheck disable=SC2086
    chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/srv LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
        SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy $reach sh -c "cd /srv/en-garde && $1" >"$work/log" 2>&1 || status=$?
    if [ "$status" = "${2:-0}" ]; then mark=well; else mark=WRONG bad=$((bad + 1)); fi
    printf '%-6s %4s s  status %s  %s\n' "$mark" $(($(date +%s) - began)) "$status" "$1"
    [ "$mark" = well ] || tail -n 8 "$work/log"
}

typed 'make setup'
typed '.venv/bin/engarde print --out sheets'
typed '.venv/bin/engarde print --card-mm 57x88 --out sheets-57'
typed 'mkdir -p ~/.config/engarde && cp -i hardware/table.toml ~/.config/engarde/'
typed '.venv/bin/engarde doctor' 1 # no camera here, and it says so
typed '.venv/bin/engarde calibrate --camera synthetic'
typed '.venv/bin/engarde demo --headless --fast --points 1 --out match'
typed 'cp -r hardware ~/engarde-guide && cp ~/.config/engarde/table.toml ~/engarde-guide/'
typed '.venv/bin/python -m firmware.tools.guide --hardware ~/engarde-guide'
typed '.venv/bin/engarde book backup /media/stick' 1 # no stick is there
typed 'sh firmware/install.sh --dry-run' 1           # no Raspberry Pi
typed '.venv/bin/engarde scores'
echo "$suite: $bad of 12 went otherwise than the guide says"
[ "$bad" = 0 ]
