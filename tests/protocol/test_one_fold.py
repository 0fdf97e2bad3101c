"""A board is made of its records by one function, `BoardState.apply`, whoever wants to know it."""

import ast
from collections.abc import Iterator
from pathlib import Path

import tourney

ROOT = Path(tourney.__file__).parent

APPLIED_BY = {
    "protocol/session/state.py": "a table that plays",
    "protocol/session/board/session.py": "a table that takes a board up",
    "protocol/session/board/state.py": "whoever reads the record: `fold_board`",
    "views/watch.py": "a board line by line",
}
"""Who calls `apply`."""

FOLDED_FOR = {
    "store/record/live.py": "live boards: on pages, in pictures and in the state of a table",
    "views/watch.py": "a board line by line",
}
"""Who calls `fold_board`."""

NO_RECORDS = {
    "bridge/auction.py": "the game itself: the copy of an auction",
    "bridge/board.py": "the game itself",
    "bridge/view.py": "the game itself, as one player knows it",
    "protocol/session/board/state.py": "the one fold",
    "protocol/bluechip/player.py": "what a player has been told, line by line",
    "protocol/stateful/player.py": "what a player has been told, line by line",
    "audit/attempt.py": "rows that need be no calls and cards: what is wrong with them is found one by one",
    "bots/api/service_player.py": "the auctions that a service is asked about to find out what it is",
    "bots/basic/bidder.py": "auctions that are thought of",
    "client/game_view.py": "the auction that a server has sent",
    "formats/pbn/writer.py": "the auction of a text",
    "formats/trajectories.py": "what a data set has written down",
    "scorefile/replay.py": "what a stranger has written down",
    "site/pages/board.py": "who called what, of an auction that is over",
    "site/pages/play_on.py": "cards that a reader plays on from a board",
    "testing/players.py": "the auction before a question that a test puts to a player",
}
"""Who makes calls and plays cards without records of a table."""


def calls_of(*names: str) -> dict[str, set[str]]:
    """Return which modules call functions or methods of these names."""
    found: dict[str, set[str]] = {}
    for path in sorted(ROOT.rglob("*.py")):
        source = path.read_text(encoding="utf-8")
        if not any(name in source for name in names):
            continue  # parsing all modules takes seconds
        called = {name for name in _called(ast.parse(source)) if name in names}
        if called:
            found[path.relative_to(ROOT).as_posix()] = called
    return found


def _called(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            match node.func:
                case ast.Name(id=name) | ast.Attribute(attr=name):
                    yield name
                case _:
                    pass


def test_every_caller_of_apply_is_known() -> None:
    of_records = {path for path in calls_of("apply") if path.startswith(("protocol/", "views/watch"))}
    assert of_records == set(APPLIED_BY)
    assert set(calls_of("fold_board")) == set(FOLDED_FOR)


def test_there_is_no_second_fold() -> None:
    made = calls_of("BoardInPlay", "Auction", "add_call", "add_card")
    assert set(made) == set(NO_RECORDS)
