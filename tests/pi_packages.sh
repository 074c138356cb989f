#!/bin/sh
# Whether a Raspberry Pi will find what firmware/install.sh asks for, without having one: every apt name in Debian 12
# and 13 for arm64, and a wheel of every locked library for both Pythons. Needs a network, and apt and pip; changes
# nothing. Run it after a change of the lock or of the packages.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=

# Only Raspberry Pi's own archive has these.
THEIRS='python3-picamera2 python3-lgpio'

packages=$(sed -n "/^PACKAGES='/,/'\$/p" firmware/install.sh | tr -d "'" | sed 's/^PACKAGES=//')
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -v security | head -n 1)

apt_names() {
    suite=$1
    mkdir -p "$work/$suite/lists/partial" "$work/$suite/cache/archives/partial"
    echo "deb [trusted=yes arch=arm64] $mirror $suite main" >"$work/$suite/sources.list"
    settings="-o Dir::Etc::sourcelist=$work/$suite/sources.list -o Dir::Etc::sourceparts=- -o APT::Architecture=arm64
        -o APT::Architectures=arm64 -o Dir::State::lists=$work/$suite/lists -o Dir::Cache=$work/$suite/cache
        -o Dir::State::status=/dev/null -o APT::Sandbox::User=root"
    # shellcheck disable=SC2086
    apt-get $settings -qq update
    for package in $packages; do
        case " $THEIRS " in *" $package "*) continue ;; esac
        # A name that only another package provides is found by what installing it would bring.
        # shellcheck disable=SC2086
        if ! apt-get $settings -s --no-install-recommends install "$package" >"$work/said" 2>&1; then
            echo "$suite has no $package: $(tail -n 1 "$work/said")"
            bad=yes
        fi
    done
    echo "$suite: apt names looked up"
}

wheels() {
    awk '/^[A-Za-z]/ { ours = !/^(numpy|pygame-ce)==/ } ours' requirements.lock >"$work/lock"
    if .venv/bin/python -m pip install --disable-pip-version-check -qq --dry-run --ignore-installed --no-deps \
        --require-hashes --only-binary=:all: --platform manylinux2014_aarch64 --platform manylinux_2_28_aarch64 \
        --platform manylinux_2_31_aarch64 --python-version "$1" --implementation cp --target "$work/$1" \
        --requirement "$work/lock"; then
        echo "Python $1: a wheel of every locked library for arm64"
    else
        bad=yes
    fi
}

apt_names bookworm
apt_names trixie
wheels 3.11
wheels 3.13
[ -z "$bad" ]
