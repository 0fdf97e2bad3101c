"""An event, or one of its matches, as pages for any web server, which are read without scripts and fetch nothing.

    index.html             standings, of several stages each of them, the rulings that count, the rounds
    round-001.html         results of a round that is drawn
    crosstable.html        what each team made of its match against each other; none of a knockout
    teams.html             the teams, and team-001.html the matches of one
    match-001/index.html   scorecard, rulings, thinking times
    match-001/board-01.html  a board that both rooms are over with: hands, both auctions and plays
    style.css

One match is in memory at a time. Boards that are not over in both rooms have no page: the page of one that is to be
played again is removed. The pages of one match alone are in a folder of its own and lead to no other page.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tourney.bridge import SUITS_DOWN, Seat, Side, Vulnerability
from tourney.errors import LaunchError
from tourney.export.files import PROGRAM, make_export_folder, match_file_stem, replace_file
from tourney.movement.groups import group_letter
from tourney.movement.seating import Room
from tourney.report.analysis import compare_with_par
from tourney.report.schedule import describe_round
from tourney.results.played import PlayedBoard, PlayedMatch
from tourney.results.standings import Standings
from tourney.scoring.double_dummy import DECLARERS, STRAINS
from tourney.site.board import AUCTION_ORDER, board_rulings, view_rooms
from tourney.site.filters import pages, printable
from tourney.site.match import MatchLine, match_line, match_page, view_segments, view_times
from tourney.site.stages import carried_vp, view_crosstables, view_stages, view_team
from tourney.store.draw.objects import EventInfo, RoundInfo

STYLE: Final = "style.css"

_COMPASS_ORDER: Final = (Seat.NORTH, Seat.WEST, Seat.EAST, Seat.SOUTH)
"""As the eye goes, also for who hears the page."""
_VULNERABLE: Final = {
    Vulnerability.NONE: "none",
    Vulnerability.NS: "North-South",
    Vulnerability.EW: "East-West",
    Vulnerability.ALL: "all",
}
_BOARD_FILE: Final = re.compile(r"board-\d+\.html")


@dataclass(frozen=True, slots=True)
class _RoundLine:
    """A round on the front page."""

    number: int
    page: str | None
    """None while it is not drawn."""
    starts_at_ms: int | None
    matches: int
    over: int


class _Site:
    """Where pages go, and what all of them know."""

    def __init__(self, event: EventInfo, folder: Path) -> None:
        self.event = event
        self.folder = folder
        self.has_crosstable = any(not stage.format.is_knockout for stage in event.stages)
        teams = {team.name: _team_page(team.number) for team in event.teams}
        names = {round_.number: describe_round(event, round_.number) for round_ in event.all_rounds}
        self._known: dict[str, Any] = {  # what templates take
            "event": event,
            "program": PROGRAM,
            "rooms": tuple(Room),
            "side_order": (Side.NS, Side.EW),
            "suits": SUITS_DOWN,
            "auction_order": AUCTION_ORDER,
            "compass_order": _COMPASS_ORDER,
            "declarers": DECLARERS,
            "strains": STRAINS,
            "has_crosstable": self.has_crosstable,
            "match_page": match_page,
            "round_name": names.__getitem__,
            "round_page": _round_page,
            "team_page": teams.__getitem__,
        }

    def write_style(self, folder: Path) -> None:
        environment = pages()
        assert environment.loader is not None
        _write(folder / STYLE, environment.loader.get_source(environment, STYLE)[0])

    def write_page(self, name: str, template: str, top: str | None, style: str, words: Mapping[str, Any]) -> Path:
        """Write one page; `top` leads from it to the folder of the front page, None when there is no such page."""
        path = self.folder / name
        shown = {**self._known, "top": top, "style": style, **words}
        if top:
            shown["round_page"] = _below(top, _round_page)
        _write(path, printable(pages().get_template(template).render(shown)))
        return path


def write_event_html(event: EventInfo, standings: Standings, played: Iterable[PlayedMatch], folder: Path) -> Path:
    """Write the pages of an event into a folder that is there; the path of its front page.

    `played` are all matches in the order of the draw.

    Raises:
        LaunchError: a file or folder cannot be written.
        RuleError: a forfeited board on record has an auction that the rules do not allow.
    """
    site = _Site(event, folder)
    site.write_style(folder)
    lines = [_write_match(site, match, f"match-{match.match.number:03}", "../") for match in played]
    _write_rounds(site, lines)
    _write_teams(site, standings, lines)
    if site.has_crosstable:
        _write_crosstable(site, standings, lines)
    words = {
        "standings": standings,
        # What is being played is looked for first.
        "stages": view_stages(event, standings, lines)[::-1],
        "carried_vp": carried_vp,
        "rounds": [_round_line(round_, lines) for round_ in event.all_rounds],
    }
    return site.write_page("index.html", "index.html", "", STYLE, words)


def write_match_html(event: EventInfo, played: PlayedMatch, folder: Path) -> Path:
    """Write the pages of one match, complete in a folder of its own; the path of its scorecard.

    Raises:
        LaunchError: a file or folder cannot be written.
        RuleError: a forfeited board on record has an auction that the rules do not allow.
    """
    site = _Site(event, folder)
    name = match_file_stem(played.match)
    _write_match(site, played, name, None)
    site.write_style(folder / name)
    return folder / name / "index.html"


def _write_match(site: _Site, played: PlayedMatch, name: str, top: str | None) -> MatchLine:
    """Write the pages of a match into the folder of that name."""
    card = played.card
    match = card.match
    style = f"{top or ''}{STYLE}"
    make_export_folder(site.folder / name)
    _remove_old_boards(site.folder / name, {_board_page(board.board.number) for board in played.boards})
    solved = {board.board.number: board.analysis.worth for board in played.boards if board.analysis is not None}
    pars = compare_with_par(card, solved)
    for index, board in enumerate(played.boards):
        words = {**_board_words(played, index), "par": pars.get(board.board.number)}
        site.write_page(f"{name}/{_board_page(board.board.number)}", "board.html", top, style, words)
    stage = site.event.stage_of(match)
    line = match_line(card, is_knockout=stage.format.is_knockout)
    words = {
        "card": card,
        "line": line,
        "is_knockout": stage.format.is_knockout,
        "segments": view_segments(card, stage),
        "times": view_times(card),
        "pars": pars,
        "notes": {ruling.id: index for index, ruling in enumerate(card.live_rulings, 1)},
        "board_page": _board_page,
        "before": None,
        "after": None,
    }
    if top is not None:
        words["before"] = f"{top}{match_page(match.number - 1)}" if match.number > 1 else None
        words["after"] = f"{top}{match_page(match.number + 1)}" if match.number < len(site.event.matches) else None
    site.write_page(f"{name}/index.html", "match.html", top, style, words)
    return line


def _board_words(played: PlayedMatch, index: int) -> dict[str, Any]:
    board = played.boards[index]
    before = played.boards[index - 1] if index > 0 else None
    after = played.boards[index + 1] if index + 1 < len(played.boards) else None
    return {
        "match": played.match,
        "segment": board.tables[Room.OPEN].segment if len(played.match.segments) > 1 else None,
        "board": board.board,
        "vulnerable": _VULNERABLE[board.board.vulnerability],
        "views": tuple(view_rooms(played, board).values()),
        "worth": board.analysis.worth if board.analysis is not None else None,
        "imps": board.imps,
        "imps_away": board.imps_away,
        "line": next(line for line in played.card.boards if line.number == board.board.number),
        "rulings": board_rulings(played, board, None),
        **_turner("before", before),
        **_turner("after", after),
    }


def _turner(name: str, board: PlayedBoard | None) -> dict[str, str | None]:
    """Where a page leads on or back to."""
    if board is None:
        return {name: None, f"{name}_text": None}
    return {name: _board_page(board.board.number), f"{name}_text": f"Board {board.board.number}"}


def _remove_old_boards(folder: Path, kept: set[str]) -> None:
    """Remove pages of boards that were over at an earlier export and are not now: they are being played again."""
    try:
        for path in folder.iterdir():
            if _BOARD_FILE.fullmatch(path.name) and path.name not in kept:
                path.unlink()
    except OSError as error:
        raise LaunchError(f"old pages in {folder} cannot be removed: {error.strerror}") from None


def _write_rounds(site: _Site, lines: Sequence[MatchLine]) -> None:
    last = len(site.event.rounds)
    for round_ in site.event.rounds:
        stage = site.event.stages[round_.stage - 1]
        words = {
            "round": round_,
            "stage": stage,
            "groups": {entry.team: group_letter(entry.group - 1) for entry in stage.entries if stage.groups > 1},
            "lines": [line for line in lines if line.match.round == round_.number],
            "before": _round_page(round_.number - 1) if round_.number > 1 else None,
            "after": _round_page(round_.number + 1) if round_.number < last else None,
        }
        site.write_page(_round_page(round_.number), "round.html", "", STYLE, words)


def _write_teams(site: _Site, standings: Standings, lines: Sequence[MatchLine]) -> None:
    rows = {row.team: row for row in standings.rows}
    teams = [(team, rows[team.name]) for team in site.event.teams]
    for index, (team, row) in enumerate(teams):
        before = teams[index - 1][0] if index > 0 else None
        after = teams[index + 1][0] if index + 1 < len(teams) else None
        words = {
            "row": row,
            "standings": standings,
            "stages": view_team(standings, team.name, lines),
            "rulings": standings.rulings_on(team.name),
            "before": _team_page(before.number) if before is not None else None,
            "before_name": before.name if before is not None else None,
            "after": _team_page(after.number) if after is not None else None,
            "after_name": after.name if after is not None else None,
        }
        site.write_page(_team_page(team.number), "team.html", "", STYLE, words)
    words = {"rows": [row for _, row in teams], "standings": standings}
    site.write_page("teams.html", "teams.html", "", STYLE, words)


def _write_crosstable(site: _Site, standings: Standings, lines: Sequence[MatchLine]) -> None:
    words = {"standings": standings, "tables": view_crosstables(site.event, standings, lines)}
    site.write_page("crosstable.html", "crosstable.html", "", STYLE, words)


def _round_line(round_: RoundInfo, lines: Sequence[MatchLine]) -> _RoundLine:
    own = [line for line in lines if line.match.round == round_.number]
    page = _round_page(round_.number) if round_.is_drawn else None
    return _RoundLine(round_.number, page, round_.starts_at_ms, len(own), sum(line.is_over for line in own))


def _write(path: Path, text: str) -> None:
    with replace_file(path) as file:
        file.write(text)


def _below(top: str, page: Callable[[int], str]) -> Callable[[int], str]:
    return lambda number: f"{top}{page(number)}"


def _round_page(number: int) -> str:
    return f"round-{number:03}.html"


def _team_page(number: int) -> str:
    return f"team-{number:03}.html"


def _board_page(number: int) -> str:
    return f"board-{number:02}.html"
