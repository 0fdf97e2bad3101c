"""Where each page of an event is, as a path from the folder of its front page."""

from typing import Final

STYLE: Final = "style.css"
FRONT: Final = "index.html"
CROSSTABLE: Final = "crosstable.html"
TEAMS: Final = "teams.html"


def round_page(number: int) -> str:
    return f"round-{number:03}.html"


def team_page(number: int) -> str:
    return f"team-{number:03}.html"


def match_folder(number: int) -> str:
    """The folder of a match's pages, in the pages of an event."""
    return f"match-{number:03}"


def match_page(number: int) -> str:
    """The first page of a match: its scorecard."""
    return f"{match_folder(number)}/{FRONT}"


def board_page(number: int) -> str:
    """The page of a board, from the folder of its match."""
    return f"board-{number:02}.html"
