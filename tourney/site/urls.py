"""The address of each page, and the names of the files that hold them in an export.

An address is what the server answers to, without the leading slash: `match/7/board/5`; the front page is empty. An
export writes the same page to `match-007/board-05.html`. Pages link to each other by relative links, which `link`
makes from the places of both, so that they work from a disk, under any folder of a server, and behind a proxy.
"""

import re
from collections.abc import Callable
from typing import Final, TypeAlias

ROUND: Final = "round/{round}"
ROUND_BOARD: Final = "round/{round}/board/{board}"
"""A board at all tables of a round of teams."""
ENTRANT: Final = "entrant/{entrant}"
"""A team with its matches, or the card of a pair or a player."""
MATCH: Final = "match/{match}"
"""The scorecard of a match."""
BOARD: Final = "match/{match}/board/{board}"
TRAVELLER: Final = "board/{board}"
"""A board of a pairs event with the results of all tables; of an event with several stages, the next one."""
STAGE_TRAVELLER: Final = "stage/{stage}/board/{board}"

CARD: Final = "card"
"""What the address of the picture for sharing begins with; that of a match or board is its own, with this suffix."""
PICTURES: Final = (".png", ".hidden.png")
"""The suffixes of pictures for sharing: as it is, and without results."""

PLAY: Final = "live/board"
"""The list of tables whose board in play everybody may see; only a server has it, and what follows."""

VUGRAPH: Final = "vugraph"
"""The list of all tables with a board in play, for those with the passphrase."""
VUGRAPH_MATCH: Final = "vugraph/match/{number}"
"""The boards in play at all tables of a match, beside each other."""
VUGRAPH_LOGIN: Final = "vugraph/enter"
"""Where the passphrase is asked for."""

PLAY_ON: Final = "play-on/{match}/{board}/{room}/{seat}/{cards}"
"""A finished board played on against the reference player from a position; only a server has it."""

MATCH_EXPORT: Final = "export/match-{match}"
"""The files of a match, by their suffix; only a server has them."""
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

FEED: Final = "feed.atom"
"""The results as an Atom feed (RFC 4287), for those who follow the event by a reader of feeds."""

STATIC: Final = "static/"
"""Below it are the files that pages need."""

INDEX: Final = "index.html"
"""The name of the file of a front page, of an event or of a match."""
_FILES: Final = {
    "": INDEX,
    FEED: FEED,
    "round/#": "round-{:03}.html",
    "round/#/board/#": "round-{:03}-board-{:02}.html",
    "entrant/#": "entrant-{:03}.html",
    "board/#": "board-{:03}.html",
    "stage/#/board/#": "stage-{}-board-{:03}.html",
    "match/#": f"match-{{:03}}/{INDEX}",
    "match/#/board/#": "match-{:03}/board-{:02}.html",
}
"""The files of a written site that are not called by their address, by what it looks like."""
SERVED_ONLY: Final = ("live", "vugraph", "embed", "export", "play-on")
"""What addresses begin with that only a server has."""

Place: TypeAlias = Callable[[str], str | None]
"""Says where the page or file of an address is, from the top of the site; None if it is not part of it."""


def round_page(number: int) -> str:
    return ROUND.format(round=number)


def match_page(number: int) -> str:
    return MATCH.format(match=number)


def board_page(match: int, board: int) -> str:
    return BOARD.format(match=match, board=board)


def file_of(address: str) -> str | None:
    """Returns the path of a page or file in a written site; None for what only a server has."""
    if address.startswith(STATIC) or address == CALENDAR:
        return file_name(address)
    if address.partition("/")[0] in SERVED_ONLY:
        return None
    form = _FILES.get(re.sub(r"\d+", "#", address), f"{address}.html")
    return form.format(*map(int, re.findall(r"\d+", address)))


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
