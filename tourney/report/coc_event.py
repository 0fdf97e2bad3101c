"""Conditions of contest, first half: who meets whom, on which boards, and what a result is worth."""

from datetime import UTC, datetime
from itertools import pairwise
from typing import Final

from tourney.config import EarlyLeavers, EventConfig, SharedDeals, StageConfig, StageFormat
from tourney.movement.round_robin import plan_round_robin
from tourney.movement.tie_breaks import TieBreak
from tourney.report.coc_text import (
    Grid,
    Section,
    code,
    count,
    fine,
    items,
    milliseconds,
    paragraph,
    quoted,
    section,
    times,
)
from tourney.scoring.adjusted import AVERAGE_MINUS, AVERAGE_PLUS, walkover_vp
from tourney.scoring.imps import IMPS_MAX
from tourney.scoring.scale_names import SEED_24, WBF_CONTINUOUS, WBF_DISCRETE
from tourney.scoring.victory_points import format_vp
from tourney.scoring.vp_steps import VpScale

_COLUMNS_FROM: Final = 14
"""Rows of a table of victory points from which it is set in three columns: it stays on a page."""

_COLUMNS: Final = 3

_FORMATS: Final = {
    StageFormat.ROUND_ROBIN: "a round robin: every team meets every other team once",
    StageFormat.DOUBLE_ROUND_ROBIN: "a double round robin: every team meets every other team twice, the second time "
    "with home and away exchanged",
}

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


def event_sections(config: EventConfig, commitment: str | None) -> list[Section]:
    """The sections, in order. `commitment` is the hash that the boards are sealed with, if they are."""
    stage = config.stage[0]
    return [
        _format(config, stage),
        _times(config, stage),
        _boards(config, stage),
        _deals(config, commitment),
        _scoring(config, stage),
        _forfeits(config, stage),
        _standings(config, stage),
    ]


def _format(config: EventConfig, stage: StageConfig) -> Section:
    teams = len(config.team)
    rounds = plan_round_robin(teams, cycles=stage.format.cycles)
    matches = sum(len(round_.pairings) for round_ in rounds)
    bye = None
    if any(round_.bye is not None for round_ in rounds):
        bye = (
            "The number of teams is odd: in every round one team has a bye and does not play, each team "
            f"{times(stage.format.cycles)}."
        )
    return section(
        "Format",
        paragraph(
            f"{teams} teams take part. The stage {quoted(stage.name)} is {_FORMATS[stage.format]}.",
            f"It has {count(len(rounds), 'round', 'rounds')} and {count(matches, 'match', 'matches')} in all. "
            "Who meets whom in which round, and who is the home team, follows from the order of the teams below by "
            "the Berger tables.",
        ),
        paragraph(bye) if bye else None,
        Grid(
            "The teams, in the order of the draw",
            ("No", "Team"),
            tuple((str(number), team.name) for number, team in enumerate(config.team, 1)),
            frozenset({0}),
        ),
    )


def _times(config: EventConfig, stage: StageConfig) -> Section:
    side_by_side = (
        f"At most {count(config.tables.at_once, 'match', 'matches')} of a round are played at the same time; the "
        "others follow as these end."
    )
    if stage.starts is None:
        when = (
            "The first round starts when the organiser starts the event, each later one when the one before is over."
        )
        return section("Times of the rounds", paragraph(when, side_by_side))
    return section(
        "Times of the rounds",
        paragraph(
            "A round starts at its time, or as soon as the one before it is over where that is later.", side_by_side
        ),
        Grid(
            "Start of each round",
            ("Round", "Starts", "In UTC"),
            tuple((str(number), _zoned(start), _utc(start)) for number, start in enumerate(stage.starts, 1)),
            frozenset({0}),
        ),
    )


def _boards(config: EventConfig, stage: StageConfig) -> Section:
    boards, teams = stage.boards_per_match, len(config.team)
    each = boards * (teams - 1) * stage.format.cycles
    pause = config.tables.trick_pause_ms
    shared = {
        SharedDeals.ROUND: "All matches of a round play the same boards.",
        SharedDeals.MATCH: "Every match has boards of its own.",
    }
    return section(
        "Boards and seating",
        paragraph(
            f"A match is played over {count(boards, 'board', 'boards')}, so each team plays {each} in all.",
            "Every board is played twice, by other players who know nothing of each other: in the open room and in "
            "the closed room.",
            shared[config.deals.shared],
        ),
        paragraph(
            "The home team, the one that is named first, sits North-South in the open room and East-West in the "
            "closed room. Dealer and vulnerability are those of the board.",
        ),
        paragraph(
            f"After each trick the table stands still for {milliseconds(pause)}, which is counted as nobody's time."
            if pause
            else "The table does not pause between tricks."
        ),
    )


def _deals(config: EventConfig, commitment: str | None) -> Section:
    deals = config.deals
    if deals.pbn is not None:
        source = "The boards come from a file that the organiser has prepared; it is not shown before the event."
    else:
        drawn = (
            "that the organiser has chosen" if deals.seed is not None else "that is drawn by chance with the schedule"
        )
        source = (
            f"The boards are dealt by computer from a seed {drawn}. The seed is kept secret until the "
            "event is over; then everybody can deal the same boards again from it."
        )
    sealed = None
    if commitment is not None:
        sealed = (
            f"The boards are sealed: their SHA-256, together with a secret number, is {code(commitment)}. After the "
            "event they are published with this number, and everybody can check them with "
            f"{code('tourney deal --check FILE --hash HASH')}."
        )
    return section(
        "Deals",
        paragraph(source, "No deal is dealt again because of how its cards lie."),
        paragraph(sealed) if sealed else None,
        paragraph(
            "A program is dealt its own hand only, and sees dummy when the Laws say so. A board is shown to the "
            "public when both rooms have finished it, not before."
        ),
    )


def _scoring(config: EventConfig, stage: StageConfig) -> Section:
    scale = config.scale(stage)
    name = _SCALES.get(stage.vp_scale, f"the organiser's own scale {quoted(stage.vp_scale)}")
    return section(
        "Scoring",
        paragraph(
            "Boards are scored in duplicate points (Laws 2017, Law 77). The difference of the two rooms is worth "
            f"IMPs, 0 to {IMPS_MAX} a board (Law 78B), and the IMPs of all boards of the match make its margin."
        ),
        paragraph(
            f"The margin is worth victory points by {name}, for matches of "
            f"{count(stage.boards_per_match, 'board', 'boards')}.",
            _RECIPES.get(stage.vp_scale),
        ),
        _vp_grid(scale),
    )


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


def _forfeits(config: EventConfig, stage: StageConfig) -> Section:
    rules = config.rules
    walkover = format_vp(walkover_vp(config.scale(stage)))
    strikes = "However often the programs of a team crash, it is not withdrawn for that."
    if rules.strikes:
        strikes = (
            f"A team whose programs have crashed {times(rules.strikes)} in the event is withdrawn, and forfeits "
            "every match that it has not finished."
        )
    return section(
        "Forfeits, adjusted scores and fines",
        items(
            [
                f"A side that forfeits a board gets {AVERAGE_MINUS} IMPs for it and its opponents +{AVERAGE_PLUS} "
                f"(Law 12C2). Where both teams are at fault both get {AVERAGE_MINUS}.",
                f"A team that forfeits a match gets no victory points. Its opponents get {walkover}, or the victory "
                "points of their margin so far where these are more and at least half of the boards have been "
                "compared. Where both teams forfeit, neither gets anything.",
                "A board that could not be finished through nobody's fault, or by the fault of both sides at once, "
                "is void and played again.",
                f"A fine is {fine(rules.penalty)} unless the director says otherwise; it is taken off the offenders' "
                "score, and their opponents' does not change. Fines in IMPs count before the conversion to victory "
                "points, fines in victory points after it.",
                strikes,
                _leavers(stage, walkover),
                "The director may adjust a score or impose a fine; every ruling is put on record with its reason.",
            ]
        ),
    )


def _leavers(stage: StageConfig, walkover: str) -> str:
    if stage.early_leavers is EarlyLeavers.FORFEIT:
        return "When a team leaves the event, the scores that it has stand, and the matches left are forfeited."
    return (
        "When a team leaves the event before half of its matches were played, all its scores are cancelled, those of "
        "its opponents against it too. When it leaves later, the scores that it has stand, the matches left are "
        "forfeited, and each opponent in these gets the best of its own average, the complement of the average of "
        f"the team that left, and {walkover} victory points."
    )


def _standings(config: EventConfig, stage: StageConfig) -> Section:
    bye_vp = stage.ranking_rules(config.scale(stage)).bye_vp
    breaks = [TIE_BREAKS[name] for name in stage.tie_breaks]
    match breaks:
        case []:
            rule = "Teams with the same victory points share their rank."
        case [only]:
            rule = f"Teams with the same victory points are parted by {only}."
        case _:
            rule = (
                "Teams with the same victory points are parted by the first of these that finds them different; "
                "those that it leaves level are looked at again from the first one on:"
            )
    shared = "Teams that are still level share their rank."
    return section(
        "Standings",
        paragraph(
            "Teams are ranked by victory points.",
            f"A bye is worth {format_vp(bye_vp)} once its round is over; it brings no IMPs, and counts as no match.",
            rule,
        ),
        items((f"{text}{';' if text != breaks[-1] else '.'}" for text in breaks), ordered=True)
        if len(breaks) > 1
        else None,
        paragraph(
            shared if breaks and stage.tie_breaks[-1] is not TieBreak.LOT else None,
            "All standings are provisional until the organiser declares them final: a ruling may change a score that "
            "is shown already.",
        ),
    )


def _range(first: int, last: int) -> str:
    return str(first) if first == last else f"{first}-{last}"


def _zoned(start: datetime) -> str:
    zone = f"{start:%z}"
    return f"{start:%Y-%m-%d %H:%M:%S} " + ("UTC" if zone == "+0000" else f"UTC{zone[:3]}:{zone[3:5]}")


def _utc(start: datetime) -> str:
    return f"{start.astimezone(UTC):%Y-%m-%d %H:%M:%S}"
