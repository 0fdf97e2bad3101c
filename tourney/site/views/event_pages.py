"""The pages of an event as a whole: the front page, rounds, teams or pairs, tables of all kinds.

    /                   standings, of several stages each of them, the rulings that count, the rounds
    /round/1            results of a round that is drawn
    /crosstable         what each team made of its match against each other; none of a knockout
    /teams, /team/1     the teams, and the matches of one
    /NAME               a report whose entry in the registry has a page

At pairs there are

    /board/1            a board that counts, with the results of all tables
    /pairs, /pair/1     the pairs, and the card of one, in place of those of teams
    /recap              what each pair has won in each round, in place of the cross-table
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from tourney.movement.groups import group_letter
from tourney.movement.ranking import StandingRow
from tourney.report.crosstable import crosstable_fields
from tourney.report.pair_figures import describe_unequal
from tourney.report.registry import ReportEntry
from tourney.report.report import Report
from tourney.results.scorecard import Scorecard
from tourney.results.standings import Standings
from tourney.results.travellers import PlayedTraveller
from tourney.site import urls
from tourney.site.views.frame import VULNERABLE, Frame, Page
from tourney.site.views.match import MatchSummary, summarise_match
from tourney.site.views.pairs import format_rank
from tourney.site.views.stages import carried_by_team, carried_vp, view_stages, view_team
from tourney.store.draw.objects import EventInfo, RoundInfo, StageInfo

_NUMBERED: Final = re.compile(r"(round|team|pair)/([1-9]\d{0,8})", re.ASCII)


@dataclass(frozen=True, kw_only=True)
class PublicEvent:
    """An event as far as everybody may see it: what the pages of the event as a whole are made from."""

    event: EventInfo
    standings: Standings
    cards: Sequence[Scorecard]
    """The scorecards of all matches, in the order of the draw."""
    reports: Sequence[tuple[ReportEntry, Report]] = ()
    """Reports that have a page of their own, each with its entry in the registry."""

    @cached_property
    def matches(self) -> tuple[MatchSummary, ...]:
        """All matches, in the order of the draw."""
        return tuple(
            summarise_match(card, is_knockout=self.event.stage_of(card.match).format.is_knockout)
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
            entry.name: lambda entry=entry, report=report: self._report(entry, report)  # type: ignore[misc]
            for entry, report in state.reports
        }
        singles[frame.teams_page] = self._teams
        if frame.has_pairs:
            singles[urls.RECAP] = self._recap
        if frame.has_crosstable:
            singles[urls.CROSSTABLE] = self._crosstable
        singles[urls.FRONT] = self._front
        self._singles = singles

    def addresses(self) -> Iterator[str]:
        """Yields the addresses of all its pages; that of the front page is the last."""
        for round_ in self._event.rounds:
            yield urls.round_page(round_.number)
        for team in self._event.teams:
            yield self._frame.entrant_page(team.number)
        yield from self._travellers
        yield from self._singles

    def page(self, address: str) -> Page | None:
        """Returns a page; None if there is none of that address, or it may not be shown yet."""
        if make := self._singles.get(address):
            return make()
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

    def _report(self, entry: ReportEntry, report: Report) -> Page:
        return self._frame.page(entry.name, f"{entry.name}.html", {"report": report, "title": entry.page_title})

    def _recap(self) -> Page:
        return self._frame.page(urls.RECAP, "recap.html", {"lists": self._frame.pairs.view_recap()})

    def _crosstable(self) -> Page:
        standings = self._state.standings
        context = {
            "standings": standings,
            "fields": crosstable_fields(self._event, standings),
            "carried": carried_by_team(standings),
        }
        return self._frame.page(urls.CROSSTABLE, "crosstable.html", context)

    def _front(self) -> Page:
        event, standings, matches = self._event, self._state.standings, self._state.matches
        context = {
            "standings": standings,
            "has_lists_only": standings.is_of_pairs and bool(standings.fields) and len(event.stages) == 1,
            "list_name": _list_name,
            # Readers look for the matches in progress first.
            "stages": view_stages(event, standings, matches)[::-1],
            "carried_vp": carried_vp,
            "rounds": [_summarise_round(stage, round_, matches) for stage in event.stages for round_ in stage.rounds],
            "reports": [entry for entry, _ in self._state.reports],
        }
        return self._frame.page(urls.FRONT, "index.html", context)

    def _traveller(self, address: str) -> Page:
        stage, place = self._travellers[address]
        pairs = self._frame.pairs
        travellers = pairs.travellers(stage.number)
        traveller = travellers[place]
        context = {
            "traveller": traveller,
            "board": traveller.board,
            "vulnerable": VULNERABLE[traveller.board.vulnerability],
            "scores": pairs.scores(stage.number),
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
                (each, event.played_in(each.match, each.rooms[0].other)) for each in round_.sittings if each.is_half
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
    has_halves = not own and any(each.is_half for each in round_.sittings)
    return RoundSummary(
        round_.number, page, round_.starts_at_ms, len(own), over, stage.format.is_of_pairs, has_halves
    )


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
