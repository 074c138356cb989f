#!/bin/sh
# What the service runs: finds the screen and the sound of the user's session, then becomes the game.
#
# A system service knows nothing of the desktop. On one, the screen is the session's Wayland or X11 socket, which
# appears some time after the service starts: it is waited for. On a system without a desktop nothing is waited for and
# the game draws on the screen itself (kmsdrm).
#
# start.sh lights-out switches every lamp off instead.
set -u
cd "$(dirname "$0")/.." || exit 1

# The Debian package names another folder.
BIN=${ENGARDE_BIN:-.venv/bin}

if [ "${1:-}" = lights-out ]; then exec "$BIN"/python -m firmware.table.panel.lights_out; fi

RUNTIME=${XDG_RUNTIME_DIR:-/run/user/$(id -u)}
X11=${ENGARDE_X11:-/tmp/.X11-unix}
WAIT_S=${ENGARDE_WAIT_S:-90}

wayland() {
    for socket in "$RUNTIME"/wayland-[0-9]*; do
        if [ -S "$socket" ]; then basename "$socket"; return; fi
    done
}

x11() {
    for socket in "$X11"/X[0-9]*; do
        if [ -S "$socket" ]; then echo ":${socket##*/X}"; return; fi
    done
}

has_desktop() {
    [ "$(systemctl get-default 2>/dev/null)" = graphical.target ] && systemctl --quiet is-enabled display-manager 2>/dev/null
}

if [ -d "$RUNTIME" ]; then export XDG_RUNTIME_DIR="$RUNTIME"; fi
if [ -z "${WAYLAND_DISPLAY:-}${DISPLAY:-}${SDL_VIDEODRIVER:-}" ] && has_desktop; then
    waited=0
    while [ -z "$(wayland)$(x11)" ] && [ "$waited" -lt "$WAIT_S" ]; do
        sleep 1
        waited=$((waited + 1))
    done
    # The compositor's socket is there a moment before it answers.
    [ "$waited" = 0 ] || sleep 2
    if [ -n "$(wayland)" ]; then
        WAYLAND_DISPLAY=$(wayland)
        export WAYLAND_DISPLAY
    elif [ -n "$(x11)" ]; then
        DISPLAY=$(x11)
        export DISPLAY
    else
        echo "The desktop's screen did not appear within $WAIT_S seconds; the game goes on without it." >&2
    fi
fi
SET=${XDG_CONFIG_HOME:-${HOME:-}/.config}/engarde
KEPT=${XDG_DATA_HOME:-${HOME:-}/.local/share}/engarde

# A first start was begun and not ended, by whoever left it or by a power cut, but for those who want none; or nothing was
# ever set.
is_first() {
    if [ -e "$KEPT/first-start" ]; then ! grep -qsx forgone "$KEPT/first-start"; return; fi
    [ ! -e "$SET/config.toml" ] && [ ! -e "$SET/menu.toml" ] && [ ! -e "$SET/table.toml" ]
}

# A game that ends again and again is started ever less often: after 0, 3, 9, 21, 45 and then 60 seconds more than systemd
# waits by itself, whose RestartSteps= came after Bookworm. Ten minutes of play, and the next end counts as the first.
ENDS=${RUNTIME_DIRECTORY:-}/ends
if [ -n "${RUNTIME_DIRECTORY:-}" ]; then
    ends=0
    if [ -n "$(find "$ENDS" -mmin -10 2>/dev/null)" ]; then ends=$(cat "$ENDS"); fi
    case $ends in 0) more=0 ;; 1) more=3 ;; 2) more=9 ;; 3) more=21 ;; 4) more=45 ;; *) more=60 ;; esac
    if [ "$more" -gt 0 ]; then
        echo "The game ended early, $ends times running: it starts again in $more seconds." >&2
        sleep "$more"
    fi
    echo $((ends + 1)) >"$ENDS"
fi

if [ -n "${ENGARDE_FIRST:-}" ] && is_first; then
    exec "$BIN"/engarde setup --then-play "$@"
fi
exec "$BIN"/engarde play "$@"
