#!/bin/sh
# The installer on a Debian that has nothing else: installed from a clone, upgraded to the next release, taken back, stopped
# by a release that cannot be set up and taken back again, uninstalled. Every time the service has to run what is said.
#
#   sh tests/bench/releases_in_debian.sh bookworm        or trixie
#
# Root, mmdebstrap, systemd-nspawn (systemd-container) and a network are needed; a quarter of an hour, TMPDIR wants 4 GB.
# Real are systemd, sudo, git with a bare repository as where releases come from, apt, pip, polkit and the game itself at the
# simulated table. Pretended are the processor's name and, as empty packages, the two libraries that only Raspberry Pi's own
# archive has; NumPy and pygame come from the lock where a Pi takes apt's.
set -eu
suite=${1:?bookworm or trixie}
cd "$(dirname "$0")/../.."
# shellcheck disable=SC2016
mirror=${MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -v security | head -n 1)}
work=$(mktemp -d)
root=$work/root
machine=engarde-$$
booted=

clear_away() {
    if [ -n "$booted" ]; then
        kill -KILL "$(cat "$work/leader" 2>/dev/null || echo "$booted")" 2>/dev/null || true
        wait "$booted" 2>/dev/null || true
    fi
    if [ -n "${KEEP:-}" ]; then echo "kept: $root"; else rm -rf "$work"; fi
}
trap clear_away EXIT

say() { printf '%s  %s\n' "$(date +%T)" "$*"; }
bad() { say "WRONG: $1"; tail -n 20 "$work/log"; exit 1; }
expect() { # expect WHAT IS SHOULD
    if [ "$2" = "$3" ]; then say "well: $1: $2"; else bad "$1: expected $3, found $2"; fi
}

mmdebstrap --quiet --variant=apt --include=ca-certificates,git,sudo,systemd-sysv,dbus,passwd,python3 "$suite" "$root" "$mirror" \
    >"$work/log" 2>&1 || bad 'Debian could not be had'
for name in python3-picamera2 python3-lgpio; do
    mkdir -p "$work/$name/DEBIAN"
    printf 'Package: %s\nVersion: 0\nArchitecture: all\nMaintainer: nobody <nobody@localhost>\nDescription: stands in\n' $name >"$work/$name/DEBIAN/control"
    dpkg-deb --build "$work/$name" "$root/$name.deb" >/dev/null
done
chroot "$root" dpkg -i /python3-picamera2.deb /python3-lgpio.deb >"$work/log" 2>&1
# shellcheck disable=SC2016
printf '#!/bin/sh\n[ "$*" = -m ] && { echo aarch64; exit; }\nexec /usr/bin/uname "$@"\n' >"$root/usr/local/bin/uname"
# shellcheck disable=SC2016
printf '#!/bin/sh\n[ "$*" = --print-architecture ] && { echo arm64; exit; }\nexec /usr/bin/dpkg "$@"\n' >"$root/usr/local/bin/dpkg"
chmod 755 "$root/usr/local/bin/uname" "$root/usr/local/bin/dpkg"
chroot "$root" useradd --create-home --home-dir /srv/ana --shell /bin/sh ana
chroot "$root" useradd --create-home --home-dir /srv/bo --shell /bin/sh bo
echo 'ana ALL=(ALL) NOPASSWD: ALL' >"$root/etc/sudoers.d/ana"
chroot "$root" install -d -o ana -g ana /srv/ana/.config /srv/ana/.config/engarde
printf '[table]\ncamera = "synthetic"\n' >"$root/srv/ana/.config/engarde/config.toml"
# How pip reaches packages here is the machine's own business, and goes with it; BRING names folders it wants for that.
for file in /etc/pip.conf "${HOME:-/}/.config/pip/pip.conf" "${HOME:-/}/.pip/pip.conf"; do
    [ ! -f "$file" ] || { cp "$file" "$root/etc/pip.conf"; break; }
done
for folder in ${BRING:-}; do mkdir -p "$root$folder" && cp -r "$folder/." "$root$folder"; done
cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
reach=$(env | grep '^PIP_' | grep -v ' ' || true)

# Where releases come from: this commit as the first, the next two after it.
world=$work/world
git clone --quiet --no-hardlinks . "$world"
git -C "$world" tag --list | xargs -r git -C "$world" tag --delete >/dev/null
publish() { # publish VERSION WHAT FILE EXPRESSION
    sed -i "$4" "$world/$3"
    git -C "$world" -c user.name=Ana -c user.email=ana@localhost commit --quiet --allow-empty --all --message="$2"
    git -C "$world" tag "v$1"
    git -C "$world" push --quiet "$root/srv/en-garde.git" HEAD:main "v$1"
}
git init --quiet --bare --initial-branch=main "$root/srv/en-garde.git"
publish 1.0.0 'the first' pyproject.toml ''
printf '[safe]\n\tdirectory = *\n' >"$root/etc/gitconfig"

systemd-nspawn --quiet --register=no --keep-unit --directory="$root" --machine="$machine" --resolv-conf=copy-host \
    --link-journal=no --timezone=off --boot >"$work/console" 2>&1 &
booted=$!
for _ in $(seq 60); do
    leader=$(pgrep -P "$booted" | head -n 1 || true)
    if [ -n "$leader" ] && [ -S "$root/run/dbus/system_bus_socket" ] || { [ -n "$leader" ] && nsenter -t "$leader" -a test -S /run/dbus/system_bus_socket 2>/dev/null; }; then break; fi
    sleep 1
done
echo "$leader" >"$work/leader"
inside() { # shellcheck disable=SC2086
    nsenter -t "$leader" -a /usr/bin/env -i PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 $reach "$@"; }
as_ana() { inside runuser -u ana -- env HOME=/srv/ana sh -c "cd ~/en-garde && $1"; }
typed() { # typed STATUS COMMAND
    status=0
    as_ana "$2" >"$work/log" 2>&1 || status=$?
    [ "$status" = "$1" ] || bad "$2: expected status $1, found $status"
    say "well: $2: status $status; $(grep -E '^(This folder|Nothing newer|Not installed|Setting up failed|The service is gone)' "$work/log" | tr '\n' ' ')"
}
asked() { inside systemctl show engarde.service --property="$1" --value; }
# What the service's process itself says, after it has lived for a while.
runs() { # runs VERSION
    restarts=$(asked NRestarts) # what could not be set up cannot run either
    sleep "${LIVES_S:-20}"
    expect 'the service, and how often it began again' "$(asked ActiveState) $(asked NRestarts)" "active $restarts"
    pid=$(asked MainPID)
    expect 'whose it is' "$(inside stat -c %U "/proc/$pid")" ana
    expect 'its version' "$(as_ana '.venv/bin/engarde --version')" "engarde $1"
    [ "$pid" != "${before:-}" ] || bad "the service still runs process $pid of before"
    before=$pid
}
# What logind answers a user without a session who asks whether he may switch the machine off.
switches_off() {
    inside runuser -u "$1" -- busctl call org.freedesktop.login1 /org/freedesktop/login1 org.freedesktop.login1.Manager CanPowerOff 2>&1 |
        grep -qx 's "yes"' && echo yes || echo no
}
matches() { as_ana '.venv/bin/engarde scores --all --csv' | tail -n +2 | wc -l; }
say "Debian $suite, $(inside systemctl --version | head -n 1)"

inside runuser -u ana -- env HOME=/srv/ana git clone --quiet --branch v1.0.0 /srv/en-garde.git /srv/ana/en-garde >"$work/log" 2>&1 || bad 'no clone'
typed 0 'sh firmware/install.sh'
runs 1.0.0
expect 'who plays may switch off' "$(switches_off ana)" yes
expect 'somebody else may' "$(switches_off bo)" no
played=$(matches)
[ "$played" -gt 0 ] || bad 'expected the service to have begun a match, found none in the scorebook'

publish 1.0.1 'the next' pyproject.toml 's/^version = "1.0.0"/version = "1.0.1"/'
typed 0 'sh firmware/install.sh --upgrade'
runs 1.0.1
typed 0 'sh firmware/install.sh --upgrade'
expect 'a match goes on where nothing is newer, in process' "$(asked MainPID)" "$before"
typed 0 'sh firmware/install.sh --back'
runs 1.0.0
typed 0 'sh firmware/install.sh --upgrade'
runs 1.0.1

publish 1.0.2 'one that cannot be set up' pyproject.toml 's/^version = .*/version = "1.0.2"\ndependencies = "none"/'
typed 1 'sh firmware/install.sh --upgrade'
grep -q 'install.sh --back' "$work/log" || bad 'expected it to say how to go back'
typed 0 'sh firmware/install.sh --back'
runs 1.0.1
[ "$(matches)" -ge "$played" ] || bad 'matches are missing from the scorebook'
say "well: matches kept: $played of $(matches)"

typed 0 'sh firmware/install.sh --uninstall'
expect 'who played may switch off' "$(switches_off ana)" no
expect 'files of the service left' "$(inside find /etc -name '*engarde*' | wc -l)" 0
expect 'the service' "$(asked ActiveState)" inactive
[ "$(matches)" -ge "$played" ] || bad 'matches are missing from the scorebook'
say 'All is well.'
