"""The tables of a pairs event in PBN: a ScoreTable for each board, a TotalScoreTable for the ranking.

Both are sections of the standard (PBN 2.1 sections 5.9 and 5.10), and so are most columns. Columns of our own, as
section 5.2 allows, say what a reader needs to score the event again: `Adjusted_NS` and `Adjusted_EW` what counts for
a side that has no plain score (`tourney.formats.adjusted`), `Penalty` what was taken from a pair, an exact decimal or
fraction, `CarryOver` what it has brought along, `Direction` the list that it is ranked in, `-` where there is one of
all. The tag `ResultsExpected` is the number of results that a board is scored to (Neuberg), `Session` the session it
counts in.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final

from tourney.bridge import Side
from tourney.formats.pbn import PbnColumn, PbnTable
from tourney.movement.groups import group_letter, group_number
from tourney.movement.ranking import NO_FIGURES
from tourney.report.pair_figures import average_of, format_adjusted, format_figure, format_percentage, pairs_unit
from tourney.results.standings import Standings
from tourney.results.travellers import PlayedLine, PlayedTraveller, StageTravellers
from tourney.scoring.pairs.field import PairsScoring, ScoredLine
from tourney.store.draw.objects import EventInfo, MatchInfo

SCORINGS: Final = {
    PairsScoring.MATCHPOINTS: "MatchPoints",
    PairsScoring.CROSS_IMPS: "IMP;Cross2",
    PairsScoring.BUTLER: "Butler",
}
"""PBN's names for how pairs are scored (section 3.4.11); Cross2 are IMPs per comparison."""


_TAGS: Final = dict.fromkeys(PairsScoring, ("IMP", "IMP_Mean")) | {PairsScoring.MATCHPOINTS: ("MP", "Percentage")}
"""PBN's names of what pairs win, and of what they rank by."""


def pair_numbers(event: EventInfo) -> dict[str, str]:
    """Return the number of each pair in the draw, which identifies it in files; of partners those of both, `1-8`."""
    numbers = {team.name: str(team.number) for team in event.teams}
    for partnership in event.partnerships:
        numbers[partnership.name] = "-".join(str(player.number) for player in partnership.players)
    return numbers


def best_first(lines: Iterable[PlayedLine]) -> list[PlayedLine]:
    """Return the lines that count, the best score for North-South first, those without a plain score last."""
    counting = (line for line in lines if line.scored is not None)
    return sorted(counting, key=lambda line: (line.score is None, -(line.score or 0)))


def pairs_tags(
    stage: StageTravellers, match: MatchInfo, line: PlayedLine | None, numbers: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """Yield the tags of pairs for a game of a match; of its scores only once the board counts."""
    yield "Competition", match.format.pbn_competition
    yield "PairNS", numbers[match.home]
    yield "PairEW", numbers[match.away]
    if stage.expected is not None:
        yield "ResultsExpected", str(stage.expected)
    if line is not None and stage.stage.sessions > 1:
        yield "Session", str(line.session)
    if line is not None and line.section:
        yield "Section", line.section
    if line is None or line.scored is None or line.scored.ns is None or line.scored.ew is None:
        return
    scored = line.scored
    points = " ".join(f"{side} {_points(scored, side)}" for side in Side)
    yield f"Score{_TAGS[stage.scoring][0]}", points
    if scored.top:
        yield "ScorePercentage", " ".join(f"{side} {format_percentage(scored.percentage(side))}" for side in Side)


def score_table(stage: StageTravellers, traveller: PlayedTraveller, numbers: Mapping[str, str]) -> PbnTable:
    """Return the results of a board, a row a table, the best for North-South first."""
    lines, unit, tag = best_first(traveller.lines), pairs_unit(stage.scoring), _TAGS[stage.scoring][0]
    is_adjusted = any(line.score is None for line in lines)
    figures = (f"{tag}_NS", f"{tag}_EW", *unit.if_percent("Percentage_NS", "Percentage_EW"))
    has_sections = any(line.section for line in lines)
    columns = (
        *(PbnColumn(name) for name in (("Section",) if has_sections else ())),
        *(PbnColumn(name) for name in ("Table", "Round", "PairId_NS", "PairId_EW")),
        PbnColumn("Contract", is_left=True),
        *(PbnColumn(name) for name in ("Declarer", "Result")),
        PbnColumn("Lead", is_left=True),
        *(PbnColumn(name) for name in ("Score_NS", "Score_EW", *figures)),
        *(PbnColumn(name, is_left=True) for name in (("Adjusted_NS", "Adjusted_EW") if is_adjusted else ())),
    )
    rows = tuple(
        (
            *((line.section,) if has_sections else ()),
            *(str(line.table), str(line.match.round), numbers[line.ns], numbers[line.ew]),
            *_played(line),
            *_scores(line),
            *(_points(scored, side) for side in Side),
            *unit.if_percent(*(format_percentage(scored.percentage(side)) for side in Side)),
            *((format_adjusted(line, side) for side in Side) if is_adjusted else ()),
        )
        for line in lines
        if (scored := line.scored) is not None
    )
    return PbnTable("ScoreTable", columns, rows)


def _played(line: PlayedLine) -> Sequence[str]:
    """Return contract, declarer, tricks and lead as played at the table."""
    if line.result is None:
        return ("",) * 4
    result = line.result.result
    if result.contract is None:
        return "Pass", "", "", ""
    lead = line.lead.pbn if line.lead is not None else ""
    return str(result.contract), result.contract.declarer.letter, str(result.tricks), lead


def _scores(line: PlayedLine) -> tuple[str, str]:
    """Return the score in the column of the side that has it, as travellers do."""
    if line.score is None:
        return "", ""
    return (str(line.score), "") if line.score >= 0 else ("", str(-line.score))


def _points(scored: ScoredLine, side: Side) -> str:
    return format_figure(scored.points(side), average_of(scored.top))


def total_score_table(stage: StageTravellers, numbers: Mapping[str, str]) -> PbnTable:
    """Return the ranking of a stage, North-South before East-West where the two are ranked apart."""
    penalties, unit = stage.fines, pairs_unit(stage.scoring)
    has_sections = stage.stage.sections > 1
    has_carry_over = any(row.pairs and row.pairs.carried for ranking in stage.rankings for row in ranking.rows)
    names = [
        *(("Section",) if has_sections else ()),
        *("Rank", "PairId", "Direction", "NrBoards"),
        *_TAGS[stage.scoring],
        *(("Penalty",) if penalties else ()),
        *(("CarryOver",) if has_carry_over else ()),
    ]
    rows = []
    for ranking in stage.rankings:
        side = ranking.direction
        for row in ranking.rows:
            figures = row.pairs or NO_FIGURES
            has_rank = figures.level is not None
            level = unit.level(figures.level)
            cells = [
                *((_section_ranked(ranking),) if has_sections else ()),
                *(str(row.rank) if has_rank else "", numbers[row.team], side.value if side is not None else ""),
                *(str(figures.boards), format_figure(figures.points, average_of(figures.available)), level),
                *((_exact(penalties.get(row.team, Fraction())),) if penalties else ()),
                *((_exact(figures.carried or Fraction()),) if has_carry_over else ()),
            ]
            rows.append((*cells, row.team))
    columns = (*map(PbnColumn, names), PbnColumn("Names", is_left=True))
    return PbnTable("TotalScoreTable", columns, tuple(rows))


def _section_ranked(ranking: Standings) -> str:
    """Return the letter of the section that a ranking is of, where each section is ranked by itself."""
    stage = ranking.stage
    assert stage is not None
    assert ranking.group is not None
    return group_letter((group_number(ranking.group) - 1) // (stage.groups // stage.sections))


def _exact(value: Fraction) -> str:
    """Format a penalty or carry-over: `1.5`, or `7/15` where no decimal is exact; nothing for none."""
    if not value:
        return ""
    decimal = value.numerator * 10_000 // value.denominator
    if Fraction(decimal, 10_000) != value:
        return str(value)
    return f"{decimal // 10_000}.{decimal % 10_000:04}".rstrip("0").rstrip(".")
