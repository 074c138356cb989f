#!/bin/sh
# Makes a Raspberry Pi the referee: sh firmware/install.sh, as the user who plays, on Raspberry Pi OS 12 or 13, 64 bit.
#
#   sh firmware/install.sh               installs, or puts right what is missing; may be run as often as you like
#   sh firmware/install.sh --upgrade     fetches the newest release first; --back returns to what was there before it
#   sh firmware/install.sh --uninstall   takes the service away; scorebook, settings and this folder stay
#   sh firmware/install.sh --scoreboard  serves the scoreboard to the network from now on; --no-scoreboard ends that
#   sh firmware/install.sh --dry-run     says what it would do, and does nothing (also with the others)
#
# What the camera, the pins and the screen need comes from apt, the rest from the lock into .venv (see setup.sh). Root
# is asked for through sudo and only where it is needed; the game itself runs as you.
set -eu
cd "$(dirname "$0")/.."
CHECKOUT=$(pwd)

# Stands in front of the system's own paths, so that the script can be tried in a folder.
ROOT=${ENGARDE_ROOT:-}
UNIT=$ROOT/etc/systemd/system/engarde.service
JOURNAL=$ROOT/etc/systemd/journald@engarde.conf
KEEPS=$ROOT/etc/systemd/system/engarde.service.d/installed-lingering
BOARD=$ROOT/etc/systemd/system/engarde.service.d/scoreboard.conf
ANNOUNCED=$ROOT/etc/avahi/services/engarde.service
RULE=$ROOT/etc/polkit-1/rules.d/50-engarde.rules
WIFI=$ROOT/etc/polkit-1/rules.d/51-engarde-wifi.rules
STICKS=$ROOT/etc/udev/rules.d/90-engarde-usb.rules
GROUPS_NEEDED='gpio video render input audio'

# apt's python3-pygame draws without a desktop, where it needs Mesa's drivers; picamera2 is built against apt's NumPy.
PACKAGES='git python3-venv python3-numpy python3-pygame python3-picamera2 python3-lgpio
    libzbar0 libglib2.0-0 libopenblas0-pthread libgbm1 libegl1 libgl1-mesa-dri espeak-ng polkitd
    fonts-dejavu-core fonts-wqy-microhei'

say() { printf '%s\n' "$*"; }
fail() {
    printf 'Not installed: %s\n' "$*" >&2
    exit 1
}

action=install
dry=
scoreboard=
for word; do
    case $word in
        --upgrade) action=upgrade ;;
        --back) action=back ;;
        --uninstall) action=uninstall ;;
        --scoreboard) scoreboard=yes ;;
        --no-scoreboard) scoreboard=no ;;
        --dry-run) dry=yes ;;
        -h | --help)
            sed -n '2,11s/^# \{0,1\}//p' firmware/install.sh
            exit 0
            ;;
        *)
            printf 'There is no option %s; --help lists them.\n' "$word" >&2
            exit 2
            ;;
    esac
done

# Does it, or with --dry-run says so.
run() {
    if [ -n "$dry" ]; then say "would run: $*"; else "$@"; fi
}

as_root() {
    if [ "$(id -u)" = 0 ]; then run "$@"; else run sudo "$@"; fi
}

as_player() {
    if [ "$(id -u)" = 0 ]; then run sudo -u "$PLAYER" "$@"; else run "$@"; fi
}

find_player() {
    PLAYER=$(id -un)
    if [ "$(id -u)" = 0 ]; then PLAYER=${SUDO_USER:-root}; fi
    [ "$PLAYER" != root ] || fail 'the game does not run as root. Log in as the user who plays and run: sh firmware/install.sh'
    [ "$(id -u)" = 0 ] || [ -n "$dry" ] || command -v sudo >/dev/null ||
        fail "sudo is needed for what belongs to the system, and is not there. Run it as root with SUDO_USER=$PLAYER before it."
}

check_system() {
    machine=$(uname -m)
    [ "$machine" = aarch64 ] && [ "$(dpkg --print-architecture)" = arm64 ] ||
        fail "Raspberry Pi OS 64 bit is needed, this system is $machine. Write the 64-bit image to a card."
    codename=$(sed -n 's/^VERSION_CODENAME=//p' "$ROOT/etc/os-release")
    case $codename in
        bookworm | trixie) ;;
        *) fail "Raspberry Pi OS Bookworm or Trixie is needed, this is ${codename:-unknown}." ;;
    esac
    case $CHECKOUT in
        *[!A-Za-z0-9/._\ -]*) fail "the folder $CHECKOUT has a sign in its name that systemd reads otherwise; move it." ;;
    esac
}

# The owner's changes to the board's measures here, and the files firmware.tools.guide made of them, would stop git
# from bringing newer ones: they go to the owner's settings, where the game looks first. The service knows no
# XDG_CONFIG_HOME, so that is ~/.config.
keep_measures() {
    settings=$(getent passwd "$PLAYER" | cut -d: -f6)/.config/engarde
    for file in hardware/table.toml hardware/camera.md hardware/printables/measures.scad; do
        differs=0
        (dry= && as_player git diff --quiet HEAD -- "$file") 2>/dev/null || differs=$?
        # Anything but 1 says that git cannot tell; its own words come with the pull.
        if [ "$differs" != 1 ] || [ ! -f "$file" ]; then continue; fi
        kept=$settings/${file##*/}
        note='; the game goes by it from now on'
        if [ "$file" != hardware/table.toml ]; then
            note=
        elif [ -e "$kept" ] && ! cmp -s "$file" "$kept"; then
            note="; the game goes by $kept as before"
            kept=$settings/table-from-checkout.toml
        fi
        { as_player mkdir -p "$settings" && as_player cp --backup=numbered "$file" "$kept" &&
            as_player git checkout --quiet HEAD -- "$file"; } ||
            fail "you changed $file, and that could not be kept as $kept; copy it there, then: git checkout $file"
        [ -n "$dry" ] || say "You changed $file: that is now $kept, and $file is as it came$note."
    done
}

git_here() { as_player git "$@"; }

# Where a release was left for another, by its name or number; git never looks at this file.
left_at() { git rev-parse --git-path engarde-before; }

# go_to WHAT NAME: that state of the folder, remembering the one it was in.
go_to() {
    before=$(git describe --tags --exact-match 2>/dev/null || git rev-parse HEAD)
    git_here checkout --quiet --detach "$1" ||
        fail "git could not bring $2: git status in this folder names what is in its way."
    moved=yes
    [ -z "$dry" ] || return 0
    printf '%s\n' "$before" | as_player tee "$(left_at)" >/dev/null
    say "This folder is at $2 now, it was at $before."
}

# The newest release that is no trial: v and three numbers.
upgrade() {
    keep_measures
    git_here fetch --quiet --tags ||
        fail 'git could not ask for the newest release: look whether there is a network, and at git remote -v.'
    if [ -n "$dry" ]; then
        say 'would go to the newest release, if this folder is not there yet'
        return 0
    fi
    newest=$(git tag --list 'v*' --sort=-version:refname | grep -xE 'v[0-9]+\.[0-9]+\.[0-9]+' | head -n 1)
    if [ -z "$newest" ]; then
        fail 'there is no release yet. git pull --ff-only brings what is being worked on; then: sh firmware/install.sh'
    elif git merge-base --is-ancestor "refs/tags/$newest" HEAD; then
        say "Nothing newer: $newest is the newest release, and is in this folder."
    else
        go_to "refs/tags/$newest" "$newest"
    fi
}

back() {
    before=$(cat "$(left_at)" 2>/dev/null) ||
        fail 'this folder was never upgraded; git tag lists the releases, and git checkout brings one.'
    keep_measures
    go_to "$before" "$before"
}

installed() { dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null | grep -qx installed; }

# libglib2.0-0 became libglib2.0-0t64 with Trixie.
install_packages() {
    missing=
    for package in $PACKAGES; do
        installed "$package" || installed "${package}t64" || missing="$missing $package"
    done
    if [ -z "$missing" ]; then return; fi
    say "From apt:$missing"
    as_root apt-get update || true # old lists may still do
    # shellcheck disable=SC2086
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $missing ||
        fail "apt could not install$missing. Is there a network?"
}

join_groups() {
    mine=" $(id -nG "$PLAYER") "
    join=
    for group in $GROUPS_NEEDED; do
        getent group "$group" >/dev/null || as_root groupadd --system "$group"
        case $mine in *" $group "*) ;; *) join="$join,$group" ;; esac
    done
    if [ -z "$join" ]; then return; fi
    say "$PLAYER joins ${join#,}."
    as_root usermod -aG "${join#,}" "$PLAYER"
}

# What a file holds; polkit's folder is closed to everybody but root.
held() {
    if [ -r "$1" ]; then
        cat "$1"
    elif [ -z "$dry" ] && [ -d "$(dirname "$1")" ] && [ ! -x "$(dirname "$1")" ]; then
        as_root cat "$1" 2>/dev/null || true
    fi
}

# put FILE TEXT: sets changed where the file was not there or held something else.
put() {
    if [ "$(held "$1")" = "$2" ]; then return; fi
    changed=yes
    say "Writing $1"
    if [ -n "$dry" ]; then return; fi
    text=$(mktemp)
    printf '%s\n' "$2" >"$text"
    as_root install -D -m 644 "$text" "$1"
    rm -f "$text"
}

install_service() {
    put "$RULE" "$(sed "s|@USER@|$PLAYER|" firmware/table/service/engarde.rules)"
    put "$WIFI" "$(sed "s|@USER@|$PLAYER|" firmware/table/service/engarde-wifi.rules)"
    put "$STICKS" "$(sed "s|@USER@|$PLAYER|" firmware/table/service/engarde-usb.rules)"
    changed=
    put "$UNIT" "$(sed -e "s|@USER@|$PLAYER|" -e "s|@CHECKOUT@|$CHECKOUT|" firmware/table/service/engarde.service)"
    put "$JOURNAL" '# The game'\''s journal, in memory: the card is not written to for logs.
[Journal]
Storage=volatile
RuntimeMaxUse=16M'
    set_scoreboard
    # Sound goes through the user's session, which has to be there without anybody logging in.
    if [ "$(loginctl show-user "$PLAYER" --property=Linger --value 2>/dev/null)" != yes ]; then
        as_root loginctl enable-linger "$PLAYER"
        put "$KEEPS" "$PLAYER"
    fi
    if [ -n "$changed" ]; then as_root systemctl daemon-reload; fi
    systemctl --quiet is-enabled engarde.service 2>/dev/null || as_root systemctl enable engarde.service
    # A game that runs on what is installed is not disturbed.
    if [ -n "$changed${UPGRADED:-}" ] || ! systemctl --quiet is-active engarde.service; then
        as_root systemctl restart engarde.service
    fi
}

# A drop-in of the unit that is there once the scoreboard was asked for, and the network's notice of it.
set_scoreboard() {
    if [ "$scoreboard" = no ]; then
        [ -e "$BOARD" ] || return 0
        as_root rm -f "$BOARD" "$ANNOUNCED"
        changed=yes
    elif [ -n "$scoreboard" ] || [ -f "$BOARD" ]; then
        put "$BOARD" '[Service]
ExecStart=
ExecStart=/bin/sh firmware/start.sh --web --web-host 0.0.0.0'
        put "$ANNOUNCED" "$(cat firmware/table/service/engarde-avahi.xml)"
    fi
}

uninstall() {
    if [ -f "$UNIT" ]; then
        as_root systemctl disable --now engarde.service
        if [ -f "$KEEPS" ]; then as_root loginctl disable-linger "$(cat "$KEEPS")"; fi
        as_root rm -rf "$UNIT" "$JOURNAL" "$(dirname "$KEEPS")" "$RULE" "$WIFI" "$STICKS" "$ANNOUNCED"
        as_root systemctl daemon-reload
        say 'The service is gone: the Pi starts as it did before.'
    else
        say 'There is no service to take away.'
    fi
    say "Kept: scorebook and settings in your home, and $CHECKOUT with its .venv; delete them if you want them gone."
}

find_player
if [ "$action" = uninstall ]; then
    uninstall
    exit 0
fi
check_system
if [ "$action" != install ]; then
    moved=
    "$action"
    # The version that is there now installs itself; a match that runs on it already goes on.
    UPGRADED=$moved exec sh firmware/install.sh ${dry:+--dry-run}
fi
# Once more: the install.sh that fetched this one may have been without it.
if [ -n "${UPGRADED:-}" ] && [ -z "$dry" ]; then keep_measures; fi
if [ "$scoreboard" = yes ]; then PACKAGES="$PACKAGES avahi-daemon"; fi
install_packages
as_player sh firmware/setup.sh ||
    fail "the libraries could not be set up; what went wrong stands above.${UPGRADED:+ sh firmware/install.sh --back returns to what was there before.}"
join_groups
install_service
if [ -n "$dry" ]; then exit 0; fi
say 'Installed: the game runs now and starts with the Pi.'
say '  .venv/bin/engarde doctor              what is well and what is not'
say '  journalctl --namespace=engarde        what the game said'
say '  sudo systemctl stop engarde           until the next start of the Pi'
if [ -f "$BOARD" ]; then say "  http://$(hostname).local:8765            the scoreboard, for every phone in this network"; fi
