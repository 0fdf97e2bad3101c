"""Movements in which several teams play board-a-match in one session, each with a pair in either direction.

Team `i` is a North-South pair that stays at table `i` and an East-West pair that moves. Two teams meet at two tables,
usually in different rounds, and there they play the same set: the set depends on both teams alike. Rows have the
numbers of teams in place of pairs.
"""

from tourney.errors import ConfigError
from tourney.movement.pairs.movement import MovementRow


def plan_american_whist(teams: int) -> tuple[MovementRow, ...]:
    """Return the rows for an odd number of teams: East-West move down two tables each round, boards down one.

    Teams meet in rounds `r` and `teams - r`, of `teams - 1` rounds.

    Raises:
        ConfigError: an even number of teams, or fewer than 3.
    """
    if teams < 3 or teams % 2 == 0:
        raise ConfigError(f"an American Whist movement has an odd number of teams, at least 3, got {teams}")
    return tuple(
        MovementRow(number, table, table, _around(table + 2 * number, teams), _around(table + number - 1, teams))
        for number in range(1, teams)
        for table in range(1, teams + 1)
    )


def plan_new_england_relay(teams: int) -> tuple[MovementRow, ...]:
    """Return the rows for an even number of teams: East-West move up one table each round, half of the tables share.

    Teams meet in rounds `r` and `teams - r`, of `teams - 1` rounds; halfway, both halves of a match are played in the
    same round. A set is shared by two tables that are half of the room apart.

    Raises:
        ConfigError: an odd number of teams, or fewer than 4.
    """
    if teams < 4 or teams % 2:
        raise ConfigError(f"a New England Relay has an even number of teams, at least 4, got {teams}")
    return tuple(
        MovementRow(number, table, table, _around(table - number, teams), _around(2 * table - number + 1, teams))
        for number in range(1, teams)
        for table in range(1, teams + 1)
    )


def _around(number: int, teams: int) -> int:
    return (number - 1) % teams + 1
