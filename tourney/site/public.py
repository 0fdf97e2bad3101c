"""What the public may see of an event: the only source of public pages, of the API, the exports and the stream.

Everything that a `PublicView` returns may be shown to everybody, for a team's program can read web pages while it
plays. Three things are cut out:

- Boards that somebody, in whatever event of the database, still has to play (`store.results.secrecy`): of such a
  board there is only its number, and how many boards a table has finished. `[web] live` may let out more.
- The results of the last rounds, while they are frozen: their matches are shown as they are in the schedule.
- What concerns nobody but the organiser: seeds, commands, hosts, ports, why a table failed.

A view is one look at the record, for the pages of one version: what it loads it keeps, and a new look is a new view.
Boards that finish in the meantime stay hidden in it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, tzinfo
from functools import cached_property
from itertools import groupby
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from tourney.bridge import SEATS, Hand, OpenBoard, Seat
from tourney.conditions.document import Conditions, conditions_of
from tourney.config.event import ReportsConfig
from tourney.config.values import LiveBoards
from tourney.config.web import WebConfig
from tourney.contest.draw import MatchInfo, RoundInfo
from tourney.errors import StoreError, UsageError
from tourney.event.drawn import DrawnEvent
from tourney.event.seal import load_commitment
from tourney.export.request import ExportRequest
from tourney.movement.seating import Room, TableState
from tourney.output.rows import Row
from tourney.output.units import Moment
from tourney.results.load import EventResults, load_results
from tourney.results.played import PlayedMatch, iter_played
from tourney.results.scorecard import FinishedCards, Scorecard, make_scorecard
from tourney.results.standings import Standings, has_withdrawals, rank_event
from tourney.results.travellers import StageTravellers, load_travellers
from tourney.scoring.victory_points import VpScale
from tourney.store.control.host_settings import load_durability
from tourney.store.draw.objects import EventInfo, Visibility
from tourney.store.draw.tables import TeamInfo
from tourney.store.record.live import load_board_attempts, load_boards_under_way, load_live_tables
from tourney.store.results.event_results import MatchFilter, load_leads
from tourney.store.results.matches import load_match_boards, load_match_scores
from tourney.store.results.secrecy import HiddenBoards, load_hidden_boards, load_last_tables
from tourney.store.rulings import is_published, load_finalisation
from tourney.views import standings
from tourney.views.boards import BoardComparisons, compare_round
from tourney.views.match import MatchReport, report_on
from tourney.views.registry import PAGES, REPORTS
from tourney.views.report import Report
from tourney.views.schedule import Schedule, load_schedule
from tourney.views.standings import StandingsReport


class EventState(Row, kw_only=True):
    """How far an event has come."""

    rounds: int
    """The number of rounds, those still to be drawn included."""
    round: int | None
    """The first round that is not finished; null once all are."""
    playing: bool
    """Whether a board is in play."""
    final: bool
    """Whether the results are final; until then they are provisional."""
    next_round: int | None
    """The first round that has not begun; null if it has no time to start at."""
    starts: Moment | None
    """When it starts."""
    frozen: Sequence[int]
    """The rounds that have begun and whose results are withheld until they are final."""

    @property
    def is_over(self) -> bool:
        """Whether every round is finished."""
        return self.round is None


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicTable:
    """A table of a match as the public may see it."""

    id: int
    place: str
    """The name used in commands and addresses: `3-open`, in a later segment `3.2-open`."""
    match: MatchInfo
    segment: int
    room: Room
    round: int
    """The round in which it plays, counted through the event."""
    ns_team: str
    ew_team: str
    boards: int | None
    """How many boards it plays; None where that depends on their results."""
    finished: int
    """How many of them it has finished."""
    board: int | None
    """The number of the board in play; None between boards."""
    is_playing: bool
    """Whether its players are at the table: it has begun and is not finished."""
    is_shown: bool
    """Whether the calls and cards of its board in play may be shown."""

    def team(self, seat: Seat) -> str:
        """Return the team in a seat."""
        return self.ns_team if seat in (Seat.NORTH, Seat.SOUTH) else self.ew_team


class PublicBoard(NamedTuple):
    """A board in play as far as it may be shown: without alerts, times, and hands that only some at the table see."""

    open: OpenBoard
    hands: Mapping[Seat, Hand]
    """The hands that may be shown, as they were dealt: dummy after the lead, or all four."""


class PublicView:
    """One look at an event with the eyes of the public.

    Args:
        drawn: the event, loaded for this look; its database may be open for reading only.
        rules: what the organiser lets the public see, and when.
        now_ms: the time of the look, in ms since the epoch.
        finished_cards: the scorecards of finished matches that earlier looks have loaded.
        is_vugraph: whether who looks has given the passphrase of the vugraph.

    Raises:
        StoreError: the database cannot be used; so everything that loads.
    """

    def __init__(
        self,
        drawn: DrawnEvent,
        rules: WebConfig,
        now_ms: int,
        finished_cards: FinishedCards | None = None,
        *,
        is_vugraph: bool = False,
    ) -> None:
        self._finished_cards = finished_cards if finished_cards is not None else FinishedCards()
        self.rules = rules
        self.is_vugraph = is_vugraph
        self.now_ms = now_ms
        self._database = drawn.database
        if drawn.event.visibility is Visibility.EVERYTHING:
            drawn = drawn.seen_with(Visibility.SHOWN_BOARDS)
        # First: boards that finish while this view is used stay hidden.
        self._hidden = load_hidden_boards(self._database, drawn.event)
        whole = _without_workings(drawn.event)
        self.event: EventInfo = replace(whole, seed="", plan="")
        """The whole event as it is scheduled, frozen rounds included; what was played is in the other attributes."""
        self._frozen = self._frozen_rounds()
        self._drawn = drawn.at(_without_results(whole, self._frozen))

    @property
    def zone(self) -> tzinfo:
        """The time zone of the event, UTC where the event file names none."""
        return self._drawn.zone or UTC

    @property
    def has_starts(self) -> bool:
        """Whether a round has a time to start at, so that there is a calendar."""
        return any(round_.starts_at_ms is not None for round_ in self.event.all_rounds)

    @property
    def calendar(self) -> bytes:
        """The schedule for calendars.

        Raises:
            UsageError: no round has a time to start at.
        """
        from tourney.export.ics import format_calendar  # noqa: PLC0415 # its library takes as long to load as a page

        return format_calendar(self.event, self._drawn.revised_at_ms)

    # How far it is

    @cached_property
    def is_final(self) -> bool:
        """Whether the results are final, by the newest decision on them."""
        found = load_finalisation(self._database, self.event.id)
        return found is not None and found.is_final

    @cached_property
    def finished_matches(self) -> frozenset[int]:
        """The numbers of the matches that have a score, also of those whose results are frozen."""
        return frozenset(load_match_scores(self._database, self.event.id))

    @cached_property
    def state(self) -> EventState:
        """How far the event has come."""
        rounds = self.event.all_rounds
        over = self.finished_matches
        unfinished = next((each.number for each in rounds if not _is_over(each, over)), None)
        begun = {table.round for table in self.tables if table.is_playing or table.finished}
        to_come = next((each for each in rounds if each.number not in begun and not _is_over(each, over)), None)
        starts_at_ms = to_come.starts_at_ms if to_come is not None else None
        return EventState(
            rounds=len(rounds),
            round=unfinished,
            playing=any(table.is_playing for table in self.tables),
            final=self.is_final,
            next_round=to_come.number if to_come is not None and starts_at_ms is not None else None,
            starts=starts_at_ms,
            frozen=tuple(sorted(self._frozen & begun)),
        )

    @cached_property
    def tables(self) -> tuple[PublicTable, ...]:
        """All tables in the order of matches, the open room first, with how many boards each has finished."""
        matches = self.event.matches_by_number
        tables = []
        for live in load_live_tables(self._database, self.event.id):
            table = live.table
            match = matches.get(table.match)
            if match is None:  # drawn since the event was loaded
                continue
            is_playing = table.state is TableState.PLAYING
            board = live.board if is_playing else None
            tables.append(
                PublicTable(
                    id=table.id,
                    place=table.place,
                    match=match,
                    segment=table.segment,
                    room=table.room,
                    round=self.event.played_in(match, table.room),
                    ns_team=table.ns_team,
                    ew_team=table.ew_team,
                    boards=table.boards if match.boards_known is not None else None,
                    finished=live.boards_finished,
                    board=board,
                    is_playing=is_playing,
                    is_shown=board is not None and table.id in self._watchable,
                )
            )
        return tuple(tables)

    @cached_property
    def _watchable(self) -> frozenset[int]:
        """The ids of the tables whose board in play may be shown."""
        if self.rules.live is LiveBoards.FINISHED:
            return frozenset()
        counted = {table.id for table in self._drawn.event.tables}
        if self.is_vugraph:
            return frozenset(counted)
        return load_last_tables(self._database, self.event.id) & counted

    @cached_property
    def round_ends(self) -> tuple[int, int] | None:
        """When the tables in play will have finished, if their boards take as long as those that are shown.

        Then how long a round takes, both in ms. None until two boards are shown: how long others have taken may tell
        what was played.
        """
        playing = [table for table in self.tables if table.is_playing and table.boards]
        shown = {
            (table.id, board.number)
            for number in {each.match.number for each in playing} & self.begun_cards.keys()
            for board in self.begun_cards[number].boards
            if board.imps is not None
            for table in board.tables.values()
        }
        over = [
            (each.table_id, each.began_at_ms, each.ended_at_ms)
            for each in load_board_attempts(self._database, sorted({table for table, _ in shown}))
            if (each.table_id, each.board) in shown and each.is_final and each.ended_at_ms is not None
        ]
        if len(over) < 2:
            return None
        board_ms, first_ms = median(ended - began for _, began, ended in over), min(ended for _, _, ended in over)
        ends = []
        for table in playing:
            own = [ended for number, _, ended in over if number == table.id]
            ends.append(max(own, default=first_ms) + board_ms * ((table.boards or 0) - len(own)))
        return round(max(ends)), round(board_ms * max(table.boards or 0 for table in playing))

    def ended_at_ms(self, matches: Iterable[MatchInfo]) -> Mapping[int, int]:
        """Load when the last board of each of these matches has ended, of those that have one."""
        match_of = {table.id: match.number for match in matches for table in match.tables}
        attempts = load_board_attempts(self._database, match_of)
        ended = sorted((each.ended_at_ms, match_of[each.table_id]) for each in attempts if each.ended_at_ms)
        return {number: at_ms for at_ms, number in ended}

    @property
    def tables_shown(self) -> tuple[PublicTable, ...]:
        """The tables whose board in play may be shown."""
        return tuple(table for table in self.tables if table.is_shown)

    def board_in_play(self, table: PublicTable) -> PublicBoard | None:
        """Load the board in play at a table as far as it may be shown; None where it may not.

        That is the last table that has it to play, or any table for those with the passphrase of the vugraph. In a
        frozen round there is none.
        """
        if not table.is_shown:
            return None
        live = load_boards_under_way(self._database, self.event.id, [table.id]).get(table.id)
        if live is None:
            return None
        board = live.in_play(self.now_ms - self.rules.delay_s * 1000)
        hands = {}
        if self.is_vugraph and self.rules.live is LiveBoards.VUGRAPH_HANDS:
            hands = {seat: live.board.deal[seat] for seat in SEATS}
        elif board.contract is not None and board.dummy_hand is not None:
            hands = {board.contract.dummy: board.dummy_hand}
        return PublicBoard(board, hands)

    # What was played

    @cached_property
    def standings(self) -> Standings:
        """The standings over all rounds that are not frozen."""
        return self.ranking.standings

    @cached_property
    def ranking(self) -> StandingsReport:
        """The same as a report, with the standings a round earlier."""
        return standings.report_of(self._drawn, self._results)

    def standings_after(self, rounds: int) -> Standings:
        """Return the standings over the first rounds alone."""
        return rank_event(self._results, rounds)

    @cached_property
    def cancelled(self) -> frozenset[int]:
        """The numbers of the matches that do not count because a team has left early."""
        return self.standings.cancelled if has_withdrawals(self._drawn) else frozenset()

    @cached_property
    def _results(self) -> EventResults:
        return load_results(self._database, self._drawn.event, self._drawn.ranking_rules, self._hidden)

    @cached_property
    def travellers(self) -> tuple[StageTravellers, ...]:
        """The pairs stages that have begun, with the boards that count; none in a team event."""
        return load_travellers(self._drawn)

    def iter_played(self, matches: Iterable[MatchInfo] | None = None) -> Iterator[PlayedMatch]:
        """Load matches as far as they have been played, one at a time; by default all, in the order of the draw.

        A match whose results are frozen is as it is in the schedule: no results, no rulings, no score.
        """
        counted = self._drawn.event.matches_by_number
        drawn, wanted = self._drawn, self.event.matches if matches is None else matches
        for is_counted, together in groupby(wanted, lambda match: match.number in counted):
            if is_counted:
                found = [counted[match.number] for match in together]
                yield from iter_played(self._database, drawn.event, found, drawn.scales, self._hidden)
            else:
                yield from map(self._scheduled, together)

    @cached_property
    def cards(self) -> tuple[Scorecard, ...]:
        """The scorecards of all matches, in the order of the draw."""
        begun = self.begun_cards
        return tuple(
            begun.get(match.number) or self._finished_cards.scheduled(match, lambda each: self._scheduled(each).card)
            for match in self.event.matches
        )

    @cached_property
    def begun_cards(self) -> Mapping[int, Scorecard]:
        """The scorecards of the matches that have a result or a ruling which counts, by number."""
        drawn = self._drawn
        return self._finished_cards.load(self._database, drawn.event, drawn.scales, self._hidden)

    def played(self, number: int) -> PlayedMatch:
        """Load a match as far as it has been played.

        Raises:
            UsageError: there is no such match.
        """
        match = self.event.matches_by_number.get(number)
        if match is None:
            raise UsageError(f"matches of {self.event.name!r} are 1..{len(self.event.matches)}, got {number}")
        return next(self.iter_played([match]))

    def match_report(self, number: int) -> MatchReport:
        """Load the report on a match, with thinking times; one whose results are frozen is as it is in the schedule.

        Raises:
            UsageError: there is no such match.
        """
        card = self.begun_cards.get(number) or self.played(number).card
        shown = {board.number for board in card.boards if board.imps is not None}
        leads = load_leads(self._database, MatchFilter(self.event.id, matches=[number]))
        return replace(
            report_on(self._drawn, card, has_times=True, is_cancelled=number in self.cancelled),
            leads={
                (table.room, board): leads[table.id, board]
                for table in card.match.tables
                for board in shown
                if (table.id, board) in leads
            },
        )

    def compared(self, round_number: int) -> BoardComparisons:
        """Load the boards of a round of teams, compared over its tables."""
        cards = (card for card in self.cards if card.match.round == round_number)
        return compare_round(self._database, self.event, round_number, cards)

    def is_frozen(self, round_number: int) -> bool:
        """Whether the results of a round are withheld until they are final."""
        return round_number in self._frozen

    @cached_property
    def schedule(self) -> Schedule:
        """The draw, with the numbers of the boards."""
        return load_schedule(self._database, self.event)

    def report(self, name: str, **given: Any) -> Report:  # as the parameters of the report say
        """Load a report of the registry; frozen rounds do not count in it.

        Args:
            name: its name there, such as `swings`.
            given: its parameters, those that have a default only where it should be another.

        Raises:
            RuleError: it cannot show a contest of this kind, such as pairs.
            UsageError: there is no such report, round, match, team or board.
        """
        entry = REPORTS.get(name) or PAGES.get(name)
        if entry is None:
            raise UsageError(f"there is no report {name!r}")
        usual = {each.name: each.default for each in entry.parameters if each.default is not None}
        return entry.load_report(self._drawn, **usual | given)

    def export_request(self, folder: Path, written_at_ms: int, match: MatchInfo | None = None) -> ExportRequest:
        """Return a request to export what the public may see; the seed is never in it."""
        request = ExportRequest(drawn=self._drawn, match=match, folder=folder, written_at_ms=written_at_ms)
        hidden = HiddenBoards(self._hidden.by_set, {*self._hidden.seeds, self._drawn.event.seed})
        request.hidden = hidden  # in place of what the request would load
        return request

    @property
    def scales(self) -> Mapping[int, VpScale | None]:
        """The victory point scale of each stage, by its number; None if it is not known."""
        return self._drawn.scales

    @property
    def report_settings(self) -> ReportsConfig:
        """What the event file says about reports.

        Raises:
            ConfigError: it cannot be read, or something is wrong with it.
        """
        return self._drawn.file.config.reports

    @cached_property
    def conditions(self) -> Conditions:
        """The conditions of contest, with the hash that seals the boards; the seal itself is the organiser's.

        Raises:
            ConfigError: the event file cannot be read, or something is wrong with it.
        """
        found, file = load_durability(self._database, self.event.id), self._drawn.file
        try:
            commitment = load_commitment(file.results, self.event.name)
        except StoreError:  # the server may run as a user who may not read it
            commitment = None
        return conditions_of(file.config, commitment, file.weakest_durability(found))

    # Freezing

    def _frozen_rounds(self) -> frozenset[int]:
        if not self.rules.freeze_rounds or self.is_final or is_published(self._database, self.event.id):
            return frozenset()
        return frozenset(round_.number for round_ in self.event.all_rounds[-self.rules.freeze_rounds :])

    def _scheduled(self, match: MatchInfo) -> PlayedMatch:
        boards = load_match_boards(self._database, match)
        hidden = frozenset(board.number for board in boards)
        card = make_scorecard(match, boards, {}, (), None, None, hidden)
        return PlayedMatch(card, (), ())


def _is_over(round_: RoundInfo, over: frozenset[int]) -> bool:
    return round_.is_drawn and all(match.number in over for match in round_.matches)


# What only the organiser may know


def _without_workings(event: EventInfo) -> EventInfo:
    """Return the event without commands of programs, hosts and ports."""
    return replace(
        event,
        teams=tuple(map(_plain_team, event.teams)),
        partnerships=tuple(map(_plain_team, event.partnerships)),
        stages=tuple(replace(stage, rounds=tuple(map(_plain_round, stage.rounds))) for stage in event.stages),
    )


def _plain_team(team: TeamInfo) -> TeamInfo:
    return replace(team, command=None, players=tuple(map(_plain_team, team.players)))


def _plain_round(round_: RoundInfo) -> RoundInfo:
    assignments = (replace(each, match=_plain_match(each.match)) for each in round_.assignments)
    return replace(round_, matches=tuple(map(_plain_match, round_.matches)), assignments=tuple(assignments))


def _plain_match(match: MatchInfo) -> MatchInfo:
    tables = (replace(table, host=None, ports={}, reason="", attempt=0) for table in match.tables)
    return replace(match, tables=tuple(tables))


def _without_results(event: EventInfo, frozen: frozenset[int]) -> EventInfo:
    """Return the event as if the frozen rounds had not been drawn, which nothing that counts results looks at."""
    if not frozen:
        return event
    stages = tuple(
        replace(
            stage,
            rounds=tuple(
                replace(each, is_drawn=False, matches=(), assignments=(), byes=()) if each.number in frozen else each
                for each in stage.rounds
            ),
        )
        for stage in event.stages
    )
    return replace(event, stages=stages)
