#!/bin/sh
# A table's entities in the real Home Assistant, the newest that its package index has, with a real Mosquitto between:
#
#   sh tests/bench/home_assistant_in_debian.sh
#
# A match of bots is told by the part that `[home]` starts. Printed are Home Assistant's version, each entity that it made of
# the table with its states, and its state once the table has gone. It fails if one of the five is missing, named otherwise,
# without a state, or still there at the end, and if Home Assistant complains of the table.
#
# Root, mmdebstrap and a network are needed, and some five minutes; KEEP=yes leaves the root
# and what each of the three said. Home Assistant of 2026 wants Python 3.14: Debian forky's.
set -eu
cd "$(dirname "$0")/../.."
# shellcheck disable=SC2016
mirror=${MIRROR:-$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -v security | head -n 1)}
work=$(mktemp -d)
root=$work/forky
port=${PORT:-18830}
started=
clear_away() {
    # shellcheck disable=SC2086
    kill $started 2>/dev/null || true
    umount "$root/proc" 2>/dev/null || true
    if [ -n "${KEEP:-}" ]; then echo "kept: $work"; else rm -rf --one-file-system "$work"; fi
}
trap clear_away EXIT
trap 'exit 1' HUP INT TERM
inside() { chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LANG=C.UTF-8 \
    SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt "$@"; }

mmdebstrap --quiet --variant=apt --aptopt='Acquire::Check-Valid-Until "false"' --include=ca-certificates,python3,python3-venv,mosquitto \
    forky "$root" "$mirror" >"$work/log" 2>&1 || { tail -n 5 "$work/log"; exit 1; }
mount -t proc proc "$root/proc"
cp -L /etc/resolv.conf "$root/etc/resolv.conf"
cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
[ ! -f /etc/pip.conf ] || cp /etc/pip.conf "$root/etc/pip.conf"
inside python3 -m venv /ha
inside /ha/bin/pip install --quiet homeassistant 'paho-mqtt==2.1.0' >"$work/log" 2>&1 || { tail -n 5 "$work/log"; exit 1; }
echo "Home Assistant $(inside /ha/bin/hass --version)"

# Home Assistant reads one line of settings, the broker's entry as its own dialogue would have stored it, and an integration
# that writes down all states each second.
mkdir -p "$root/config/.storage" "$root/config/custom_components/states"
printf 'states:\nhttp:\n  server_port: %s\n' $((port + 1)) >"$root/config/configuration.yaml"
cat >"$root/config/.storage/core.config_entries" <<END
{"version": 1, "minor_version": 5, "key": "core.config_entries", "data": {"entries": [{
 "created_at": "2026-01-01T00:00:00+00:00", "modified_at": "2026-01-01T00:00:00+00:00", "entry_id": "0123456789abcdef0123456789abcdef",
 "domain": "mqtt", "title": "broker", "version": 2, "minor_version": 1, "source": "user", "unique_id": null, "options": {},
 "disabled_by": null, "pref_disable_new_entities": false, "pref_disable_polling": false, "discovery_keys": {}, "subentries": [],
 "data": {"broker": "127.0.0.1", "port": $port, "protocol": "5", "discovery": true}}]}}
END
printf '{"domain": "states", "name": "States", "version": "1.0.0", "requirements": [], "codeowners": [], "dependencies": [], "documentation": "https://localhost", "iot_class": "calculated"}' \
    >"$root/config/custom_components/states/manifest.json"
cat >"$root/config/custom_components/states/__init__.py" <<'END'
import json, os
from datetime import timedelta
from homeassistant.helpers.event import async_track_time_interval

def write(text):
    with open("/config/states.new", "w") as file:
        file.write(text)
    os.rename("/config/states.new", "/config/states.json")

async def async_setup(hass, config):
    async def note(_now):
        states = {each.entity_id: each.state for each in hass.states.async_all()}
        await hass.async_add_executor_job(write, json.dumps(states))
    async_track_time_interval(hass, note, timedelta(seconds=1))
    return True
END
printf 'listener %s 127.0.0.1\nallow_anonymous true\n' "$port" >"$root/etc/mosquitto/table.conf"
inside mosquitto -c /etc/mosquitto/table.conf >"$work/mosquitto" 2>&1 & started="$started $!"
inside /ha/bin/hass --config /config >"$work/hass" 2>&1 & hass=$!; started="$started $hass"
while kill -0 "$hass" 2>/dev/null && [ ! -e "$root/config/states.json" ]; do sleep 1; done
[ -e "$root/config/states.json" ] || { echo 'WRONG: Home Assistant did not begin:'; tail -n 20 "$work/hass"; exit 1; }

PYTHONPATH=. .venv/bin/python - "$root/config/states.json" "$port" <<'END'
import json, sys, time
from random import Random
from types import SimpleNamespace

from engine.rules.track import BySide
from engine.table.desk import Entry
from firmware.extras.club.home import HomeTable
from firmware.extras.club.demo import judged_match
from firmware.core.config import HomeSettings
from firmware.table.loop.moment import People

path, port = sys.argv[1:]
wanted = [f"sensor.engarde_home_cellar_{key}" for key in ("score", "turn", "phase")]
wanted += [f"binary_sensor.engarde_home_cellar_{key}" for key in ("attack", "touch")]
seen = {}

def states():
    with open(path) as file:
        return {key: value for key, value in json.load(file).items() if "engarde" in key or "en_garde" in key}

def look():
    for key, value in states().items():
        if value not in ("unknown", "unavailable") and value not in seen.setdefault(key, []):
            seen[key].append(value)

table = HomeTable(HomeSettings(f"127.0.0.1:{port}", name="cellar"), People(BySide("Ana", "Ben"), "en"), print)
for step in judged_match(Random(1), points=1):
    entry = Entry(0.0, step.event, step.ruling, step.state)
    table.attend(SimpleNamespace(frame=SimpleNamespace(t_s=0.0), desk=SimpleNamespace(state=step.state), entries=(entry,)))
    time.sleep(2)  # states are written down each second
    look()
table.close()
time.sleep(4)
after = states()
for key in sorted({*seen, *after}):
    print(f"  {key}: {', '.join(seen.get(key, ['nothing']))}; after the match {after.get(key, 'gone')}")
wrong = [key for key in wanted if not seen.get(key) or after.get(key) != "unavailable"] + sorted(set(after) - set(wanted))
sys.exit(f"WRONG: {', '.join(wrong)}" if wrong else 0)
END
grep -iE 'engarde|en_garde' "$work/hass" | grep -iE 'warn|error' && { echo 'WRONG: Home Assistant complains of the table'; exit 1; }
echo 'well: five entities, each with its states, and unavailable once the table has gone'
