"""A board at all tables of a round of teams."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tourney.bridge import Seat, Vulnerability
from tourney.movement.seating import Room
from tourney.results.scorecard import Scorecard, ScorecardBoard
from tourney.scoring.board_scale import BoardScale
from tourney.store.draw.objects import BoardResult, EventInfo, MatchInfo, RoundInfo, TableInfo


@dataclass(frozen=True, slots=True)
class FieldTable:
    """What a table made of a board."""

    match: MatchInfo
    table: TableInfo
    result: BoardResult | None
    """None if it has no result there."""
    imps: int
    """What the team that sits North-South won on it, over both rooms of its match, as a figure of its scale."""
    is_ruled: bool
    """Whether a ruling has changed its score."""

    @property
    def room(self) -> Room:
        return self.table.room


@dataclass(frozen=True, slots=True)
class FieldBoard:
    """A board with the tables that have played it, the best for North-South first."""

    number: int
    dealer: Seat
    vulnerability: Vulnerability
    scale: BoardScale
    """How the board is scored."""
    tables: tuple[FieldTable, ...]
    frequencies: Mapping[int, int]
    """How many tables have each score of North-South, the best first."""


def shares_boards(round_: RoundInfo) -> bool:
    """Whether several matches of a round, each in two rooms, play the same boards."""
    matches = round_.matches
    return (
        len(matches) > 1
        and len({match.board_set_id for match in matches}) == 1
        and all(len(match.segments[0].tables) == 2 for match in matches)
    )


def compare_field(event: EventInfo, cards: Iterable[Scorecard]) -> dict[int, tuple[FieldBoard, ...]]:
    """Returns the boards that are shown of each round whose matches play the same ones, by number of the round."""
    shared = {round_.number for round_ in event.rounds if shares_boards(round_)}
    found: defaultdict[int, defaultdict[int, list[tuple[MatchInfo, ScorecardBoard]]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for card in cards:
        if card.match.round in shared:
            for line in card.boards:
                if line.imps is not None:
                    found[card.match.round][line.number].append((card.match, line))
    return {
        number: tuple(_board(lines) for _, lines in sorted(boards.items()))
        for number, boards in sorted(found.items())
    }


def _board(lines: list[tuple[MatchInfo, ScorecardBoard]]) -> FieldBoard:
    tables = [
        FieldTable(
            match=match,
            table=table,
            result=line.results.get(room),
            imps=(line.imps if table.ns_team == match.home else line.imps_away) or 0,
            is_ruled=bool(line.rulings),
        )
        for match, line in lines
        for room, table in line.tables.items()
    ]
    tables.sort(key=lambda each: (each.result is None, -each.result.result.score if each.result else 0))
    scores = Counter(each.result.result.score for each in tables if each.result is not None and not each.is_ruled)
    match, first = lines[0]
    frequencies = dict(sorted(scores.items(), reverse=True))
    return FieldBoard(first.number, first.dealer, first.vulnerability, match.board_scale, tuple(tables), frequencies)
