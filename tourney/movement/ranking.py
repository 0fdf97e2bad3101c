"""Standings: teams ranked by victory points, then by the tie-breaks of the event."""

import enum
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Final

from tourney.errors import ConfigError
from tourney.movement.pairs.ranking import PairsRanking
from tourney.movement.tie_breaks import DEFAULT_TIE_BREAKS, Field, Figures, Tie, TieBreak, rank_field
from tourney.scoring.board_scale import IMPS, BoardScale
from tourney.scoring.match import MatchScore
from tourney.scoring.pairs.field import PairsScoring
from tourney.scoring.victory_points import VpHundredths, VpScale


def format_rank(rank: int, *, is_shared: bool) -> str:
    """Return a place as it is written wherever people read one: `2`, or `2=` if it is shared."""
    return f"{rank}{'=' if is_shared else ''}"


@dataclass(frozen=True, slots=True)
class BoardTotals:
    """Total points and boards won in a match, over the boards that have their own score in both rooms."""

    points_home: int
    points_away: int
    half_boards_home: int
    """Two for a board won, one for a tied one."""
    half_boards_away: int


NO_BOARDS: Final = BoardTotals(0, 0, 0, 0)


class WonBy(enum.StrEnum):
    """Why a match has its winner."""

    SCORE = "score"
    FORFEIT = "forfeit"
    BETTER_SEED = "better-seed"
    DRAW = "draw"
    """The next round of a knockout was drawn from a result that a ruling has turned since."""


@dataclass(frozen=True)
class FinishedMatch:
    """A finished match with all its figures, as standings and reports need it. Teams are named as in the draw.

    Each team's own margin is that of its own figures, and its victory points are those of its margin. The lead, by
    which a match is won and a knockout decided, is one figure for both: where the figures of the boards do not
    balance, both teams get the average of the two on the boards (Laws 2017, Law 12C4). A penalty is no figure of a
    board, and is deducted in full from the score of the team penalised (Law 90).
    """

    home: str
    away: str
    score: MatchScore
    forfeits: frozenset[str] = frozenset()
    """The teams that have forfeited the match."""
    fines: tuple[int, int] = (0, 0)
    """The IMPs that the home team and the away team have been fined; they are deducted in `score`."""
    vp_fines: tuple[int, int] = (0, 0)
    """The hundredths of a victory point that they have been fined; they are deducted in `score` too."""
    totals: BoardTotals = NO_BOARDS
    """Board totals; only some tie-breaks need them."""
    is_walkover: bool = False
    """Whether it was forfeited because a team had left the event."""
    is_void: bool = False
    """Whether too few of its boards were played; its IMPs are then averages."""
    number: int = 0
    """The number of the match; not used in ranking."""
    carried: int = 0
    """Hundredths of IMPs by which the home team's carry-over exceeds the away team's; they decide the match too."""
    board_scale: BoardScale = IMPS
    """How its boards were scored: the unit of all its figures."""
    is_knockout: bool = False
    """Whether a team goes on from it: the home team, which is the better seed, if it is level."""
    extra_times_left: int = 0
    """How many times it still gets extra boards while it is level."""
    advanced: frozenset[str] | None = None
    """Which of its teams are in the next round of the knockout; None before that is drawn."""

    @property
    def teams(self) -> tuple[str, str]:
        """The two teams, the home team first."""
        return self.home, self.away

    def describe(self, margins: tuple[int, int]) -> str:
        """Format `Ants +2, Bees -8`."""
        signed = map(self.board_scale.format_signed, margins)
        return ", ".join(f"{team} {margin}" for team, margin in zip(self.teams, signed, strict=True))

    def vp_without_fines(self, team: str, scale: VpScale | None) -> VpHundredths:
        """Return what a team would have without its fines; without the scale, those in IMPs stay deducted."""
        place = self.teams.index(team)
        score, fine = self.score, self.fines[place]
        if fine and scale is not None and not self.forfeits:
            own, margin = (score.imps_home, score.imps_away)[place], score.totals.margins[place]
            return self.board_scale.vp(own + fine, margin + fine, scale)
        return VpHundredths((score.vp_home, score.vp_away)[place] + self.vp_fines[place])

    @property
    def margins_on_boards(self) -> tuple[int, int]:
        """Both teams' own margins over the boards alone, without fines."""
        margins = self.score.totals.margins
        return margins[0] + self.fines[0], margins[1] + self.fines[1]

    @property
    def lead_on_boards(self) -> int:
        """The home team's lead in hundredths of IMPs or points, without carry-over, below zero if it is behind.

        Where the figures of the boards do not balance, half the difference of the two margins counts.
        """
        home, away = self.margins_on_boards
        doubled = home - away - 2 * (self.fines[0] - self.fines[1])
        return self.board_scale.hundredths(doubled) // 2

    @cached_property
    def lead(self) -> int:
        """The home team's lead in hundredths of IMPs or points, carry-over included."""
        return self.lead_on_boards + self.carried

    @property
    def needs_extra_boards(self) -> bool:
        """Whether extra boards are to decide it."""
        return self.extra_times_left > 0 and not self.forfeits and self.lead == 0

    @property
    def winner_by_result(self) -> str | None:
        """The team that has won by its score or a forfeit; None if both have forfeited it, or it is level.

        A level match of a knockout is won by the better seed once it gets no extra boards.
        """
        if self.forfeits:
            return next((team for team in self.teams if team not in self.forfeits), None)
        if self.lead < 0:
            return self.away
        return self.home if self.lead or (self.is_knockout and not self.needs_extra_boards) else None

    @property
    def winner(self) -> str | None:
        """The team that has won; in a knockout the one in the next round, whatever a later ruling makes of it."""
        return self.winner_by_result if self.advanced is None else next(iter(self.advanced), None)

    @cached_property
    def won_by(self) -> WonBy | None:
        """Why it has that winner, or none in a knockout; None if it is drawn."""
        if self.winner != self.winner_by_result:
            return WonBy.DRAW
        if self.forfeits:
            return WonBy.FORFEIT
        if self.lead:
            return WonBy.SCORE
        return WonBy.BETTER_SEED if self.winner is not None else None

    def figures(self) -> tuple[Figures, Figures]:
        """Return what the home team and the away team have scored in it."""
        score, totals = self.score, self.totals
        margin_home, margin_away = score.totals.margins
        home, away = map(self._outcome, self.teams)
        return (
            Figures(
                *(home > 0, home == 0, home < 0, score.vp_home, score.imps_home, score.imps_home - margin_home),
                *(totals.points_home, totals.points_away, totals.half_boards_home),
            ),
            Figures(
                *(away > 0, away == 0, away < 0, score.vp_away, score.imps_away, score.imps_away - margin_away),
                *(totals.points_away, totals.points_home, totals.half_boards_away),
            ),
        )

    def _outcome(self, team: str) -> int:
        """Return 1 if a team has won the match, -1 if it has lost it."""
        return 0 if self.won_by is None else 1 if team == self.winner else -1


@dataclass(frozen=True, slots=True)
class PairsFigures:
    """What a pair has won on the boards that count."""

    boards: int
    points: Fraction
    """Matchpoints or IMPs, fines deducted."""
    available: int
    """The most matchpoints that could be won; 0 in IMPs."""
    level: Fraction | None
    """The percentage of these, or IMPs per board, by which pairs rank; None before the first board that counts."""
    scoring: PairsScoring
    carried: Fraction | None = None
    """What it has carried over from the stage before, in the unit of `level`; None in a stage without carry-over."""

    @property
    def result(self) -> Fraction | None:
        """What pairs rank by: the level with the carry-over; None before the first board that counts."""
        return self.level + (self.carried or 0) if self.level is not None else None


NO_FIGURES: Final = PairsFigures(0, Fraction(), 0, None, PairsScoring.MATCHPOINTS)


@dataclass(frozen=True, slots=True)
class StandingRow:
    """One team's line of the standings. `rank` counts from 1; teams that no criterion separates share it.

    A match is won by the team that leads it; a forfeited match is lost by the team that forfeited it and won by the
    other, whatever the IMPs. `imps_for` less `imps_against` is the team's own margin over its matches.
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
    """For a pair, hundredths of a percent or of an IMP per board, carry-over included."""
    pairs: PairsFigures | None = None
    """The figures of a pair; None for a team."""

    @property
    def counts(self) -> bool:
        """Whether it ranks by anything: of a pair, some board must count for that."""
        return self.pairs is None or self.pairs.level is not None


@dataclass(frozen=True)
class RankedTeams:
    """Teams in the order of their standing."""

    rows: tuple[StandingRow, ...]
    """The lines of the standings, best first."""
    ties: tuple[Tie, ...]
    """How ties were broken, best first."""


_USUAL_MOST: Final = VpHundredths(2000)
_USUAL_BYE: Final = VpHundredths(1200)
_USUAL_LATE: Final = VpHundredths(800)
_USUAL_OF_PAIRS: Final = PairsRanking()


@dataclass(frozen=True, slots=True)
class RankingRules:
    """The ranking rules of an event file; they are not part of the draw."""

    tie_breaks: Sequence[TieBreak] = DEFAULT_TIE_BREAKS
    """Tie-breaks for equal victory points, in the order in which they apply."""
    bye_vp: VpHundredths = _USUAL_BYE
    most_vp: VpHundredths = _USUAL_MOST
    """The maximum victory points of a match."""
    forgets_early_leavers: bool = True
    """Whether the scores of a team that leaves before half of its matches were played are cancelled."""
    vp_scale: VpScale | None = None
    """The scale of a match, to tell what a team would have had without a fine in IMPs; None if it is not known."""
    late_vp: VpHundredths = _USUAL_LATE
    """Victory points for each round a team missed by entering late."""
    pairs: PairsRanking = _USUAL_OF_PAIRS
    """How pairs are scored and ranked, in a pairs stage."""


def rank_teams(
    teams: Sequence[str],
    matches: Iterable[FinishedMatch],
    tie_breaks: Sequence[TieBreak],
    lot_seed: str | None = None,
    awards: Mapping[str, VpHundredths] | None = None,
    *,
    by_average: bool = False,
) -> RankedTeams:
    """Rank teams by the matches given; a team without a match is listed with zeros.

    Teams that neither victory points nor a tie-break separate share a rank (1, 2, 2, 4), and are listed in the order
    of `teams`.

    Args:
        teams: the names in the order of the draw, each once.
        matches: finished matches in any order.
        tie_breaks: tie-breaks for equal victory points, in the order in which they apply.
        lot_seed: the seed for drawing lots; without one they are not drawn.
        awards: victory points without a match, as for a bye; they bring no IMPs.
        by_average: whether victory points per match count, for teams that do not play equally often.

    Raises:
        ConfigError: a match names a team that is not among `teams`.
    """
    every, drawn = list(matches), set(teams)
    for match in every:
        for team in match.teams:
            if team not in drawn:
                raise ConfigError(f"match {match.home} - {match.away} names a team that is not in the draw: {team!r}")
    totals, meetings = _add_up_matches(teams, every, awards or {})
    ranking = rank_field(Field(totals, meetings, lot_seed, by_average), tie_breaks)
    return RankedTeams(_rows(ranking.places, totals), ranking.ties)


def rank_places(places: Sequence[Sequence[str]], matches: Iterable[FinishedMatch]) -> tuple[StandingRow, ...]:
    """Return the standings of teams whose places are already known, best first."""
    totals, _ = _add_up_matches([team for place in places for team in place], matches, {})
    return _rows(places, totals)


def _add_up_matches(
    teams: Sequence[str], matches: Iterable[FinishedMatch], awards: Mapping[str, VpHundredths]
) -> tuple[dict[str, Figures], Mapping[tuple[str, str], Sequence[Figures]]]:
    """Return each team's figures over its matches and awards, and those in each match against another."""
    by_team = {team: [Figures(vp=awards.get(team, 0))] for team in teams}
    meetings: defaultdict[tuple[str, str], list[Figures]] = defaultdict(list)
    for match in matches:
        for team, other, figures in zip(match.teams, reversed(match.teams), match.figures(), strict=True):
            if team in by_team:
                by_team[team].append(figures)
                meetings[team, other].append(figures)
    return {team: Figures.add_up(figures) for team, figures in by_team.items()}, meetings


def _rows(places: Sequence[Sequence[str]], totals: Mapping[str, Figures]) -> tuple[StandingRow, ...]:
    rows: list[StandingRow] = []
    for place in places:
        rank = len(rows) + 1
        rows += (_row(rank, team, totals[team]) for team in place)
    return tuple(rows)


def _row(rank: int, team: str, total: Figures) -> StandingRow:
    return StandingRow(
        rank=rank,
        team=team,
        played=total.played,
        won=total.won,
        drawn=total.drawn,
        lost=total.lost,
        imps_for=total.imps_for,
        imps_against=total.imps_against,
        vp=VpHundredths(total.vp),
    )
