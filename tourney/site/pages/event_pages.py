"""What the pages of an event as a whole show: the front page, rounds, teams or pairs, tables of all kinds."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from operator import itemgetter
from pathlib import Path
from typing import Any, Final
from uuid import NAMESPACE_OID, uuid5

from tourney.conditions.document import format_html
from tourney.contest.draw import RoundAssignment, RoundInfo, StageInfo
from tourney.output.content import (
    Content,
    EntrantLink,
    Instant,
    Linked,
    PageLink,
    RoundBoardLink,
    RoundLink,
    Toned,
    TravellerLink,
)
from tourney.output.rows import Cell
from tourney.output.tables import Part, make_table
from tourney.site import urls
from tourney.site.pages.axes import Chart
from tourney.site.pages.duel import chart_duel
from tourney.site.pages.estimates import chart_strength
from tourney.site.pages.frame import Context, Frame
from tourney.site.pages.race import chart_races
from tourney.site.pages.share import share_event
from tourney.site.pages.stages import view_rankings
from tourney.site.pages.tables import PartView, turn, view_page, view_report
from tourney.site.public import PublicTable
from tourney.views.boards import ComparedBoard
from tourney.views.pair import card_of
from tourney.views.ranking import RankedFigure, format_ranking
from tourney.views.registry import ReportEntry
from tourney.views.rounds import (
    MatchState,
    MatchSummary,
    RoundsReport,
    result_columns,
    summarise_matches,
    summarise_rounds,
)
from tourney.views.schedule import Schedule, describe_round
from tourney.views.standings import EntrantsReport
from tourney.views.swings import COLUMNS, find_swings
from tourney.views.team import describe_team
from tourney.views.travellers import TravellersReport

CHARTS: Final[dict[str, Callable[[Any], Sequence[Chart]]]] = {
    "duel": chart_duel,
    "strength": chart_strength,
}
"""What draws the charts above the tables of a report, by its name."""
SWINGS_ON_FRONT: Final = 5
_SWING_COLUMNS: Final = [column for column in COLUMNS if column.name != "Score"]


FEED_ENTRIES_MAX: Final = 100


class EventPages:
    """What the pages of an event show, but for those of its matches.

    Args:
        frame: what they share with the pages of matches.
    """

    def __init__(self, frame: Frame) -> None:
        self.frame = frame
        self.view = frame.view
        self.event = frame.event

    @cached_property
    def _matches(self) -> Mapping[int, MatchSummary]:
        """All matches by number, in the order of the draw."""
        return summarise_matches(self.event, self.view.begun_cards, self.view.standings.cancelled)

    def report(self, entry: ReportEntry) -> Context:
        """Views a report that has a page of its own."""
        report = self.view.report(entry.name, **entry.on_page)
        charts = CHARTS[entry.name](report) if entry.name in CHARTS else ()
        return view_report(report, entry.page_title.format(**self.frame.words), charts=charts)

    def front(self) -> Context:
        """Views the standings, what is being played, the race and the biggest swings; of a duel, its report."""
        share = share_event(self.view.standings, self.frame.state_words)
        if self.frame.front is not None:
            return {"template": self.frame.front.template, **self.report(self.frame.front), "share": share}
        return {
            **self.standings(),
            "matches": self._current(),
            "in_play": self._in_play,
            "comes": list(self._comes()),
            "share": share,
            "races": list(chart_races(self.view)),
            "races_to_come": next(
                (each.groups for each in self.event.stages if each.format.ranking_scale(each.board_scale)), 0
            ),
            "swings": self._swings(),
            "rounds": [self._describe_round(stage, round_) for stage in self.event.stages for round_ in stage.rounds],
        }

    def _describe_round(self, stage: StageInfo, round_: RoundInfo) -> Content:
        """Describe how far a round has come: `Round 3 2 of 4 matches scored`."""
        name, at_ms = describe_round(self.event, round_.number), round_.starts_at_ms
        if not round_.is_drawn:
            return name, Toned(("starts", Instant(at_ms, self.view.zone)) if at_ms else "to be drawn", "muted")
        own = [self._matches[match.number] for match in round_.matches]
        has_halves = not own and any(each.is_half for each in round_.assignments)
        progress = stage.format.describe_progress(sum(line.is_over for line in own), len(own))
        return Linked(name, RoundLink(round_.number)), Toned(
            "first halves of matches" if has_halves else progress, "muted"
        )

    def feed(self) -> Context:
        """Views what is over, the newest first: a time, and a match or a round with the ranks after it."""
        over = {number: line for number, line in self._matches.items() if line.is_over}
        ended_ms = self.view.ended_at_ms(line.match for line in over.values())
        news: list[tuple[int, MatchSummary | None, int, Mapping[str, RankedFigure]]] = []
        for round_ in self.event.rounds:
            own = [match.number for match in round_.matches]
            if set(own) & ended_ms.keys() and over.keys() >= set(own):
                ranks = format_ranking(self.view.standings_after(round_.number))
                news.append((max(ended_ms.get(number, 0) for number in own), None, round_.number, ranks))
        for number, at_ms in ended_ms.items():
            if (line := over[number]).has_begun:
                news.append((max([at_ms, *(each.at_ms for each in line.rulings)]), line, 0, {}))
        return {
            "news": sorted(news, key=itemgetter(0), reverse=True)[:FEED_ENTRIES_MAX],
            "id_of": partial(uuid5, uuid5(NAMESPACE_OID, f"tourney/{self.event.name.casefold()}")),
        }

    def standings(self) -> dict[str, Any]:
        """Views the standings of every stage."""
        view = self.view
        return {"rankings": view_rankings(view.ranking, self.event, self._matches, view.scales, self._playing)}

    @cached_property
    def _in_play(self) -> Mapping[int, Sequence[PublicTable]]:
        """The tables of each match that is being played; a score may be there before the last of them has left."""
        return {number: own for number, own in self.frame.in_play.items() if not self._matches[number].is_over}

    @cached_property
    def _playing(self) -> list[MatchSummary]:
        """The matches that are being played."""
        return [line for number, line in self._matches.items() if number in self._in_play]

    @cached_property
    def _newest(self) -> int:
        """The newest round of which a board has been begun; the first one before that."""
        begun = (table.match.round for table in self.view.tables if table.is_playing or table.finished)
        return max(begun, default=1)

    def _current(self) -> list[MatchSummary]:
        """Return the matches of the newest round, and older ones up to as many as a round may have.

        So what stands below them keeps its place when a round ends; those in play are always among them.
        """
        may_come, in_play = not self.view.state.is_over and self.event.has_schedule, self._in_play
        shown = [
            line
            for line in self._matches.values()
            if line.match.number in in_play
            or (line.match.round <= self._newest and (line.has_begun or may_come or line.state is MatchState.OVER))
        ]
        shown.sort(key=lambda line: (line.match.number not in in_play, -line.match.round))
        most = max(len(in_play), *(len(round_.matches) for round_ in self.event.rounds))
        return sorted(shown[:most], key=lambda line: (-line.match.round, line.match.number))

    def _comes(self) -> Iterator[tuple[str, Content]]:
        """Say what comes next, and when: by the draw, or about, by the pace so far."""
        state, rounds, zone = self.view.state, self.event.all_rounds, self.view.zone
        if state.round is None or not self.event.has_schedule:
            return

        def about(at_ms: int | None) -> Content:
            return ("\N{ALMOST EQUAL TO}", Instant(at_ms, zone)) if at_ms else "not known yet"

        ends_ms, round_ms = (self.view.round_ends if state.playing else None) or (0, 0)
        to_come = rounds[state.round - (not state.playing) :]
        if state.playing:
            yield f"{describe_round(self.event, state.round)} ends", about(ends_ms)
        for each in to_come[:1]:
            starts = Instant(each.starts_at_ms, zone) if each.starts_at_ms else about(ends_ms)
            yield f"{describe_round(self.event, each.number)} begins", starts
        last_ms = (rounds[-1].starts_at_ms if to_come else None) or ends_ms + round_ms * (len(to_come) - 1)
        yield "The event ends", about(round_ms and last_ms + round_ms)

    def live(self, *, is_wall: bool) -> Context:
        """Views the tables in play as tiles, or for a screen in the hall."""
        shown = self.standings() if is_wall else {}
        return {**shown, "matches": self._playing or self._current(), "in_play": self._in_play, "is_wall": is_wall}

    @cached_property
    def _schedule(self) -> Schedule:
        """The draw with the results of its matches."""
        tables = {number: table for found in self.view.travellers for number, table in found.tables.items()}
        return replace(self.view.schedule, zone=self.view.zone, tables=tables, results_of=self._results_of)

    def _results_of(self, round_: RoundInfo) -> Iterator[Cell]:
        """Yield the columns of results of what is played in a round."""
        lines = [self._matches[each.match.number] for each in round_.assignments]
        for cell in result_columns(lines):
            yield replace(cell, content=partial(self._result, cell))

    def _result(self, cell: Cell, played: RoundAssignment) -> Content:
        return cell.shown(self._matches[played.match.number])

    def schedule(self) -> Context:
        """Views all rounds with their matches."""
        note = (f"Days are those of {self.view.zone}.", Linked("Calendar file", PageLink(urls.CALENDAR)))
        return view_page(self._schedule.rounds_parts(), "Schedule", note=note if self.view.has_starts else "")

    def _swings(self) -> list[PartView]:
        """View the last swings, and once the event is over, the biggest of all."""
        is_over, most = self.view.state.is_over, SWINGS_ON_FRONT
        in_imps = (card for card in self.view.cards if "swings" not in card.match.format.instead)
        cards = [card for card in in_imps if len(card.match.segments[0].tables) == 2]
        if not is_over:
            cards = [card for card in cards if self._newest - 2 < card.match.round <= self._newest]
            most = sum(len(card.boards) for card in cards)
        rows = list(find_swings(self.event.name, cards, 1, most).rows)
        if not is_over:
            rows.sort(key=lambda swing: (-swing.match.round, -swing.board.number))
        caption = "Boards won by the most IMPs" if is_over else "The last boards that were won, the newest first"
        if rows:
            return [make_table(_SWING_COLUMNS, rows[:SWINGS_ON_FRONT], caption=caption)]
        return ["No board has been won by anybody yet."] if cards and not is_over else []

    def conditions(self) -> Context:
        """Views the conditions of contest."""
        assert self.frame.conditions is not None
        return {"contents": format_html(self.frame.conditions)}

    def boards_of_round(self, round_number: int) -> Sequence[ComparedBoard]:
        """Return the boards of a round that have a page."""
        compared = self.frame.compared(round_number)
        return compared.boards if compared is not None else ()

    def board_of_round(self, round_number: int, number: int) -> Context | None:
        """Views a board at all tables of a round."""
        compared, boards = self.frame.compared(round_number), self.boards_of_round(round_number)
        numbers = [each.board.number for each in boards]
        if compared is None or number not in numbers:
            return None
        return view_report(
            replace(compared, boards=[boards[numbers.index(number)]]),
            f"Board {number} at all tables",
            trail=[Linked(describe_round(self.event, round_number), RoundLink(round_number))],
            here_words=f"Board {number}",
            turner=turn("Boards", numbers, number, "Board {}".format, partial(RoundBoardLink, round_number)),
        )

    def traveller(self, stage: int, number: int) -> Context | None:
        """Views a board of a pairs event with the results of all tables."""
        found = next((each for each in self.view.travellers if each.stage.number == stage), None)
        if found is None or number not in found.by_board:
            return None
        scale = self.view.report_settings.matchpoints
        return view_report(
            TravellersReport(self.event.name, found, (found.by_board[number],), f"board {number}", scale),
            f"Board {number}",
            trail=[Linked(found.stage.name, PageLink(""))],
            turner=turn("Boards", list(found.by_board), number, "Board {}".format, partial(TravellerLink, stage)),
        )

    def round(self, number: int) -> Context | None:
        """Views the results of a round that is drawn, or who sits where in it."""
        rounds = self.event.rounds
        if number > len(rounds):
            return None
        round_, parts = rounds[number - 1], list[Part]()
        own = summarise_rounds(self.event, self._matches, number)
        if own:
            report = RoundsReport(self.event, own, Path("EVENT"), self.view.zone, is_of_round=True)
            parts += report.text()
        if not own or own[0].halves:
            parts += self._schedule.round_parts(round_)
        numbers = [each.number for each in rounds]
        turner = turn(
            self.event.stages[0].format.rounds_word, numbers, number, partial(describe_round, self.event), RoundLink
        )
        at_ms = round_.starts_at_ms if not own else None
        note = ("Starts at", Instant(at_ms, self.view.zone)) if at_ms is not None else ""
        return view_page(parts, describe_round(self.event, number), turner=turner, note=note)

    def entrant(self, number: int) -> Context | None:
        """Views a team with its matches, or the card of a pair."""
        names = self.event.team_names
        if number > len(names):
            return None
        name, found = names[number - 1], self.view.travellers
        parts = describe_team(
            self.view.standings,
            name,
            summarise_rounds(self.event, self._matches, wanted=[name]),
            card_of(self.event, name, found, self.view.report_settings.matchpoints).stages,
        )
        return view_page(parts, name, turner=turn(f"{self.event.entrant.title()}s", names, name, str, EntrantLink))

    def entrants(self) -> Context:
        """Views the teams or pairs."""
        report = EntrantsReport(self.event.teams, self.view.standings)
        return view_report(report, f"{self.event.entrant.title()}s")
