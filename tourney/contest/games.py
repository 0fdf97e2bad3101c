"""Games of one table: rubber bridge, Chicago and Minibridge, played in matches of two pairs.

Dealer and vulnerability of a deal follow from the deals before it, and so does the end of a match. `GameBoards` gives
a table its boards accordingly, from results at the table alone. The score is kept apart from that (`keep_score`):
a ruling changes what a deal is worth and everything that is scored after it, but no vulnerability that was played.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final

from tourney.bridge import Board, Result, Side
from tourney.contest.draw import EntryInfo, MatchInfo, RoundInfo, StageInfo
from tourney.contest.individual import OfPlayers
from tourney.contest.kind import Contest
from tourney.contest.knockout import Knockout, SingleMatch
from tourney.contest.plan import BoardSetPlan, KeyProblem, RoundDraw, StagePlan, StageSettings
from tourney.contest.record import (
    AskedRuling,
    FieldRecord,
    RankedField,
    Ruling,
    SeatedBoard,
    fines,
    forfeited_by,
    of_kind,
)
from tourney.contest.team_formats import DoubleRoundRobin, Gauntlet, RoundRobin, Swiss
from tourney.contest.teams import TeamContest
from tourney.errors import ConfigError
from tourney.movement.pairs.individual import plan_individual
from tourney.movement.ranking import rank_teams
from tourney.movement.seating import Room, SharedDeals
from tourney.plurals import count
from tourney.protocol.session.boards import BoardQueue, LineScore
from tourney.protocol.session.records import BREAKS_OFF, RulingKind
from tourney.protocol.wires import Language
from tourney.scoring.board_scale import BoardScale
from tourney.scoring.chicago import Chicago, ChicagoScoring
from tourney.scoring.games import GameKind, GameSettings, PassedOut
from tourney.scoring.ledger import (
    NO_POINTS,
    DealGame,
    GameState,
    LedgerEntry,
    LedgerItem,
    LedgerKind,
    PlayedDeal,
    SidePoints,
)
from tourney.scoring.match import BoardComparison, ImpTotals, MatchScore
from tourney.scoring.victory_points import VpHundredths, VpScale

FORFEITED_BOARD: Final = 300
"""What a side gets above the line when the other forfeits a board, in points: as much as for an unfinished game."""

FORFEITED_BOARD_IMPS: Final = 3
"""The same where the game is scored in IMPs."""

FORFEITED_MATCH: Final = 500
"""The margin by which a forfeited match is lost at least, in points."""

FORFEITED_MATCH_IMPS: Final = 10
"""The same where the game is scored in IMPs."""


def _forfeit(settings: GameSettings, points: int, in_imps: int) -> int:
    return in_imps if settings.scoring.is_in_imps else points


# At the table


class GameBoards(BoardQueue):
    """The boards of a table where a game is played, one after the other: each depends on the results before."""

    may_repeat = False

    def __init__(
        self, settings: GameSettings, boards: Sequence[Board], finished: Mapping[int, Result | None]
    ) -> None:
        """Go on after the boards that are finished.

        Args:
            settings: the game.
            boards: those that are kept ready, in the order of play.
            finished: the results of those that are finished, by number; None for one that was forfeited.
        """
        super().__init__(boards)
        self._settings = settings
        self._game = settings.game()
        self._state = GameState()
        for board in boards:
            if board.number in finished:
                self._left.remove(board)
                self.note_end(board, finished[board.number])

    def __len__(self) -> int:
        return 0 if self.is_decided else len(self._left)

    @property
    def is_decided(self) -> bool:
        return self._settings.is_over(self._state)

    @property
    def is_minibridge(self) -> bool:
        return self._settings.kind is GameKind.MINIBRIDGE

    @property
    def line_scores(self) -> Mapping[Side, LineScore] | None:
        """The score in points; None where the game is scored in IMPs."""
        if self._settings.scoring.is_in_imps:
            return None
        totals, below = self._state.totals, self._state.below
        vulnerability = self._game.vulnerability(self._state)
        return {
            side: LineScore(totals[side] - below[side], below[side], vulnerability.includes(side)) for side in Side
        }

    def take(self) -> Board:
        board = self._left.popleft()
        return replace(board, dealer=self._state.dealer, vulnerability=self._game.vulnerability(self._state))

    def add(self, board: Board) -> None:
        raise AssertionError(f"board {board.number} is finished, and the boards after it depend on it")

    def note_end(self, board: Board, result: Result | None) -> None:
        super().note_end(board, result)
        self._state = self._game.play(
            self._state, self._settings.deal_of(board.deal, result, board.vulnerability)
        ).after


# The score


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedDeal:
    """A deal as it counts: by its result, or by a ruling."""

    board: Board
    result: Result | None
    """None if it was forfeited or cancelled: it is then as if passed out."""
    awarded: SidePoints | None = None
    """What a ruling gives both sides instead of what the deal is worth."""
    played: Result | None
    """Its result at the table, whatever a ruling says; None if there is none."""


def keep_score(settings: GameSettings, deals: Iterable[CountedDeal]) -> list[LedgerEntry]:
    """Return the entries of deals in the ledger of their game, each scored at the vulnerability it was played at."""

    def deal_of(board: Board, result: Result | None) -> PlayedDeal:
        return settings.deal_of(board.deal, result, board.vulnerability)

    made = ((deal_of(each.board, each.result), deal_of(each.board, each.played), each.awarded) for each in deals)
    return list(score_deals(settings.game(), made))


def score_deals(
    game: DealGame, deals: Iterable[tuple[PlayedDeal, PlayedDeal, SidePoints | None]]
) -> Iterator[LedgerEntry]:
    """Yield the entries of deals in the ledger of a game.

    Args:
        game: the game.
        deals: each as it counts, as it was played, and what a ruling gives both sides in its place.

    Raises:
        RuleError: the game cannot score one of them.
    """
    state = at_table = GameState()
    for deal, played, awarded in deals:
        at_table = game.play(at_table, played).after
        entry = game.play(state, deal)
        if isinstance(game, Chicago):
            # The hand that is played next is that at the table: no ruling has a hand redealt.
            after = replace(
                entry.after,
                hand=at_table.hand,
                dealer=at_table.dealer,
                below=NO_POINTS if at_table.is_between else entry.after.below,
                completed=at_table.completed,
                is_between=at_table.is_between,
            )
            entry = replace(entry, after=after)
        if awarded is not None:
            entry = _award_points(entry, state.totals, awarded)
        yield entry
        state = entry.after


def _award_points(entry: LedgerEntry, before: SidePoints, awarded: SidePoints) -> LedgerEntry:
    """Return the entry of a deal without a result of its own, with what a ruling gives both sides for it."""
    totals = before + awarded
    premiums = entry.if_stopped - entry.after.totals
    items = [LedgerItem(LedgerKind.RULING, side, awarded[side]) for side in Side if awarded[side]]
    return replace(
        entry,
        items=tuple(items),
        after=replace(entry.after, totals=totals),
        if_stopped=totals + premiums,
        imps_ns=awarded.ns - awarded.ew if entry.imps_ns is not None else None,
    )


def count_deal(match: MatchInfo, seated: SeatedBoard) -> CountedDeal | None:
    """Return how a board counts: a cancelled one for nobody, else by rulings, else by its result; None before."""
    assert match.game is not None
    board, result = seated.board, seated.results.get(Room.OPEN)
    table = seated.tables[Room.OPEN]
    if of_kind(seated.rulings, RulingKind.BOARD_CANCELLED):
        return CountedDeal(board=board, result=None, awarded=NO_POINTS, played=result)
    if adjusted := of_kind(seated.rulings, RulingKind.ADJUSTED_SCORE):
        awarded = NO_POINTS
        for ruling in adjusted:
            side = table.side_of(ruling.team)
            awarded += SidePoints.of(side if ruling.amount > 0 else side.other, abs(ruling.amount))
        return CountedDeal(board=board, result=None, awarded=awarded, played=result)
    at_fault = {table.side_of(ruling.team) for ruling in of_kind(seated.rulings, RulingKind.BOARD_FORFEIT)}
    if at_fault:
        points = _forfeit(match.game, FORFEITED_BOARD, FORFEITED_BOARD_IMPS)
        awarded = SidePoints.of(at_fault.pop().other, points) if len(at_fault) == 1 else NO_POINTS
        return CountedDeal(board=board, result=None, awarded=awarded, played=result)
    for ruling in of_kind(seated.rulings, RulingKind.ASSIGNED_SCORE):
        if len(ruling.assigned) == 1:
            part = ruling.assigned[0]
            assigned = Result(part.contract, part.tricks, part.score_ns(board.vulnerability))
            return CountedDeal(board=board, result=assigned, played=result)
    return CountedDeal(board=board, result=result, played=result) if result is not None else None


def breaks_off(seated: SeatedBoard) -> bool:
    """Return whether the match ends before a board: it was cancelled before it had come to an end.

    The ruling says so: the table may finish the board before it learns of it.
    """
    return any(ruling.breaks_off_match for ruling in seated.rulings)


class GameContest(TeamContest):
    """Matches of a game at one table, where the home team's pair sits North-South."""

    rooms = (Room.OPEN,)
    tables_per_match = 1
    scorings: tuple[str, ...] = ()
    all_meet = False  # scores of who leaves early stand, with the points that opponents have won
    takes_late_teams = False  # boards are dealt to each match for the teams that are there at the beginning
    game: GameKind
    instead = MappingProxyType(
        dict.fromkeys(
            ("boards", "butler", "swings"),
            "compares the rooms of matches of teams, {event!r} has none: `tourney match` has the score sheets",
        )
        | TeamContest.instead
    )
    entrant = "pair"
    seat_choices = frozenset({"seat"})
    why_no_undo = ""
    texts = ranking = "games"
    others_get = "nothing"
    at_most = "at most "
    how_to_mend = "`tourney rule` gives it one"
    own_tables = ("sheets",)
    uses_vp_scale = False
    side_headings = (("N-S",), ("E-W",))
    why_no_usebio = "USEBIO has no element for rubber bridge, Chicago or Minibridge"

    def describe_length(self, stage: StageInfo) -> str:
        game = stage.game
        assert game is not None
        if game.length is None:
            return f"{count(stage.boards_per_match, 'deal')} a match"
        return f"{count(game.length, 'deal' if game.kind is GameKind.MINIBRIDGE else game.kind.value)} a match"

    def __init__(self, game: GameKind) -> None:
        self.game = game
        self.name = game_format_name(game, self.name)
        self.title = _TITLES[game]
        self.keys = self.keys - _NOT_OF_GAMES | _KEYS[game]
        self.choices = _CHOICES.get(game, {})
        if game is GameKind.CHICAGO:
            self.scorings = tuple(each.value.lower() for each in ChicagoScoring)
        if game is GameKind.MINIBRIDGE:
            self.languages = frozenset({Language.STATEFUL})

    def settings_of_new(self, entrants: int) -> Mapping[str, str | None]:
        return {"boards_per_match": None}

    def defaults(self, keys: Mapping[str, Any]) -> Mapping[str, Any]:
        return {}

    def bye_vp(self, scale: VpScale) -> VpHundredths:
        """Return none: who does not play wins and loses no points."""
        return VpHundredths(0)

    def ends_by_results(self, game: GameSettings | None) -> bool:
        return game is not None and not game.has_known_deals

    def pbn_scoring(self, scale: BoardScale) -> str:
        """Return the name of the game; PBN has none for Russian or Estonian scoring, nor for Minibridge."""
        return self.game.title()

    def describe_end(self, shared: SharedDeals) -> str:
        return "its table has"

    def describe_scoring(self, settings: StageSettings) -> str:
        return settings.scoring or ""

    # Sittings

    seat = Contest.seat

    def board_set(self, plan: StagePlan, round_: int, match: int) -> BoardSetPlan:
        """Return a match's own set: dealer and vulnerability of its boards follow from its results.

        All matches of a round play the same cards, unless each has its own.
        """
        of_round = f"{plan.number}.{round_}"
        return BoardSetPlan(f"{of_round}.{match}", of_round if plan.shared is SharedDeals.ROUND else "")

    def as_dealt(self, board: Board) -> Board:
        """Return a board with the dealer and the vulnerability of its number: its own come of the play."""
        return Board.numbered(board.number, board.deal)

    # Rulings

    def ruling_problem(self, ruling: AskedRuling, unfinished: Sequence[int]) -> str | None:
        """Return why not: what comes after a board depends on it; the first unfinished one breaks the match off."""
        where, first = f"match {ruling.match}", unfinished[0] if unfinished else ruling.board
        if ruling.parts > 1 or (ruling.parts and len(ruling.teams) == 1):
            one = f"{where} is a {self.game}, in which a board has one result for both sides"
            return f"{one}: what comes after depends on it"
        if ruling.kind is RulingKind.BOARD_CANCELLED and ruling.board > first:
            unlike = f"{where} is a {self.game} whose board {first} is not finished yet"
            return f"{unlike}: cancelling that one breaks the match off, got board {ruling.board}"
        if ruling.kind is not RulingKind.BOARD_CANCELLED and ruling.board in unfinished:
            return (
                f"board {ruling.board} of {where} is not finished: rulings on boards of a {self.game} are given "
                "afterwards, and cancelling the first such board breaks the match off"
            )
        return None

    def cancel_rest(self, unfinished: Sequence[int]) -> Mapping[int, int]:
        """Return the first of them: the match ends before it."""
        return dict.fromkeys(unfinished[:1], BREAKS_OFF)

    # The score

    def compare_boards(self, match: MatchInfo, boards: Sequence[SeatedBoard]) -> list[BoardComparison | None]:
        """Return what both sides score on each deal, premiums for what is unfinished at the end included."""
        assert match.game is not None
        length = next((index for index, seated in enumerate(boards, 1) if breaks_off(seated)), len(boards))
        counted = [count_deal(match, seated) for seated in boards[:length]]
        deals = []
        for deal in counted:
            if deal is None:
                break
            deals.append(deal)
        entries = keep_score(match.game, deals)
        compared: list[BoardComparison | None] = []
        before = NO_POINTS
        for index, (seated, entry) in enumerate(zip(boards, entries, strict=False), 1):
            is_last = index == length
            points = (entry.if_stopped if is_last else entry.after.totals) - before
            before = entry.after.totals
            home = seated.tables[Room.OPEN].side_of(match.home)
            is_cancelled = bool(of_kind(seated.rulings, RulingKind.BOARD_CANCELLED))
            is_played = Room.OPEN in seated.results and not is_cancelled
            compared.append(
                BoardComparison(
                    *(seated.board.number, points[home], points[home.other], is_played, is_cancelled),
                    ends_match=breaks_off(seated),
                )
            )
        return compared + [None] * (len(boards) - len(compared))

    def score(
        self,
        match: MatchInfo,
        comparisons: Iterable[BoardComparison],
        rulings: Sequence[Ruling],
        scale: VpScale,
        *,
        is_complete: bool,
    ) -> MatchScore | None:
        """Score a match in points, and in hundredths of the points won less those lost."""
        assert match.game is not None
        boards = list(comparisons)
        totals = self.add_up(match, boards, rulings)
        forfeited = forfeited_by(rulings)
        if len(forfeited) == 1:
            least = _forfeit(match.game, FORFEITED_MATCH, FORFEITED_MATCH_IMPS)
            if match.home in forfeited and totals.margin_home > -least:
                totals = ImpTotals(0, least)
            elif match.away in forfeited and totals.margin_away > -least:
                totals = ImpTotals(least, 0)
        elif forfeited:
            totals = ImpTotals(0, 0)
        elif not is_complete and not any(board.ends_match for board in boards):
            return None
        return MatchScore(
            boards=sum(not board.ends_match for board in boards),
            imps_home=totals.home,
            imps_away=totals.away,
            vp_home=VpHundredths(100 * totals.margin_home - fines(rulings, match.home).vp),
            vp_away=VpHundredths(100 * totals.margin_away - fines(rulings, match.away).vp),
            lost_home=totals.lost_home,
            lost_away=totals.lost_away,
        )

    def add_up(
        self, match: MatchInfo, comparisons: Iterable[BoardComparison], rulings: Sequence[Ruling]
    ) -> ImpTotals:
        home = away = 0
        for board in comparisons:
            home, away = home + board.imps_home, away + board.imps_away
        lost_home, lost_away = fines(rulings, match.home).imps, fines(rulings, match.away).imps
        return ImpTotals(home - lost_home, away - lost_away, lost_home, lost_away)


def game_format_name(game: str, pairing: str) -> str:
    """Return the name of a contest in which matches are of a game: `rubber` for a round robin, `rubber swiss`."""
    return str(game) if pairing == RoundRobin.name else f"{game} {pairing}"


_KEYS: Final = {
    GameKind.RUBBER: {"rubbers", "deals", "honours", "passed_out", "unfinished"},
    GameKind.CHICAGO: {"chicagos", "order", "honours", "passed_out"},
    GameKind.MINIBRIDGE: {"deals"},
}
_NOT_OF_GAMES: Final = frozenset(
    {
        *("boards_per_match", "segments", "seats", "vp_scale", "extra_boards"),
        *("carry_over", "carry_over, lost"),
    }
)
_CHOICES: Final = {
    GameKind.RUBBER: {"passed_out": (PassedOut.NEXT_DEALER, PassedOut.REDEAL)},
    GameKind.CHICAGO: {"passed_out": (PassedOut.REDEAL, PassedOut.COUNTS)},
}
"""What may become of a deal that is passed out."""
_TITLES: Final = {
    GameKind.RUBBER: "Rubber bridge",
    GameKind.CHICAGO: "Chicago",
    GameKind.MINIBRIDGE: "Minibridge",
}


class GameRoundRobin(GameContest, RoundRobin):
    """A game in a round robin."""


class GameDoubleRoundRobin(GameContest, DoubleRoundRobin):
    """A game in a double round robin."""


class GameSwiss(GameContest, Swiss):
    """A game in a Swiss."""


class GameKnockout(GameContest, Knockout):
    """A game in a knockout."""

    ranking = Knockout.ranking


class GameGauntlet(GameContest, Gauntlet):
    """A game in a gauntlet."""


class GameMatch(GameContest, SingleMatch):
    """A game in a single match."""

    ranking = SingleMatch.ranking


class GameIndividual(OfPlayers, GameContest):
    """A game with changing partners: what a side wins less what it loses counts for both partners."""

    pairing = "individual_game"
    no_crosstable = "partners change from match to match"
    lacks = GameContest.lacks | {"crosstable"}

    def count_rounds(self, settings: StageSettings, teams: int) -> int:
        return len(self.count_matches(settings, teams))

    def size_problem(self, settings: StageSettings, teams: int) -> KeyProblem | None:
        try:
            plan_individual(teams)
        except ConfigError as error:
            return "format", str(error)
        return None

    def rank(self, field: FieldRecord) -> RankedField:
        """Rank players by the points of their sides, as teams are ranked that have played one match each time."""
        members = field.stage.members
        of_players = []
        for made in field.over:
            for home, away in zip(members[made.home], members[made.away], strict=True):
                forfeits = {player for side in made.forfeits for player in (home, away) if player in members[side]}
                of_players.append(replace(made, home=home, away=away, forfeits=frozenset(forfeits)))
        ranked = rank_teams(
            field.teams,
            of_players,
            field.rules.tie_breaks,
            lot_seed=field.lot_seed if field.is_over else None,
        )
        return RankedField(ranked.rows, ranked.ties, tuple(field.over))


class GameLobby(GameContest):
    """A game in a lobby: one round of matches that the players make themselves, as long as the lobby is open."""

    name = "lobby"
    is_open = True
    rounds_word = "Games"
    starts_by = "tourney lobby {path.parent}"

    def describe_length(self, stage: StageInfo) -> str:
        return ""

    def describe_state(self, round_: int | None, rounds: int, *, is_playing: bool) -> str:
        """Describe what is going on: a lobby has no end."""
        return "Games are being played" if is_playing else "No game is being played"

    def describe_round(self, stage: str, round_: RoundInfo, *, is_only_stage: bool) -> str:
        """Return the name of a round, which is all games of a kind."""
        return f"Games of {stage}"

    def count_rounds(self, settings: StageSettings, teams: int) -> int:
        return 1

    def draw_first(self, settings: StageSettings, teams: int, entries: Sequence[EntryInfo]) -> list[RoundDraw]:
        return [RoundDraw(())]

    def size_problem(self, settings: StageSettings, teams: int) -> KeyProblem | None:
        return None


GAMES: Final = [
    played_in(game)
    for game in GameKind
    for played_in in (
        *(GameRoundRobin, GameDoubleRoundRobin, GameSwiss, GameKnockout, GameGauntlet, GameMatch, GameIndividual),
        GameLobby,
    )
]
"""The games of one table in every pairing that they can be played in."""
