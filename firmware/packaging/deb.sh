#!/bin/sh
# Makes the Debian package: sh firmware/packaging/deb.sh [--arch arm64|amd64] [--out FOLDER]
#
# One package serves Debian 12 and 13 (Raspberry Pi OS Bookworm and Trixie): NumPy and pygame come from apt, as they
# do for firmware/setup.sh; what apt lacks or has too old lies in the package, from the lock with its hashes, once
# for each Python. Only what git knows is packed. Needs git, dpkg-deb, and a network or pip's cache.
set -eu
cd "$(dirname "$0")/../.."

arch=arm64
out=build/release
while [ $# -gt 0 ]; do
    case $1 in
        --arch) arch=${2:-}; shift ;;
        --out) out=${2:-}; shift ;;
        *)
            printf 'There is no option %s. Usage: sh firmware/packaging/deb.sh [--arch arm64|amd64] [--out FOLDER]\n' "$1" >&2
            exit 2
            ;;
    esac
    shift
done
case $arch in
    arm64) machine=aarch64 ;;
    amd64) machine=x86_64 ;;
    *)
        printf 'expected arm64 or amd64 after --arch, found %s\n' "${arch:-nothing}" >&2
        exit 2
        ;;
esac

PYTHON=${PYTHON:-.venv/bin/python}
PYTHONS='3.11 3.13'

version=$(sed -n 's/^version = "\(.*\)"$/\1/p' pyproject.toml)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
home=$root/usr/lib/engarde

pip() { PIP_ROOT_USER_ACTION=ignore "$PYTHON" -m pip --disable-pip-version-check --no-input -q "$@"; }
unpack() { "$PYTHON" -m zipfile -e "$1" "$2"; }

# The program, as a wheel has it: with its name and version for importlib.metadata.
mkdir -p "$work/source" "$work/wheel" "$home" "$work/lock"
git ls-files -z -- pyproject.toml README.md LICENSE engine vision display firmware | xargs -0 cp --parents -t "$work/source"
pip wheel --no-deps --no-build-isolation --wheel-dir "$work/wheel" "$work/source"
unpack "$work"/wheel/engarde_companion-*.whl "$home"
rm -rf "$home"/firmware/tools/release.py

# Beside it what it reads at its own place, and what the owner reads.
git ls-files -z -- hardware firmware/start.sh firmware/packaging/deb | grep -zv '^hardware/board/' | xargs -0 cp --parents -t "$home"
mv "$home"/firmware/packaging/deb "$work/deb"
rmdir "$home"/firmware/packaging

# Each library once for every Python that it is made for, those that serve all of them once.
# colorzero names setuptools and asks it for nothing.
for python in $PYTHONS; do
    sh firmware/packaging/locked.sh '' "$python" | awk '/^[A-Za-z]/ { asked = !/^setuptools==/ } asked' >"$work/lock/requirements.txt"
    mkdir -p "$work/$python" "$home/libraries/$python" "$home/libraries/all"
    pip download --no-deps --require-hashes --only-binary=:all: --implementation cp --python-version "$python" \
        --platform "manylinux2014_$machine" --platform "manylinux_2_28_$machine" --platform "manylinux_2_31_$machine" \
        --dest "$work/$python" --requirement "$work/lock/requirements.txt"
    for wheel in "$work/$python"/*.whl; do
        case $wheel in
            *-none-any.whl | *-abi3-*.whl) unpack "$wheel" "$home/libraries/all" ;;
            *) unpack "$wheel" "$home/libraries/$python" ;;
        esac
    done
done

install -D -m 755 "$work/deb/engarde" "$root/usr/bin/engarde"
install -D -m 755 "$work/deb/python" "$home/bin/python"
printf '#!/bin/sh\nexec /usr/lib/engarde/bin/python -m firmware "$@"\n' >"$home/bin/engarde"
chmod 755 "$home/bin/engarde"
mkdir -p "$root/usr/lib/systemd/system/engarde.service.d" "$root/usr/share/polkit-1/rules.d" "$root/etc/systemd"
sed -e 's|@USER@|engarde|' -e 's|@CHECKOUT@|/usr/lib/engarde|' firmware/table/service/engarde.service \
    >"$root/usr/lib/systemd/system/engarde.service"
printf '[Service]\nEnvironment=ENGARDE_BIN=/usr/lib/engarde/bin\n' \
    >"$root/usr/lib/systemd/system/engarde.service.d/package.conf"
sed 's|@USER@|engarde|' firmware/table/service/engarde.rules >"$root/usr/share/polkit-1/rules.d/50-engarde.rules"
sed 's|@USER@|engarde|' firmware/table/service/engarde-wifi.rules >"$root/usr/share/polkit-1/rules.d/51-engarde-wifi.rules"
mkdir -p "$root/usr/lib/udev/rules.d"
sed 's|@USER@|engarde|' firmware/table/service/engarde-usb.rules >"$root/usr/lib/udev/rules.d/90-engarde-usb.rules"
cp "$work/deb/journald.conf" "$root/etc/systemd/journald@engarde.conf"
mkdir -p "$root/usr/share/doc/engarde-companion"
cp LICENSE "$root/usr/share/doc/engarde-companion/copyright"
gzip -9nc CHANGELOG.md >"$root/usr/share/doc/engarde-companion/changelog.gz"
cp README*.md PLAYING*.md "$root/usr/share/doc/engarde-companion/"

mkdir "$root/DEBIAN"
for script in preinst postinst prerm postrm; do install -m 755 "$work/deb/$script" "$root/DEBIAN/$script"; done
echo /etc/systemd/journald@engarde.conf >"$root/DEBIAN/conffiles"
find "$root/usr" "$root/etc" -type d -exec chmod 755 {} +
find "$root/usr" "$root/etc" -type f ! -perm -100 -exec chmod 644 {} +
size=$(du -sk "$root" | cut -f 1)
sed -e "s|@VERSION@|$version|" -e "s|@ARCH@|$arch|" -e "s|@SIZE@|$size|" "$work/deb/control" >"$root/DEBIAN/control"
(cd "$root" && find usr etc -type f | LC_ALL=C sort | tr '\n' '\0' | xargs -0 md5sum >DEBIAN/md5sums)
find "$root" -newermt "@$SOURCE_DATE_EPOCH" -exec touch --no-dereference --date="@$SOURCE_DATE_EPOCH" {} +

mkdir -p "$out"
file=$out/engarde-companion_${version}_$arch.deb
dpkg-deb --root-owner-group -Zxz --build "$root" "$file" >/dev/null
echo "$file"
