"""The tables of a pairs event in PBN: a ScoreTable for each board, a TotalScoreTable for the ranking.

Both are sections of the standard (PBN 2.1 sections 5.9 and 5.10), and so are most columns. Columns of our own, as
section 5.2 allows, say what a reader needs to score the event again: `Adjusted_NS` and `Adjusted_EW` what counts for
a side that has no plain score (`tourney.formats.adjusted`), `Penalty` what was taken from a pair, an exact decimal or
fraction, `CarryOver` what it has brought along, `Direction` the list that it is ranked in, `-` where there is one of
all. The tag `ResultsExpected` is the number of results that a board is scored to (Neuberg), `Session` the session it
counts in.
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final

from tourney.bridge import Side
from tourney.contest.draw import MatchInfo
from tourney.formats.pbn.writer import PbnTable
from tourney.movement.groups import group_letter, group_number
from tourney.movement.ranking import NO_FIGURES, StandingRow
from tourney.results.standings import Standings
from tourney.results.travellers import PlayedLine, PlayedTraveller, StageTravellers
from tourney.scoring.pairs.field import PairsScoring
from tourney.scoring.victory_points import format_hundredths
from tourney.store.draw.objects import EventInfo
from tourney.views.pair_figures import format_adjusted, pairs_unit, result_figures
from tourney.views.travellers import in_order, result_row

SCORINGS: Final = {
    PairsScoring.MATCHPOINTS: "MatchPoints",
    PairsScoring.CROSS_IMPS: "IMP;Cross2",
    PairsScoring.BUTLER: "Butler",
}
"""PBN's names for how pairs are scored (section 3.4.11); Cross2 are IMPs per comparison."""


_OPTIONAL: Final = frozenset(
    ("Section", "Percentage_NS", "Percentage_EW", "Adjusted_NS", "Adjusted_EW", "Penalty", "CarryOver")
)
_TEXTS: Final = frozenset(("Contract", "Lead", "Adjusted_NS", "Adjusted_EW", "Names"))


def pair_numbers(event: EventInfo) -> dict[str, str]:
    """Return the number of each pair in the draw, which identifies it in files; of partners those of both, `1-8`."""
    numbers = {team.name: str(team.number) for team in event.teams}
    for partnership in event.partnerships:
        numbers[partnership.name] = "-".join(str(player.number) for player in partnership.players)
    return numbers


def counting(traveller: PlayedTraveller) -> list[PlayedLine]:
    """Return the lines of a board that count, in the order of travellers."""
    return [line for line in in_order(traveller.lines) if line.scored is not None]


def pairs_tags(
    stage: StageTravellers, match: MatchInfo, line: PlayedLine | None, numbers: Mapping[str, str]
) -> Iterator[tuple[str, str]]:
    """Yield the tags of pairs for a game of a match; of its scores only once the board counts."""
    yield "Competition", match.format.pbn_competition
    yield "PairNS", numbers[match.home]
    yield "PairEW", numbers[match.away]
    if stage.expected is not None:
        yield "ResultsExpected", str(stage.expected)
    if line is None:
        return
    if stage.stage.sessions > 1:
        yield "Session", str(line.session)
    if line.section:
        yield "Section", line.section
    row, unit = result_figures(line.scored), pairs_unit(stage.scoring)
    if row.ns_points is None or row.ew_points is None:
        return
    yield f"Score{unit.symbol}", f"NS {format_rounded(row.ns_points)} EW {format_rounded(row.ew_points)}"
    if row.ns_percentage is not None:
        yield "ScorePercentage", f"NS {format_rounded(row.ns_percentage)} EW {format_rounded(row.ew_percentage)}"


def score_table(stage: StageTravellers, traveller: PlayedTraveller, numbers: Mapping[str, str]) -> PbnTable:
    """Return the results of a board, a row a table, the best for North-South first."""
    symbol = pairs_unit(stage.scoring).symbol
    return _table("ScoreTable", [_score_row(line, symbol, numbers) for line in counting(traveller)])


def _score_row(line: PlayedLine, symbol: str, numbers: Mapping[str, str]) -> Mapping[str, object]:
    row = result_row(line)
    figures = row.figures
    return {
        "Section": line.section,
        "Table": row.table,
        "Round": row.round,
        "PairId_NS": numbers[row.ns],
        "PairId_EW": numbers[row.ew],
        "Contract": row.played and row.played.contract,
        "Declarer": row.played and row.played.declarer and row.played.declarer.letter,
        "Result": row.played and row.played.tricks,
        "Lead": row.lead and row.lead.pbn,
        # As on travellers, it is in the column of the side that has it.
        "Score_NS": line.score if line.score is not None and line.score >= 0 else None,
        "Score_EW": -line.score if line.score is not None and line.score < 0 else None,
        f"{symbol}_NS": format_rounded(figures.ns_points),
        f"{symbol}_EW": format_rounded(figures.ew_points),
        "Percentage_NS": format_rounded(figures.ns_percentage),
        "Percentage_EW": format_rounded(figures.ew_percentage),
        "Adjusted_NS": format_adjusted(line.scored, Side.NS),
        "Adjusted_EW": format_adjusted(line.scored, Side.EW),
    }


def total_score_table(stage: StageTravellers, numbers: Mapping[str, str]) -> PbnTable:
    """Return the ranking of a stage, North-South before East-West where the two are ranked apart."""
    ranked = ((ranking, row) for ranking in stage.rankings for row in ranking.rows)
    return _table("TotalScoreTable", [_ranking_row(stage, ranking, row, numbers) for ranking, row in ranked])


def _ranking_row(
    stage: StageTravellers, ranking: Standings, row: StandingRow, numbers: Mapping[str, str]
) -> Mapping[str, object]:
    figures, unit = row.pairs or NO_FIGURES, pairs_unit(stage.scoring)
    return {
        "Section": _section_ranked(ranking) if stage.stage.sections > 1 else None,
        "Rank": row.rank if figures.level is not None else None,
        "PairId": numbers[row.team],
        "Direction": ranking.direction and ranking.direction.value,
        "NrBoards": figures.boards,
        unit.symbol: format_rounded(unit.total_row(figures).total),
        unit.level_symbol: format_rounded(unit.round_level(figures.level)),
        "Penalty": _exact(stage.fines.get(row.team, Fraction())),
        "CarryOver": _exact(figures.carried or Fraction()),
        "Names": row.team,
    }


def _table(name: str, rows: Sequence[Mapping[str, object]]) -> PbnTable:
    """Return a table of rows, each by column; columns that may be left out are if no row has anything there."""
    found = next(iter(rows), {})
    columns = [each for each in found if each not in _OPTIONAL or any(row[each] for row in rows)]
    cells = tuple(tuple(str(row[each] if row[each] is not None else "") for each in columns) for row in rows)
    return PbnTable(name, tuple(columns), cells, _TEXTS)


def format_rounded(figure: float | None) -> str:
    """Return a figure with two decimals; nothing for none."""
    return "" if figure is None else f"{figure:.2f}"


def _section_ranked(ranking: Standings) -> str:
    """Return the letter of the section that a ranking is of, where each section is ranked by itself."""
    stage = ranking.ranked_stage
    assert ranking.group is not None
    return group_letter((group_number(ranking.group) - 1) // (stage.groups // stage.sections))


def _exact(value: Fraction) -> str:
    """Format a penalty or carry-over: `1.5`, or `7/15` where no decimal is exact; nothing for none."""
    if not value:
        return ""
    hundredths = 100 * value
    return format_hundredths(int(hundredths)) if hundredths.denominator == 1 else str(value)
