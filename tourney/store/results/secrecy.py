"""Secrecy: a board is shown only when nobody in the whole database still has its hands to play.

A program can read pages, exports and reports while it plays, so the rule asks for the hands, not for the event or the
number: two events with one seed or one PBN file, a file with a deal twice, a match that plays a deal again with the
hands turned round the table. Dealer, vulnerability and number make no difference to what a reader would know.

The hands of every board are on record from the moment an event is drawn, also those of rounds that are drawn later.
Still to be played are

- the boards that a table of a match without a score has not finished, or has to replay;
- the extra boards of a match without a score, which may be tied;
- the boards of rounds that are not drawn yet.

An event whose results are final has nothing left to play, however much of it was left unplayed. In a match itself, a
board that a ruling has decided is shown although one of its tables may still play it: nothing depends on that.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import Final, TypeAlias

from sqlalchemy import Connection, bindparam, exists, false, func, select

from tourney.protocol.session.records import RulingKind
from tourney.store.db.database import Database
from tourney.store.db.queries import load_rows
from tourney.store.draw.objects import EventInfo, MatchInfo, Sight
from tourney.store.models import (
    BoardAttempt,
    BoardRow,
    BoardSet,
    DealRow,
    Event,
    Finalisation,
    Match,
    MatchResult,
    Round,
    StageRow,
    TableRow,
    TableState,
)
from tourney.store.rulings import RulingInfo

_Hands: TypeAlias = tuple[str, ...]
"""The four hands of a deal, whoever holds which."""

_TOLD_LATER: Final = "on a board that is still to be played"
"""In place of the reason of a ruling on a hidden board."""

_Owner: TypeAlias = tuple[int, int] | None
"""Who still has hands to play: one match (its id) as one board (its number); None for several, or not yet known."""

_SETS_MAX: Final = 200
"""How many sets are named in a query; of more, those of whole events are read. SQLite takes 32,766 values."""

_Span: TypeAlias = tuple[int, int | None, int, int | None, frozenset[int]]
"""Boards of a set that a match (its id) has to play: at which table (its id; None for extra boards, which have none
yet), from a position to before another, without finished ones."""


@dataclass(frozen=True, slots=True)
class HiddenBoards:
    """The boards of an event that must not be shown: somebody, in some event, still has their hands to play."""

    by_set: Mapping[int, Mapping[int, _Owner]] = field(default_factory=dict)
    """Who still has the hands to play, by the id of a set and the number of a board, for boards that anybody has."""
    seeds: Collection[str] = frozenset()
    """The seeds of events with boards still to be played, which would tell what they are."""
    in_totals: bool = False
    """Whether the boards count in totals all the same."""

    def shown_seed(self, event: EventInfo) -> str | None:
        """Return the seed of an event; None while an event with this seed has boards to play."""
        return event.seed if event.seed not in self.seeds else None

    def is_free(self, match: MatchInfo, number: int) -> bool:
        """Return whether nobody at all, the tables of the match included, still has a board of it to play."""
        return number not in self.by_set.get(match.board_set_id, {})

    def of_match(self, match: MatchInfo) -> frozenset[int]:
        """Return the numbers of the hidden boards of a match."""
        boards = self.by_set.get(match.board_set_id, {})
        return frozenset(number for number, owner in boards.items() if owner != (match.id, number))


def load_hidden_boards(database: Database, event: EventInfo, board_set_id: int | None = None) -> HiddenBoards:
    """Load the boards of an event, or of one of its sets, that must not be shown to who looks at it (`event.sight`).

    They count in totals if the organiser has chosen so, or has made the results final and so published them.

    Raises:
        StoreError: the database cannot be used.
    """
    if event.sight is Sight.EVERYTHING:
        return HiddenBoards()
    with database.read() as connection:
        events = {row.id: row.seed for row in connection.execute(_UNFINISHED_EVENTS)}
        if not events:
            return HiddenBoards()
        in_totals = event.sight is Sight.WHOLE_TOTALS or bool(
            connection.scalar(select(_LAST_WORD).where(Event.id == event.id))
        )
        is_asked = (
            BoardRow.board_set_id == board_set_id if board_set_id is not None else BoardSet.event_id == event.id
        )
        asked = [
            (row.board_set_id, row.number, _hands(row.hands)) for row in connection.execute(_BOARDS.where(is_asked))
        ]
        owners = _load_owners(connection, events, {hands for _, _, hands in asked})
    hidden: defaultdict[int, dict[int, _Owner]] = defaultdict(dict)
    for set_id, number, hands in asked:
        if hands in owners:
            hidden[set_id][number] = owners[hands]
    return HiddenBoards(dict(hidden), frozenset(events.values()), in_totals)


def load_last_tables(database: Database, event_id: int) -> frozenset[int]:
    """Load the tables of an event, by id, that play a board whose hands nobody else in any event has to play.

    What the four at such a table know of its board is a secret to nobody who could make use of it.

    Raises:
        StoreError: the database cannot be used.
    """
    with database.read() as connection:
        events = set(connection.scalars(_UNFINISHED_EVENTS))
        in_play = {
            _hands(row.hands): (row.table_id, row.board)
            for row in connection.execute(_IN_PLAY, {"event_id": event_id})
        }
        if not in_play:
            return frozenset()
        left = _load_places(connection, events, in_play)
    return frozenset(place[0] for hands, place in in_play.items() if left[hands] == {place})


def load_tables_to_play(database: Database, match: MatchInfo, board: int) -> frozenset[int | None]:
    """Load the tables of all events, by id, that still have the hands of a board of a match to play.

    None stands for tables that do not exist yet: of rounds to be drawn, and of extra boards.

    Raises:
        StoreError: the database cannot be used.
    """
    with database.read() as connection:
        events = set(connection.scalars(_UNFINISHED_EVENTS))
        is_it = (BoardRow.board_set_id == match.board_set_id) & (BoardRow.number == board)
        wanted = {_hands(row.hands) for row in connection.execute(_BOARDS.where(is_it))}
        left = _load_places(connection, events, wanted)
    return frozenset(table_id for places in left.values() for table_id, _ in places)


def _load_places(
    connection: Connection, events: Collection[int], wanted: Collection[_Hands]
) -> defaultdict[_Hands, set[tuple[int | None, int]]]:
    """Load where hands are still to be played, by the hands: tables, None for one to come, and numbers of boards."""
    undrawn = set(connection.scalars(_UNDRAWN_SETS.where(BoardSet.event_id.in_(events))))
    boards = [
        (row, hands)
        for row in connection.execute(_BOARDS.where(BoardSet.event_id.in_(events)))
        if (hands := _hands(row.hands)) in wanted
    ]
    spans = _load_spans(connection, events, {row.board_set_id for row, _ in boards})
    left: defaultdict[_Hands, set[tuple[int | None, int]]] = defaultdict(set)
    for row, hands in boards:
        if row.board_set_id in undrawn:
            left[hands].add((None, row.number))
        left[hands] |= {
            (table_id, row.number)
            for _, table_id, first, end, finished in spans[row.board_set_id]
            if first <= row.position and (end is None or row.position < end) and row.number not in finished
        }
    return left


def load_shown_rulings(database: Database, event: EventInfo, rulings: Iterable[RulingInfo]) -> list[RulingInfo]:
    """Take from rulings what would tell how hidden boards were played.

    Of a board that is forfeited or cancelled only that is left, and which match it is of; rulings that give another
    score are left out. So are all on matches that the event, as given, does not have.

    Raises:
        StoreError: the database cannot be used.
    """
    matches = {match.number: match for match in event.matches}
    given = [ruling for ruling in rulings if ruling.match is None or ruling.match in matches]
    if all(ruling.board is None for ruling in given):
        return given
    hidden = load_hidden_boards(database, event)
    shown = []
    for ruling in given:
        if ruling.match is None or ruling.board not in hidden.of_match(matches[ruling.match]):
            shown.append(ruling)
        elif ruling.kind in (RulingKind.BOARD_FORFEIT, RulingKind.BOARD_CANCELLED):
            shown.append(replace(ruling, board=None, room=None, attempt=None, ended=None, reason=_TOLD_LATER))
    return shown


def load_events_with_deals(database: Database, name: str, deals: Iterable[str] = ()) -> dict[str, int]:
    """Load which other events have deals of an event, whoever holds which hand: how many, by the name of the event.

    Args:
        database: the record.
        name: the event.
        deals: deals as PBN has them that it will have, if it is not on record yet.

    Raises:
        StoreError: the database cannot be used.
    """
    by_event = defaultdict[str, set[_Hands]](set)
    for event, hands in load_rows(database, select(Event.name, DealRow.hands).join_from(Event, DealRow)):
        by_event[event].add(_hands(hands))
    own = by_event.pop(name, set()) | {_hands(deal) for deal in deals}
    return {other: len(hands & own) for other, hands in sorted(by_event.items()) if hands & own}


@lru_cache(maxsize=1024)  # live pages ask for the same deals at every look
def _hands(deal: str) -> _Hands:
    """Return what makes two deals the same: `N:AK... QJ... ...` without who holds which hand."""
    return tuple(sorted(deal[2:].split()))


def _load_owners(connection: Connection, events: Collection[int], asked: Collection[_Hands]) -> dict[_Hands, _Owner]:
    """Load who still has the hands asked for to play, or may have to, by the hands; hands of nobody are left out."""
    # First: a round that is drawn in the meantime counts here already, and if it were later would count nowhere.
    undrawn = set(connection.scalars(_UNDRAWN_SETS.where(BoardSet.event_id.in_(events))))
    unscored = select(Match.board_set_id).where(_HAS_NO_SCORE)
    to_come = BoardSet.id.in_(unscored) | BoardSet.id.in_(_UNDRAWN_SETS)
    boards = [
        (row, hands)
        for row in connection.execute(_BOARDS.where(BoardSet.event_id.in_(events), to_come))
        if (hands := _hands(row.hands)) in asked
    ]
    spans = _load_spans(connection, events, {row.board_set_id for row, _ in boards})
    owners: defaultdict[_Hands, set[_Owner]] = defaultdict(set)
    for row, hands in boards:
        is_undrawn = row.board_set_id in undrawn
        owners[hands] |= {None} if is_undrawn else _owners(spans[row.board_set_id], row.number, row.position)
    return {hands: found.pop() if len(found) == 1 else None for hands, found in owners.items() if found}


def _load_spans(
    connection: Connection, events: Collection[int], sets: Collection[int]
) -> defaultdict[int, set[_Span]]:
    """Load what the matches without a score have left of these sets, by the id of the set."""
    of_sets = Match.board_set_id.in_(sets) if len(sets) <= _SETS_MAX else Match.event_id.in_(events)
    finished: defaultdict[int, set[int]] = defaultdict(set)
    for table_id, board in connection.execute(_FINISHED.where(of_sets)).all():  # at once, as there are many
        finished[table_id].add(board)
    spans: defaultdict[int, set[_Span]] = defaultdict(set)
    for row in connection.execute(_UNSCORED_TABLES.where(of_sets)):
        done = frozenset(finished.get(row.id, ()))
        end = row.first_position + row.boards
        spans[row.board_set_id].add((row.match_id, row.id, row.first_position, end, done))
        spans[row.board_set_id].add((row.match_id, None, row.boards_of_match, None, frozenset()))
    return spans


def _owners(spans: Iterable[_Span], number: int, position: int) -> set[_Owner]:
    """Return who still has a board to play; two at most, which is as good as more."""
    owners: set[_Owner] = set()
    for match_id, _, first, end, finished in spans:
        if first <= position and (end is None or position < end) and number not in finished:
            owners.add((match_id, number))
            if len(owners) > 1:
                break
    return owners


# Statements are built once

_HAS_NO_SCORE: Final = ~exists().where(MatchResult.match_id == Match.id)
_IS_UNDRAWN: Final = exists().where(
    StageRow.event_id == Event.id, Round.stage_id == StageRow.id, Round.drawn_at_ms.is_(None)
)
_LAST_WORD: Final = (
    select(Finalisation.is_final)
    .where(Finalisation.event_id == Event.id)
    .order_by(Finalisation.id.desc())
    .limit(1)
    .scalar_subquery()
)

_UNFINISHED_EVENTS: Final = select(Event.id, Event.seed).where(
    func.coalesce(_LAST_WORD, false()).is_(false()),
    _IS_UNDRAWN | exists().where(Match.event_id == Event.id, _HAS_NO_SCORE),
)

_UNDRAWN_SETS: Final = (
    select(BoardSet.id)
    .join_from(BoardSet, Event)
    .where(_IS_UNDRAWN, ~exists().where(Match.board_set_id == BoardSet.id))
)
"""The sets that no match plays, in events with rounds that are not drawn yet."""

_UNSCORED_TABLES: Final = (
    select(
        TableRow.id,
        TableRow.first_position,
        TableRow.boards,
        TableRow.match_id,
        Match.board_set_id,
        Match.boards.label("boards_of_match"),
    )
    .join_from(TableRow, Match)
    .where(_HAS_NO_SCORE)
)

_FINISHED: Final = (
    select(BoardAttempt.table_id, BoardAttempt.board)
    .join_from(BoardAttempt, TableRow)
    .join(Match)
    .where(_HAS_NO_SCORE, BoardAttempt.final)
)

_BOARDS: Final = (
    select(BoardRow.board_set_id, BoardRow.number, BoardRow.position, DealRow.hands)
    .join_from(BoardRow, BoardSet)
    .join(DealRow)
)

_IN_PLAY: Final = (
    select(BoardAttempt.table_id, BoardAttempt.board, DealRow.hands)
    .join_from(BoardAttempt, TableRow)
    .join(Match)
    .join(BoardRow, (BoardRow.board_set_id == Match.board_set_id) & (BoardRow.number == BoardAttempt.board))
    .join(DealRow)
    .where(
        Match.event_id == bindparam("event_id"),
        BoardAttempt.ended.is_(None),
        TableRow.state == TableState.PLAYING,
        _HAS_NO_SCORE,
    )
)
