"""Ties in victory points in words and as JSON.

Shapes (`N` and `VP` as in `documents`):

ties_document
    {"tie_breaks": [criterion, ...], "explained": [TIE]}
    where TIE is {"rank": N, "vp": VP, "teams": [team, ...], "steps": [STEP]}: teams equal in victory points, in the
    order of the standings, `rank` the best of theirs; STEP is
    {"order": [[team, ...], ...], "asked": [{"criterion", "figures": {team: text} | null, "reason": text | null}]}:
    who came before whom, those in one list still level, and what was asked of them; the last criterion asked is the
    one that parted them, unless `order` is a single list: nothing parts these. `figures` are for people; they are
    null where the criterion could not be asked, and `reason` says why.
"""

from tourney.movement.tie_breaks import Look, Step, Tie
from tourney.report.rulings import Document
from tourney.results.standings import Standings
from tourney.scoring.victory_points import format_vp


def describe_tie(tie: Tie) -> str:
    """One line: `25.50 VP: Alpha before Beta, Gamma: wins 2, 1, 1; Beta, Gamma share their rank: wins level at 1`."""
    return f"{format_vp(tie.vp)} VP: {'; '.join(map(_describe_step, tie.steps))}"


def _describe_step(step: Step) -> str:
    order = " before ".join(", ".join(group) for group in step.groups)
    if step.parted_by is None:
        order += " share their rank"
    looks = [_describe_look(look, parted=look is step.parted_by) for look in step.looks]
    return ": ".join(filter(None, (order, ", ".join(looks))))


def _describe_look(look: Look, *, parted: bool) -> str:
    """`head-to-head-vp 24.31, 15.69`, in the order of the teams; `imp-difference level at +3`."""
    if look.reason:
        return f"{look.criterion} does not say ({look.reason})"
    # Level quotients may come from other figures each.
    figures = look.figures.values() if parted else dict.fromkeys(look.figures.values())
    return f"{look.criterion}{'' if parted else ' level at'} {', '.join(figures)}"


def ties_document(table: Standings) -> Document:
    return {
        "tie_breaks": [tie_break.value for tie_break in table.tie_breaks],
        "explained": [
            {
                "rank": tie.rank,
                "vp": format_vp(tie.vp),
                "teams": list(tie.teams),
                "steps": [
                    {
                        "order": [list(group) for group in step.groups],
                        "asked": [_look_document(look) for look in step.looks],
                    }
                    for step in tie.steps
                ],
            }
            for tie in table.ties
        ],
    }


def _look_document(look: Look) -> Document:
    return {
        "criterion": look.criterion.value,
        "figures": dict(look.figures) or None,
        "reason": look.reason or None,
    }
