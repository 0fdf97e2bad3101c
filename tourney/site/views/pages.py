"""The pages of an event: the template of each, and what it shows. Pure: data in, pages out.

    index.html             standings, of several stages each of them, the rulings that count, the rounds
    round-001.html         results of a round that is drawn
    crosstable.html        what each team made of its match against each other; none of a knockout
    teams.html             the teams, and team-001.html the matches of one
    NAME.html              a report whose entry in the registry has a page
    match-001/index.html   scorecard, rulings, thinking times
    match-001/board-01.html  a board that both rooms have finished: hands, both auctions and plays

Boards that are not finished in both rooms have no page. At pairs a match is a table in one round, and there are

    board-001.html         a board that counts, with the results of all tables
    pairs.html             the pairs, and pair-001.html the card of one, in place of those of teams
    recap.html             what each pair has won in each round, in place of the cross-table
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from tourney.bridge import SUITS_DOWN, Seat, Side, Vulnerability
from tourney.movement.groups import group_letter
from tourney.movement.ranking import StandingRow
from tourney.movement.seating import Room
from tourney.plurals import count
from tourney.report.analysis import BoardPar, compare_with_par
from tourney.report.crosstable import crosstable_fields
from tourney.report.pair_figures import describe_unequal
from tourney.report.registry import ReportEntry
from tourney.report.report import Report
from tourney.report.schedule import describe_round
from tourney.results.played import PlayedBoard, PlayedMatch
from tourney.results.score_sheet import ScoreSheet, score_sheet_of
from tourney.results.scorecard import Scorecard
from tourney.results.standings import Standings
from tourney.results.travellers import PlayedTraveller
from tourney.scoring.board_scale import BoardScale
from tourney.scoring.double_dummy import DECLARERS, STRAINS
from tourney.scoring.games import GameKind
from tourney.site import urls
from tourney.site.views.board import AUCTION_ORDER, board_rulings, view_rooms
from tourney.site.views.match import MatchSummary, describe_result, summarise_match, view_segments, view_times
from tourney.site.views.pairs import PairsViews, format_rank
from tourney.site.views.rulings import RulingWords
from tourney.site.views.stages import carried_by_team, carried_vp, view_stages, view_team
from tourney.store.draw.objects import EventInfo, RoundInfo, StageInfo

_COMPASS_ORDER: Final = (Seat.NORTH, Seat.WEST, Seat.EAST, Seat.SOUTH)
"""The order in which the hands are read, also by screen readers."""

_VULNERABLE: Final = {
    Vulnerability.NONE: "none",
    Vulnerability.NS: "North-South",
    Vulnerability.EW: "East-West",
    Vulnerability.ALL: "all",
}


@dataclass(frozen=True, slots=True)
class Page:
    """A page to be rendered."""

    path: str
    """Its path, relative to the folder of the front page."""
    template: str
    context: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RoundSummary:
    """A round on the front page."""

    number: int
    page: str | None
    """The path of its page; None until the round is drawn."""
    starts_at_ms: int | None
    matches: int
    over: int
    is_of_pairs: bool
    has_halves: bool
    """Whether all it has are halves of matches that a later round decides."""


class EventPages:
    """Builds the pages of one event, or of a single match.

    Args:
        event: the event.
        program: the program that made the pages, for the footers.
        written_at_ms: when it made them, which every page says.
        pairs: its stages of pairs; without it, tables have their results but no scores.
    """

    def __init__(self, event: EventInfo, program: str, written_at_ms: int, pairs: PairsViews | None = None) -> None:
        self.event = event
        self.pairs = pairs if pairs is not None else PairsViews()
        self.has_crosstable = any(not _has_no_crosstable(stage) for stage in event.stages)
        self.has_pairs = any(stage.format.is_of_pairs for stage in event.stages)
        self.is_of_pairs = all(stage.format.is_of_pairs for stage in event.stages)
        page_of = urls.pair_page if self.is_of_pairs else urls.team_page
        self.entrant_page = page_of
        teams = {team.name: page_of(team.number) for team in event.teams}
        names = {round_.number: describe_round(event, round_.number) for round_ in event.all_rounds}
        self._common: dict[str, Any] = {
            "event": event,
            "program": program,
            "written_at_ms": written_at_ms - written_at_ms % 1000,  # to the second
            "rooms": tuple(Room),
            "side_order": (Side.NS, Side.EW),
            "suits": SUITS_DOWN,
            "auction_order": AUCTION_ORDER,
            "compass_order": _COMPASS_ORDER,
            "declarers": DECLARERS,
            "strains": STRAINS,
            "has_crosstable": self.has_crosstable,
            "has_pairs": self.has_pairs,
            "entrant": "pair" if self.is_of_pairs else "team",
            "teams_page": urls.PAIRS if self.is_of_pairs else urls.TEAMS,
            "pairs": self.pairs,
            "pair_rank": format_rank,
            "ranked_in": _ranked_in,
            "rulings_in": RulingWords(event, self.pairs),
            "length_of": self._length_of,
            "match_page": urls.match_page,
            "round_name": names.__getitem__,
            "round_page": urls.round_page,
            "team_page": teams.__getitem__,
        }

    # A match

    def summarise(self, played: PlayedMatch) -> MatchSummary:
        """Returns the match as the other pages show it."""
        stage = self.event.stage_of(played.card.match)
        return summarise_match(played.card, is_knockout=stage.format.is_knockout)

    def match(self, played: PlayedMatch, folder: str, top: str | None) -> Iterator[Page]:
        """Yields the pages of the boards that both rooms have finished, then the scorecard.

        Args:
            played: the match.
            folder: where its pages are, from the folder of the front page.
            top: the relative path from there to the front page; None if there is no front page.

        Raises:
            RuleError: the record of a forfeited board has an illegal auction.
        """
        card, match = played.card, played.card.match
        solved = {board.board.number: board.analysis.worth for board in played.boards if board.analysis is not None}
        pars = compare_with_par(card, solved)
        for index, board in enumerate(played.boards):
            yield self._board(played, index, pars.get(board.board.number), folder, top)
        stage = self.event.stage_of(match)
        if stage.format.is_of_pairs:
            yield self._table(played, folder, top)
            return
        context = {
            "card": card,
            "line": self.summarise(played),
            "result": describe_result(card, is_knockout=stage.format.is_knockout),
            "rooms": tuple(match.segments[0].tables),
            "scale": match.board_scale,
            "sheet": _sheet_of(played),
            "has_vp": _has_vp(card, is_knockout=stage.format.is_knockout),
            "segments": view_segments(card, stage),
            "times": view_times(card),
            "pars": pars,
            "notes": {ruling.id: index for index, ruling in enumerate(card.live_rulings, 1)},
            "board_page": urls.board_page,
        }
        context |= self._turner(match.number, top)
        yield self._page(f"{folder}/{urls.FRONT}", "match.html", context, top)

    def _table(self, played: PlayedMatch, folder: str, top: str | None) -> Page:
        """Return the page of a table in a round of pairs."""
        match = played.match
        rows = self.pairs.view_table(match)
        context = {
            "match": match,
            "card": played.card,
            "line": self.summarise(played),
            "number": self.pairs.table_number(match),
            "rows": rows,
            "scores": self.pairs.scores(match.stage) if top is not None else None,
            "pages": {board: f"{top}{self.pairs.page_of(match.stage, board)}" for board in rows if top is not None},
            "board_page": urls.board_page,
            **self._turner(match.number, top),
        }
        return self._page(f"{folder}/{urls.FRONT}", "table.html", context, top)

    def _turner(self, number: int, top: str | None) -> dict[str, str | None]:
        """Return the links from the page of a match to those beside it."""
        if top is None:
            return {"before": None, "after": None}
        last = len(self.event.matches)
        return {
            "before": f"{top}{urls.match_page(number - 1)}" if number > 1 else None,
            "after": f"{top}{urls.match_page(number + 1)}" if number < last else None,
        }

    def _board(self, played: PlayedMatch, index: int, par: BoardPar | None, folder: str, top: str | None) -> Page:
        board = played.boards[index]
        before = played.boards[index - 1] if index > 0 else None
        after = played.boards[index + 1] if index + 1 < len(played.boards) else None
        stage, number = played.match.stage, board.board.number
        traveller_page = self.pairs.page_if_shown(stage, number) if top is not None else None
        context = {
            "match": played.match,
            "is_of_pairs": played.match.format.is_of_pairs,
            "traveller_page": f"{top}{traveller_page}" if traveller_page is not None else None,
            "traveller_row": self.pairs.view_table(played.match).get(number) if top is not None else None,
            "scores": self.pairs.scores(stage),
            "segment": board.tables[Room.OPEN].segment if len(played.match.segments) > 1 else None,
            "board": board.board,
            "vulnerable": _VULNERABLE[board.board.vulnerability],
            "views": tuple(view_rooms(played, board).values()),
            "worth": board.analysis.worth if board.analysis is not None else None,
            "par": par,
            "scale": played.match.board_scale,
            "imps": board.imps,
            "imps_away": board.imps_away,
            "line": next(line for line in played.card.boards if line.number == board.board.number),
            "rulings": board_rulings(played, board, None),
            **_board_link("before", before),
            **_board_link("after", after),
        }
        return self._page(f"{folder}/{urls.board_page(board.board.number)}", "board.html", context, top)

    # The event

    def event_pages(
        self,
        standings: Standings,
        matches: Sequence[MatchSummary],
        reports: Sequence[tuple[ReportEntry, Report]] = (),
    ) -> Iterator[Page]:
        """Returns all pages except those of matches; the front page comes last.

        Args:
            standings: of the event.
            matches: all of them, in the order of the draw.
            reports: those that have a page of their own, each with its entry in the registry.
        """
        for entry, report in reports:
            yield self._page(entry.page, entry.page, {"report": report, "title": entry.page_title})
        yield from self._rounds(matches)
        yield from self._teams(standings, matches)
        if self.has_pairs:
            yield from self._travellers(matches)
            yield self._page(urls.RECAP, "recap.html", {"lists": self.pairs.view_recap()})
        if self.has_crosstable:
            fields = crosstable_fields(self.event, standings)
            context = {"standings": standings, "fields": fields, "carried": carried_by_team(standings)}
            yield self._page(urls.CROSSTABLE, "crosstable.html", context)
        context = {
            "standings": standings,
            "has_lists_only": standings.is_of_pairs and bool(standings.fields) and len(self.event.stages) == 1,
            "list_name": _list_name,
            # Readers look for the matches in progress first.
            "stages": view_stages(self.event, standings, matches)[::-1],
            "carried_vp": carried_vp,
            "rounds": [
                _summarise_round(stage, round_, matches) for stage in self.event.stages for round_ in stage.rounds
            ],
            "reports": [entry for entry, _ in reports],
        }
        yield self._page(urls.FRONT, "index.html", context)

    def _travellers(self, matches: Sequence[MatchSummary]) -> Iterator[Page]:
        """Yield the page of every board of pairs that counts."""
        by_number = {line.match.number: line for line in matches}
        for stage in self.event.stages:
            travellers = self.pairs.travellers(stage.number)
            for index, traveller in enumerate(travellers):
                before = travellers[index - 1] if index > 0 else None
                after = travellers[index + 1] if index + 1 < len(travellers) else None
                number = traveller.board.number
                context = {
                    "traveller": traveller,
                    "board": traveller.board,
                    "vulnerable": _VULNERABLE[traveller.board.vulnerability],
                    "scores": self.pairs.scores(stage.number),
                    "unequal": describe_unequal(traveller) if traveller.unequal else "",
                    "rows": self.pairs.view_traveller(traveller, by_number),
                    "rulings": list(dict.fromkeys(r for line in traveller.lines for r in line.rulings)),
                    **self._traveller_link("before", before),
                    **self._traveller_link("after", after),
                }
                yield self._page(self.pairs.page_of(stage.number, number), "traveller.html", context)

    def _traveller_link(self, name: str, traveller: PlayedTraveller | None) -> dict[str, str | None]:
        if traveller is None:
            return {name: None, f"{name}_text": None}
        number = traveller.board.number
        return {name: self.pairs.page_of(traveller.stage.number, number), f"{name}_text": f"Board {number}"}

    def _length_of(self, stage: StageInfo) -> str:
        """Format how long a match of one table is: `2 boards a round, matchpoints`, `1 rubber a match`."""
        if stage.format.is_of_pairs:
            return f"{count(stage.boards_per_match, 'board')} a round{self.pairs.scoring_words(stage.number)}"
        game = next((match.game for match in stage.matches), None)
        if game is None:
            return ""
        if game.length is None:
            return f"{count(stage.boards_per_match, 'deal')} a match"
        return f"{count(game.length, 'rubber' if game.kind is GameKind.RUBBER else 'chicago')} a match"

    def _rounds(self, matches: Sequence[MatchSummary]) -> Iterator[Page]:
        last = len(self.event.rounds)
        for round_ in self.event.rounds:
            stage = self.event.stages[round_.stage - 1]
            context = {
                "round": round_,
                "stage": stage,
                "groups": {entry.team: group_letter(entry.group - 1) for entry in stage.entries if stage.groups > 1},
                "lines": [line for line in matches if line.match.round == round_.number],
                "halves": [
                    (each, self.event.played_in(each.match, each.rooms[0].other))
                    for each in round_.sittings
                    if each.is_half
                ],
                "before": urls.round_page(round_.number - 1) if round_.number > 1 else None,
                "after": urls.round_page(round_.number + 1) if round_.number < last else None,
            }
            yield self._page(urls.round_page(round_.number), "round.html", context)

    def _teams(self, standings: Standings, matches: Sequence[MatchSummary]) -> Iterator[Page]:
        rows = {row.team: row for row in standings.rows}
        by_number = {line.match.number: line for line in matches}
        teams = [(team, rows[team.name]) for team in self.event.teams]
        for index, (team, row) in enumerate(teams):
            before = teams[index - 1][0] if index > 0 else None
            after = teams[index + 1][0] if index + 1 < len(teams) else None
            context = {
                "row": row,
                "standings": standings,
                "stages": view_team(standings, team.name, matches),
                "cards": {
                    stage.number: self.pairs.view_card(stage, team.name, by_number)
                    for stage in self.event.stages
                    if stage.format.is_of_pairs
                },
                "rulings": standings.rulings_on(team.name),
                "before": self.entrant_page(before.number) if before is not None else None,
                "before_name": before.name if before is not None else None,
                "after": self.entrant_page(after.number) if after is not None else None,
                "after_name": after.name if after is not None else None,
            }
            yield self._page(self.entrant_page(team.number), "team.html", context)
        context = {"rows": [row for _, row in teams], "standings": standings, "rank_words": _rank_words}
        yield self._page(self._common["teams_page"], "teams.html", context)

    def _page(self, path: str, template: str, context: Mapping[str, Any], top: str | None = "") -> Page:
        """Builds a page; `top` is the relative path to the front page's folder, None if there is no front page."""
        common = {**self._common, "top": top, "style": f"{top or ''}{urls.STYLE}"}
        if top:
            common["round_page"] = lambda number: f"{top}{urls.round_page(number)}"
        return Page(path, template, {**common, **context})


def _board_link(name: str, board: PlayedBoard | None) -> dict[str, str | None]:
    """Returns the link from a board's page to the next or previous board."""
    if board is None:
        return {name: None, f"{name}_text": None}
    return {name: urls.board_page(board.board.number), f"{name}_text": f"Board {board.board.number}"}


def _has_vp(card: Scorecard, *, is_knockout: bool) -> bool:
    """Returns whether victory points are shown beside the score: if they count, and the score does not say them."""
    if card.score is None or is_knockout:
        return False
    scale, totals = card.match.board_scale, card.totals
    home, away = totals.margins
    return not (
        scale.is_said_by_score(card.score.vp_home, totals.home, home)
        and scale.is_said_by_score(card.score.vp_away, totals.away, away)
    )


def _summarise_round(stage: StageInfo, round_: RoundInfo, matches: Sequence[MatchSummary]) -> RoundSummary:
    own = [match for match in matches if match.match.round == round_.number]
    page = urls.round_page(round_.number) if round_.is_drawn else None
    over = sum(match.is_over for match in own)
    has_halves = not own and any(each.is_half for each in round_.sittings)
    return RoundSummary(
        round_.number, page, round_.starts_at_ms, len(own), over, stage.format.is_of_pairs, has_halves
    )


def _has_no_crosstable(stage: StageInfo) -> bool:
    return stage.format.is_knockout or stage.format.is_of_pairs


def _list_name(field: Standings) -> str:
    """Returns the name of one of several rankings of a stage: `Group A`, `North-South`."""
    if field.is_of_pairs and field.stage is not None:
        name = field.title.removeprefix(f"{field.stage.name}, ")
        return f"{name[:1].upper()}{name[1:]}"
    return f"Group {field.group}"


def _ranked_in(scale: BoardScale) -> str:
    """Returns the unit that teams rank by, as it follows a figure: `VP`, `points`."""
    return scale.unit if scale.ranks_by_points else "VP"


def _rank_words(standings: Standings, row: StandingRow) -> str:
    """Formats the rank of a team in the event; of pairs that are ranked in two lists, the rank in its own."""
    if standings.is_of_pairs:
        fields = standings.fields or (standings,)
        own = next((field for field in reversed(fields) if any(r.team == row.team for r in field.rows)), None)
        return f"rank {format_rank(own, row.team)}" if own is not None else "not ranked yet"
    return f"rank {standings.format_rank(row)}" if standings.is_ranked else "not ranked yet"


def _sheet_of(played: PlayedMatch) -> ScoreSheet | None:
    """Returns the score sheet of a match of rubber bridge or Chicago, up to the first board that is not shown."""
    deals = {board.board.number: board.board for board in played.boards}
    boards = []
    for line in played.card.boards:
        if line.number not in deals:
            break
        boards.append(deals[line.number])
    return score_sheet_of(played.card, boards)
