"""What the pages of an event as a whole show: the front page, rounds, teams or pairs, tables of all kinds."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from tourney.bridge.minibridge import announced_points
from tourney.conditions.document import format_html_contents
from tourney.movement.groups import group_letter
from tourney.movement.ranking import NO_FIGURES, StandingRow
from tourney.report.crosstable import CrosstableCell, CrosstableField, crosstable_fields
from tourney.report.pair_figures import describe_tops, describe_unequal
from tourney.report.registry import PAGES, ReportEntry
from tourney.report.standings import EntrantsReport
from tourney.report.swings import brief_table, find_swings
from tourney.results.cancelled import cancelled_in
from tourney.results.scorecard import Scorecard
from tourney.results.travellers import PlayedTraveller
from tourney.site import urls
from tourney.site.views.axes import Chart
from tourney.site.views.duel import chart_duel
from tourney.site.views.estimates import chart_strength
from tourney.site.views.frame import VULNERABLE, Context, Frame
from tourney.site.views.match import MatchSummary, summarise_match
from tourney.site.views.race import chart_race
from tourney.site.views.stages import view_playing, view_rankings, view_team
from tourney.site.views.tables import TableView, view_report, view_table
from tourney.store.draw.objects import RoundInfo, StageInfo
from tourney.times import format_day

DUEL: Final = "duel"
"""The report whose page is the front page of a duel."""
CHARTS: Final[dict[str, Callable[[Any], Sequence[Chart]]]] = {
    DUEL: chart_duel,
    "race": chart_race,
    "strength": chart_strength,
}
"""What draws the charts above the tables of a report, by its name."""
SWINGS_ON_FRONT: Final = 5


@dataclass(frozen=True, slots=True)
class RoundSummary:
    """A round on the front page."""

    number: int
    page: str | None
    """The address of its page; None until the round is drawn."""
    starts_at_ms: int | None
    progress: str
    """How much of it has been played: `2 of 3 matches scored`."""
    has_halves: bool
    """Whether all it has are halves of matches that a later round decides."""


@dataclass(frozen=True, slots=True)
class ScheduledDay:
    """The rounds of a day on the page of the schedule."""

    name: str
    """The day; empty where no round has a time to start at."""
    rounds: list[tuple[StageInfo, RoundInfo, list[MatchSummary]]]


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
    def _matches(self) -> tuple[MatchSummary, ...]:
        """All matches, in the order of the draw."""
        cancelled = cancelled_in(self.view.standings)
        return tuple(
            summarise_match(
                card,
                is_knockout=self.event.stage_of(card.match).format.is_knockout,
                is_cancelled=card.match.number in cancelled,
            )
            for card in self.view.cards
        )

    def report(self, entry: ReportEntry) -> Context:
        """Views a report that has a page of its own."""
        report = self.view.report(entry.name, **entry.on_page)
        charts = CHARTS[entry.name](report) if entry.name in CHARTS else ()
        return {**view_report(report, entry.page_title, charts=charts), **self._more()}

    def _more(self) -> dict[str, Any]:
        """Return what the front page leads to besides what every page does."""
        return {
            "reports": [entry for entry in self.frame.reports if entry.name != DUEL and not entry.is_in_navigation],
            "has_conditions": self.frame.conditions is not None,
        }

    def recap(self) -> Context:
        """Views what each pair has won in each round."""
        return {"lists": self.frame.pairs.lists, "no_figures": NO_FIGURES}

    def crosstable(self) -> Context:
        """Views what each team made of its match against each other."""
        standings = self.view.standings
        fields = crosstable_fields(self.event, standings)
        return {
            "standings": standings,
            "fields": fields,
            "share_of_vp": _share_of_vp(fields),
        }

    def front(self) -> Context:
        """Views the standings, what is being played, the race and the biggest swings; of a duel, its report."""
        if self.frame.is_duel:
            return {"template": PAGES[DUEL].page, **self.report(PAGES[DUEL])}
        return {
            **self.standings(),
            "playing": view_playing(self._matches, self.view.tables),
            "latest": self._latest(),
            "race": next(iter(chart_race(self.view.race)), None),
            "swings": self._biggest_swings(),
            "rounds": [
                _summarise_round(stage, round_, self._matches)
                for stage in self.event.stages
                for round_ in stage.rounds
            ],
            **self._more(),
        }

    def standings(self) -> dict[str, Any]:
        """Views the standings of every stage."""
        return {
            "rankings": view_rankings(self.view.ranking, self.event, self._matches),
            "ranked": len(self.view.standings.rows),
        }

    def _latest(self) -> list[MatchSummary]:
        """Return the matches of the newest round that has a finished match."""
        over = [line for line in self._matches if line.is_over and not line.match.format.ranks_by_boards]
        newest = max((line.match.round for line in over), default=0)
        return [line for line in over if line.match.round == newest]

    def live(self, *, is_wall: bool) -> Context:
        """Views the tables in play as tiles, or for a screen in the hall."""
        playing = view_playing(self._matches, self.view.tables)
        own = {"playing": playing, "latest": self._latest(), "is_wall": is_wall, "shown": self.view.rules.live}
        return {**(self.standings() if is_wall else {}), **own}

    def schedule(self) -> Context:
        """Views all rounds with their matches, by the day of the event's time zone on which they start.

        A round that starts when the one before has finished is listed with that.
        """
        zone = self.view.zone
        days: list[ScheduledDay] = []
        for stage in self.event.stages:
            for round_ in stage.rounds:
                at_ms = round_.starts_at_ms
                name = format_day(at_ms, zone) if at_ms is not None else days[-1].name if days else ""
                if not days or days[-1].name != name:
                    days.append(ScheduledDay(name, []))
                lines = [line for line in self._matches if line.match.round == round_.number]
                days[-1].rounds.append((stage, round_, lines))
        return {"days": days, "zone_name": str(zone), "has_starts": self.view.has_starts}

    def _biggest_swings(self) -> TableView | None:
        if not self.frame.has_swings:
            return None
        found = find_swings(self.event.name, self._in_two_rooms, 1, SWINGS_ON_FRONT)
        return view_table(brief_table(found.rows), "Biggest swings") if found.rows else None

    @cached_property
    def _in_two_rooms(self) -> list[Scorecard]:
        """The scorecards of matches that are played in two rooms."""
        return [card for card in self.view.cards if len(card.match.segments[0].tables) == 2]

    def rulings(self) -> Context:
        """Views the rulings, those that were withdrawn apart."""
        found = self.view.rulings.rulings
        return {
            "rulings": [ruling for ruling in found if ruling.is_live],
            "withdrawn": [ruling for ruling in found if not ruling.is_live],
        }

    def conditions(self) -> Context:
        """Views the conditions of contest."""
        assert self.frame.conditions is not None
        return {"contents": format_html_contents(self.frame.conditions)}

    def board_of_round(self, round_number: int, number: int) -> Context | None:
        """Views a board at all tables of a round."""
        boards = self.frame.compared.get(round_number, ())
        place = next((place for place, board in enumerate(boards) if board.number == number), None)
        if place is None:
            return None
        context: dict[str, Any] = {"board": boards[place], "round": round_number}
        for name, other in (("before", place - 1), ("after", place + 1)):
            is_there = 0 <= other < len(boards)
            context[name] = urls.round_board_page(round_number, boards[other].number) if is_there else None
            context[f"{name}_text"] = f"Board {boards[other].number}" if is_there else None
        return context

    def traveller(self, number: int) -> Context | None:
        """Views a board of a pairs event with the results of all tables, in an event of one stage."""
        return self.traveller_of_stage(1, number)

    def traveller_of_stage(self, stage: int, number: int) -> Context | None:
        """Views a board of a pairs event with the results of all tables."""
        pairs = self.frame.pairs
        travellers = pairs.travellers(stage)
        place = next((place for place, each in enumerate(travellers) if each.board.number == number), None)
        if place is None:
            return None
        traveller = travellers[place]
        scores = pairs.scores(stage)
        return {
            "traveller": traveller,
            "board": traveller.board,
            "vulnerable": VULNERABLE[traveller.board.vulnerability],
            "hcp": announced_points(traveller.board.deal),
            "scores": scores,
            "tops": describe_tops(traveller, scores) if scores is not None and traveller.tops else "",
            "unequal": describe_unequal(traveller) if traveller.unequal else "",
            "rows": pairs.view_traveller(traveller, self._by_number),
            "rulings": list(dict.fromkeys(r for line in traveller.lines for r in line.rulings)),
            **self._traveller_link("before", travellers[place - 1] if place > 0 else None),
            **self._traveller_link("after", travellers[place + 1] if place + 1 < len(travellers) else None),
        }

    def _traveller_link(self, name: str, traveller: PlayedTraveller | None) -> dict[str, str | None]:
        if traveller is None:
            return {name: None, f"{name}_text": None}
        number = traveller.board.number
        page = self.frame.pairs.page_of(traveller.stage.number, number)
        return {name: page, f"{name}_text": f"Board {number}"}

    def round(self, number: int) -> Context | None:
        """Views the results of a round that is drawn."""
        event, last = self.event, len(self.event.rounds)
        if number > last:
            return None
        round_ = event.rounds[number - 1]
        stage = event.stages[round_.stage - 1]
        return {
            "round": round_,
            "stage": stage,
            "groups": {entry.team: group_letter(entry.group - 1) for entry in stage.entries if stage.groups > 1},
            "lines": [line for line in self._matches if line.match.round == round_.number],
            "halves": [
                (each, event.played_in(each.match, each.rooms[0].other))
                for each in round_.assignments
                if each.is_half
            ],
            "before": urls.round_page(round_.number - 1) if round_.number > 1 else None,
            "after": urls.round_page(round_.number + 1) if round_.number < last else None,
        }

    @cached_property
    def _by_number(self) -> dict[int, MatchSummary]:
        return {line.match.number: line for line in self._matches}

    @cached_property
    def _rows(self) -> dict[str, StandingRow]:
        return {row.team: row for row in self.view.standings.rows}

    def team(self, number: int) -> Context | None:
        """Views a team and its matches, or a pair and its boards."""
        standings, teams = self.view.standings, self.event.teams
        if number > len(teams):
            return None
        team = teams[number - 1]
        context: dict[str, Any] = {
            "row": self._rows[team.name],
            "standings": standings,
            "stages": view_team(standings, team.name, self._matches),
            "cards": {
                stage.number: self.frame.pairs.view_card(stage, team.name, self._by_number)
                for stage in self.event.stages
                if stage.format.ranks_by_boards
            },
            "rulings": standings.rulings_on(team.name),
        }
        for name, other in (("before", number - 1), ("after", number + 1)):
            is_there = 1 <= other <= len(teams)
            context[name] = self.frame.entrant_page(other) if is_there else None
            context[f"{name}_name"] = teams[other - 1].name if is_there else None
        return context

    def teams(self) -> Context:
        """Views the teams or pairs."""
        report = EntrantsReport(self.event.teams, self.view.standings)
        return view_report(report, f"{self.event.entrant.title()}s")


def _summarise_round(stage: StageInfo, round_: RoundInfo, matches: Sequence[MatchSummary]) -> RoundSummary:
    own = [match for match in matches if match.match.round == round_.number]
    page = urls.round_page(round_.number) if round_.is_drawn else None
    progress = stage.format.describe_progress(sum(match.is_over for match in own), len(own))
    has_halves = not own and any(each.is_half for each in round_.assignments)
    return RoundSummary(round_.number, page, round_.starts_at_ms, progress, has_halves)


def _share_of_vp(fields: Sequence[CrosstableField]) -> Callable[[Sequence[CrosstableCell]], float | None]:
    """Returns a function that says which part of the victory points of some matches a team has won; None for none."""
    totals: Counter[int] = Counter()
    for field in fields:
        for row in field.rows:
            totals.update({cell.match: cell.figures.vp for cell in row.matches if cell.figures is not None})

    def share(cells: Sequence[CrosstableCell]) -> float | None:
        finished = [cell for cell in cells if cell.figures is not None]
        own = sum(cell.figures.vp for cell in finished if cell.figures is not None)
        total = sum(totals[cell.match] for cell in finished)
        return own / total if total > 0 else None

    return share
