"""The path of each page of an event, relative to the folder of its front page."""

from typing import Final

STYLE: Final = "style.css"
FRONT: Final = "index.html"
CROSSTABLE: Final = "crosstable.html"
TEAMS: Final = "teams.html"
PAIRS: Final = "pairs.html"
RECAP: Final = "recap.html"


def round_page(number: int) -> str:
    return f"round-{number:03}.html"


def team_page(number: int) -> str:
    return f"team-{number:03}.html"


def pair_page(number: int) -> str:
    return f"pair-{number:03}.html"


def traveller_page(board: int, stage: int | None = None) -> str:
    """Returns the path of the page of a board at pairs; `stage` if the event has several."""
    return f"board-{board:03}.html" if stage is None else f"stage-{stage}-board-{board:03}.html"


def match_folder(number: int) -> str:
    """Returns the folder of a match's pages."""
    return f"match-{number:03}"


def match_page(number: int) -> str:
    """Returns the path of a match's first page, its scorecard."""
    return f"{match_folder(number)}/{FRONT}"


def board_page(number: int) -> str:
    """Returns the path of a board's page, relative to the folder of its match."""
    return f"board-{number:02}.html"
