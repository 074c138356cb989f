#!/bin/sh
# make test-fast in a Debian that has nothing else, with its own Python, from the README's two commands. Before a release:
#
#   sh tests/bench/python_in_debian.sh bookworm noble trixie forky      Python 3.11, 3.12, 3.13 and 3.14; or any of them
#
# Root, mmdebstrap and a network are needed. Ten minutes each on two quiet cores; TMPDIR wants 3 GB, and KEEP=yes leaves the
# roots there. Python 3.12 is in no Debian release but in Ubuntu's 24.04, noble, whose keys Debian 12 does not have: the
# packages of that root, which is thrown away, are taken unsigned.
set -eu
[ $# -gt 0 ] || { echo 'which? bookworm, noble, trixie, forky' >&2; exit 2; }
cd "$(dirname "$0")/../.."
# shellcheck disable=SC2016
mirror=${MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -v security | head -n 1)}
work=$(mktemp -d)
clear_away() {
    for root in "$work"/*/; do umount "$root/proc" 2>/dev/null || true; done
    if [ -n "${KEEP:-}" ]; then echo "kept: $work"; else rm -rf "$work"; fi
}
trap clear_away EXIT

one() { # one SUITE
    root=$work/$1
    source=$mirror
    [ "$1" != noble ] || source='deb [trusted=yes] http://archive.ubuntu.com/ubuntu noble main universe'
    # A mirror of Debian's testing may be some days behind what its list promises.
    mmdebstrap --quiet --variant=apt --aptopt='Acquire::Check-Valid-Until "false"' --include=ca-certificates,git,make \
        "$1" "$root" "$source" >"$work/log" 2>&1 || { tail -n 5 "$work/log"; return 1; }
    mount -t proc proc "$root/proc"
    cp -L /etc/resolv.conf "$root/etc/resolv.conf"
    git clone --quiet --no-hardlinks . "$root/srv/repository"
    # How pip reaches packages here is the machine's own business, and goes with it; BRING names folders it wants for that.
    for file in /etc/pip.conf "${HOME:-/}/.config/pip/pip.conf" "${HOME:-/}/.pip/pip.conf"; do
        [ ! -f "$file" ] || { cp "$file" "$root/etc/pip.conf"; break; }
    done
    for folder in ${BRING:-}; do mkdir -p "$root$folder" && cp -r "$folder/." "$root$folder"; done
    cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
    reach=$(env | grep '^PIP_' | grep -v ' ' || true)
    status=0
    # shellcheck disable=SC2086
    chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 $reach sh -c \
        'cd /srv && git clone --quiet repository en-garde && cd en-garde && make test-fast' >"$root/srv/log" 2>&1 || status=$?
    python=$(chroot "$root" /srv/en-garde/.venv/bin/python -V 2>&1 || true)
    echo "$1, $python: make test-fast ended with $status; $(grep -E '^(=+ )?[0-9]+ (passed|failed)' "$root/srv/log" | tail -n 1)"
    [ "$status" = 0 ] || grep -E '^(FAILED|ERROR|Setting up failed)|^  (style|layout|tests):' "$root/srv/log"
    umount "$root/proc"
    [ -n "${KEEP:-}" ] || rm -rf "$root"
    return "$status"
}

bad=0
for suite; do one "$suite" || bad=1; done
exit $bad
