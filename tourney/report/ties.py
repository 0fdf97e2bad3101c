"""How ties were broken, in words."""

from tourney.movement.tie_breaks import Tie, TieBreakResult, TieStep


def describe_steps(tie: Tie) -> str:
    """Return `Alpha before Beta, Gamma: wins 2, 1, 1; Beta, Gamma share their rank: wins level at 1`."""
    return "; ".join(map(_describe_step, tie.steps))


def _describe_step(step: TieStep) -> str:
    order = " before ".join(", ".join(group) for group in step.groups)
    if step.broken_by is None:
        order += " share their rank"
    results = [_describe_result(result, decided=result is step.broken_by) for result in step.results]
    return ": ".join(filter(None, (order, ", ".join(results))))


def _describe_result(result: TieBreakResult, *, decided: bool) -> str:
    """Describe it: `head-to-head-vp 24.31, 15.69` in the order of the teams, `imp-difference level at +3`."""
    if result.reason:
        return f"{result.criterion} does not say ({result.reason})"
    # Equal quotients may come from different figures, so each team's figure is shown.
    figures = result.figures.values() if decided else dict.fromkeys(result.figures.values())
    return f"{result.criterion}{'' if decided else ' level at'} {', '.join(figures)}"
