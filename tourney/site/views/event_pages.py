"""The pages of an event as a whole: the front page, rounds, teams or pairs, tables of all kinds.

    /                   standings, what is being played, the race, the biggest swings
    /schedule           all rounds with their matches
    /round/1            results of a round that is drawn; /round/1/board/5 a board at all tables of it
    /crosstable         what each team made of its match against each other; none of a knockout
    /race /swings /butler /rulings /conditions
    /teams, /team/1     the teams, and the matches of one
    /NAME               a report whose entry in the registry has a page

At pairs there are

    /board/1            a board that counts, with the results of all tables
    /pairs, /pair/1     the pairs, and the card of one, in place of those of teams
    /recap              what each pair has won in each round, in place of the cross-table

Only a server has the tables in play as tiles, `/live`, and the standings for pages of others, `/embed/standings`.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Final

from tourney.bridge.minibridge import announced_points
from tourney.conditions.document import Conditions, format_html_contents
from tourney.config.values import LiveBoards
from tourney.movement.groups import group_letter
from tourney.movement.ranking import StandingRow
from tourney.report.butler import rank_pairs
from tourney.report.crosstable import CrosstableCell, CrosstableField, crosstable_fields
from tourney.report.pair_figures import describe_tops, describe_unequal
from tourney.report.registry import ReportEntry
from tourney.report.report import Report
from tourney.report.swings import Swings, find_swings
from tourney.results.cancelled import cancelled_in
from tourney.results.scorecard import Scorecard
from tourney.results.standings import Standings
from tourney.results.travellers import PlayedTraveller
from tourney.scoring.butler import Datum, Trim
from tourney.site import urls
from tourney.site.public import EventState, PublicTable
from tourney.site.views.frame import VULNERABLE, Frame, Page
from tourney.site.views.front import view_form, view_moves, view_playing
from tourney.site.views.match import MatchSummary, summarise_match
from tourney.site.views.pairs import format_rank
from tourney.site.views.race import Race, plot_race, view_races
from tourney.site.views.stages import carried_by_team, carried_vp, view_reached, view_stages, view_team
from tourney.store.draw.objects import EventInfo, RoundInfo, StageInfo
from tourney.store.rulings import RulingInfo

DUEL: Final = "duel"
"""The report whose page is the front page of a duel."""
SWINGS_ON_FRONT: Final = 5
SWINGS_LISTED: Final = 100

_NUMBERED: Final = re.compile(r"(round|team|pair)/([1-9]\d{0,8})", re.ASCII)


@dataclass(frozen=True, kw_only=True)
class PublicEvent:
    """An event as far as everybody may see it: what the pages of the event as a whole are made from."""

    event: EventInfo
    standings: Standings
    cards: Sequence[Scorecard]
    """The scorecards of all matches, in the order of the draw."""
    reports: Sequence[tuple[ReportEntry, Callable[[], Report]]] = ()
    """Reports that have a page of their own, each with its entry in the registry; loaded once the page is made."""
    state: EventState | None = None
    """How far the event has come, if that is known."""
    tables: Sequence[PublicTable] = ()
    """The tables of all matches, with how far they are."""
    before: Standings | None = None
    """The standings a round earlier, from which teams have gone up or down."""
    rulings: Sequence[RulingInfo] | None = None
    """All rulings that may be shown, withdrawn ones included; None for those that count in the standings."""
    conditions: Conditions | None = None
    """The conditions of contest; None if the event file cannot be read."""
    datum: Datum = Datum.MEAN
    """What the Butler ranking compares scores with."""
    trim: Trim = 0
    """How many results it leaves out at either end."""

    live: LiveBoards = LiveBoards.FINISHED
    """Which boards in play are shown."""

    @cached_property
    def matches(self) -> tuple[MatchSummary, ...]:
        """All matches, in the order of the draw."""
        cancelled = cancelled_in(self.standings)
        return tuple(
            summarise_match(
                card,
                is_knockout=self.event.stage_of(card.match).format.is_knockout,
                is_cancelled=card.match.number in cancelled,
            )
            for card in self.cards
        )


@dataclass(frozen=True, slots=True)
class RoundSummary:
    """A round on the front page."""

    number: int
    page: str | None
    """The address of its page; None until the round is drawn."""
    starts_at_ms: int | None
    matches: int
    over: int
    is_of_pairs: bool
    has_halves: bool
    """Whether all it has are halves of matches that a later round decides."""


class EventPages:
    """The pages of an event, without those of its matches.

    Args:
        frame: what they share with the pages of matches.
        state: what they show.
    """

    def __init__(self, frame: Frame, state: PublicEvent) -> None:
        self._frame = frame
        self._state = state
        self._event = frame.event
        self._travellers = {
            frame.pairs.page_of(stage.number, traveller.board.number): (stage, place)
            for stage in frame.event.stages
            for place, traveller in enumerate(frame.pairs.travellers(stage.number))
        }
        singles: dict[str, Callable[[], Page]] = {
            entry.name: partial(self._report, entry, load) for entry, load in state.reports
        }
        singles[frame.teams_page] = self._teams
        singles[urls.SCHEDULE] = self._schedule
        singles[urls.RULINGS] = self._rulings
        if frame.has_race:
            singles[urls.RACE] = self._race
        if frame.has_swings:
            singles[urls.SWINGS] = self._swings
            singles[urls.BUTLER] = self._butler
        if state.conditions is not None:
            singles[urls.CONDITIONS] = self._conditions
        if frame.has_pairs:
            singles[urls.RECAP] = self._recap
        if frame.has_crosstable:
            singles[urls.CROSSTABLE] = self._crosstable
        # The front page of a duel is how it stands.
        singles[urls.FRONT] = singles.pop(DUEL, self._front)
        self._singles = singles
        self._served: dict[str, Callable[[], Page]] = {
            urls.LIVE: lambda: self._live(is_wall=False),
            urls.WALL: lambda: self._live(is_wall=True),
            urls.EMBEDDED_STANDINGS: self._embedded_standings,
        }

    @cached_property
    def _boards_of_rounds(self) -> dict[str, tuple[int, int]]:
        """The number of a round and of a board by the address of the page that compares its tables."""
        return {
            urls.round_board_page(round_number, board.number): (round_number, board.number)
            for round_number, boards in self._frame.compared.items()
            for board in boards
        }

    def addresses(self) -> Iterator[str]:
        """Yields the addresses of all its pages that an export has; that of the front page is the last."""
        for round_ in self._event.rounds:
            yield urls.round_page(round_.number)
        for team in self._event.teams:
            yield self._frame.entrant_page(team.number)
        yield from self._travellers
        yield from self._boards_of_rounds
        yield from self._singles

    def page(self, address: str) -> Page | None:
        """Returns a page; None if there is none of that address, or it may not be shown yet."""
        if make := self._singles.get(address) or self._served.get(address):
            return make()
        if address in self._boards_of_rounds:
            return self._board_of_round(*self._boards_of_rounds[address])
        if address in self._travellers:
            return self._traveller(address)
        found = _NUMBERED.fullmatch(address)
        if found is None:
            return None
        number = int(found[2])
        if found[1] == "round" and number <= len(self._event.rounds):
            return self._round(self._event.rounds[number - 1])
        if address == self._frame.entrant_page(number) and number <= len(self._event.teams):
            return self._team(number)
        return None

    def _report(self, entry: ReportEntry, load: Callable[[], Report]) -> Page:
        address = urls.FRONT if entry.name == DUEL else entry.name
        context = {"report": load(), "title": entry.page_title, **self._more()}
        return self._frame.page(address, f"{entry.name}.html", context)

    def _more(self) -> dict[str, Any]:
        """Return what the front page leads to besides what every page does."""
        return {
            "reports": [entry for entry, _ in self._state.reports if entry.name != DUEL],
            "has_conditions": self._state.conditions is not None,
        }

    def _recap(self) -> Page:
        return self._frame.page(urls.RECAP, "recap.html", {"lists": self._frame.pairs.view_recap()})

    def _crosstable(self) -> Page:
        standings = self._state.standings
        fields = crosstable_fields(self._event, standings)
        context = {
            "standings": standings,
            "fields": fields,
            "carried": carried_by_team(standings),
            "by_rank": lambda field: sorted(field.rows, key=lambda row: (row.rank, row.number)),
            "share_of_vp": _share_of_vp(fields),
        }
        return self._frame.page(urls.CROSSTABLE, "crosstable.html", context)

    def _front(self) -> Page:
        races = self._races
        context = {
            **self._of_standings(),
            "playing": view_playing(self._state.matches, self._state.tables),
            "latest": self._latest(),
            "race": races[0] if races else None,
            "race_lines": plot_race(races[0]) if races else None,
            "swings": self._swings_of(SWINGS_ON_FRONT) if self._frame.has_swings else None,
            "rounds": [
                _summarise_round(stage, round_, self._state.matches)
                for stage in self._event.stages
                for round_ in stage.rounds
            ],
            **self._more(),
        }
        return self._frame.page(urls.FRONT, "index.html", context)

    def _of_standings(self) -> dict[str, Any]:
        event, standings, matches = self._event, self._state.standings, self._state.matches
        return {
            "standings": standings,
            "has_lists_only": standings.is_of_pairs and bool(standings.fields) and len(event.stages) == 1,
            "list_name": _list_name,
            # Readers look for the matches in progress first.
            "stages": view_stages(event, standings, matches)[::-1],
            "carried_vp": carried_vp,
            "form_in": view_form,
            "reached_in": partial(view_reached, pairs=self._frame.pairs),
            "moves": view_moves(standings, self._state.before),
        }

    def _embedded_standings(self) -> Page:
        return self._frame.page(urls.EMBEDDED_STANDINGS, "embedded-standings.html", self._of_standings())

    def _latest(self) -> list[MatchSummary]:
        """Return the matches of the newest round that has a finished match."""
        over = [line for line in self._state.matches if line.is_over and not line.match.format.is_of_pairs]
        newest = max((line.match.round for line in over), default=0)
        return [line for line in over if line.match.round == newest]

    def _live(self, *, is_wall: bool) -> Page:
        playing = view_playing(self._state.matches, self._state.tables)
        own = {"playing": playing, "latest": self._latest(), "is_wall": is_wall, "shown": self._state.live}
        context = {**self._of_standings(), **own}
        return self._frame.page(urls.WALL if is_wall else urls.LIVE, "live.html", context)

    def _schedule(self) -> Page:
        rounds = [
            (stage, round_, [line for line in self._state.matches if line.match.round == round_.number])
            for stage in self._event.stages
            for round_ in stage.rounds
        ]
        return self._frame.page(urls.SCHEDULE, "schedule.html", {"rounds": rounds})

    @cached_property
    def _races(self) -> tuple[Race, ...]:
        return view_races(self._event, self._state.standings, self._frame.pairs)

    def _race(self) -> Page:
        races = [(race, plot_race(race)) for race in self._races]
        return self._frame.page(urls.RACE, "race.html", {"races": races})

    def _swings_of(self, top: int) -> Swings:
        return find_swings(self._event.name, self._in_two_rooms, 1, top)

    @cached_property
    def _in_two_rooms(self) -> list[Scorecard]:
        """The scorecards of matches that are played in two rooms."""
        return [card for card in self._state.cards if len(card.match.segments[0].tables) == 2]

    def _swings(self) -> Page:
        return self._frame.page(urls.SWINGS, "swings.html", {"swings": self._swings_of(SWINGS_LISTED)})

    def _butler(self) -> Page:
        ranking = rank_pairs(self._event.name, self._in_two_rooms, self._state.datum, self._state.trim)
        return self._frame.page(urls.BUTLER, "butler.html", {"butler": ranking})

    def _rulings(self) -> Page:
        found = self._state.rulings if self._state.rulings is not None else self._state.standings.rulings
        context = {"rulings": [ruling for ruling in found if ruling.is_live]}
        context["withdrawn"] = [ruling for ruling in found if not ruling.is_live]
        return self._frame.page(urls.RULINGS, "rulings.html", context)

    def _conditions(self) -> Page:
        assert self._state.conditions is not None
        contents = format_html_contents(self._state.conditions)
        return self._frame.page(urls.CONDITIONS, "conditions.html", {"contents": contents})

    def _board_of_round(self, round_number: int, number: int) -> Page:
        boards = self._frame.compared[round_number]
        place = next(place for place, board in enumerate(boards) if board.number == number)
        context: dict[str, Any] = {"board": boards[place], "round": round_number}
        for name, other in (("before", place - 1), ("after", place + 1)):
            is_there = 0 <= other < len(boards)
            context[name] = urls.round_board_page(round_number, boards[other].number) if is_there else None
            context[f"{name}_text"] = f"Board {boards[other].number}" if is_there else None
        return self._frame.page(urls.round_board_page(round_number, number), "round-board.html", context)

    def _traveller(self, address: str) -> Page:
        stage, place = self._travellers[address]
        pairs = self._frame.pairs
        travellers = pairs.travellers(stage.number)
        traveller = travellers[place]
        scores = pairs.scores(stage.number)
        context = {
            "traveller": traveller,
            "board": traveller.board,
            "vulnerable": VULNERABLE[traveller.board.vulnerability],
            "hcp": announced_points(traveller.board.deal),
            "scores": scores,
            "tops": describe_tops(traveller, scores.scale) if scores is not None and traveller.tops else "",
            "unequal": describe_unequal(traveller) if traveller.unequal else "",
            "rows": pairs.view_traveller(traveller, self._by_number),
            "rulings": list(dict.fromkeys(r for line in traveller.lines for r in line.rulings)),
            **self._traveller_link("before", travellers[place - 1] if place > 0 else None),
            **self._traveller_link("after", travellers[place + 1] if place + 1 < len(travellers) else None),
        }
        return self._frame.page(address, "traveller.html", context)

    def _traveller_link(self, name: str, traveller: PlayedTraveller | None) -> dict[str, str | None]:
        if traveller is None:
            return {name: None, f"{name}_text": None}
        number = traveller.board.number
        page = self._frame.pairs.page_of(traveller.stage.number, number)
        return {name: page, f"{name}_text": f"Board {number}"}

    def _round(self, round_: RoundInfo) -> Page:
        event, last = self._event, len(self._event.rounds)
        stage = event.stages[round_.stage - 1]
        context = {
            "round": round_,
            "stage": stage,
            "groups": {entry.team: group_letter(entry.group - 1) for entry in stage.entries if stage.groups > 1},
            "lines": [line for line in self._state.matches if line.match.round == round_.number],
            "halves": [
                (each, event.played_in(each.match, each.rooms[0].other))
                for each in round_.assignments
                if each.is_half
            ],
            "before": urls.round_page(round_.number - 1) if round_.number > 1 else None,
            "after": urls.round_page(round_.number + 1) if round_.number < last else None,
        }
        return self._frame.page(urls.round_page(round_.number), "round.html", context)

    @cached_property
    def _by_number(self) -> dict[int, MatchSummary]:
        return {line.match.number: line for line in self._state.matches}

    @cached_property
    def _rows(self) -> dict[str, StandingRow]:
        return {row.team: row for row in self._state.standings.rows}

    def _team(self, number: int) -> Page:
        standings, teams = self._state.standings, self._event.teams
        team = teams[number - 1]
        context: dict[str, Any] = {
            "row": self._rows[team.name],
            "standings": standings,
            "stages": view_team(standings, team.name, self._state.matches),
            "cards": {
                stage.number: self._frame.pairs.view_card(stage, team.name, self._by_number)
                for stage in self._event.stages
                if stage.format.is_of_pairs
            },
            "rulings": standings.rulings_on(team.name),
        }
        for name, other in (("before", number - 1), ("after", number + 1)):
            is_there = 1 <= other <= len(teams)
            context[name] = self._frame.entrant_page(other) if is_there else None
            context[f"{name}_name"] = teams[other - 1].name if is_there else None
        return self._frame.page(self._frame.entrant_page(number), "team.html", context)

    def _teams(self) -> Page:
        rows = [self._rows[team.name] for team in self._event.teams]
        context = {"rows": rows, "standings": self._state.standings, "rank_words": _rank_words}
        return self._frame.page(self._frame.teams_page, "teams.html", context)


def _summarise_round(stage: StageInfo, round_: RoundInfo, matches: Sequence[MatchSummary]) -> RoundSummary:
    own = [match for match in matches if match.match.round == round_.number]
    page = urls.round_page(round_.number) if round_.is_drawn else None
    over = sum(match.is_over for match in own)
    has_halves = not own and any(each.is_half for each in round_.assignments)
    return RoundSummary(
        round_.number, page, round_.starts_at_ms, len(own), over, stage.format.is_of_pairs, has_halves
    )


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


def _list_name(field: Standings) -> str:
    """Returns the name of one of several rankings of a stage: `Group A`, `North-South`."""
    if field.is_of_pairs and field.stage is not None:
        name = field.title.removeprefix(f"{field.stage.name}, ")
        return f"{name[:1].upper()}{name[1:]}"
    return f"Group {field.group}"


def _rank_words(standings: Standings, row: StandingRow) -> str:
    """Formats the rank of a team in the event; of pairs that are ranked in two lists, the rank in its own."""
    if standings.is_of_pairs:
        fields = standings.fields or (standings,)
        own = next((field for field in reversed(fields) if any(r.team == row.team for r in field.rows)), None)
        return f"rank {format_rank(own, row.team)}" if own is not None else "not ranked yet"
    return f"rank {standings.format_rank(row)}" if standings.is_ranked else "not ranked yet"
