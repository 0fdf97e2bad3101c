"""How a run is shown: plain lines, or a live display in a terminal (`run_live`)."""

from collections.abc import Iterable
from datetime import UTC, datetime
from itertools import groupby

import click

from tourney.contest import contest_of
from tourney.coordinator.listener import SeatPlace
from tourney.plurals import count, plural
from tourney.report.rulings import describe_ruling
from tourney.report.schedule import describe_byes
from tourney.scoring.match import MatchScore
from tourney.store.draw.objects import EventInfo, MatchInfo, RoundInfo, SegmentInfo, Sitting, TableInfo
from tourney.store.rulings import RulingInfo

QUARTERS = 4
"""How often per table plain lines report progress: a log of a long match stays readable."""


class PlainDisplay:
    """Prints one line for each event of the run."""

    def __init__(self) -> None:
        self._quarters: dict[int, int] = {}
        self._movement_places: dict[int, str] = {}
        """At pairs, round and table in the movement by match."""

    def say(self, text: str) -> None:
        click.echo(text)

    def close(self) -> None:
        """Do nothing: plain lines hold no resources."""

    def run_started(self, event: EventInfo, matches_left: int) -> None:
        of = f" of {len(event.matches)}" if matches_left != len(event.matches) else ""
        boards = sorted({stage.boards_per_match for stage in event.stages if stage.entries})
        games = any(stage.format.game is not None for stage in event.stages if stage.entries)
        each = f"{'at most ' if games else ''}{' or '.join(map(str, boards))}"
        later = sum(not round_.is_drawn for round_ in event.all_rounds)
        more = f"; {later} more {plural(later, 'round is', 'rounds are')} drawn later" if later else ""
        matches = f"{matches_left}{of} {plural(matches_left, 'match', 'matches')}"
        self.say(f"{event.name}: {matches} to play, {each} boards each{more}")

    def rounds_drawn(self, rounds: list[RoundInfo]) -> None:
        for round_ in rounds:
            self.say(f"round {round_.number} is drawn: {_pairings(round_.sittings)}{_byes(round_)}")

    def round_waits(self, round_: RoundInfo) -> None:
        if round_.starts_at_ms is not None:
            starts = datetime.fromtimestamp(round_.starts_at_ms / 1000, UTC).astimezone()
            self.say(f"round {round_.number} starts at {starts:%Y-%m-%d %H:%M:%S %Z}")

    def round_started(self, round_: RoundInfo, sittings: list[Sitting]) -> None:
        self.say(f"round {round_.number}: {_pairings(sittings)}{_byes(round_)}")

    def segment_started(self, match: MatchInfo, segment: SegmentInfo) -> None:
        of = f"{segment.number} of {len(match.segments)}"
        self.say(f"match {match.number} goes on: segment {of}, {segment.boards} boards")

    def tables_opened(self, places: list[SeatPlace]) -> None:
        self._movement_places |= {place.match: _movement_place(place) for place in places if place.table is not None}
        for line in describe_places(places):
            self.say(line)

    def table_progressed(self, match: MatchInfo, table: TableInfo, boards_finished: int) -> None:
        if match.game is not None:
            # How many boards there will be follows from the results.
            if boards_finished:
                self.say(f"{self.describe_table(table)}: {count(boards_finished, 'board')}")
            return
        quarter = boards_finished * QUARTERS // max(1, table.boards)
        if quarter > self._quarters.get(table.id, 0):
            self.say(f"{self.describe_table(table)}: {boards_finished} of {table.boards} boards")
        self._quarters[table.id] = quarter

    def table_failed(self, match: MatchInfo, table: TableInfo, reason: str) -> None:
        self.say(f"{self.describe_table(table)} ({match.home} - {match.away}) cannot go on: {reason}")

    def swept(self, sentence: str) -> None:
        self.say(sentence)

    def told(self, sentence: str) -> None:
        self.say(sentence)

    def ruling_given(self, ruling: RulingInfo) -> None:
        self.say(f"ruling: {describe_ruling(ruling)}")

    def match_held(self, match: MatchInfo) -> None:
        self.say(f"match {match.number} ({match.home} - {match.away}) is stopped by the director and not started")

    def host_failed(self, reason: str) -> None:
        self.say(reason)

    def match_finished(self, match: MatchInfo, score: MatchScore) -> None:
        words = contest_of(match.format).describe_score(match, score)
        where = self._movement_places.get(match.number, f"match {match.number}")
        self.say(f"{where}: {match.home} - {match.away} {words}")

    def describe_table(self, table: TableInfo) -> str:
        """Describe where a table is: `match 3, open room`, or at pairs `round 2, table 3 (match 7)`."""
        return self._movement_places.get(table.match, f"match {table.match}, {table.room.value} room")


def _pairings(sittings: Iterable[Sitting]) -> str:
    return ", ".join(f"{sitting.match.number} {' - '.join(sitting.teams)}" for sitting in sittings)


def _byes(round_: RoundInfo) -> str:
    return f"; {describe_byes(round_.byes)}" if round_.byes else ""


def describe_places(places: list[SeatPlace]) -> list[str]:
    """Return a line for each pair of seats: who sits there, the address, and whether tourney starts the program."""
    lines = []
    for (match, room), at_table in groupby(places, key=lambda place: (place.match, place.room)):
        seats = list(at_table)
        where = f"match {match}, {room.value} room" if seats[0].table is None else _movement_place(seats[0])
        for pair in (seats[0::2], seats[1::2]):
            first, second = pair
            ports = f"port {first.port}"
            if first.port != second.port:
                ports = f"ports {first.port} ({first.seat.title}) and {second.port} ({second.seat.title})"
            if first.stateful_port is not None:
                ports = f"port {first.stateful_port} of the stateful protocol"
            who = "tourney starts it" if first.is_ours else "waiting for it"
            if first.on is not None:
                who += f" on a machine labelled {first.on}"
            if first.with_phrase and not first.is_ours:
                who += ", with its pass phrase"
            lines.append(
                f"{where}: {first.team} as {first.seat.title} and {second.seat.title}, "
                f"host {first.host}, {ports}; {who}"
            )
    return lines


def _movement_place(place: SeatPlace) -> str:
    """Describe a table of a movement; the match is what the director's commands ask for."""
    return f"round {place.round}, table {place.table} (match {place.match})"
