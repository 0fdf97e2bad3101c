"""Mitchell movements: North-South pairs stay, East-West pairs move up a table each round, boards move down.

Pairs 1 to T sit North-South at tables 1 to T; East-West pairs are T + 1 upwards, pair T + e at table e in round 1.

An even number of tables needs care, for otherwise East-West meet boards again after half of the rounds. In the *share
and relay* (American: relay and bye-stand) tables 1 and T share a set, and one set is idle between tables T/2 and
T/2 + 1.
"""

import enum
import itertools
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import Final

from tourney.errors import ConfigError
from tourney.movement.pairs.movement import NO_TABLE, Movement, MovementRow, count_around, parse_figures, seat_phantom
from tourney.plurals import count

_ROVER_TABLES: Final = parse_figures("""
6: 1 3 5 2 4
7: 1 3 5 7 2 4
8: 1 6 2 7 3 8 4
9: 1 5 9 2 4 7 3 6
10: 1 7 2 8 3 9 4 10 5
11: 1 3 5 7 9 11 2 4 6 8
12: 3 9 4 10 5 11 6 12 7 1 8
13: 1 3 5 7 9 11 13 2 4 6 8 10
14: 1 9 2 10 3 11 4 12 5 13 6 14 7
15: 1 3 5 7 9 12 14 2 4 6 8 10 11 13
""")
"""The tables where a rover replaces North-South, from round 2 on, by number of tables (EBUScore's movements)."""


class Phantom(enum.StrEnum):
    """Which pair is missing when there is an odd number of them."""

    NORTH_SOUTH = "north-south"
    """The last North-South pair: East-West sit out one after the other."""
    EAST_WEST = "east-west"
    """The last East-West pair: North-South sit out one after the other."""
    ROVER = "rover"
    """None is (a Mitchell only): the last pair sits out round 1, then replaces a North-South pair each round, which
    sits out."""


def advise_switched_rounds(tables: int, rounds: int) -> frozenset[int]:
    """Return the rounds to switch so that there is one winner and all compete as equally as can be.

    It is the last round up to 11 tables, and the last two from 12: about an eighth of the boards. With more switched,
    the balance gets worse again.
    """
    last = 1 if tables <= 11 else 2
    return frozenset(range(rounds - last + 1, rounds + 1))


def plan_mitchell(
    pairs: int,
    *,
    rounds: int | None = None,
    switched: Collection[int] = (),
    phantom: Phantom | None = None,
    is_barometer: bool = False,
) -> Movement:
    """Return a Mitchell movement; an even number of tables share and relay.

    Args:
        pairs: how many there are; an odd number needs `phantom`.
        rounds: how many are played; None for as many as the movement has.
        switched: the rounds in which the pairs of each table exchange directions (arrow switch).
        phantom: what happens with an odd number; no meaning for an even one.
        is_barometer: whether all tables play the same set in each round. East-West then move up a table each
            round whatever the number of tables, for they cannot meet a set again.

    Raises:
        ConfigError: too few pairs, too many rounds, an odd number without `phantom`, a switched round that is not
            played, or a rover at a number of tables for which there is none.
    """
    phantom, tables = _count_tables(pairs, phantom)
    if rounds is None:
        rounds = tables
    if not 1 <= rounds <= tables:
        raise ConfigError(f"a Mitchell at {tables} tables has 1 to {tables} rounds, got {rounds}")
    if outside := sorted(set(switched) - set(range(1, rounds + 1))):
        raise ConfigError(f"the rounds of an arrow switch are 1 to {rounds}, got {outside[0]}")
    rows = []
    for number in range(1, rounds + 1):
        for table in range(1, tables + 1):
            ew = tables + count_around(table - number + 1, tables)
            beyond_relay = tables % 2 == 0 and table > tables // 2
            board_set = number if is_barometer else count_around(table + number - 1 + beyond_relay, tables)
            row = MovementRow(number, table, table, ew, board_set)
            rows.append(row.switched() if number in switched else row)
    notes = {
        " with a rover": phantom is Phantom.ROVER,
        " and a phantom": phantom in (Phantom.NORTH_SOUTH, Phantom.EAST_WEST),
        ", arrow switch": bool(switched),
        ", barometer": is_barometer,
    }
    name = f"Mitchell for {pairs} pairs{''.join(note for note, applies in notes.items() if applies)}"
    match phantom:
        case Phantom.NORTH_SOUTH:
            return seat_phantom(rows, tables, name)
        case Phantom.EAST_WEST:
            return seat_phantom(rows, 2 * tables, name)
        case Phantom.ROVER:
            return Movement(name, tuple(_seat_rover(rows, tables)))
        case None:
            return Movement(name, tuple(rows))


def _count_tables(pairs: int, phantom: Phantom | None) -> tuple[Phantom | None, int]:
    """Return what happens with an odd number of pairs, None for an even one, and the number of tables."""
    if pairs < 4:
        raise ConfigError(f"a Mitchell has at least 2 tables, that is 4 pairs, got {count(pairs, 'pair')}")
    if pairs % 2 == 0:
        phantom = None
    elif phantom is None:
        raise ConfigError(f"a Mitchell has an even number of pairs, or `phantom = true`, got {pairs}")
    tables = pairs // 2 if phantom is Phantom.ROVER else (pairs + 1) // 2
    if phantom is Phantom.ROVER and tables not in _ROVER_TABLES:
        raise ConfigError(
            f"a rover needs {min(_ROVER_TABLES)} to {max(_ROVER_TABLES)} tables, got {tables}: take a phantom"
        )
    return phantom, tables


def _seat_rover(rows: Iterable[MovementRow], tables: int) -> Iterator[MovementRow]:
    """Seat pair `2 * tables + 1`: who sits out comes first in each round, without a table."""
    rover = 2 * tables + 1
    for number, in_round in itertools.groupby(rows, lambda row: row.round):
        visited = None if number == 1 else _ROVER_TABLES[tables][0][number - 2]
        yield MovementRow(number, NO_TABLE, rover if visited is None else visited, None, None)
        for row in in_round:
            if row.table != visited:
                yield row
            elif row.ns == visited:
                yield replace(row, ns=rover)
            else:
                yield replace(row, ew=rover)  # an arrow switch has exchanged the directions
