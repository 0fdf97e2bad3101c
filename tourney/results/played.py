"""The boards of matches with everything on record about them, and their double dummy analyses.

An analysis says what could be made, what par is, and which cards cost tricks.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from tourney.bridge import SEATS, Board, Card, Seat, Side
from tourney.contest.draw import MatchInfo
from tourney.movement.seating import Room, TableInfo
from tourney.results.scorecard import Scales, Scorecard, ScorecardBoard, load_scorecard
from tourney.scoring.double_dummy import BoardWorth, card_costs
from tourney.store.db.database import Database
from tourney.store.draw.objects import BoardRecord, EventInfo, Visibility
from tourney.store.record.live import Seating, load_seatings
from tourney.store.results.matches import (
    load_board_records,
    load_board_worths,
    load_match_boards,
    load_play_tricks,
)
from tourney.store.results.secrecy import HiddenBoards, load_hidden_boards
from tourney.store.rulings import IncidentInfo, load_incidents


@dataclass(frozen=True, slots=True)
class CostlyCard:
    """A card that cost its side tricks; `number` counts the cards of the board from 1, the lead."""

    number: int
    seat: Seat
    card: Card
    tricks: int


@dataclass(frozen=True, slots=True)
class AnalysedPlay:
    """A board's play at one table: the tricks that declarer could have made, and those that were given away."""

    room: Room
    possible: int
    made: int
    costs: tuple[CostlyCard, ...]
    """Costly cards, in the order of play."""

    @property
    def cost_by_number(self) -> dict[int, int]:
        """Tricks that each card cost, by number of the card; cards that cost nothing are omitted."""
        return {cost.number: cost.tricks for cost in self.costs}

    def lost(self, side: Side) -> int:
        """Return how many tricks a side's cards cost it."""
        return sum(cost.tricks for cost in self.costs if cost.seat.side is side)


@dataclass(frozen=True, slots=True)
class AnalysedBoard:
    """A solved board with its plays."""

    number: int
    worth: BoardWorth
    plays: tuple[AnalysedPlay, ...]
    """One for each room in which cards were played to a result, as far as they have been solved."""

    def play(self, room: Room) -> AnalysedPlay | None:
        """Return the play in one room, or None."""
        return next((play for play in self.plays if play.room is room), None)


def load_analysis(
    database: Database, match: MatchInfo, records: Mapping[int, Mapping[Room, BoardRecord]]
) -> dict[int, AnalysedBoard]:
    """Load the analyses of a match's boards that have been solved, by number.

    Args:
        database: where analyses are kept.
        match: the match.
        records: the boards that may be shown, since an analysis reveals all hands: those that all tables have
            finished, in the order wanted.

    Raises:
        StoreError: the database cannot be used, or a stored analysis is malformed.
    """
    if not records:
        return {}
    worths = load_board_worths(database, match.board_set_id)
    if not worths:
        return {}
    tricks = load_play_tricks(database, match)
    return {
        number: AnalysedBoard(
            number,
            worths[number],
            tuple(
                _analysed(room, record, tricks[room, number])
                for room, record in rooms.items()
                if (room, number) in tricks
            ),
        )
        for number, rooms in records.items()
        if number in worths
    }


def _analysed(room: Room, record: BoardRecord, tricks: tuple[int, ...]) -> AnalysedPlay:
    assert record.result is not None  # what was solved has a contract
    contract = record.result.result.contract
    assert contract is not None
    by_declarer = [card.seat.side is contract.declarer.side for card in record.cards]
    costs = tuple(
        CostlyCard(number, record.cards[number - 1].seat, record.cards[number - 1].card, cost)
        for number, cost in card_costs(tricks, by_declarer)
    )
    return AnalysedPlay(room, tricks[0], record.result.result.tricks, costs)


@dataclass(frozen=True, slots=True)
class PlayedBoard:
    """A board that all its tables have finished."""

    board: Board
    line: ScorecardBoard
    """What is on the scorecard of the match."""
    records: Mapping[Room, BoardRecord]
    """Records by room, the open room first; a room where the board was forfeited before it began has none."""
    analysis: AnalysedBoard | None
    """Its double dummy analysis; None if it has not been solved."""

    def figures_at(self, room: Room, home: str) -> tuple[int, int]:
        """Return the figures of North-South and of East-West in a room, given the name of the home team."""
        compared = self.line.comparison
        assert compared is not None
        figures = compared.imps_home, compared.imps_away
        return figures if self.line.tables[room].side_of(home) is Side.NS else figures[::-1]


@dataclass(frozen=True, slots=True)
class PlayedMatch:
    """A match as far as it has been played, without the boards that not all tables have finished."""

    card: Scorecard
    boards: tuple[PlayedBoard, ...]
    """The boards, in the order of play."""
    incidents: tuple[IncidentInfo, ...]
    """Incidents, the oldest first, without those on omitted boards."""
    seated: tuple[Seating, ...] = ()
    """In a game of a lobby, who took the seats, in the order of time."""
    is_cancelled: bool = False
    """Whether it does not count because a team left early."""

    def names_at(self, table: TableInfo, at_ms: int | None) -> tuple[str, ...]:
        """Return who sat at a table at a time, by seat: the players of a lobby, else the teams."""
        names = {seat: self.match.player_at(table, seat) for seat in SEATS}
        names |= {each.seat: each.team for each in self.seated if at_ms is None or each.seated_at_ms <= at_ms}
        return tuple(names[seat] for seat in SEATS)

    @property
    def match(self) -> MatchInfo:
        return self.card.match

    @property
    def records(self) -> dict[int, Mapping[Room, BoardRecord]]:
        """The records of each board, by its number."""
        return {board.board.number: board.records for board in self.boards}


def iter_played(
    database: Database,
    event: EventInfo,
    matches: Iterable[MatchInfo],
    scales: Scales,
    hidden: HiddenBoards | None = None,
    cancelled: Collection[int] = (),
) -> Iterator[PlayedMatch]:
    """Load matches with their records, one at a time.

    `scales` and `hidden` are as for `load_scorecard`; `cancelled` are the numbers of matches that do not count.

    Raises:
        StoreError: the database cannot be used.
    """
    if hidden is None:
        # Loaded once for all matches: boards that finish in the meantime stay hidden in this report.
        hidden = load_hidden_boards(database, event)
    # Matches of a round mostly play the same boards.
    set_id, played = None, tuple[Board, ...]()
    for match in matches:
        if match.board_set_id != set_id or len(played) != match.boards:
            set_id, played = match.board_set_id, load_match_boards(database, match)
        card = load_scorecard(database, event, match, scales.get(match.stage), hidden, played)
        # Loaded after the card, so that they include every board the card shows.
        records: defaultdict[int, dict[Room, BoardRecord]] = defaultdict(dict)
        for record in load_board_records(database, match, played):
            records[record.board.number][record.room] = record
        shown = {
            line.number: {room: records[line.number][room] for room in line.tables if room in records[line.number]}
            for line in card.boards
            if line.imps is not None
        }
        analysis = load_analysis(database, match, shown)
        boards = tuple(
            PlayedBoard(board, line, shown[line.number], analysis.get(line.number))
            for board, line in zip(played, card.boards, strict=True)
            if line.number in shown
        )
        incidents = load_incidents(database, event.id, match)
        if event.visibility is not Visibility.EVERYTHING:
            incidents = [found for found in incidents if not found.is_for_director]
        seated = load_seatings(database, [match.tables[0].id]) if match.format.is_open else ()
        yield PlayedMatch(
            card,
            boards,
            tuple(found for found in incidents if card.shows(found.board)),
            tuple(seated),
            match.number in cancelled,
        )
