"""Conditions of contest: what a margin is worth, and how the teams of each stage are ranked."""

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Final

from tourney.conditions.phase import Phase, stage_names
from tourney.conditions.text import Block, Grid, Section, count, items, paragraph, quoted, section
from tourney.config import StageFormat
from tourney.movement.tie_breaks import TieBreak
from tourney.scoring.imps import IMPS_MAX
from tourney.scoring.victory_points import SEED_24, WBF_CONTINUOUS, WBF_DISCRETE, VpScale, format_vp

_COLUMNS_FROM: Final = 14
"""Rows of a table of victory points from which it is set in three columns: it stays on a page."""

_COLUMNS: Final = 3

_SCALES: Final = {
    WBF_CONTINUOUS: "the continuous scale of the World Bridge Federation of 2013",
    WBF_DISCRETE: "the discrete scale of the World Bridge Federation of 2013",
    SEED_24: "the example table for matches of 24 boards in the bridge rules of pagat.com",
}

_WBF_RECIPE: Final = (
    "With X = 15 times the square root of the number of boards and R = (square root of 5) - 2, a margin of I IMPs is "
    "worth 10 + 10 (1 - R^(I/X)) / (1 - R) to the winner, at most 20, and the rest of 20 to the loser; "
)

_RECIPES: Final = {
    WBF_CONTINUOUS: _WBF_RECIPE + "this is rounded to hundredths, and evened out so that no IMP is worth more than "
    "the one before it.",
    WBF_DISCRETE: _WBF_RECIPE + "a step ends where this is half-way to the next whole number, and no step is wider "
    "than the one after it.",
}

TIE_BREAKS: Final = {
    TieBreak.HEAD_TO_HEAD_VP: "victory points in the matches of the tied teams against each other, if all of them "
    "have met equally often",
    TieBreak.HEAD_TO_HEAD_IMPS: "IMPs won less IMPs lost in the matches of the tied teams against each other, if all "
    "of them have met equally often",
    TieBreak.IMP_DIFFERENCE: "IMPs won less IMPs lost in all matches",
    TieBreak.IMP_QUOTIENT: "IMPs won divided by IMPs lost in all matches",
    TieBreak.TOTAL_POINTS_QUOTIENT: "points scored at the team's tables divided by the points that its opponents "
    "scored there",
    TieBreak.BOARDS_WON: "boards won in total points over both rooms, a level board counting as half a board",
    TieBreak.WINS: "matches won",
    TieBreak.LOT: "a lot, drawn once all matches are over",
}
"""Each as an item of a list."""


def alike(phases: Sequence[Phase], of: Callable[[Phase], object]) -> list[list[Phase]]:
    """The stages for which the same is said, in the order of the first of each."""
    found: dict[object, list[Phase]] = {}
    for phase in phases:
        found.setdefault(of(phase), []).append(phase)
    return list(found.values())


def beginning(phases: Sequence[Phase]) -> str:
    """What a paragraph on some stages begins with; nothing where the event has only one."""
    if phases[0].is_only:
        return ""
    names = stage_names(phases)
    return f"{names[0].upper()}{names[1:]}: "


def scoring_section(phases: Sequence[Phase]) -> Section:
    """IMPs, and the victory points of the stages where they count."""
    common = paragraph(
        "Boards are scored in duplicate points (Laws 2017, Law 77). The difference of the two rooms is worth "
        f"IMPs, 0 to {IMPS_MAX} a board (Law 78B), and the IMPs of all boards of the match make its margin."
    )
    by_vp = [phase for phase in phases if phase.ranks_by_vp]
    by_imps = [phase for phase in phases if not phase.ranks_by_vp]
    blocks: list[Block] = [common]
    for same in alike(by_vp, lambda phase: (phase.stage.vp_scale, phase.stage.boards_per_match)):
        blocks += _scale_blocks(same)
    if by_imps:
        blocks.append(paragraph(f"{beginning(by_imps)}The margin decides who has won; victory points do not count."))
    return section("Scoring", *blocks)


def _scale_blocks(phases: Sequence[Phase]) -> Iterator[Block]:
    """`phases` have the same scale and number of boards."""
    stage = phases[0].stage
    name = _SCALES.get(stage.vp_scale, f"the organiser's own scale {quoted(stage.vp_scale)}")
    yield paragraph(
        f"{beginning(phases)}The margin is worth victory points by {name}, for matches of "
        f"{count(stage.boards_per_match, 'board', 'boards')}.",
        _RECIPES.get(stage.vp_scale),
    )
    yield _vp_grid(phases[0].config.scale(stage))


def _vp_grid(scale: VpScale) -> Grid:
    """The steps, each with its range of margins; many of them in columns that are read downwards."""
    margins = [step.least_margin for step in scale.steps]
    ranges = [_range(first, after - 1) for first, after in pairwise(margins)]
    ranges.append(f"{margins[-1]} and more")
    rows = [
        (text, format_vp(step.winner), format_vp(step.loser)) for text, step in zip(ranges, scale.steps, strict=True)
    ]
    columns = _COLUMNS if len(rows) >= _COLUMNS_FROM else 1
    height = -(-len(rows) // columns)
    rows += [("", "", "")] * (height * columns - len(rows))
    return Grid(
        "Margin in IMPs, and the victory points of winner and loser",
        ("IMPs", "Winner", "Loser") * columns,
        tuple(sum((rows[i + height * column] for column in range(columns)), ()) for i in range(height)),
        frozenset(range(3 * columns)),
    )


def standings_section(phases: Sequence[Phase]) -> Section:
    """How teams are ranked in each stage, and over all of them."""
    provisional = (
        "All standings are provisional until the organiser declares them final: a ruling may change a score that is "
        "shown already."
    )
    if phases[0].is_only:
        lead, breaks, shared = _ranking(phases[0])
        return section("Standings", paragraph(*lead), *breaks, paragraph(*shared, provisional))
    blocks: list[Block] = []
    for same in alike(phases, _ranking):
        lead, breaks, shared = _ranking(same[0])
        end = () if breaks else shared
        blocks += [paragraph(beginning(same) + lead[0], *lead[1:], *end), *breaks]
        if breaks and shared:
            blocks.append(paragraph(*shared))
    overall = (
        "In the event teams stand by how far they have come: first those of the last stage in the order of that "
        "stage, then those that were left behind in the stage before it, in the order of that one, and so on."
    )
    in_groups = any(phase.stage.groups > 1 for phase in phases)
    level = "Teams that were left behind in the same place of their groups share theirs."
    return section("Standings", *blocks, paragraph(overall, level if in_groups else None), paragraph(provisional))


def _ranking(phase: Phase) -> tuple[tuple[str, ...], tuple[Block, ...], tuple[str, ...]]:
    """The first sentences on the ranking of a stage, its list of tie-breaks, and what is said after it."""
    if not phase.ranks_by_vp:
        return _knockout_ranking(phase), (), ()
    stage = phase.stage
    rules = stage.ranking_rules(phase.config.scale(stage))
    lead = ["Teams are ranked by victory points."]
    if stage.format is StageFormat.GAUNTLET:
        lead = ["Teams are ranked by victory points a match, those that they bring along included."]
        if stage.carry_over is None:
            lead = ["Teams are ranked by victory points a match."]
    elif stage.groups > 1:
        lead = ["The teams of each group are ranked by victory points."]
    if stage.format is not StageFormat.GAUNTLET:
        lead.append(
            f"A bye is worth {format_vp(rules.bye_vp)} once its round is over; it brings no IMPs, and counts as no "
            "match."
        )
    if phase.late:
        lead.append(f"A round that a team has come too late for is worth {format_vp(rules.late_vp)} to it.")
    breaks = [TIE_BREAKS[name] for name in stage.tie_breaks]
    same = "the same average" if stage.format is StageFormat.GAUNTLET else "the same victory points"
    listing: tuple[Block, ...] = ()
    match breaks:
        case []:
            lead.append(f"Teams with {same} share their rank.")
        case [only]:
            lead.append(f"Teams with {same} are parted by {only}.")
        case _:
            lead.append(
                f"Teams with {same} are parted by the first of these that finds them different; "
                "those that it leaves level are looked at again from the first one on:"
            )
            ends = (f"{text}{';' if text != breaks[-1] else '.'}" for text in breaks)
            listing = (items(ends, ordered=True),)
    after: tuple[str, ...] = ("Teams that are still level share their rank.",) if breaks else ()
    if breaks and stage.tie_breaks[-1] is TieBreak.LOT:
        is_last = phase.number == len(phase.config.stage)
        after = () if is_last else ("Lots come from the boards of the last match of the stage.",)
    return tuple(lead), listing, after


def _knockout_ranking(phase: Phase) -> tuple[str, ...]:
    if phase.stage.format is StageFormat.MATCH:
        return ("The winner of the match is ranked first.",)
    third = ", but for the third and the fourth, whose match parts them" if phase.stage.third_place else ""
    return (
        "Teams are ranked by how far they have come: first those that are still in, then those that were beaten in "
        f"the last round, then those of the round before, and so on. Teams beaten in the same round share their "
        f"rank{third}.",
    )


def _range(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"
