"""The movement of a pairs stage, as conditions of contest tell it: who meets whom, on which boards, how evenly."""

from dataclasses import dataclass

from tourney.movement.pairs.balance import Balance, measure_balance
from tourney.movement.pairs.movement import Movement
from tourney.scoring.pairs.matchpoints import top_of


@dataclass(frozen=True, slots=True)
class MovementContext:
    """A movement, with the number of boards in a set."""

    movement: Movement
    boards_per_round: int
    switched: tuple[int, ...]
    """The rounds of a Mitchell in which directions are exchanged."""
    is_barometer: bool
    ranks_sections: bool
    """Whether results are compared within a section only."""

    # Boards

    @property
    def boards(self) -> int:
        """Number of different boards."""
        return len(self.movement.by_set) * self.boards_per_round

    @property
    def boards_of_a_pair(self) -> str:
        """Number of boards that a pair plays: `28`, or `24 to 26`."""
        rounds = self.movement.rounds_of_pairs
        least, most = min(rounds) * self.boards_per_round, max(rounds) * self.boards_per_round
        return str(least) if least == most else f"{least} to {most}"

    @property
    def example_set(self) -> str:
        """The boards of the second set, or of the only one: `3 and 4`."""
        number = min(2, self.movement.sets)
        first, last = (number - 1) * self.boards_per_round + 1, number * self.boards_per_round
        return str(first) if first == last else f"{first} {'and' if last == first + 1 else 'to'} {last}"

    @property
    def results(self) -> int:
        """The results expected on a board."""
        return self._compared.results_per_set

    @property
    def _compared(self) -> Movement:
        """What is compared with each other: the whole movement, or its largest section."""
        return self.movement.sections[0] if self.ranks_sections and self.movement.sections else self.movement

    @property
    def top(self) -> int:
        """The most matchpoints on a board."""
        return top_of(self.results)

    # What it is like

    @property
    def meets_everybody(self) -> bool:
        """Whether every pair meets every other one."""
        pairs = self.movement.pairs
        met = {frozenset(row.pairs) for row in self.movement.rows if row.is_played}
        return len(met) == pairs * (pairs - 1) // 2

    @property
    def balance(self) -> Balance:
        return measure_balance(self._compared)

    @property
    def remarks(self) -> list[str]:
        """What there is to know of it, a sentence each."""
        return [f"{remark[:1].upper()}{remark[1:]}." for remark in self.movement.remarks]

    @property
    def rows(self) -> tuple[tuple[str, ...], ...]:
        """The rounds, with the tables in their order, and who sits out where anybody ever does."""
        rows = []
        for number, idle in self._idle.items():
            played = sorted(
                (row for row in self.movement.by_round[number] if row.is_played), key=lambda row: row.table
            )
            sit_out = [", ".join(map(str, idle))] if self.has_sit_outs else []
            rows.append((str(number), ", ".join(f"{row.ns}-{row.ew} ({row.board_set})" for row in played), *sit_out))
        return tuple(rows)

    @property
    def has_sit_outs(self) -> bool:
        """Whether a pair ever sits out."""
        return any(self._idle.values())

    @property
    def _idle(self) -> dict[int, list[int]]:
        """The pairs that do not play in each round, whether the movement has a row for them or not."""
        everybody = set(range(1, self.movement.pairs + 1))
        return {
            number: sorted(everybody.difference(*(row.pairs for row in seated if row.is_played)))
            for number, seated in self.movement.by_round.items()
        }
