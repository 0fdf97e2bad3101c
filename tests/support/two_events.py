"""Two played events in which everything happens that exports and pages have to show: a league, and a cup.

Both are the same on every machine: boards, calls, cards and times follow from seeds.
"""

from pathlib import Path

from sqlalchemy import update

from tests.support.analysed import put_costs, put_worth
from tests.support.event_conversation import converse
from tests.support.played_event import BEGINS_AT_MS, PlayedEvent, draw_event, event_text, once
from tourney.bridge import Seat
from tourney.coordinator.draw import draw_next
from tourney.movement.seating import Room
from tourney.protocol.session.records import IncidentKind
from tourney.store.models import CallRow, Team

OPEN = Room.OPEN

HOSTILE = "<b>&\"'{{ 7 * 7 }}"
"""A text from outside that wants to be taken for markup or for a template."""

CUP_TEAMS = ("Ants", "Bees", "Cats", "Dogs", "Eels", "Frogs")
_GROUPS = 'name = "Groups & <more>"\ngroups = 2'
_KNOCKOUT = """
[[stage]]
name = "Cup"
format = "knockout"
teams = 4
third_place = true
boards_per_match = 4
segments = 2
seats = "alternate"
[stage.carry_over]
won = 0.25
lost = 0.25
"""


@once
def play_league(folder: Path) -> PlayedEvent:
    """Five teams; the first matches with everything that can befall a board, others finished, begun and not begun."""
    names = ("Ants", "Bees & Co", "Cats", "Dogs", "Eels")
    # Each match has boards of its own: what is over in one is no secret of another.
    own_boards = 'seed = 1\nshared = "match"'
    played = draw_event(folder, event_text(*names, name="<Cup> & Co", boards=8, deals=own_boards))
    converse(
        played,
        """
        match 1 boards 1 2 are played
        1-open board 3: E forfeits after 17 cards
        1-closed board 3 is played
        """,
    )
    played.claim(1, OPEN, 4, 22, 8, seed="2")
    played.claim(1, OPEN, 5, 0, 7)
    first, ninth = played.match(1), played.match(9)
    converse(
        played,
        f"""
        1-closed board 4: Pass
        1-closed board 5: 7NTXX S 12 in 61000 0 3723400 ms
        rule 1-open board 6 board-forfeit {first.home}: gone
        1-closed board 6 is played
        match 1 boards 7 8 are played
        rule 1 penalty-imps {first.away} 3: late {HOSTILE}
        match 2 boards 1 2 5 are played
        2-open board 3 is played
        2-open board 4: 2 calls
        match 3 is played
        match 4 is played
        rule 9 match-forfeit {ninth.home}: did not come
        """,
    )
    played.incident(1, OPEN, 1, IncidentKind.ILLEGAL_CALL, Seat.EAST, f"EAST bids {HOSTILE}")
    put_worth(played, 3, 1)
    put_costs(played, 3, OPEN, 1, {1: 1, 30: 2})
    played.score()
    with played.database.write() as connection:
        connection.execute(update(Team).where(Team.name == "Cats").values(name=HOSTILE))
        connection.execute(update(CallRow).where(CallRow.seq == 1).values(alert=f"\x07\u202e{HOSTILE}"))
        connection.execute(update(CallRow).where(CallRow.seq == 4).values(substituted=True))
    played.reload()
    return played


def win(played: PlayedEvent, number: int, winner: str, boards: int | None = None) -> None:
    """Let a team make four spades on the first boards of a match wherever it sits, and the other go down in it."""
    match = played.match(number)
    for place, board in enumerate(played.boards(number)[: boards or match.boards]):
        for room in Room:
            table = match.tables_at(place)[room]
            tricks = 10 if table.ns_team == winner else 9
            played.record(number, room, board.number, "4S N", tricks, ns_ms=1000, ew_ms=200)


def draw_next_round(played: PlayedEvent) -> None:
    """Score what is finished and draw what can be drawn from it."""
    played.score()
    draw_next(played.file, played.database, played.reload(), BEGINS_AT_MS)
    played.reload()


@once
def play_cup_groups(folder: Path) -> PlayedEvent:
    """Two groups of three, Ants Dogs Eels and Bees Cats Frogs, in which the earlier name wins."""
    played = draw_event(folder, event_text(*CUP_TEAMS, boards=2, stage=f"{_GROUPS}\n{_KNOCKOUT}"))
    for match in played.event.matches:
        win(played, match.number, min(match.home, match.away))
    draw_next_round(played)
    return played


@once
def play_cup(folder: Path) -> PlayedEvent:
    """The whole cup: Ants beat Dogs in the final, Bees lose to Cats for third place."""
    played = play_cup_groups(folder)
    win(played, 7, "Ants")
    win(played, 8, "Dogs")
    draw_next_round(played)
    win(played, 9, "Ants")
    win(played, 10, "Cats")
    played.score()
    return played
