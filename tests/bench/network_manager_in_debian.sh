#!/bin/sh
# The Wi-Fi page's attempts against a real NetworkManager, polkit and D-Bus, in a Debian root and a network of its own.
#
#   sh tests/bench/network_manager_in_debian.sh bookworm        or trixie
#
# Root, mmdebstrap and a Debian mirror are needed; two minutes, TMPDIR wants 500 MB. Run it before each release.
# Wi-Fi hardware is pretended: where firmware/cli/first_start/wifi.py asks nmcli for a Wi-Fi profile,
# network_manager_attempts.py asks for one with 802.1X on a virtual cable, at whose other end hostapd checks the password.
# Profiles, secrets, activation, NetworkManager's sentences and polkit's answers are real.
set -eu
suite=${1:?bookworm or trixie}
cd "$(dirname "$0")/../.."
# shellcheck disable=SC2016
mirror=${MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -v security | head -n 1)}
work=$(mktemp -d)
root=$work/root
trap 'rm -rf "$work"' EXIT

mmdebstrap --quiet --variant=apt --include=network-manager,dbus,polkitd,iproute2,passwd,python3,wpasupplicant,hostapd,util-linux \
    "$suite" "$root" "$mirror" >"$work/log" 2>&1 || { tail -n 5 "$work/log"; exit 1; }
mkdir -p "$root/srv/firmware/cli/first_start" "$root/etc/polkit-1/rules.d"
cp firmware/__init__.py "$root/srv/firmware/"
cp firmware/cli/first_start/__init__.py firmware/cli/first_start/wifi.py "$root/srv/firmware/cli/first_start/"
cp tests/bench/network_manager_attempts.py "$root/srv/"
sed 's|@USER@|ana|' firmware/table/service/engarde-wifi.rules >"$root/etc/polkit-1/rules.d/51-engarde-wifi.rules"
for name in ana bo; do chroot "$root" useradd --create-home "$name"; done
printf '[main]\nplugins=keyfile\n[device]\nmatch-device=interface-name:peer0\nmanaged=0\n' >"$root/etc/NetworkManager/conf.d/bench.conf"

cat >"$root/srv/begin.sh" <<'END'
set -eu
mount -t proc proc /proc
mount -t sysfs -o ro sysfs /sys # as in a container: NetworkManager waits for no udev then
mount -t tmpfs tmpfs /run
mkdir -p /run/dbus
ip link set lo up
ip link add veth0 type veth peer name peer0
ip link set peer0 up
dbus-uuidgen >/etc/machine-id
dbus-daemon --system --fork
/usr/lib/polkit-1/polkitd --no-debug >/run/polkit.log 2>&1 &
wpa_supplicant -u -s &
NetworkManager --no-daemon >/run/network-manager.log 2>&1 &
exec python3 /srv/network_manager_attempts.py
END
unshare --net --mount --pid --fork --kill-child chroot "$root" /bin/sh /srv/begin.sh
