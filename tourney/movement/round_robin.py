"""The plan of a round robin: every team meets every other once, or twice with home and away exchanged."""

from dataclasses import dataclass

from tourney.errors import ConfigError
from tourney.movement.berger import Pairing, berger_rounds


@dataclass(frozen=True, slots=True)
class PlannedRound:
    """One round. Teams are numbers in the draw, 1 first; `number` counts on through a second cycle."""

    number: int
    pairings: tuple[Pairing, ...]
    """Home team and away team, by table."""
    bye: int | None
    """The team that sits out; None with an even number of teams."""


def plan_round_robin(team_count: int, cycles: int = 1) -> tuple[PlannedRound, ...]:
    """The rounds of a single (`cycles` 1) or double (2) round robin by the Berger tables.

    Raises:
        ConfigError: fewer than two teams, or another number of cycles.
    """
    if cycles not in (1, 2):
        raise ConfigError(f"a round robin has 1 or 2 cycles, got {cycles}")
    first = berger_rounds(team_count)
    second = tuple(tuple((away, home) for home, away in pairings) for pairings in first)
    rounds = first if cycles == 1 else first + second
    return tuple(
        PlannedRound(number, pairings, _bye(pairings, team_count)) for number, pairings in enumerate(rounds, start=1)
    )


def _bye(pairings: tuple[Pairing, ...], team_count: int) -> int | None:
    playing = {team for pair in pairings for team in pair}
    return next((team for team in range(1, team_count + 1) if team not in playing), None)
