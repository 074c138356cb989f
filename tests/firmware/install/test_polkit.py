"""The answers of our polkit rules, from the engine that polkit runs them with (Debian: ``duktape``), else from node."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

SERVICE: Final = Path(__file__).parents[3] / "firmware" / "table" / "service"
ENGINE: Final = shutil.which("duk") or shutil.which("node")
LOGIND: Final = "org.freedesktop.login1."
NETWORK: Final = "org.freedesktop.NetworkManager."
OFF: Final = {f"{LOGIND}power-off", f"{LOGIND}power-off-multiple-sessions"}
WIFI: Final = {f"{NETWORK}{name}" for name in (
    "wifi.scan", "network-control", "settings.modify.system", "wifi.share.protected")}  # fmt: skip
OTHERS: Final = {
    *(f"{LOGIND}reboot", f"{LOGIND}halt", "org.freedesktop.systemd1.manage-units", "wifi.scan"),
    *(f"{NETWORK}settings.modify.hostname", f"{NETWORK}enable-disable-network", f"{NETWORK}wifi.share.open"),
}
ASK: Final = """
var rule, polkit = {Result: {YES: "yes", NOT_HANDLED: "not handled"}, addRule: function (each) { rule = each; }};
%s
var answers = %s.map(function (asked) { return rule({id: asked[0]}, {user: asked[1]}); });
(this.print || console.log)(JSON.stringify(answers));
"""


@pytest.mark.skipif(ENGINE is None, reason="neither duktape nor node is installed")
@pytest.mark.parametrize(("name", "allowed"), [("engarde", OFF), ("engarde-wifi", WIFI)])
def test_the_players_user_may_do_that_and_nobody_anything_else(name: str, allowed: set[str], tmp_path: Path) -> None:
    rules = (SERVICE / f"{name}.rules").read_text(encoding="utf-8").replace("@USER@", "ana")
    asked = [(action, user) for action in sorted(OFF | WIFI | OTHERS) for user in ("ana", "ben", "root", "@USER@")]
    script = tmp_path / "ask.js"
    script.write_text(ASK % (rules, json.dumps(asked)), encoding="utf-8")
    answers = subprocess.run([str(ENGINE), str(script)], check=True, capture_output=True, text=True).stdout
    assert {each for each, answer in zip(asked, json.loads(answers), strict=True) if answer == "yes"} == {
        (action, "ana") for action in allowed
    }
