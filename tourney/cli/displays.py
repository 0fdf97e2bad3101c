"""How a run, and a duel, is shown: a line for each thing that happens."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import TYPE_CHECKING, Final

import click

from tourney.contest.draw import MatchInfo, RoundAssignment, RoundInfo
from tourney.contest.record import Ruling
from tourney.coordinator.run_context import (
    MatchDiscarded,
    MatchFinished,
    MatchHeld,
    Notice,
    RoundDrawn,
    RoundStarted,
    RoundWaits,
    RulingGiven,
    RunEvent,
    RunStarted,
    SeatConnection,
    SegmentStarted,
    TableFailed,
    TableProgressed,
    TablesOpened,
)
from tourney.movement.seating import Room, TableInfo
from tourney.plurals import count, plural
from tourney.protocol.session.adjudication import PLAY_OUT_MS
from tourney.protocol.session.records import BoardEnd
from tourney.store.draw.objects import EventInfo
from tourney.times import format_second
from tourney.views.rulings import describe_place, describe_ruling
from tourney.views.schedule import describe_byes

if TYPE_CHECKING:
    from tourney.views.duel import DuelReport

QUARTERS = 4
"""How often per table plain lines report progress: a log of a long match stays readable."""


class RunPrinter:
    """Prints one line for each event of the run."""

    def __init__(self) -> None:
        self._quarters: dict[int, int] = {}
        self._movement_places: dict[int, str] = {}
        """In pairs events, round and table in the movement by match, which the director's commands ask for."""

    def notify(self, text: str) -> None:
        click.echo(text)

    def report(self, event: RunEvent) -> None:
        """Print what there is to say about an event of the run."""
        for line in self._describe(event):
            self.notify(line)

    def _describe(self, event: RunEvent) -> Iterator[str]:  # noqa: PLR0912 # one case an event
        match event:
            case RunStarted(drawn, left):
                yield _describe_start(drawn, left)
            case RoundDrawn(round_):
                yield f"round {round_.number} is drawn: {_pairings(round_, round_.assignments)}"
            case RoundWaits(round_, zone):
                yield f"round {round_.number} starts at {format_second(round_.starts_at_ms or 0, zone)}"
            case RoundStarted(round_, assignments, tables):
                self._movement_places |= {
                    each.number: f"round {each.round}, table {tables[each.number]} (match {each.number})"
                    for each in round_.matches
                    if each.number in tables
                }
                yield f"round {round_.number}: {_pairings(round_, assignments)}"
            case SegmentStarted(played, segment):
                of = f"{segment.number} of {len(played.segments)}"
                yield f"match {played.number} goes on: segment {of}, {count(segment.boards, 'board')}"
            case TablesOpened(places):
                yield from self._describe_places(places)
            case TableProgressed(played, table, boards):
                yield from self._describe_progress(played, table, boards)
            case TableFailed(played, table):
                teams = f"{played.home} - {played.away}"
                yield f"{self.describe_table(table)} ({teams}) cannot go on: {table.reason}"
            case RulingGiven(ruling):
                yield from _describe_ruling(ruling, self._movement_places)
            case MatchHeld(held):
                teams = f"{held.home} - {held.away}"
                yield f"match {held.number} ({teams}) is stopped by the director and not started"
            case MatchFinished(played, score):
                words = played.format.describe_score(played, score)
                where = self._movement_places.get(played.number, f"match {played.number}")
                yield f"{where}: {played.home} - {played.away} {words}"
            case MatchDiscarded(number):
                yield f"match {number} is taken back, as nobody has played a board of it"
            case Notice(sentence):
                yield sentence

    def _describe_progress(self, played: MatchInfo, table: TableInfo, boards_finished: int) -> Iterator[str]:
        if played.ends_by_results:
            # How many boards there will be is not known.
            if boards_finished:
                yield f"{self.describe_table(table)}: {count(boards_finished, 'board')}"
            return
        quarter = boards_finished * QUARTERS // max(1, table.boards)
        if quarter > self._quarters.get(table.id, 0):
            yield f"{self.describe_table(table)}: {boards_finished} of {count(table.boards, 'board')}"
        self._quarters[table.id] = quarter

    def describe_table(self, table: TableInfo) -> str:
        """Describe where a table is: `match 3, open room`, or in pairs events `round 2, table 3 (match 7)`."""
        return self._movement_places.get(table.match, f"match {table.match}, {table.room.value} room")

    def _describe_places(self, places: list[SeatConnection]) -> list[str]:
        """Return a line for each pair of seats that is waited for, with its address; one for other tables."""
        lines = []
        for table, at_table in groupby(places, key=lambda place: place.at.info):
            seats = list(at_table)
            where = self.describe_table(table)
            if all(seat.is_ours for seat in seats):
                home_first = seats if table.room is Room.OPEN else reversed(seats)
                teams = dict.fromkeys(seat.team for seat in home_first)
                ends = dict.fromkeys(f"{seat.host}:{seat.stateful_port or seat.port}" for seat in seats)
                lines.append(f"{where}: {' - '.join(teams)}, {', '.join(ends)}")
                continue
            for pair in (seats[0::2], seats[1::2]):
                first, second = pair
                ports = f"port {first.port}"
                if first.port != second.port:
                    ports = f"ports {first.port} ({first.seat.title}) and {second.port} ({second.seat.title})"
                if first.stateful_port is not None:
                    ports = f"port {first.stateful_port} of the stateful protocol"
                phrase = ", with its passphrase" if first.with_phrase else ""
                who = "tourney starts it" if first.is_ours else f"waiting for it{phrase}"
                lines.append(
                    f"{where}: {first.team} as {first.seat.title} and {second.seat.title}, "
                    f"host {first.host}, {ports}; {who}"
                )
        return lines


def _describe_start(event: EventInfo, matches_left: int) -> str:
    total = len(event.matches)
    of = f" of {total}" if matches_left != total else ""
    boards = sorted({stage.boards_per_match for stage in event.stages if stage.entries})
    at_most = max(stage.format.at_most for stage in event.stages)
    each = f"{at_most}{' or '.join(map(str, boards))}"
    later = len(event.undrawn)
    more = f"; {later} more {plural(later, 'round is', 'rounds are')} drawn later" if later else ""
    matches = f"{matches_left}{of} {plural(total, 'match', 'matches')}"
    return f"{event.name}: {matches} to play, {each} {plural(boards[-1] if boards else 0, 'board')} each{more}"


def _describe_ruling(ruling: Ruling, places: Mapping[int, str]) -> Iterator[str]:
    yield f"ruling: {describe_ruling(ruling, places)}"
    if ruling.ended in (BoardEnd.STALL, BoardEnd.TIME):
        limit = f"at most {PLAY_OUT_MS // 1000} s for a line of those that tourney has started"
        yield f"{describe_place(ruling, places)} is played out; waiting for {ruling.team}'s programs, {limit}"


def _pairings(round_: RoundInfo, assignments: Iterable[RoundAssignment]) -> str:
    """Describe who meets whom, and who sits out; a knockout may have a round that nobody plays in."""
    pairs = ", ".join(f"{assignment.match.number} {' - '.join(assignment.teams)}" for assignment in assignments)
    return "; ".join(filter(None, (pairs or "no matches", describe_byes(round_.byes) if round_.byes else "")))


# Duels


SHOWN_EVERY: Final = 16
"""After so many boards lines are printed on how a duel stands."""


class DuelPrinter(RunPrinter):
    """Prints how the duel stands, and what goes wrong; not what every table does."""

    def __init__(self) -> None:
        super().__init__()
        self._shown = 0

    def show(self, report: "DuelReport") -> None:
        """Print how the duel stands after the first boards, and then after some more."""
        boards = report.result.tally.boards
        if not report.is_over and boards and (boards // SHOWN_EVERY > self._shown // SHOWN_EVERY or not self._shown):
            self._shown = boards
            for line in report.progress():
                self.notify(line)

    def report(self, event: RunEvent) -> None:
        """Print what goes wrong; what is played is known, and the duel may stop a table itself."""
        from tourney.lab.duel import STOPPED

        match event:
            case RunStarted() | RoundStarted() | TablesOpened() | TableProgressed() | MatchFinished():
                return
            case TableFailed(_, table) if table.reason.startswith(STOPPED):
                return
        super().report(event)


class QuietDuel(DuelPrinter):
    """Prints nothing."""

    def notify(self, text: str) -> None:
        pass
