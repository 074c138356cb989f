#!/bin/sh
# Builds the Debian package and tries it in a Debian that has nothing else: installed, played, upgraded, taken back a
# version, removed and brought back, purged; what is left is counted, and the scorebook held against what was played.
#
#   sh tests/bench/debian_package.sh SUITE ARCH [PACKAGE]     bookworm or trixie, amd64 or arm64
#
# Root, mmdebstrap and a network are needed, for another architecture than this machine's qemu-user-static and arch-test too
# (the emulated processor is a Pi 5's: a newer one's pointer authentication takes many times longer). Some minutes;
# emulated, where the match has one point only, half an hour and more. TMPDIR wants 2 GB; KEEP=yes leaves the root there.
set -eu
suite=${1:?bookworm or trixie}
arch=${2:?amd64 or arm64}
cd "$(dirname "$0")/../.."
# shellcheck disable=SC2016
mirror=${MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -v security | head -n 1)}
work=$(mktemp -d)
root=$work/root
export QEMU_CPU="${QEMU_CPU:-cortex-a76}"

clear_away() {
    umount "$root/proc" 2>/dev/null || true
    [ -n "${KEEP:-}" ] || rm -rf "$work"
}
trap clear_away EXIT

say() { printf '%s  %s\n' "$(date +%T)" "$*"; }
inside() {
    chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/ LANG=C.UTF-8 QEMU_CPU="$QEMU_CPU" \
        DEBIAN_FRONTEND=noninteractive SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy "$@"
}
as_game() { inside runuser -u engarde -- env HOME=/var/lib/engarde "$@"; }
apt() { inside apt-get "$@" >"$work/log" 2>&1 || { tail -n 20 "$work/log"; exit 1; }; }
expect() { # expect WHAT IS SHOULD
    if [ "$2" = "$3" ]; then say "well: $1: $2"; else say "WRONG: $1: expected $3, found $2"; exit 1; fi
}
# shellcheck disable=SC2016
version_of() { inside dpkg-query -W -f '${Version}' engarde-companion; }
starts() { inside systemctl is-enabled engarde.service 2>/dev/null || true; }
matches() { as_game engarde scores --all --csv | sha256sum | cut -c 1-16; }

package=${3:-$(sh firmware/packaging/deb.sh --arch "$arch" --out "$work" 2>/dev/null)}
version=$(dpkg-deb --field "$package" Version)
say "$package, $(($(stat -c %s "$package") / 1000000)) MB"

if [ "$arch" != "$(dpkg --print-architecture)" ]; then
    formats=/proc/sys/fs/binfmt_misc
    [ -e $formats/register ] || mount -t binfmt_misc none $formats
    [ -e $formats/qemu-aarch64 ] || cat /usr/lib/binfmt.d/qemu-aarch64.conf >$formats/register
    QUICK=${QUICK:-yes}
fi
mmdebstrap --quiet --variant=apt --architectures="$arch" --include=systemd,ca-certificates "$suite" "$root" "$mirror" >"$work/log" 2>&1 ||
    { tail -n 5 "$work/log"; exit 1; }
mount -t proc proc "$root/proc"
cp -L /etc/resolv.conf "$root/etc/resolv.conf"
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
chmod 755 "$root/usr/sbin/policy-rc.d"
say "Debian $suite for $(inside dpkg --print-architecture), $(du -sm --exclude=proc "$root" | cut -f 1) MB"
(cd "$root" && find etc usr/lib usr/bin usr/share var/lib/systemd -xdev \( -type f -o -type l \)) | sort >"$work/before"

cp "$package" "$root/game.deb"
inside apt-get update -qq
apt install -y -qq --no-install-recommends /game.deb
say "installed, $(du -sm --exclude=proc "$root" | cut -f 1) MB, $(inside python3 --version)"
expect 'files of the package that differ' "$(inside dpkg --verify engarde-companion | wc -l)" 0
expect 'the service starts with the machine' "$(starts)" enabled
expect 'what systemd says about the unit' "$(inside systemd-analyze verify /usr/lib/systemd/system/engarde.service 2>&1 | grep -c engarde || true)" 0
expect 'groups of the game' "$(inside id -nG engarde | tr ' ' '\n' | sort | tr '\n' ' ')" 'audio engarde gpio input render video '
expect 'the version it says' "$(as_game engarde --version)" "engarde $version"
as_game engarde doctor --json >"$work/doctor" 2>/dev/null || true
expect 'findings of the doctor that speak of a library' \
    "$("${PYTHON:-.venv/bin/python}" -c 'import json, sys
programs = json.load(sys.stdin)["programs"]
print(sum(bool(each["problem"]) for name, each in programs.items() if name not in ("picamera2", "lgpio")))' <"$work/doctor")" 0
as_game engarde print --out /var/lib/engarde/sheets >/dev/null
expect 'printed sheets' "$(find "$root/var/lib/engarde/sheets" -name '*.pdf' | wc -l | tr -d ' ')" \
    "$(find "$root/var/lib/engarde/sheets" -name '*.pdf' -size +1k | wc -l | tr -d ' ')"
as_game engarde demo --headless --fast --out /var/lib/engarde/match --seed 7 ${QUICK:+--points 1} >"$work/match" 2>&1 || { tail -n 20 "$work/match"; exit 1; }
say "well: a match: $(tail -n 1 "$work/match")"
expect 'matches in the scorebook' "$(as_game engarde scores --all --csv | tail -n +2 | wc -l)" 1
played=$(matches)

# The next version, and the one before it again.
dpkg-deb --raw-extract "$package" "$work/next"
sed -i "s/^Version: .*/Version: $version+next/" "$work/next/DEBIAN/control"
dpkg-deb --root-owner-group -Zgzip -z1 --build "$work/next" "$root/next.deb" >/dev/null
apt install -y -qq --no-install-recommends /next.deb
expect 'after the upgrade' "$(version_of)" "$version+next"
expect 'its scorebook' "$(matches)" "$played"
apt install -y -qq --no-install-recommends --allow-downgrades /game.deb
expect 'after going back' "$(version_of)" "$version"
expect 'the version it says' "$(as_game engarde --version)" "engarde $version"
expect 'its scorebook' "$(matches)" "$played"

# Removed, and changed one's mind.
apt remove -y -qq engarde-companion
expect 'removed, the service starts with the machine' "$(starts | grep -c enabled || true)" 0
expect 'removed, the command is there' "$(inside test -e /usr/bin/engarde && echo yes || echo no)" no
apt install -y -qq --no-install-recommends /game.deb
expect 'brought back, the service starts with the machine' "$(starts)" enabled
expect 'its scorebook' "$(matches)" "$played"

apt purge -y -qq engarde-companion
(cd "$root" && find etc usr/lib usr/bin usr/share var/lib/systemd -xdev \( -type f -o -type l \)) | sort >"$work/after"
expect 'files left of it' "$(comm -13 "$work/before" "$work/after" | grep -c engarde || true)" 0
expect 'its scorebook and settings' "$(inside test -e /var/lib/engarde/.local/share/engarde/scorebook.sqlite && echo kept)" kept
say 'All is well.'
