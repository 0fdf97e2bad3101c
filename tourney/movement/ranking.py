"""Standings: teams ranked by victory points, then by IMP difference."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tourney.errors import ConfigError
from tourney.scoring.vp_units import VpHundredths


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """What the standings need of a match. Teams are named as in the draw.

    IMPs `lost` are those that a team lost and its opponents did not win: a penalty, a board that both have forfeited.
    They are off the team's IMPs already, and are counted against that team alone.
    """

    home: str
    away: str
    imps_home: int
    imps_away: int
    vp_home: VpHundredths
    vp_away: VpHundredths
    lost_home: int = 0
    lost_away: int = 0
    forfeits: frozenset[str] = frozenset()
    """The teams that have forfeited the match."""


@dataclass(frozen=True, slots=True)
class StandingRow:
    """One team's line. `rank` counts from 1 and is shared by teams that are equal.

    A win is by IMPs, those that opponents lost on their own not counted as won; a match forfeited is lost by who
    forfeited it and won by the other, whatever the IMPs.
    """

    rank: int
    team: str
    played: int
    won: int
    drawn: int
    lost: int
    imps_for: int
    imps_against: int
    vp: VpHundredths


@dataclass(slots=True)
class _Tally:
    won: int = 0
    drawn: int = 0
    lost: int = 0
    imps_for: int = 0
    imps_against: int = 0
    vp: int = 0

    def add(self, imps_for: int, imps_against: int, vp: VpHundredths, outcome: int) -> None:
        """Add a match; `outcome` is above zero when it was won, below when lost."""
        self.won += outcome > 0
        self.drawn += outcome == 0
        self.lost += outcome < 0
        self.imps_for += imps_for
        self.imps_against += imps_against
        self.vp += vp

    @property
    def order(self) -> tuple[int, int]:
        """What teams are ranked by, best lowest."""
        return -self.vp, self.imps_against - self.imps_for


def standings(teams: Sequence[str], matches: Iterable[FinishedMatch]) -> tuple[StandingRow, ...]:
    """The standings after the matches given, best first; a team without one is listed with zeros.

    Teams equal in victory points and IMP difference share a rank (1, 2, 2, 4) and are listed in the order of `teams`.

    Args:
        teams: the names in the order of the draw, each once.
        matches: finished matches in any order.

    Raises:
        ConfigError: a match names a team that is not among `teams`.
    """
    tallies = {team: _Tally() for team in teams}
    for match in matches:
        for team in (match.home, match.away):
            if team not in tallies:
                raise ConfigError(f"match {match.home} - {match.away} names a team that is not in the draw: {team!r}")
        won_home, won_away = match.imps_home + match.lost_home, match.imps_away + match.lost_away
        home = _outcome(match, match.home, match.imps_home - won_away)
        away = _outcome(match, match.away, match.imps_away - won_home)
        tallies[match.home].add(match.imps_home, won_away, match.vp_home, home)
        tallies[match.away].add(match.imps_away, won_home, match.vp_away, away)
    ordered = sorted(tallies, key=lambda team: tallies[team].order)
    rows: list[StandingRow] = []
    for place, team in enumerate(ordered, start=1):
        tally = tallies[team]
        is_tied = place > 1 and tally.order == tallies[ordered[place - 2]].order
        rows.append(
            StandingRow(
                rank=rows[-1].rank if is_tied else place,
                team=team,
                played=tally.won + tally.drawn + tally.lost,
                won=tally.won,
                drawn=tally.drawn,
                lost=tally.lost,
                imps_for=tally.imps_for,
                imps_against=tally.imps_against,
                vp=VpHundredths(tally.vp),
            )
        )
    return tuple(rows)


def _outcome(match: FinishedMatch, team: str, margin: int) -> int:
    """Above zero when a team has won the match, below when it has lost it."""
    if match.forfeits:
        return -1 if team in match.forfeits else 1
    return margin
