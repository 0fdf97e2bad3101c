"""The address of each page, and the names of the files that hold them in an export.

An address is what the server answers to, without the leading slash: `match/7/board/5`; the front page is empty. An
export writes the same page to `match-007/board-05.html`. Pages link to each other by relative links, which `link`
makes from the places of both, so that they work from a disk, under any folder of a server, and behind a proxy.
"""

from collections.abc import Callable
from typing import Final, TypeAlias

FRONT: Final = ""
TEAMS: Final = "teams"
PAIRS: Final = "pairs"
CROSSTABLE: Final = "crosstable"
RECAP: Final = "recap"

SCHEDULE: Final = "schedule"
RACE: Final = "race"
RULINGS: Final = "rulings"
CONDITIONS: Final = "conditions"

ROUND: Final = "round/{round}"
ROUND_BOARD: Final = "round/{round}/board/{board}"
"""A board at all tables of a round of teams."""
TEAM: Final = "team/{team}"
PAIR: Final = "pair/{pair}"
MATCH: Final = "match/{match}"
"""The scorecard of a match."""
BOARD: Final = "match/{match}/board/{board}"
TRAVELLER: Final = "board/{board}"
"""A board of a pairs event with the results of all tables; of an event with several stages, the next one."""
STAGE_TRAVELLER: Final = "stage/{stage}/board/{board}"

PLAY: Final = "live/board"
"""The list of tables whose board in play everybody may see; only a server has it, and what follows."""
PLAY_TABLE: Final = "live/board/{table}"
LIVE: Final = "live"
"""The tables in play as tiles."""
WALL: Final = "live-wall"
"""The same for a screen in the hall: `/live?wall=1`."""
EMBEDDED_STANDINGS: Final = "embed/standings"
EMBEDDED_BOARD: Final = "embed/match/{match}/board/{board}"
"""A board for pages of others to frame."""

VUGRAPH: Final = "vugraph"
"""The list of all tables with a board in play, for those with the passphrase."""
VUGRAPH_TABLE: Final = "vugraph/{table}"
VUGRAPH_MATCH: Final = "vugraph/match/{number}"
"""The boards in play at all tables of a match, beside each other."""
VUGRAPH_LOGIN: Final = "vugraph/enter"
"""Where the passphrase is asked for."""

MATCH_EXPORT: Final = "export/match-{match}.{format}"
"""The file of a match in a format; only a server has it."""
MATCH_FORMATS: Final = ("pbn", "lin", "json")
_CSV_FILES: Final = (
    *("standings", "matches", "boards", "calls", "cards", "rulings", "incidents", "analysis", "travellers", "sheets"),
)
CALENDAR: Final = "export/schedule.ics"
"""The start of each round, for calendars."""
EXPORTS: Final = {
    CALENDAR: "ics",
    "export/all.pbn": "pbn",
    "export/event.json": "json",
    "export/event.xml": "usebio",
    **{f"export/{name}.csv": "csv" for name in _CSV_FILES},
}
"""The format of each file of a whole event, by its address; a written site has the calendar alone."""

STATIC: Final = "static/"
"""Below it are the files that pages need."""
STYLE: Final = f"{STATIC}style.css"
TABLE_STYLE: Final = f"{STATIC}table.css"
"""How the picture of a table looks."""
TABLE: Final = f"{STATIC}table.js"
"""What scripts compute of a table, without a page."""
SUITS: Final = f"{STATIC}suits.js"
"""The script that keeps the reader's choice of the colours of suits."""
REPLAY: Final = f"{STATIC}replay.js"
TIMES: Final = f"{STATIC}times.js"
"""The script that shows times as those of the reader."""

INDEX: Final = "index.html"
"""The name of the file of a front page, of an event or of a match."""

Place: TypeAlias = Callable[[str], str | None]
"""Says where the page or file of an address is, from the top of the site; None if it is not part of it."""


def round_page(number: int) -> str:
    return ROUND.format(round=number)


def team_page(number: int) -> str:
    return TEAM.format(team=number)


def pair_page(number: int) -> str:
    return PAIR.format(pair=number)


def match_page(number: int) -> str:
    return MATCH.format(match=number)


def board_page(match: int, board: int) -> str:
    return BOARD.format(match=match, board=board)


def round_board_page(round_number: int, board: int) -> str:
    return ROUND_BOARD.format(round=round_number, board=board)


def traveller_page(board: int, stage: int | None = None) -> str:
    """Returns the address of a board of a pairs event, with all results; `stage` if the event has several."""
    return TRAVELLER.format(board=board) if stage is None else STAGE_TRAVELLER.format(stage=stage, board=board)


def vugraph_match(number: int) -> str:
    return VUGRAPH_MATCH.format(number=number)


def match_export(number: int, name: str) -> str:
    return MATCH_EXPORT.format(match=number, format=name)


def file_name(address: str) -> str:
    """Returns the last part of an address: the name of a file that the server gives."""
    return address.rpartition("/")[2]


def link(source: str, target: str) -> str:
    """Returns the relative link from a page at one place to another, each from the top of the site.

    Raises:
        ValueError: a place leads out of the site.
    """
    above, wanted = source.split("/")[:-1], target.split("/")
    if ".." in above or ".." in wanted:
        raise ValueError(f"no place within the site: {source}, {target}")
    shared = 0
    while shared < len(above) and shared < len(wanted) - 1 and above[shared] == wanted[shared]:
        shared += 1
    return "../" * (len(above) - shared) + "/".join(wanted[shared:]) or "./"
