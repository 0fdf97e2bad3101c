"""The plan of a gauntlet: one team meets all others, which do not meet each other."""

from collections.abc import Sequence

from tourney.errors import ConfigError
from tourney.movement.round_robin import Pairing


def plan_gauntlet(teams: Sequence[int], head: int, rounds: int) -> tuple[tuple[Pairing, ...], ...]:
    """Return the pairings of each round: `head` meets the others in the order given, alternately home and away.

    Args:
        teams: all that take part, including `head`.
        head: the team that meets all others; it is at home first.
        rounds: 1, with all matches side by side, or one for each opponent, with one match each.

    Raises:
        ConfigError: there are fewer than two teams, a team appears twice, `head` is not among them, or `rounds` is
            another number.
    """
    if len(teams) < 2:
        raise ConfigError(f"a gauntlet has at least 2 teams, got {len(teams)}")
    if len(set(teams)) < len(teams):
        raise ConfigError("each team of a gauntlet is there once, got one twice")
    if head not in teams:
        raise ConfigError(f"the head of a gauntlet is one of its teams, got {head}")
    others = [team for team in teams if team != head]
    pairings = tuple((head, team) if turn % 2 == 0 else (team, head) for turn, team in enumerate(others))
    if rounds == len(others):
        return tuple((pairing,) for pairing in pairings)
    if rounds == 1:
        return (pairings,)
    raise ConfigError(f"a gauntlet of {len(teams)} teams has 1 round or {len(others)}, got {rounds}")
