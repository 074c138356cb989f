#!/bin/sh
# Makes .venv: the locked libraries and this project, editable. Says nothing and does nothing when that is done.
#
# PYTHON=... names the interpreter to make it with; otherwise the first of Python 3.11 to 3.14 that is found.
# On a Raspberry Pi, pygame comes from apt, as only that one can draw without a desktop; on Bookworm NumPy too, as the
# camera's library is built against NumPy 1. The venv sees them; what else refereeing needs is installed from the lock:
# apt's OpenCV loads 150 libraries, which takes a third of a start. What only clubs need is left out unless CLUB=1 asks for it, once, and so
# are the tools of development unless DEV=1 does.
set -eu
cd "$(dirname "$0")/.."

STAMP=.venv/engarde-stamp
LOG=

say() { printf '%s\n' "$*"; }

fail() {
    if [ -n "$LOG" ] && [ -s "$LOG" ]; then tail -n 25 "$LOG" >&2; fi
    printf 'Setting up failed: %s\n' "$*" >&2
    exit 1
}

# The first line is where the venv was made: one that was moved or copied runs the programs of its old place.
stamp() {
    pwd
    { cat pyproject.toml requirements.lock firmware/setup.sh firmware/packaging/locked.sh && wanted_more; } | cksum
}

# "dev" or "club" where a Pi is to have more than refereeing needs: it was asked for, now or before.
wanted_more() {
    if [ -n "${DEV:-}" ] || [ -e .venv/engarde-dev ]; then
        echo dev
    elif [ -n "${CLUB:-}" ] || ls -d .venv/lib/python3*/site-packages/paho >/dev/null 2>&1; then
        echo club
    fi
}

contents() { ls -d .venv/bin/* .venv/lib/python3*/site-packages/* | grep -v __pycache__; }

# Whether everything the stamp lists is still there; what was added since does no harm. A venv that holds pygame is made
# anew: pygame-ce, which the lock has now, writes into the same folder. So is a Pi's that got tools nobody asked for.
whole() {
    ! ls -d .venv/lib/python3*/site-packages/pygame-*.dist-info >/dev/null 2>&1 || return 1
    [ "$more" = dev ] || ! on_a_pi || ! ls -d .venv/lib/python3*/site-packages/pytest >/dev/null 2>&1 || return 1
    tail -n +3 $STAMP | while IFS= read -r name; do
        [ -e "$name" ] || exit 1
    done
}

runs() { "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))' >/dev/null 2>&1; }
makes_venvs() { "$1" -c 'import ensurepip, venv' >/dev/null 2>&1; }
imports() { "$1" -c "import $2" >/dev/null 2>&1; }
version() { "$1" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null; }
loads() { "$1" -c 'import ctypes, sys; ctypes.CDLL(sys.argv[1])' "$2" >/dev/null 2>&1; }
on_a_pi() { grep -aqs 'Raspberry Pi' /proc/device-tree/model /proc/cpuinfo && command -v apt-get >/dev/null; }

# Sets python to the first that can make a venv, else to the first that runs, else to nothing. A name on the path is no
# promise: version managers put commands there that only say what is not installed.
find_python() {
    python=
    for candidate in ${1:+"$1"} python3 python3.14 python3.13 python3.12 python3.11 /usr/bin/python3; do
        runs "$candidate" || continue
        if makes_venvs "$candidate"; then python=$candidate; return; fi
        [ -n "$python" ] || python=$candidate
    done
}

install_packages() {
    command="apt-get install -y --no-install-recommends $*"
    command -v apt-get >/dev/null ||
        fail "this system has no apt-get. Install what Debian calls $* with its own package manager, then run make again."
    if [ "$(id -u)" = 0 ]; then
        as_root=
    elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
        as_root='sudo -n'
    else
        fail "missing on this system: $*. Run this once, then make again:
    sudo $command"
    fi
    say "Installing $* with apt-get."
    wait='-o DPkg::Lock::Timeout=120'
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get $wait update >"$LOG" 2>&1 || true # old lists may still do
    # shellcheck disable=SC2086
    $as_root env DEBIAN_FRONTEND=noninteractive $command $wait >>"$LOG" 2>&1 </dev/null ||
        fail "this did not work: $command"
    : >"$LOG"
}

# Of pip's settings on this machine only those about how to reach and keep packages are followed. Others could install
# elsewhere, build everything from source, or ask. pip cannot be told to forget one setting, so its files are not read
# at all and what counts is handed on.
REACH='index-url extra-index-url find-links no-index trusted-host proxy cert client-cert timeout default-timeout retries
    cache-dir no-cache-dir no-compile keyring-provider'

keep_reach() {
    settings=$(.venv/bin/python -m pip config list 2>/dev/null || true)
    given=$(env | sed -n 's/^\(PIP_[A-Z_]*\)=.*/\1/p')
    reach=
    for setting in $REACH; do
        name=PIP_$(printf %s "$setting" | tr 'a-z-' 'A-Z_')
        reach="$reach $name"
        if [ -n "$(printenv "$name")" ]; then continue; fi
        value=$(printf '%s\n' "$settings" | sed -n "s/^\(global\|install\)\.$setting='\(.*\)'\$/\2/p" | tail -n 1)
        [ -z "$value" ] || export "$name=$(printf %s "$value" | sed 's/\\n/ /g')"
    done
    for name in $given; do
        case " $reach " in *" $name "*) ;; *) unset "$name" ;; esac
    done
    export PIP_CONFIG_FILE=/dev/null PIP_ROOT_USER_ACTION=ignore
}

pip_install() {
    .venv/bin/python -m pip install --disable-pip-version-check --no-input --no-deps "$@" >"$LOG" 2>&1
}

unset PYTHONPATH PYTHONHOME
more=$(wanted_more)
wanted=${PYTHON:-}

if [ -f $STAMP ] && runs .venv/bin/python && whole && [ "$(head -n 1 $STAMP)" = "$(pwd)" ]; then
    if [ -z "$wanted" ] || [ "$(version "$wanted")" = "$(version .venv/bin/python)" ]; then
        if [ "$(head -n 2 $STAMP)" = "$(stamp)" ]; then exit 0; fi
        keep=yes
    fi
fi

LOG=$(mktemp)
trap 'rm -f "$LOG"' EXIT
trap 'exit 1' HUP INT TERM

if on_a_pi; then
    python=/usr/bin/python3 # the one apt's libraries are for
else
    find_python "$wanted"
    if [ -n "$wanted" ] && [ "$python" != "$wanted" ]; then
        say "PYTHON=$wanted is no Python 3.11 to 3.14 that can make a venv: taking ${python:-another} instead."
    fi
fi

packages=
if [ -z "$python" ] || ! runs "$python"; then
    [ ! -e /usr/bin/python3 ] ||
        fail "Python 3.11 to 3.14 is needed, this system's is $(version /usr/bin/python3). Name another: make PYTHON=/path/to/python3.12"
    install_packages python3 python3-venv
    find_python ''
    [ -n "$python" ] || fail "Python 3.11 to 3.14 is needed. Name one: make PYTHON=/path/to/python3.12"
fi
if ! makes_venvs "$python"; then
    packages="$packages python3-venv"
    if [ "$(version "$python")" != "$(version /usr/bin/python3)" ]; then packages="python$(version "$python")-venv"; fi
fi
loads "$python" libzbar.so.0 || packages="$packages libzbar0"
loads "$python" libglib-2.0.so.0 || packages="$packages libglib2.0-0"
if on_a_pi; then
    imports "$python" numpy || packages="$packages python3-numpy"
    imports "$python" pygame || packages="$packages python3-pygame"
fi
# shellcheck disable=SC2086
[ -z "$packages" ] || install_packages $packages

if [ -n "${keep:-}" ]; then
    say "The list of libraries has changed: bringing .venv up to date."
    rm -f $STAMP
else
    say "Making .venv with Python $(version "$python") and the locked libraries: a minute or two, this once."
    rm -rf .venv
    if on_a_pi; then site=--system-site-packages; else site=; fi
    # shellcheck disable=SC2086
    "$python" -m venv $site .venv >"$LOG" 2>&1 || fail "$python could not make a venv."
fi

keep_reach
if on_a_pi; then
    if [ "$more" = dev ]; then : >.venv/engarde-dev; fi
    sh firmware/packaging/locked.sh "$more" "$(version "$python")" >.venv/requirements.lock
else
    cp requirements.lock .venv/requirements.lock
fi
pip_install --require-hashes --prefer-binary --requirement .venv/requirements.lock ||
    fail "pip could not install the locked libraries. Is there a network?"
pip_install --no-build-isolation --editable . || fail "pip could not install this project."
PYGAME_HIDE_SUPPORT_PROMPT=1 .venv/bin/python -c \
    'import cv2, gpiozero, numpy, platformdirs, pygame.mixer, pyzbar.pyzbar, segno, zxingcpp' >"$LOG" 2>&1 ||
    fail "a library was installed but cannot be loaded."

# Otherwise the first start does it, and takes twice as long.
.venv/bin/python -m compileall -q engine vision display firmware >"$LOG" 2>&1 || fail "the program cannot be compiled."

{ stamp && contents; } >.venv/stamp.new
mv .venv/stamp.new $STAMP
say "Set up: $(pwd)/.venv"
