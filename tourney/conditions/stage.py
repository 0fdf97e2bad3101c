"""Conditions of contest: who comes to a stage, how it is drawn, what is brought along, and who wins its matches."""

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from tourney.conditions.phase import Phase
from tourney.conditions.text import Block, Grid, count, items, listed, ordinal, paragraph, quoted, times
from tourney.config import EventConfig, StageFormat
from tourney.config.fit import stage_rounds
from tourney.config.stages import decimal_text
from tourney.movement.carry_over import CarryOver
from tourney.movement.groups import group_letter
from tourney.movement.knockout import EXTRA_TIMES, bracket_size, knockout_rounds

_MEETINGS: Final = {
    StageFormat.ROUND_ROBIN: "a round robin{groups}: every team meets every other team{of} once",
    StageFormat.DOUBLE_ROUND_ROBIN: "a double round robin{groups}: every team meets every other team{of} twice, the "
    "second time with home and away exchanged",
}

_DRAWN_ANEW: Final = "A round is drawn anew when a ruling changes what it hangs on before a board of it is begun."

_SWISS_RULES: Final = (
    "nobody sits out again while somebody has sat out less often;",
    "as few meetings as possible are repeats;",
    "where the number of teams is odd, the lowest team that may sit out does;",
    "nobody is at home more than twice more often than away, or the other way round;",
    "opponents stand as near each other as can be.",
)

_PARTS: Final = {Fraction(0): "nothing", Fraction(1, 3): "a third", Fraction(1, 2): "half", Fraction(1): "all"}


def teams_grid(config: EventConfig) -> Grid:
    """The teams, and from which round they play where some come late."""
    is_late = any(team.enters is not None for team in config.team)
    return Grid(
        "The teams, in the order of the draw",
        ("No", "Team", "From round") if is_late else ("No", "Team"),
        tuple(
            (str(number), team.name, str(team.enters or 1)) if is_late else (str(number), team.name)
            for number, team in enumerate(config.team, 1)
        ),
        frozenset({0, 2}) if is_late else frozenset({0}),
    )


def what_it_is(phase: Phase) -> str:
    """The format, as the end of a sentence."""
    stage = phase.stage
    match stage.format:
        case StageFormat.ROUND_ROBIN | StageFormat.DOUBLE_ROUND_ROBIN:
            if stage.groups == 1:
                return _MEETINGS[stage.format].format(groups="", of="")
            groups = f" in {stage.groups} groups side by side"
            return _MEETINGS[stage.format].format(groups=groups, of=" of its group")
        case StageFormat.SWISS:
            return "a Swiss: in each round teams meet that stand near each other"
        case StageFormat.KNOCKOUT:
            return "a knockout: who loses a match is out"
        case StageFormat.GAUNTLET:
            return f"a gauntlet: {_head(phase)} meets all other teams, which do not meet each other"
        case _:
            return "a single match of two teams"


def how_much(phase: Phase) -> str:
    """Rounds and matches."""
    rounds, matches = count(phase.rounds, "round", "rounds"), count(phase.matches, "match", "matches")
    return f"It has {rounds} and {matches} in all."


def draw_blocks(phase: Phase, said: str) -> Iterator[Block]:
    """How a stage is drawn; `said` is what its first paragraph begins with."""
    match phase.stage.format:
        case StageFormat.ROUND_ROBIN | StageFormat.DOUBLE_ROUND_ROBIN:
            yield from _draw_round_robin(phase, said)
        case StageFormat.SWISS:
            yield from _draw_swiss(phase, said)
        case StageFormat.KNOCKOUT:
            yield from _draw_knockout(phase, said)
        case StageFormat.GAUNTLET:
            side_by_side = "All its matches are played side by side, in one round."
            one_by_one = f"It meets them in the order of {_order(phase)}, one in each round."
            yield paragraph(
                said,
                side_by_side if phase.rounds == 1 and phase.teams > 2 else one_by_one,
                "It is the home team in its first match, and then by turns.",
            )
        case _:
            home = "first team below" if phase.number == 1 else "better seed"
            yield paragraph(said, f"The {home} is the home team.")


def _head(phase: Phase) -> str:
    if phase.number > 1:
        return "the best seed"
    return quoted(phase.stage.against_all or phase.config.team[0].name)


def _order(phase: Phase) -> str:
    return "the teams below" if phase.number == 1 else "the seeds"


def _draw_round_robin(phase: Phase, said: str) -> Iterator[Block]:
    stage, sizes = phase.stage, [len(group) for group in phase.groups]
    order = _order(phase) if stage.groups == 1 else "the teams in each group"
    yield paragraph(
        said,
        f"Who meets whom in which round, and who is the home team, follows from the order of {order} by the Berger "
        "tables.",
    )
    if stage.groups > 1:
        from_order = "the order of the draw" if phase.number == 1 else "the order of the seeds"
        yield paragraph(f"The teams are dealt into the groups to and fro, in {from_order}.")
        yield _groups_grid(phase)
    each = times(stage.format.cycles)
    if stage.groups > 1 and any(size % 2 for size in sizes):
        yield paragraph(
            "In a group with an odd number of teams one of them has a bye in every round and does not play, each "
            f"team {each}."
        )
    elif phase.teams % 2:
        yield paragraph(
            f"The number of teams is odd: in every round one team has a bye and does not play, each team {each}."
        )
    small = min(sizes)
    fewer = stage_rounds(stage.model_copy(update={"groups": 1}), small)
    if fewer < phase.rounds:
        yield paragraph(f"The groups of {small} teams have {count(fewer, 'round', 'rounds')} only.")


def _groups_grid(phase: Phase) -> Grid:
    names = [team.name for team in phase.config.team]
    return Grid(
        "The groups" if phase.number == 1 else "The groups, by seeds",
        ("Group", "Teams" if phase.number == 1 else "Seeds"),
        tuple(
            (group_letter(i), ", ".join(names[seed - 1] if phase.number == 1 else str(seed) for seed in group))
            for i, group in enumerate(phase.groups)
        ),
    )


def _draw_swiss(phase: Phase, said: str) -> Iterator[Block]:
    order = "the draw" if phase.number == 1 else "their seeds"
    yield paragraph(
        said,
        f"In the first round the upper half of the teams, in the order of {order}, meets the lower half: the "
        "first team of the one the first of the other, and so on; of an odd number the last one sits out. Each later "
        "round is drawn when the one before it is over, from the standings then. What counts, the most important "
        "first:",
    )
    yield items(_SWISS_RULES, ordered=True)
    yield paragraph(
        "The home team is the one that has been it less often, counted against away; then the one that was away in "
        "its last match; then at the first, third, ... table of the round the team that stands higher.",
        _DRAWN_ANEW,
    )


def _draw_knockout(phase: Phase, said: str) -> Iterator[Block]:
    stage, size = phase.stage, bracket_size(phase.teams)
    spared = size - phase.teams
    and_so_on = " and so on" if size > 4 else ""
    byes = "Seed 1 has" if spared == 1 else f"The best {spared} seeds have"
    yield paragraph(
        said,
        "The seeds are the numbers of the teams below." if phase.number == 1 else None,
        f"The first round is drawn from a bracket of {size} places, 1 against {size}, 2 against "
        f"{size - 1}{and_so_on}, in which the best two cannot meet before the final."
        if size > 2
        else None,
        f"{byes} no opponent in it and go on without a match." if spared > 1 else None,
        f"{byes} no opponent in it and goes on without a match." if spared == 1 else None,
        "The better seed is the home team.",
    )
    yield paragraph(
        f"The stage ends when {phase.left} teams are left." if phase.rounds < knockout_rounds(phase.teams) else None,
        "Beside the final the two that were beaten in the semi-finals play for third place."
        if stage.third_place
        else None,
        f"Each later round is drawn when the one before it is over. {_DRAWN_ANEW}" if phase.rounds > 1 else None,
    )


def entry_sentences(phase: Phase) -> list[str]:
    """Who goes on to a stage from the one before, and with which seeds; none for the first."""
    before = phase.before
    if before is None:
        return []
    there = quoted(before.stage.name)
    drawn = (
        f"The stage is drawn when {there} is over, and anew when a ruling changes who goes on before a board of it "
        "is begun."
    )
    if not before.ranks_by_vp:
        return [
            f"The {phase.teams} teams that are left after {there} play this stage, seeded as they were there.",
            "A team that has left the event does not go on.",
            drawn,
        ]
    shared = "Teams that share a place there are seeded as they were before."
    if before.stage.groups > 1:
        each = phase.teams // before.stage.groups
        best = "The winner" if each == 1 else f"The best {each}"
        then = ", then the seconds, and so on" if each > 1 else ""
        who = [
            f"{best} of each group of {there} {'goes' if each == 1 else 'go'} on to this stage.",
            f"The winners of the groups are seeded first, in the order of the groups{then}.",
        ]
    elif phase.teams == before.teams:
        who = [f"All {phase.teams} teams of {there} go on to this stage, seeded by their places there."]
    else:
        who = [f"The best {phase.teams} teams of {there} go on to this stage, seeded by their places there."]
    return [*who, shared, "A team that has left the event does not go on; the next one takes its place.", drawn]


def carry_over_sentences(phase: Phase) -> list[str]:
    """What teams bring along from the stage that ranked them; none where they bring nothing."""
    if phase.stage.carry_over is None:
        return []
    rules = phase.stage.carry_over.rules
    there = quoted(phase.ranked_by.stage.name)
    in_group = " (each in its group)" if phase.ranked_by.stage.groups > 1 else ""
    of_group = " (in its group)" if in_group else ""
    into_match = not phase.ranks_by_vp
    unit = "IMPs" if into_match else "victory points"
    most = f", at most {decimal_text(rules.cap)} {unit}" if rules.cap is not None else ""
    if rules.by_rank:
        amounts = f"{_amounts(rules, unit)}, nothing for any other"
        if into_match:
            return [
                f"What a team brings into a match hangs on the ranks of the two teams in {there}{in_group}: "
                f"{amounts}. The team with more brings the difference{most}."
            ]
        return [f"Each team begins with what its rank in {there}{of_group} is worth{most}: {amounts}."]
    if into_match:
        return [
            f"Of the margin in IMPs of the matches of the two teams in {there} the team that was ahead brings a part "
            f"into their match{most}: {_part(rules.won)} when it was ranked higher there (where they share a rank, "
            f"seeded higher), {_part(rules.lost)} when it was ranked lower; to the hundredth of an IMP. Teams that "
            "did not meet there bring nothing."
        ]
    return [f"Each team begins with a part of its victory points of {there}{most}: {_part(rules.won)}."]


def _amounts(rules: CarryOver, unit: str) -> str:
    amounts = enumerate(map(decimal_text, rules.by_rank), 1)
    return listed([f"{amount} {unit} for the {ordinal(rank)}" for rank, amount in amounts])


def _part(part: Fraction) -> str:
    """`half`, `40 percent`, `2/7`."""
    if part in _PARTS:
        return _PARTS[part]
    percent = 100 * part
    return f"{percent} percent" if percent.denominator == 1 else f"{part}"


def winning_sentences(phase: Phase) -> list[str]:
    """Who wins the matches of a knockout; none where victory points count."""
    if phase.ranks_by_vp:
        return []
    stage = phase.stage
    brought = ", what is brought along included" if stage.carry_over is not None else ""
    if not stage.extra:
        return [f"A match is won by IMPs{brought}; a level one goes to the better seed."]
    return [
        f"A match is won by IMPs{brought}. A level one gets {count(stage.extra, 'extra board', 'extra boards')}, up "
        f"to {times(EXTRA_TIMES)}, until it is level no more; then the better seed has won it."
    ]
