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

from sqlalchemy import Connection, bindparam, case, exists, false, func, null, select, union_all

from tourney.contest.draw import MatchInfo
from tourney.contest.record import Ruling
from tourney.movement.seating import TableState
from tourney.protocol.session.records import RulingKind
from tourney.store.db.database import Database
from tourney.store.db.queries import load_rows
from tourney.store.draw.objects import EventInfo, Visibility
from tourney.store.draw.tables import HAS_NO_SCORE
from tourney.store.models import (
    BoardAttempt,
    BoardRow,
    BoardSet,
    DealRow,
    Event,
    Finalisation,
    Match,
    Round,
    StageRow,
    TableRow,
)

_Hands: TypeAlias = tuple[str, ...]
"""The four hands of a deal, whoever holds which."""

_SHOWN_LATER: Final = "on a board that is still to be played"
"""In place of the reason of a ruling on a hidden board."""

_Place: TypeAlias = tuple[int | None, int]
"""Where hands are still to be played: a match or a table (its id) and the number of the board there.

The id is None of one that is not known yet, or that stands for several.
"""

_SETS_MAX: Final = 200
"""How many sets are named in a query; of more, those of whole events are read. SQLite takes 32,766 values."""


@dataclass(frozen=True, slots=True)
class HiddenBoards:
    """The boards of an event that must not be shown: somebody, in some event, still has their hands to play."""

    by_set: Mapping[int, Mapping[int, _Place | None]] = field(default_factory=dict)
    """The one match that still has the hands to play, None for several, by the id of a set and the number of a board.

    Boards that nobody has to play are left out."""
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
    """
    if event.visibility is Visibility.EVERYTHING:
        return HiddenBoards()
    with database.read() as connection:
        seeds = frozenset(connection.scalars(select(Event.seed).where(_IS_UNFINISHED)))
        if not seeds:
            return HiddenBoards()
        in_totals = event.visibility is Visibility.WHOLE_TOTALS or bool(
            connection.scalar(select(_LAST_WORD).where(Event.id == event.id))
        )
        is_asked = (
            BoardRow.board_set_id == board_set_id if board_set_id is not None else BoardSet.event_id == event.id
        )
        asked = [
            (row.board_set_id, row.number, _hands(row.hands)) for row in connection.execute(_BOARDS.where(is_asked))
        ]
        left = _load_left(connection, {hands for _, _, hands in asked}, "match_id")
    hidden: defaultdict[int, dict[int, _Place | None]] = defaultdict(dict)
    for set_id, number, hands in asked:
        if hands in left:
            hidden[set_id][number] = next(iter(left[hands])) if len(left[hands]) == 1 else None
    return HiddenBoards(dict(hidden), seeds, in_totals)


def load_last_tables(database: Database, event_id: int) -> frozenset[int]:
    """Load the tables of an event, by id, that play a board whose hands nobody else in any event has to play.

    What the four at such a table know of its board is a secret to nobody who could make use of it.
    """
    with database.read() as connection:
        rows = connection.execute(_IN_PLAY, {"event_id": event_id})
        in_play = {_hands(hands): (table_id, board) for table_id, board, hands in rows}
        left = _load_left(connection, in_play, "table_id") if in_play else {}
    return frozenset(place[0] for hands, place in in_play.items() if left.get(hands) == {place})


def load_tables_to_play(database: Database, match: MatchInfo, board: int) -> frozenset[int | None]:
    """Load the tables of all events, by id, that still have the hands of a board of a match to play.

    None stands for tables that do not exist yet: of rounds to be drawn, and of extra boards.
    """
    with database.read() as connection:
        is_it = (BoardRow.board_set_id == match.board_set_id) & (BoardRow.number == board)
        wanted = {_hands(row.hands) for row in connection.execute(_BOARDS.where(is_it))}
        left = _load_left(connection, wanted, "table_id", is_each=True)
    return frozenset(table_id for places in left.values() for table_id, _ in places)


def load_shown_rulings(database: Database, event: EventInfo, rulings: Iterable[Ruling]) -> list[Ruling]:
    """Take from rulings what would tell how hidden boards were played.

    Of a board that is forfeited or cancelled only that is left, and which match it is of; rulings that give another
    score are left out. So are all on matches that the event, as given, does not have.
    """
    matches = event.matches_by_number
    given = [ruling for ruling in rulings if ruling.match is None or ruling.match in matches]
    if all(ruling.board is None for ruling in given):
        return given
    hidden = load_hidden_boards(database, event)
    shown = []
    for ruling in given:
        if ruling.match is None or ruling.board not in hidden.of_match(matches[ruling.match]):
            shown.append(ruling)
        elif ruling.kind in (RulingKind.BOARD_FORFEIT, RulingKind.BOARD_CANCELLED):
            shown.append(replace(ruling, board=None, room=None, attempt=None, ended=None, reason=_SHOWN_LATER))
    return shown


def load_events_with_deals(database: Database, name: str, deals: Iterable[str]) -> dict[str, int]:
    """Load which other events have deals of an event, whoever holds which hand: how many, by the name of the event.

    Args:
        database: the record.
        name: the event.
        deals: deals as PBN has them that it will have, if it is not on record yet.
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


def _load_left(
    connection: Connection, wanted: Collection[_Hands], of: str, *, is_each: bool = False
) -> dict[_Hands, set[_Place]]:
    """Load where hands are still to be played, or may have to be, by the hands; hands of nobody are left out.

    Args:
        connection: the record.
        wanted: the hands asked about.
        of: what a place is: `match_id` or `table_id`.
        is_each: whether all places of a board are asked for, as opposed to one that stands for several.
    """
    # Sets first: a round that is drawn in the meantime counts here already, and if it were later would count nowhere.
    boards = {
        (row.board_set_id, row.number): hands
        for row in connection.execute(_BOARDS.where(BoardSet.event_id.in_(_UNFINISHED), _IS_TO_COME))
        if (hands := _hands(row.hands)) in wanted
    }
    sets = {set_id for set_id, _ in boards}
    of_sets = BoardSet.id.in_(sets) if len(sets) <= _SETS_MAX else BoardSet.event_id.in_(_UNFINISHED)
    places = union_all(*(query.where(of_sets) for query in _PLACES)).subquery()
    board, place = (places.c.board_set_id, places.c.number), places.c[of]
    is_one = (func.count() == func.count(place)) & (func.min(place) == func.max(place))
    query = select(*board, place) if is_each else select(*board, case((is_one, func.min(place)))).group_by(*board)
    left: defaultdict[_Hands, set[_Place]] = defaultdict(set)
    for set_id, number, found in connection.execute(query):
        if (set_id, number) in boards:
            left[boards[set_id, number]].add((found, number))
    return left


# Statements are built once

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

_IS_UNFINISHED: Final = func.coalesce(_LAST_WORD, false()).is_(false()) & (
    _IS_UNDRAWN | exists().where(Match.event_id == Event.id, HAS_NO_SCORE)
)
"""Whether an event has something left to play."""

_UNFINISHED: Final = select(Event.id).where(_IS_UNFINISHED).correlate(None)

_IS_UNDRAWN_SET: Final = _IS_UNDRAWN & BoardSet.id.not_in(select(Match.board_set_id))
"""Whether no match plays a set, in an event with rounds that are not drawn yet."""

_IS_TO_COME: Final = _IS_UNDRAWN_SET | BoardSet.id.in_(select(Match.board_set_id).where(HAS_NO_SCORE))

_BOARDS: Final = (
    select(BoardRow.board_set_id, BoardRow.number, DealRow.hands)
    .join_from(BoardRow, BoardSet)
    .join(Event, Event.id == BoardSet.event_id)
    .join(DealRow, DealRow.id == BoardRow.deal_id)
)

_MATCHES: Final = BoardRow.__table__.join(BoardSet).join(Match)
_IS_FINISHED: Final = exists().where(
    BoardAttempt.table_id == TableRow.id, BoardAttempt.board == BoardRow.number, BoardAttempt.final
)

_BOARD: Final = (BoardRow.board_set_id, BoardRow.number)
_PLACES: Final = (
    select(*_BOARD, Match.id.label("match_id"), TableRow.id.label("table_id"))
    .select_from(_MATCHES.join(TableRow, TableRow.match_id == Match.id))
    .where(
        *(HAS_NO_SCORE, ~_IS_FINISHED),
        BoardRow.position >= TableRow.first_position,
        BoardRow.position < TableRow.first_position + TableRow.boards,
    ),
    select(*_BOARD, Match.id, null()).select_from(_MATCHES).where(HAS_NO_SCORE, BoardRow.position >= Match.boards),
    select(*_BOARD, null(), null()).join_from(BoardRow, BoardSet).join(Event).where(_IS_UNDRAWN_SET),
)
"""Boards that are still to be played: at tables, as extra boards of a match, and in rounds that are not drawn."""

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
        HAS_NO_SCORE,
    )
)
