"""``python -m firmware.workshop.kicad``: writes the circuit board into ``hardware/board/``.

It takes a minute or two: the tracks are found anew. With kicad-cli installed the rules of schematic and board are
checked, and gerbers, drills, positions and pictures written; ``--export`` does that alone, with the board as it is.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from firmware.workshop.guide.circuit import circuit
from firmware.workshop.guide.files import HARDWARE
from firmware.workshop.kicad.board_file import board_text, library_texts, screw_text
from firmware.workshop.kicad.footprints import placed
from firmware.workshop.kicad.router import CLEARANCE_MM, TRACK_MM, VIA_DRILL_MM, VIA_MM, route
from firmware.workshop.kicad.schematic_file import LIBRARY, PROJECT, schematic_text, symbols_text

BOARD = HARDWARE / "board"


def main(arguments: Sequence[str] | None = None) -> int:
    """Exit status 0, or 1 when a rule is broken."""
    parser = argparse.ArgumentParser(
        prog="python -m firmware.workshop.kicad", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--out", type=Path, default=BOARD, metavar="DIR", help="the folder (default: %(default)s)")
    parser.add_argument("--export", action="store_true", help="leave the board as it is, check and export it")
    asked = parser.parse_args(arguments)
    if not asked.export:
        for name, text in board_files().items():
            path = asked.out / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8", newline="\n")
    if shutil.which("kicad-cli") is None:
        print("kicad-cli is not installed: nothing was checked or exported.")
        return 0
    broken = rule_faults(asked.out)
    for fault in broken:
        print(fault)
    export(asked.out)
    return 1 if broken else 0


def board_files() -> dict[str, str]:
    """Every file of the project but what kicad-cli writes."""
    parts = placed(circuit())
    return {**drawn_files(), f"{PROJECT}.kicad_pcb": board_text(parts, route(parts))}


def drawn_files() -> dict[str, str]:
    """All of it but the board, which takes its time."""
    table = (
        '({0}_lib_table (version 7) (lib (name "{1}")(type "KiCad")(uri "${{KIPRJMOD}}/{2}")(options "")(descr "")))\n'
    )
    files = {
        f"{PROJECT}.kicad_pro": _project_text(),
        f"{PROJECT}.kicad_sch": schematic_text(placed(circuit())),
        f"{LIBRARY}.kicad_sym": symbols_text(),
        "sym-lib-table": table.format("sym", LIBRARY, f"{LIBRARY}.kicad_sym"),
        "fp-lib-table": table.format("fp", LIBRARY, f"{LIBRARY}.pretty"),
        f"{LIBRARY}.pretty/Screw.kicad_mod": screw_text(),
    }
    return files | {f"{LIBRARY}.pretty/{name}": text for name, text in library_texts().items()}


def _project_text() -> str:
    rules = {"min_clearance": CLEARANCE_MM, "min_copper_edge_clearance": 0.5, "min_track_width": TRACK_MM}
    classes = [
        {
            "name": "Default",
            "clearance": CLEARANCE_MM,
            "track_width": TRACK_MM,
            "via_diameter": VIA_MM,
            "via_drill": VIA_DRILL_MM,
        }
    ]
    project = {
        "board": {"design_settings": {"rules": rules}},
        "meta": {"filename": f"{PROJECT}.kicad_pro", "version": 3},
        "net_settings": {"classes": classes, "meta": {"version": 4}},
        "schematic": {},
        "sheets": [],
    }
    return json.dumps(project, indent=2) + "\n"


def rule_faults(folder: Path) -> list[str]:
    """What kicad-cli finds wrong with schematic and board, warnings too, one line each."""
    found = []
    for words, file in (
        (("sch", "erc"), f"{PROJECT}.kicad_sch"),
        (("pcb", "drc", "--schematic-parity"), f"{PROJECT}.kicad_pcb"),
    ):
        report = folder / "report.json"
        command = ["kicad-cli", *words, "--format", "json", "--severity-all", "-o", report.name, file]
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
        if not report.exists():
            return [f"kicad-cli {' '.join(words)}: {done.stderr.strip() or done.stdout.strip()}"]
        found += [f"{words[1]}: {said}" for said in _faults(json.loads(report.read_text(encoding="utf-8")))]
        report.unlink()
    return found


def _faults(report: dict[str, object]) -> list[str]:
    lists = [report.get(key, []) for key in ("violations", "unconnected_items", "schematic_parity")]
    for sheet in _list(report.get("sheets", [])):
        lists.append(sheet.get("violations", []))
    found = []
    for each in lists:
        for violation in _list(each):
            items = "; ".join(str(item.get("description", "")) for item in _list(violation.get("items", [])))
            found.append(
                f"{violation.get('severity')}: {violation.get('type')}: {violation.get('description')} ({items})"
            )
    return found


def _list(value: object) -> list[dict[str, object]]:
    assert isinstance(value, list)
    return value


def export(folder: Path) -> None:
    """What a board house wants: gerbers and drills, positions, a parts list, and pictures of both sides."""
    layers = "F.Cu,B.Cu,F.Mask,B.Mask,F.SilkS,B.SilkS,Edge.Cuts"
    commands = [
        ["export", "gerbers", "--no-protel-ext", "--layers", layers, "-o", "gerbers/"],
        ["export", "drill", "--format", "excellon", "--excellon-units", "mm", "-o", "gerbers/"],
        ["export", "pos", "--format", "csv", "--units", "mm", "-o", "positions.csv"],
        *(
            ["render", "--side", side, "-w", "1000", "--height", "1000", "-o", f"{side}.png"]
            for side in ("top", "bottom")
        ),
    ]
    (folder / "gerbers").mkdir(exist_ok=True)
    for command in commands:
        words = ["kicad-cli", "pcb", *command, f"{PROJECT}.kicad_pcb"]
        subprocess.run(words, cwd=folder, check=True, capture_output=True)


if __name__ == "__main__":
    raise SystemExit(main())
