"""Movements in which several teams play board-a-match in one session, each with a pair in either direction.

Team `i` is a North-South pair that stays at table `i` and an East-West pair that moves. Two teams meet at two tables,
usually in different rounds, and there they play the same set: the set depends on both teams alike. Rows have the
numbers of teams in place of pairs.
"""

from dataclasses import replace
from itertools import product
from typing import Final

from tourney.errors import ConfigError
from tourney.movement.pairs.movement import MovementRow, count_around
from tourney.plurals import plural

AMERICAN_WHIST: Final = "american-whist"
NEW_ENGLAND_RELAY: Final = "new-england-relay"


def plan_several_teams(name: str, teams: int, rounds: int | None = None) -> tuple[MovementRow, ...]:
    """Return the rows of the movement of that name, all rounds of it or fewer.

    Fewer rounds are as many from the beginning as from the end, with a skip between them, so that both halves of
    every match are played; an odd number has the round halfway as well, if both halves of its matches are played in
    it.

    Raises:
        ConfigError: the movement is not for so many teams, or would leave halves of matches unplayed.
    """
    if name == AMERICAN_WHIST:
        if teams % 2 == 0:
            raise ConfigError(
                f"{AMERICAN_WHIST} is for an odd number of teams, got {teams}; "
                f"an even one plays {NEW_ENGLAND_RELAY!r}"
            )
    else:
        if teams % 2:
            raise ConfigError(
                f"{NEW_ENGLAND_RELAY} is for an even number of teams, got {teams}; "
                f"an odd one plays {AMERICAN_WHIST!r}"
            )
        if teams < 4:
            raise ConfigError(f"a New England Relay has an even number of teams, at least 4, got {teams}")
    rows, whole = _plan_all_rounds(teams), teams - 1
    if rounds is None or rounds == whole:
        return rows
    if rounds > whole:
        raise ConfigError(f"{teams} teams have met after {whole} {plural(whole, 'round')}, got {rounds}")
    if rounds % 2 and whole % 2 == 0:
        raise ConfigError(
            f"each match is played in two rounds, so that {teams} teams play an even number of them, got {rounds}"
        )
    first = rounds // 2
    kept = [*range(1, first + 1), *([teams // 2] if rounds % 2 else []), *range(whole - first + 1, whole + 1)]
    return tuple(replace(row, round=kept.index(row.round) + 1) for row in rows if row.round in kept)


def _plan_all_rounds(teams: int) -> tuple[MovementRow, ...]:
    """Return the rows of an American Whist for an odd number of teams, of a New England Relay for an even one.

    In an American Whist, East-West move down two tables each round, boards down one. In a New England Relay they move
    up one table each round, and two tables that are half of the room apart share a set. Teams meet in rounds `r` and
    `teams - r`, of `teams - 1` rounds; halfway in a relay, both halves of a match are played in the same round.
    """
    rows = []
    for number, table in product(range(1, teams), range(1, teams + 1)):
        if teams % 2:
            visitors, board_set = table + 2 * number, table + number - 1
        else:
            visitors, board_set = table - number, 2 * table - number + 1
        rows.append(MovementRow(number, table, table, count_around(visitors, teams), count_around(board_set, teams)))
    return tuple(rows)
