"""The tables of a pairs event in PBN: a ScoreTable for each board, a TotalScoreTable for the ranking.

Both are sections of the standard (PBN 2.1 sections 5.9 and 5.10), and so are most columns. Columns of our own, as
section 5.2 allows, say what a reader needs to score the event again: `Adjusted_NS` and `Adjusted_EW` what counts for
a side that has no plain score (`tourney.formats.adjusted`), `Penalty` what was taken from a pair, an exact decimal or
fraction, `Direction` the list that a pair is ranked in, `-` where there is one of all. The tag `ResultsExpected` is
the number of results that a board is scored to (Neuberg).
"""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final

from tourney.bridge import Side
from tourney.formats.adjusted import format_side_result
from tourney.formats.pbn import PbnColumn, PbnTable
from tourney.report.figures import average_of, format_figure
from tourney.results.standings import Standings
from tourney.results.travellers import BoardTraveller, PairsField, TravellerRow
from tourney.scoring.pairs.field import PairsScoring
from tourney.store.draw.objects import MatchInfo

SCORINGS: Final = {
    PairsScoring.MATCHPOINTS: "MatchPoints",
    PairsScoring.CROSS_IMPS: "IMP;Cross2",
    PairsScoring.BUTLER: "Butler",
}
"""PBN's names for how pairs are scored (section 3.4.11); Cross2 are IMPs per comparison."""


def pairs_tags(
    field: PairsField, match: MatchInfo, row: TravellerRow | None, numbers: Mapping[str, int]
) -> Iterator[tuple[str, str]]:
    """Yield the tags of pairs for a game of a match; of its scores only once the board counts."""
    yield "Competition", "Pairs"
    yield "PairNS", str(numbers[match.home])
    yield "PairEW", str(numbers[match.away])
    expected = field.scored.rules.expected
    if expected is not None:
        yield "ResultsExpected", str(expected)
    if row is None:
        return
    line = row.scored
    if line.ns is None or line.ew is None:
        return
    average = average_of(line.top)
    points = " ".join(f"{side} {format_figure(line.points(side) or Fraction(), average)}" for side in Side)
    if field.scoring is not PairsScoring.MATCHPOINTS:
        yield "ScoreIMP", points
        return
    yield "ScoreMP", points
    percentages = [line.percentage(side) for side in Side]
    if None not in percentages:
        yield (
            "ScorePercentage",
            " ".join(
                f"{side} {format_figure(own, 50)}"
                for side, own in zip(Side, percentages, strict=True)
                if own is not None
            ),
        )


def score_table(field: PairsField, traveller: BoardTraveller, numbers: Mapping[str, int]) -> PbnTable:
    """Return the results of a board, a row a table, the best for North-South first."""
    is_matchpoints = field.scoring is PairsScoring.MATCHPOINTS
    is_adjusted = any(row.score_ns is None for row in traveller.rows)
    figures = ("MP_NS", "MP_EW", "Percentage_NS", "Percentage_EW") if is_matchpoints else ("IMP_NS", "IMP_EW")
    columns = (
        *(PbnColumn(name) for name in ("Table", "Round", "PairId_NS", "PairId_EW")),
        PbnColumn("Contract", is_left=True),
        *(PbnColumn(name) for name in ("Declarer", "Result")),
        PbnColumn("Lead", is_left=True),
        *(PbnColumn(name) for name in ("Score_NS", "Score_EW", *figures)),
        *(PbnColumn(name, is_left=True) for name in (("Adjusted_NS", "Adjusted_EW") if is_adjusted else ())),
    )
    rows = tuple(
        (
            *map(str, (row.table, row.round, numbers[row.ns], numbers[row.ew])),
            *_played(row),
            *_scores(row),
            *_figures(row, is_matchpoints=is_matchpoints),
            *((_adjusted(row, Side.NS), _adjusted(row, Side.EW)) if is_adjusted else ()),
        )
        for row in traveller.rows
    )
    return PbnTable("ScoreTable", columns, rows)


def _played(row: TravellerRow) -> Sequence[str]:
    """Return contract, declarer, tricks and lead as played at the table."""
    if row.result is None:
        return ("",) * 4
    contract = row.result.contract
    if contract is None:
        return "Pass", "", "", ""
    lead = row.lead.pbn if row.lead is not None else ""
    return str(contract), contract.declarer.letter, str(row.result.tricks), lead


def _scores(row: TravellerRow) -> tuple[str, str]:
    """Return the score in the column of the side that has it, as travellers do."""
    score = row.score_ns
    if score is None:
        return "", ""
    return (str(score), "") if score >= 0 else ("", str(-score))


def _figures(row: TravellerRow, *, is_matchpoints: bool) -> Iterator[str]:
    line = row.scored
    for side in Side:
        points = line.points(side)
        yield format_figure(points, average_of(line.top)) if points is not None else ""
    if is_matchpoints:
        for side in Side:
            percentage = line.percentage(side)
            yield format_figure(percentage, 50) if percentage is not None else ""


def _adjusted(row: TravellerRow, side: Side) -> str:
    """Return what counts for a side where the two have no plain score in common."""
    if row.score_ns is not None:
        return ""
    line = row.scored.line
    return format_side_result(line.ns_result if side is Side.NS else line.ew_result)


def total_score_table(field: PairsField, standings: Standings, numbers: Mapping[str, int]) -> PbnTable:
    """Return the ranking of a stage, North-South before East-West where the two are ranked apart.

    Args:
        field: the stage.
        standings: those of the event.
        numbers: the numbers of the pairs.
    """
    rankings = [
        ranking
        for ranking in standings.fields or (standings,)
        if ranking.stage is not None and ranking.stage.number == field.stage.number
    ]
    sides = [side.value for side in Side] if len(rankings) == len(Side) else [""] * len(rankings)
    ranked = [
        (side, row)
        for ranking, side in zip(rankings, sides, strict=True)
        for row in ranking.rows
        if row.pairs is not None
    ]
    penalties = {row.team: field.penalty(row.team) for _, row in ranked if row.team in field.scored.totals}
    is_matchpoints = field.scoring is PairsScoring.MATCHPOINTS
    has_penalties = any(penalties.values())
    names = [
        "Rank",
        "PairId",
        "Direction",
        "NrBoards",
        *(["MP", "Percentage"] if is_matchpoints else ["IMP", "IMP_Mean"]),
        *(["Penalty"] if has_penalties else []),
    ]
    rows = []
    for side, row in ranked:
        figures = row.pairs
        assert figures is not None
        average = average_of(figures.available)
        level = format_figure(figures.level, 50 if is_matchpoints else 0) if figures.level is not None else ""
        cells = [str(row.rank) if figures.level is not None else "", str(numbers[row.team]), side]
        cells += [str(figures.boards), format_figure(figures.points, average), level]
        cells += [_exact(penalties.get(row.team, Fraction()))] if has_penalties else []
        rows.append((*cells, row.team))
    columns = (*map(PbnColumn, names), PbnColumn("Names", is_left=True))
    return PbnTable("TotalScoreTable", columns, tuple(rows))


def _exact(value: Fraction) -> str:
    """Format a penalty: `1.5`, or `7/15` where no decimal is exact; nothing for none."""
    if not value:
        return ""
    decimal = value.numerator * 10_000 // value.denominator
    if Fraction(decimal, 10_000) != value:
        return str(value)
    return f"{decimal // 10_000}.{decimal % 10_000:04}".rstrip("0").rstrip(".")
