"""Results in the XML that fencing's result software exchanges: a competition with its fencers, pools and tableaux.

Its elements are French (``CompetitionIndividuelle``, ``Tireurs``, ``Phases``). We found no public text that
defines it, so this is what public files and the programs that read them agree on: the members below and no more.
"""

from __future__ import annotations

from typing import Final
from xml.etree import ElementTree as Tree

from engine.competition.bouts import Bout, CompetitionError
from engine.competition.competition import Competition
from engine.competition.pools import Pools
from engine.competition.standing import lines_of, placed
from engine.competition.tableau import Tableau

ELSEWHERE: Final = (
    "results.xml has pools and tableaux only: Swiss rounds and leagues are in results.html, results.csv and results.pdf"
)
"""Where to look for what this form has no place for."""


def has_place(now: Competition) -> bool:
    """Whether this form has a place for what is fenced: nothing yet, or a phase at least that is pools or tableau."""
    return not now.phases or any(isinstance(phase, Pools | Tableau) for phase in now.phases)


_TITLES: Final = {2: "Finale", 4: "Demi-finales", 8: "Quarts de finale"}


def results_xml(now: Competition | None) -> str:
    """Fencers, pools and tableaux. Swiss rounds and leagues are left out, which a comment says.

    Raises CompetitionError where there is nothing else: then the file would say that nothing is fenced.
    """
    if now is not None and not has_place(now):
        raise CompetitionError(ELSEWHERE)
    root = Tree.Element("CompetitionIndividuelle", Version="1.0", Championnat="", TitreLong="")
    if now is not None:
        root.set("TitreLong", now.name)
        numbers = {fencer: str(number) for number, fencer in enumerate(now.fencers, 1)}
        places = {fencer: str(place) for place, fencer in now.ranking()}
        people = Tree.SubElement(root, "Tireurs")
        for fencer in now.fencers.values():
            given, _, family = fencer.name.rpartition(" ")
            Tree.SubElement(
                people,
                "Tireur",
                ID=numbers[fencer.id],
                Nom=family.upper(),
                Prenom=given,
                Club=fencer.club,
                Classement=places.get(fencer.id, ""),
            )
        phases = Tree.SubElement(root, "Phases")
        for at, phase in enumerate(now.phases):
            if isinstance(phase, Pools):
                _pools(phases, now, at, phase, numbers)
            elif isinstance(phase, Tableau):
                _tableau(phases, now, at, phase, numbers)
            else:
                phases.append(Tree.Comment(f" {ELSEWHERE}. "))
    Tree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + Tree.tostring(root, encoding="unicode") + "\n"


def _pools(phases: Tree.Element, now: Competition, at: int, phase: Pools, numbers: dict[str, str]) -> None:
    fenced = now.fenced(at)
    name = f"TourPoules{at + 1}"
    top = Tree.SubElement(phases, "TourDePoules", PhaseID=name, ID=str(at + 1), NbDePoules=str(len(phase.groups)))
    for each in now.standing(at):
        Tree.SubElement(top, "Tireur", REF=numbers[each.line.fencer], RangFinal=str(each.place))
    for number, group in enumerate(phase.groups):
        pool = Tree.SubElement(top, "Poule", ID=str(number + 1))
        bouts = phase.pool(number, fenced)
        for each in placed(lines_of(group, bouts), now.lots):
            line = each.line
            Tree.SubElement(
                pool,
                "Tireur",
                REF=numbers[line.fencer],
                NoDansLaPoule=str(group.index(line.fencer) + 1),
                NbVictoires=str(line.victories),
                NbMatches=str(line.bouts),
                TD=str(line.given),
                TR=str(line.received),
                RangPoule=str(each.place),
            )
        for order, bout in enumerate(bouts, 1):
            if not bout.annulled:
                _bout(pool, order, bout, numbers)


def _tableau(phases: Tree.Element, now: Competition, at: int, phase: Tableau, numbers: dict[str, str]) -> None:
    fenced = now.fenced(at)
    top = Tree.SubElement(phases, "PhaseDeTableaux", PhaseID=f"PhaseTableaux{at + 1}", ID=str(at + 1))
    places = {fencer: str(place) for place, fencer in phase.ranking(fenced)}
    for seed, fencer in enumerate(phase.seeds, 1):
        Tree.SubElement(top, "Tireur", REF=numbers[fencer], RangInitial=str(seed), RangFinal=places.get(fencer, ""))
    rounds = phase.rounds(fenced)
    suite = Tree.SubElement(top, "SuiteDeTableaux", ID="A", Titre="Tableau", NbDeTableaux=str(len(rounds)))
    for bouts in rounds:
        size = 2 * len(bouts)
        title = _TITLES.get(size, f"Tableau de {size}")
        tableau = Tree.SubElement(suite, "Tableau", ID=f"A{size}", Titre=title, Taille=str(size))
        for order, bout in enumerate(bouts, 1):
            _bout(tableau, order, bout, numbers)


def _bout(parent: Tree.Element, order: int, bout: Bout, numbers: dict[str, str]) -> None:
    made = Tree.SubElement(parent, "Match", ID=str(order))
    for fencer, touches, side in ((bout.first, bout.touches[0], "D"), (bout.second, bout.touches[1], "G")):
        if fencer is None:
            continue
        one = Tree.SubElement(made, "Tireur", REF=numbers[fencer], Cote=side)
        if bout.winner is not None:
            one.set("Score", str(touches))
            one.set("Statut", "V" if bout.winner == fencer else "D" if bout.scores else "F")
