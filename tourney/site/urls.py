"""The address of each page, and the names of the files that hold them in an export.

An address is what the server answers to, without the leading slash: `match/7/board/5`; the front page is empty. An
export writes the same page to `match-007/board-05.html`. Pages link to each other by relative links, which `link`
makes from the places of both, so that they work from a disk, under any folder of a server, and behind a proxy.
"""

import re
from collections.abc import Callable
from typing import Final, TypeAlias

FRONT: Final = ""
TEAMS: Final = "teams"
PAIRS: Final = "pairs"
CROSSTABLE: Final = "crosstable"
RECAP: Final = "recap"

SCHEDULE: Final = "schedule"
RACE: Final = "race"
SWINGS: Final = "swings"
BUTLER: Final = "butler"
RULINGS: Final = "rulings"
CONDITIONS: Final = "conditions"

PLAY: Final = "live/board"
"""The list of tables whose board in play everybody may see; only a server has it, and what follows."""
LIVE: Final = "live"
"""The tables in play as tiles."""
WALL: Final = "live-wall"
"""The same for a screen in the hall: `/live?wall=1`."""
EMBEDDED_STANDINGS: Final = "embed/standings"

_CSV_FILES: Final = (
    *("standings", "matches", "boards", "calls", "cards", "rulings", "incidents", "analysis", "travellers", "sheets"),
)
EXPORTS: Final = {
    "export/all.pbn": "pbn",
    "export/event.json": "json",
    "export/event.xml": "usebio",
    **{f"export/{name}.csv": "csv" for name in _CSV_FILES},
}
"""The format of each file of a whole event, by its address; only a server has them."""

STYLE: Final = "static/style.css"
REPLAY: Final = "static/replay.js"

INDEX: Final = "index.html"
"""The name of the file of a front page, of an event or of a match."""

Place: TypeAlias = Callable[[str], str | None]
"""Says where the page or file of an address is, from the top of the site; None if it is not part of it."""

_ROUND: Final = re.compile(r"round/(\d+)")
_MATCH: Final = re.compile(r"match/(\d+)")
_BOARD: Final = re.compile(r"match/(\d+)/board/(\d+)")
_ENTRANT: Final = re.compile(r"(team|pair)/(\d+)")
_TRAVELLER: Final = re.compile(r"(?:stage/(\d+)/)?board/(\d+)")
_ROUND_BOARD: Final = re.compile(r"round/(\d+)/board/(\d+)")


def round_page(number: int) -> str:
    return f"round/{number}"


def team_page(number: int) -> str:
    return f"team/{number}"


def pair_page(number: int) -> str:
    return f"pair/{number}"


def match_page(number: int) -> str:
    """Returns the address of a match's scorecard."""
    return f"match/{number}"


def board_page(match: int, board: int) -> str:
    """Returns the address of a board of a match."""
    return f"match/{match}/board/{board}"


def round_board_page(round_number: int, board: int) -> str:
    """Returns the address of a board at all tables of a round of teams."""
    return f"round/{round_number}/board/{board}"


def traveller_page(board: int, stage: int | None = None) -> str:
    """Returns the address of a board at pairs with the results of all tables; `stage` if the event has several."""
    return f"board/{board}" if stage is None else f"stage/{stage}/board/{board}"


def embedded_board(match: int, board: int) -> str:
    """Returns the address of a board for pages of others to frame."""
    return f"embed/{board_page(match, board)}"


def match_export(number: int, name: str) -> str:
    """Returns the address of the file of a match in a format; only a server has it."""
    return f"export/match-{number}.{name}"


def file_name(address: str) -> str:
    """Returns the last part of an address: the name of a file that the server gives."""
    return address.rpartition("/")[2]


def match_folder(number: int) -> str:
    """Returns the folder of a match's pages in an export."""
    return f"match-{number:03}"


def file_of(address: str) -> str:
    """Returns the path of a page's file in an export of the whole event."""
    if address == FRONT:
        return INDEX
    if address.startswith("static/"):
        return address.removeprefix("static/")
    if found := _MATCH.fullmatch(address):
        return f"{match_folder(int(found[1]))}/{INDEX}"
    if found := _BOARD.fullmatch(address):
        return f"{match_folder(int(found[1]))}/{_board_file(int(found[2]))}"
    if found := _ROUND.fullmatch(address):
        return f"round-{int(found[1]):03}.html"
    if found := _ROUND_BOARD.fullmatch(address):
        return f"round-{int(found[1]):03}-board-{int(found[2]):02}.html"
    if found := _ENTRANT.fullmatch(address):
        return f"{found[1]}-{int(found[2]):03}.html"
    if found := _TRAVELLER.fullmatch(address):
        stage = f"stage-{found[1]}-" if found[1] else ""
        return f"{stage}board-{int(found[2]):03}.html"
    return f"{address}.html"


def place_in_export(address: str) -> str | None:
    """Returns where a page is in an export of the whole event; None for what only a server has."""
    is_served_only = address in (LIVE, WALL) or address.startswith((f"{LIVE}/", "export/", "embed/"))
    return None if is_served_only else file_of(address)


def place_in_match(match: int, folder: str) -> Place:
    """Returns where the pages of a single match are that is exported alone, complete in a folder."""

    def place(address: str) -> str | None:
        if address.startswith("static/"):
            return f"{folder}/{file_of(address)}"
        if address == match_page(match):
            return f"{folder}/{INDEX}"
        if (found := _BOARD.fullmatch(address)) and int(found[1]) == match:
            return f"{folder}/{_board_file(int(found[2]))}"
        return None

    return place


def _board_file(number: int) -> str:
    return f"board-{number:02}.html"


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
