"""What a contest reads from the record: a drawn stage, its finished matches, and rulings."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from tourney.bridge import Board, Result, Vulnerability
from tourney.contest.draw import EntryInfo, MatchInfo, RoundInfo, StageInfo, VoidMatches
from tourney.movement.ranking import NO_BOARDS, BoardTotals, FinishedMatch, RankedTeams, RankingRules
from tourney.movement.seating import Room, TableInfo
from tourney.protocol.session.records import BREAKS_OFF, RULE_AUTHOR, BoardEnd, RulingKind
from tourney.scoring.assigned import AssignedResult
from tourney.scoring.board_scale import IMPS, BoardScale
from tourney.scoring.match import Fines, MatchScore
from tourney.scoring.pairs.field import ScoredField
from tourney.scoring.victory_points import VpHundredths

BoardScores: TypeAlias = Mapping[Room, Mapping[int, int]]
"""North-South's points at the tables of a match, by room and board number."""

BoardsOfMatch: TypeAlias = Mapping[int, Vulnerability]
"""The boards of a match in the order of play: number and vulnerability."""


@dataclass(frozen=True, slots=True)
class SeatedBoard:
    """A board of a match with everything that its score depends on."""

    board: Board
    tables: Mapping[Room, TableInfo]
    """Where it is played."""
    results: Mapping[Room, Result]
    """Its results in the rooms where it has one."""
    rulings: Sequence["Ruling"]
    """Those on it that determine its score."""


GIVEN_UP_LAW: Final = "attempts"
"""What rulings name in place of a law that cancel the unfinished boards of a match that kills its table hosts."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """A ruling. `match` is None for one on the whole event, `room` and `board` for one on a match.

    `amount` is a figure of `board_scale` for `penalty-imps` and `adjusted-score`, in hundredths of a victory point
    for `penalty-vp`; `BREAKS_OFF` for `board-cancelled` where that ends a game; else 0.
    """

    id: int
    kind: RulingKind
    team: str
    """The team it is against, or whose score it sets; empty if it applies to both teams."""
    match: int | None
    room: Room | None
    board: int | None
    attempt: int | None
    ended: BoardEnd | None
    """How that attempt ended; None if the ruling is not on one."""
    amount: int
    reason: str
    law: str
    """A law, or a clause of the protocol."""
    author: str
    """Who gave it; `RULE_AUTHOR` for an automatic ruling."""
    at_ms: int
    withdrawn_at_ms: int | None = None
    withdrawn_by: str | None = None
    withdrawn_reason: str | None = None
    assigned: tuple[AssignedResult, ...] = ()
    """The weighted results of an `assigned-score`."""
    board_scale: BoardScale = IMPS
    """How the boards of its match are scored."""

    @property
    def is_live(self) -> bool:
        """Whether it is in force, that is, has not been withdrawn."""
        return self.withdrawn_at_ms is None

    @property
    def is_automatic(self) -> bool:
        """Whether it was given automatically and not by a director."""
        return self.author == RULE_AUTHOR

    @property
    def gives_up_match(self) -> bool:
        """Whether it is one of those by which a match is given up that kills its table hosts."""
        return self.is_automatic and self.kind is RulingKind.BOARD_CANCELLED and self.law == GIVEN_UP_LAW

    @property
    def breaks_off_match(self) -> bool:
        """Whether it ends a match of a game, before the board that it cancels."""
        return self.kind is RulingKind.BOARD_CANCELLED and self.amount == BREAKS_OFF

    @property
    def ends_match(self) -> bool:
        """Whether no more boards of its match are played."""
        return self.kind is RulingKind.MATCH_FORFEIT or self.gives_up_match or self.breaks_off_match

    @property
    def changes_score(self) -> bool:
        """Whether it changes a score: it is in force and not merely a warning or an order."""
        return self.is_live and self.kind not in (RulingKind.WARNING, RulingKind.BOARD_REPLAY)


@dataclass(frozen=True, slots=True)
class AskedRuling:
    """A ruling on a board that a director asks for."""

    kind: RulingKind
    match: int
    board: int
    teams: Sequence[str]
    """Those whose score it sets."""
    parts: int = 0
    """The number of results that it assigns."""


@dataclass(frozen=True, kw_only=True)
class StageRecord:
    """The record of a stage."""

    stage: StageInfo
    finished: Mapping[int, FinishedMatch]
    """The finished matches of the event, by number."""
    withdrawn: frozenset[str]
    """Names of the entrants that have withdrawn from the event."""
    rules: RankingRules
    lot_seed: str | None
    """The seed from which lots are drawn once all matches have finished."""
    scores: Mapping[int, BoardScores]
    """Board results by match number, for a contest that needs them (`ranks_by_boards`)."""
    boards: Mapping[int, BoardsOfMatch]
    """The boards of each match, likewise."""
    rulings: Mapping[int, Sequence[Ruling]]
    """The rulings in force on each match, likewise, by its number."""

    def field_of(self, group: int, last: int | None = None) -> "FieldRecord":
        """Return the record of one group, counted from 1, up to round `last` of the event; None for all rounds."""
        return FieldRecord(
            **vars(self),
            entries=[entry for entry in self.stage.entries if entry.group == group],
            rounds=[round_ for round_ in self.stage.rounds if last is None or round_.number <= last],
        )


@dataclass(frozen=True, kw_only=True)
class FieldRecord(StageRecord):
    """The record of entrants that are ranked together: a stage, or one of its groups."""

    entries: Sequence[EntryInfo]
    rounds: Sequence[RoundInfo]
    """The rounds that count."""

    @property
    def teams(self) -> list[str]:
        return [entry.team for entry in self.entries]

    @property
    def matches(self) -> list[MatchInfo]:
        """The matches of this field drawn so far."""
        teams = frozenset(self.teams)
        return [match for round_ in self.rounds for match in round_.matches if not teams.isdisjoint(match.entrants)]

    @property
    def over(self) -> list[FinishedMatch]:
        """The finished matches among them."""
        return [self.finished[match.number] for match in self.matches if match.number in self.finished]

    @property
    def is_over(self) -> bool:
        """Whether all rounds are drawn and all matches finished."""
        return len(self.over) == len(self.matches) and all(round_.is_drawn for round_ in self.rounds)


@dataclass(frozen=True)
class RankedField(RankedTeams):
    """The ranking of a field."""

    counted: tuple[FinishedMatch, ...] = ()
    """The matches as they count, without those cancelled because a team has left."""
    undecided: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    """The best and the worst place that teams may still come to, in a knockout that goes on."""
    scored: ScoredField | None = None
    """The boards of a field of pairs as they are scored, with the totals of the pairs."""


@dataclass(frozen=True, slots=True)
class Qualifier:
    """An entrant that advances to the next stage."""

    team: str
    rank: int
    """Its rank in its group of the stage it comes from."""
    vp: VpHundredths
    """The victory points it won there; of a pair, hundredths of its percentage or of its IMPs per board."""
    boards: int = 0
    """In pairs events: how many boards counted for it there."""


def finished_match(
    match: MatchInfo, score: MatchScore, rulings: Iterable[Ruling], totals: BoardTotals = NO_BOARDS
) -> FinishedMatch:
    """Return a finished match with all its figures; `rulings` are those on it that count."""
    counted = list(rulings)
    forfeits = of_kind(counted, RulingKind.MATCH_FORFEIT)
    # A forfeited match without boards has no IMPs that anything could be deducted from.
    has_imps = bool(score.boards) or not forfeits
    home, away = fines(counted, match.home), fines(counted, match.away)
    return FinishedMatch(
        home=match.home,
        away=match.away,
        score=score,
        forfeits=frozenset(ruling.team for ruling in forfeits),
        fines=(home.imps, away.imps) if has_imps else (0, 0),
        vp_fines=(home.vp, away.vp),
        totals=totals,
        is_walkover=any(ruling.is_automatic for ruling in forfeits),
        is_void=(
            match.rules.void_matches is VoidMatches.AVERAGE_PLUS
            and match.game is None
            and not forfeits
            and 2 * score.boards < match.boards
        ),
        number=match.number,
        carried=match.carry_home - match.carry_away,
        board_scale=match.board_scale,
        is_knockout=match.format.is_knockout,
        extra_times_left=match.extra_times_left,
        advanced=match.advanced,
    )


def of_kind(rulings: Iterable[Ruling], kind: RulingKind) -> list[Ruling]:
    """Return the rulings that are of a kind."""
    return [ruling for ruling in rulings if ruling.kind is kind]


def forfeited_by(rulings: Iterable[Ruling]) -> set[str]:
    """Return the teams that have forfeited their match."""
    return {ruling.team for ruling in of_kind(rulings, RulingKind.MATCH_FORFEIT)}


def fines(rulings: Iterable[Ruling], team: str) -> Fines:
    """Return what rulings deduct from a team's score."""
    amounts = dict.fromkeys((RulingKind.PENALTY_IMPS, RulingKind.PENALTY_VP), 0)
    for ruling in rulings:
        if ruling.team == team and ruling.kind in amounts:
            amounts[ruling.kind] += ruling.amount
    return Fines(amounts[RulingKind.PENALTY_IMPS], amounts[RulingKind.PENALTY_VP])
