"""A movement as rows of round, table, North-South, East-West and board set, and what must hold for it.

Pairs, rounds and sets are numbered from 1. A set is a number of boards that are played together in one round: of `k`
boards each, set `s` is boards `(s - 1) * k + 1` to `s * k`.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from functools import cached_property
from itertools import groupby
from operator import attrgetter
from typing import Final, TypeAlias

from tourney.bridge import Side
from tourney.errors import ConfigError
from tourney.plurals import count, plural

NO_TABLE: Final = 0
"""The table of a row in which a pair sits out and has no table."""


def count_around(number: int, size: int) -> int:
    """Count in a circle of tables, pairs or sets, numbered from 1: 0 is the last one, `size` + 1 the first."""
    return (number - 1) % size + 1


RoundFigures: TypeAlias = tuple[tuple[int, ...], ...]
"""A published round: the figures of each of its tables."""


def parse_figures(text: str) -> dict[int, RoundFigures]:
    """Parse published rounds, each in a line: `8: 3-6 (1), 7-2 (3)`, its size or number and then its tables."""
    lines = (line.split(":") for line in text.split("\n") if line)
    return {
        int(number): tuple(tuple(map(int, re.findall(r"\d+", table))) for table in tables.split(","))
        for number, tables in lines
    }


@dataclass(frozen=True, slots=True)
class MovementRow:
    """A table in a round. A pair that sits out has a row without opponents and without a set."""

    round: int
    table: int
    ns: int | None
    ew: int | None
    board_set: int | None

    @property
    def pairs(self) -> tuple[int, ...]:
        """The pairs at the table, North-South first."""
        return tuple(pair for pair in (self.ns, self.ew) if pair is not None)

    @property
    def is_played(self) -> bool:
        """Whether two pairs meet here; otherwise one sits out."""
        return self.board_set is not None

    def side_of(self, pair: int) -> Side:
        """Return the direction of a pair that is at the table."""
        return Side.NS if self.ns == pair else Side.EW

    def __str__(self) -> str:
        """Return its line of a CSV file."""
        return ",".join("" if figure is None else str(figure) for figure in astuple(self))

    def switched(self) -> "MovementRow":
        """Return the row with the directions exchanged."""
        return replace(self, ns=self.ew, ew=self.ns)


@dataclass(frozen=True)
class Movement:
    """A checked movement.

    Raises:
        ConfigError: a pair is at two tables in a round, plays a set twice, or the numbers have gaps.
    """

    name: str
    """What it is, for people: `Howell for 8 pairs`."""
    rows: tuple[MovementRow, ...]
    sections: tuple["Movement", ...] = ()
    """The movements of its sections, each as it is in the first session with numbers of its own; empty where there is
    but one, played once."""
    sessions: int = 1
    """How often it is played, each time with new boards: rounds and sets go on."""

    def __post_init__(self) -> None:
        problem = next(_problems(self.rows), None)
        if problem is not None:
            raise ConfigError(f"{self.name}: {problem}")

    # Size

    @cached_property
    def pairs(self) -> int:
        """The number of pairs."""
        return max(pair for row in self.rows for pair in row.pairs)

    @cached_property
    def rounds(self) -> int:
        """The number of rounds."""
        return max(row.round for row in self.rows)

    @cached_property
    def tables(self) -> int:
        """The largest number of tables in play at once."""
        return max(sum(row.is_played for row in rows) for rows in self.by_round.values())

    @cached_property
    def sets(self) -> int:
        """The number of board sets, played or not, up to the highest."""
        return max((row.board_set for row in self.rows if row.board_set is not None), default=0)

    # Rows

    @cached_property
    def by_round(self) -> Mapping[int, tuple[MovementRow, ...]]:
        """The rows of each round, in their order."""
        return _group("round", self.rows)

    @cached_property
    def by_set(self) -> Mapping[int, tuple[MovementRow, ...]]:
        """The rows in which each set is played, in their order."""
        return _group("board_set", [row for row in self.rows if row.is_played])

    def of_pair(self, pair: int) -> tuple[MovementRow, ...]:
        """Return the rows of a pair, in the order of the rounds."""
        return tuple(row for rows in self.by_round.values() for row in rows if pair in row.pairs)

    @cached_property
    def rounds_of_pairs(self) -> list[int]:
        """How many rounds each pair plays, in the order of their numbers."""
        return [sum(row.is_played for row in self.of_pair(pair)) for pair in range(1, self.pairs + 1)]

    def section_of(self, pair: int) -> int:
        """Return the section of a pair, from 1; sections have consecutive numbers."""
        last = 0
        for number, section in enumerate(self.sections, 1):
            last += section.pairs
            if pair <= last:
                return number
        return 1

    # What the movement is like

    @cached_property
    def has_two_winners(self) -> bool:
        """Whether every pair keeps its direction, so that North-South and East-West pairs cannot be compared."""
        sides: defaultdict[int, set[Side]] = defaultdict(set)
        for row in self.rows:
            for pair in row.pairs if row.is_played else ():
                sides[pair].add(row.side_of(pair))
        return all(len(own) == 1 for own in sides.values())

    @cached_property
    def results_per_set(self) -> int:
        """The largest number of tables that play a set: the results expected on a board."""
        return max((len(rows) for rows in self.by_set.values()), default=0)

    @cached_property
    def remarks(self) -> tuple[str, ...]:
        """What an organiser should know of the movement, though it can be played."""
        return tuple(_remarks(self))


def _group(figure: str, rows: Iterable[MovementRow]) -> dict[int, tuple[MovementRow, ...]]:
    """Return the rows with each figure, the smallest first."""
    figure_of = attrgetter(figure)
    return {number: tuple(found) for number, found in groupby(sorted(rows, key=figure_of), figure_of)}


def _problems(rows: tuple[MovementRow, ...]) -> Iterator[str]:
    """Yield what rules a movement out, as ends of sentences."""
    for row in rows:
        yield from _row_problems(row)
    if not any(row.is_played for row in rows):
        yield "no two pairs meet in it"
        return
    rounds = {row.round for row in rows}
    if missing := set(range(1, max(rounds) + 1)) - rounds:
        yield f"there is no row of round {min(missing)}, but rows of round {max(rounds)}"
    pairs = {pair for row in rows for pair in row.pairs}
    if missing := set(range(1, max(pairs) + 1)) - pairs:
        yield f"there is no row of pair {min(missing)}, but pairs are numbered up to {max(pairs)}"
    seated: dict[tuple[int, int], MovementRow] = {}
    tables: set[tuple[int, int]] = set()
    sets: dict[tuple[int, int], MovementRow] = {}
    for row in rows:
        if row.table != NO_TABLE and (row.round, row.table) in tables:
            yield f"round {row.round} has two rows of table {row.table}"
        tables.add((row.round, row.table))
        for pair in row.pairs:
            other = seated.setdefault((row.round, pair), row)
            if other is not row:
                yield f"pair {pair} is seated twice in round {row.round}, {_places(other, row)}"
            if row.board_set is None:
                continue
            before = sets.setdefault((pair, row.board_set), row)
            if before is not row:
                yield f"pair {pair} plays set {row.board_set} twice, in rounds {before.round} and {row.round}"


def _row_problems(row: MovementRow) -> Iterator[str]:
    if row.round < 1 or row.table < NO_TABLE or min((*row.pairs, row.board_set or 1)) < 1:
        yield f"rounds, tables, pairs and sets are numbered from 1, got {row}"
    if not row.pairs:
        yield f"round {row.round}, table {row.table} has no pair"
    elif len(row.pairs) == 1 and row.is_played:
        yield f"pair {row.pairs[0]} sits out in round {row.round}, so the row has no set, got set {row.board_set}"
    elif len(row.pairs) == 2 and row.board_set is None:
        yield f"pairs {row.ns} and {row.ew} meet in round {row.round}, but the row has no set"
    elif len(row.pairs) == 2 and row.table == NO_TABLE:
        yield f"pairs {row.ns} and {row.ew} meet in round {row.round}, but the row has no table"
    elif len(row.pairs) == 2 and row.ns == row.ew:
        yield f"pair {row.ns} meets itself in round {row.round} at table {row.table}"


def _places(*rows: MovementRow) -> str:
    where = [f"at table {row.table}" if row.is_played else "sitting out" for row in rows]
    return " and ".join(where)


def _remarks(movement: Movement) -> Iterator[str]:
    if movement.sections:
        if len(movement.sections) > 1:
            pairs = " and ".join(str(section.pairs) for section in movement.sections)
            yield f"sections of {pairs} pairs play the same boards"
        yield from dict.fromkeys(remark for section in movement.sections for remark in section.remarks)
        return
    if movement.has_two_winners:
        yield "every pair keeps its direction: North-South and East-West are ranked apart"
    meetings: defaultdict[frozenset[int], int] = defaultdict(int)
    for row in movement.rows:
        if row.is_played:
            meetings[frozenset(row.pairs)] += 1
    often = sorted(tuple(sorted(pair)) for pair, times in meetings.items() if times > 1)
    if often:
        one, other = often[0]
        more = f", and so do {count(len(often) - 1, 'other two', 'others')}" if len(often) > 1 else ""
        yield f"pairs {one} and {other} meet {meetings[frozenset(often[0])]} times{more}"
    if not movement.has_two_winners:
        possible = movement.pairs * (movement.pairs - 1) // 2
        if len(meetings) < possible:
            apart = possible - len(meetings)
            yield f"{apart} of {possible} {plural(possible, 'encounter')} of two pairs do not take place"
    least, most = min(movement.rounds_of_pairs), max(movement.rounds_of_pairs)
    if least < most:
        yield f"pairs play {least} to {most} rounds"
    elif least < movement.rounds:
        yield f"every pair sits out {count(movement.rounds - least, 'round')}"
    results = sorted({len(rows) for rows in movement.by_set.values()})
    if len(results) > 1:
        yield f"boards have {results[0]} to {results[-1]} results"
    shared = sorted(
        {
            row.round
            for rows in movement.by_set.values()
            for row in rows
            if sum(r.round == row.round for r in rows) > 1
        }
    )
    if shared:
        yield f"tables share a set in {_rounds(shared, movement.rounds)}"


def _rounds(shared: list[int], total: int) -> str:
    if len(shared) == total:
        return "every round"
    return f"{plural(len(shared), 'round')} {', '.join(map(str, shared))}"


def join_sections(sections: Sequence[Movement]) -> Movement:
    """Return several movements side by side on the same sets: pairs and tables are numbered on from one to the next.

    Raises:
        ConfigError: they have different numbers of rounds.
    """
    first = sections[0]
    unlike = next((other for other in sections if other.rounds != first.rounds), None)
    if unlike is not None:
        raise ConfigError(
            f"sections play as many rounds each: the {first.name} has {first.rounds}, the {unlike.name} "
            f"{unlike.rounds}; give `rounds`, or sections of the same size"
        )
    rows: list[MovementRow] = []
    pairs = tables = 0
    for section in sections:
        for row in section.rows:
            ns, ew = (None if pair is None else pair + pairs for pair in (row.ns, row.ew))
            rows.append(replace(row, table=row.table + tables if row.table != NO_TABLE else NO_TABLE, ns=ns, ew=ew))
        pairs += section.pairs
        tables += max(row.table for row in section.rows)
    rows.sort(key=lambda row: row.round)  # stable, so a round has the tables of one section after the other's
    return Movement(f"{len(sections)} sections", tuple(rows), tuple(sections))


def repeat_sessions(movement: Movement, sessions: int) -> Movement:
    """Return a movement played several times, each time with new sets; rounds and sets are numbered on."""
    rows = tuple(
        replace(
            row,
            round=row.round + session * movement.rounds,
            board_set=None if row.board_set is None else row.board_set + session * movement.sets,
        )
        for session in range(sessions)
        for row in movement.rows
    )
    return Movement(f"{movement.name}, {sessions} sessions", rows, movement.sections or (movement,), sessions)


def make_barometer(movement: Movement) -> Movement:
    """Return the movement with one set a round at all tables, so that results can be shown after each round."""
    rows = (replace(row, board_set=row.round if row.is_played else None) for row in movement.rows)
    return Movement(f"{movement.name}, barometer", tuple(rows))


def seat_phantom(seated: Iterable[MovementRow], phantom: int, name: str) -> Movement:
    """Return a movement without pair `phantom`: its opponents sit out, and higher numbers move down by one."""

    def number(pair: int | None) -> int | None:
        return None if pair is None or pair == phantom else pair - (pair > phantom)

    rows = []
    for row in seated:
        ns, ew = number(row.ns), number(row.ew)
        if ns is not None or ew is not None:
            is_played = row.is_played and ns is not None and ew is not None
            rows.append(MovementRow(row.round, row.table, ns, ew, row.board_set if is_played else None))
    return Movement(name, tuple(rows))
