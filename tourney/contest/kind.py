"""The interface of a kind of contest: what the draw, the match runner and the results ask of it."""

import enum
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeVar

from tourney.bridge import Board, Side
from tourney.contest.draw import NO_VP, EntryInfo, MatchInfo, RoundInfo, StageInfo
from tourney.contest.plan import BoardSetPlan, KeyProblem, RoundDraw, Sides, StagePlan, StageSettings, deal_entries
from tourney.contest.record import (
    AskedRuling,
    FieldRecord,
    Qualifier,
    RankedField,
    Ruling,
    SeatedBoard,
    StageRecord,
)
from tourney.errors import ConfigError
from tourney.movement.carry_over import ImpHundredths, carry_vp
from tourney.movement.groups import group_letter, seed_from_groups
from tourney.movement.pairs.movement import Movement
from tourney.movement.ranking import FinishedMatch, RankingRules
from tourney.movement.round_robin import Pairing
from tourney.movement.seating import Room, SharedDeals, TableInfo
from tourney.movement.tie_breaks import TieBreak
from tourney.plurals import count
from tourney.protocol.wires import Language
from tourney.scoring.adjusted import walkover_vp
from tourney.scoring.board_scale import BoardScale
from tourney.scoring.games import GameKind, GameSettings
from tourney.scoring.match import BoardComparison, ImpTotals, MatchScore
from tourney.scoring.victory_points import VpHundredths, VpScale

_Settings = TypeVar("_Settings", bound=StageSettings)


def set_name(plan: StagePlan, board_set: int) -> str:
    """Return the name of a set of boards of a movement, which numbers them through the stage."""
    return f"{plan.number}.{board_set}"


class Contest(ABC):
    """A kind of contest: whom it pairs when, how results compare and entrants rank, and the words of its views."""

    name: str
    """The `format` of a stage in an event file."""
    title: str
    """The name of a stage for which the event file gives none."""
    noun: str = ""
    """What it is called in sentences, if not by its `name`."""
    pairing: str
    """Who meets whom, by the template of the conditions of contest that says so."""
    texts: str = "teams"
    """What the templates are named after that say where its entrants sit, what is won and carried over, and so on."""
    ranking: str = "teams"
    """What the template is named after that says how its entrants rank."""
    keys: frozenset[str] = frozenset()
    """The keys of its stage in an event file that only some kinds have."""
    scorings: tuple[str, ...] = ()
    """The words that an event file may give as `scoring`, the usual one first; none if there is but one way."""
    choices: Mapping[str, tuple[object, ...]] = MappingProxyType({})
    """The values that some keys may have in it, where other kinds allow more."""
    usual_processes: str = "seat"
    """For how much a process of a team plays, whatever the conditions of contest allow: a `seat`, the `team`."""
    usual_sandbox: str | None = None
    """The kind of sandbox that programs have; None for the best that a machine has."""
    languages: frozenset[Language] = frozenset(Language)
    """The protocols that have words for it."""
    seat_choices: frozenset[str] = frozenset({"seat"})
    """What a person who plays for a team may choose: a `seat`, a `room`."""
    takes_late_teams: bool = False
    game: GameKind | None = None
    """The game of a match that is played at one table; None for a match of two teams in two rooms."""

    # Pairing
    all_meet: bool = False
    """Whether everybody meets everybody if all rounds are played; early leavers may be forgotten."""
    is_knockout: bool = False
    """Whether the winner of a match advances; matches are decided by IMPs, carry-over included."""
    is_drawn_by_round: bool = False
    """Whether each round is drawn only once the results of the earlier ones are known."""
    is_duel: bool = False
    """Whether the same two teams meet in all matches, which are parts of one long match."""
    is_open: bool = False
    """Whether its matches are not drawn in rounds, but come one by one for as long as the event is run."""
    side_headings: tuple[tuple[str, ...], tuple[str, ...]] = (("Home",), ("Away",))
    """The headings of both sides of a match in the schedule: of their numbers, if these matter, and of their names.

    Where a match has one table at a time, they say where the sides sit.
    """
    is_numbered_through: bool = False
    """Whether boards are numbered through the stage, so that a number occurs once in it."""
    changes_partners: bool = False
    """Whether entrants are players, who change partners from round to round."""
    rooms: tuple[Room, ...] = (Room.OPEN,)
    """The rooms of a match, in the order of their ports."""
    tables_per_match: int = 1
    """The number of tables that a match has at once."""

    # Ranking
    ranks_by_boards: bool = False
    """Whether `rank` compares the results of boards across matches; if so, they are loaded for it."""
    by_average: bool = False
    """Whether entrants are ranked by their average per match, because they do not play equally often."""

    # What its views show
    entrant: str = "team"
    """What takes part in it: a `team`, a `pair` or a `player`."""
    group_word: str = "group"
    """What the entrants that are ranked together are called."""
    match_word: str = "match"
    """What a match is called: a `match`, or a `table` of a movement."""
    rounds_word: str = "Rounds"
    """The heading above its rounds."""
    starts_by: str = "tourney run {path}"
    """The command that plays its event, whose file is `path`."""
    front: str = ""
    """The report that is the front page of its event; empty where the standings are."""
    crosstable_title: str = "Cross-table"
    """The title of the page of `tourney crosstable`."""
    instead: Mapping[str, str] = MappingProxyType({})
    """Why reports cannot show it, with `{stage}`, `{event}` and `{entrant}`, and after a colon what does instead."""
    others_get: str = "as at the tables"
    """What a ruling on the score of a board leaves to the team that it does not name."""
    at_most: str = ""
    """The word before the number of boards of a match, where it may be over before."""
    how_to_mend: str = "`tourney rule` gives it one, `tourney table replay` has it played again"
    """How a board that has neither a result nor a ruling gets one."""
    uses_vp_scale: bool = True
    """Whether a scale of the event file gives victory points for a match."""
    own_tables: tuple[str, ...] = ()
    """The tables of an export in CSV that only contests like it have."""
    lacks: frozenset[str] = frozenset({"duel"})
    """The reports that have no page, by their names, besides those that the scale of the boards lacks."""
    no_crosstable: str = ""
    """Why no cross-table shows who has met whom, and with what score; empty if one does."""
    why_no_undo: str = ""
    """Why no call or card is taken back in it."""
    pbn_competition: str = "Teams"
    """The `Competition` tag of its games in PBN."""
    usebio_type: str = "SWISS_TEAMS"
    """The `EVENT_TYPE` of a USEBIO file of it."""
    why_no_usebio: str = ""
    """Why it cannot be written in one, as a sentence."""

    def __str__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[object, ...]:
        from tourney.contest import format_named  # noqa: PLC0415 # it knows this class

        return format_named, (self.name,)  # one object a kind, in every process

    @property
    def with_article(self) -> str:
        """`a swiss`, for sentences."""
        noun = self.noun or self.name
        return f"a{'n' if noun[0] in 'aeiouA' else ''} {noun}"

    def defaults(self, keys: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return what its stage has where these keys of an event file do not say it, and other kinds have not."""
        return {}

    def settings_of_new(self, entrants: int) -> Mapping[str, str | None]:
        """Return what a new event file says of its stage, by key, in TOML; None for a key that is left out."""
        return {}

    def describe_deals(self, settings: StageSettings, shared: SharedDeals) -> str:
        """Describe which tables have the same boards: `new in each match`."""
        return {
            SharedDeals.ROUND: "the same in all matches of a round",
            SharedDeals.MATCH: "new in each match",
        }[shared]

    def describe_end(self, shared: SharedDeals) -> str:
        """Describe who must have finished a board before the public sees it: `both rooms have`."""
        return "all tables of the round that play it have" if shared is SharedDeals.ROUND else "both rooms have"

    def describe_scoring(self, settings: StageSettings) -> str:
        """Describe how it is scored, in the words of the event file."""
        return self.scale_name(settings.vp_scale)

    def scale_name(self, vp_scale: str) -> str:
        """Return the name of the scale of victory points of a match, given that of the event file; empty for none."""
        return vp_scale if self.uses_vp_scale else ""

    def describe_state(self, round_: int | None, rounds: int, *, is_playing: bool) -> str:
        """Describe how far its event has come: `Round 3 of 9, being played`; the round is None once all are over."""
        if round_ is None:
            return "All rounds played, results provisional"
        return (
            f"{f'Round {round_} of {rounds}' if rounds > 1 else 'One round'}{', being played' if is_playing else ''}"
        )

    @property
    def leaving(self) -> str:
        """What the template is named after that says what becomes of the matches of a team that leaves."""
        return "all_meet" if self.all_meet else "forfeit"

    def name_room(self, room: Room | None, form: str = "{}") -> str:
        """Return the name of a room of a match in this form, `{} room`; nothing at one table, which has none."""
        return form.format(room.value) if room is not None and len(self.rooms) > 1 else ""

    def pair_side(self, side: Side) -> Side | None:
        """Return what tells the pairs of an entrant apart: where they sit; None where it is one pair."""
        return side

    def count_groups(self, settings: StageSettings, teams: int) -> int:
        """Return the number of groups of a stage with that many teams, each of which is ranked by itself."""
        return settings.groups

    def group_name(self, stage: StageInfo, group: int) -> str:
        """Return the name of one of the groups of a stage, counted from 1: its letter."""
        return group_letter(group - 1)

    def group_title(self, stage: StageInfo, group: int) -> str:
        """Return the words for one of the groups of a stage: `group A`."""
        return f"{self.group_word} {self.group_name(stage, group)}"

    def describe_round(self, stage: str, round_: RoundInfo, *, is_only_stage: bool) -> str:
        """Return the name of a round: `Round 3`, with the name of its stage if the event has several."""
        return f"Round {round_.number}" if is_only_stage else f"Round {round_.number}, {stage}"

    @property
    def seats_heading(self) -> str:
        """The heading of a column that says where a team sits."""
        return self.name_room(Room.OPEN, "{} room").capitalize() or "Direction"

    @abstractmethod
    def describe_length(self, stage: StageInfo) -> str:
        """Describe how long a match of a stage is, and by what teams count: `8 boards a match, board-a-match`."""

    def describe_progress(self, over: int, matches: int) -> str:
        """Return how much of it has been played: `3 of 6 matches scored`."""
        return f"{over} of {count(matches, 'match', 'matches')} scored"

    def bracket_places(self, stage: StageInfo) -> Mapping[str, int]:
        """Return where each entrant of a knockout stands in the bracket, from its top; empty if it has none."""
        return {}

    # Entrants

    def entrant_in(self, section: str) -> str:
        """Return what takes part in it where the event file has sections of this name: `team`, `pair`, `player`."""
        return section

    def sections_problem(self, section: str) -> str | None:
        """Return why the sections of that name in an event file are not for it; None if they are."""
        if section == "player":
            return f"[[player]] sections are for the format 'individual', got {self.with_article}"
        return None

    def pbn_scoring(self, scale: BoardScale) -> str:
        """Return PBN's name for how its boards are scored."""
        return scale.pbn_scoring

    def measure(self, unit: str) -> str:
        """Describe what its entrants rank by, of what they win in a unit: `victory points`."""
        return unit

    def match_unit(self, scale: BoardScale) -> str:
        """Return the unit of what a match gives beside its score; empty if it gives nothing more."""
        ranked = self.ranking_scale(scale)
        return ranked.match_unit if ranked is not None else ""

    def seeds_by_number(self, settings: StageSettings, entrants: int) -> Sequence[int]:
        """Return the seeds of so many entrants in the order of their numbers."""
        return range(1, entrants + 1)

    def enter(self, plan: StagePlan, qualifiers: Sequence[Qualifier]) -> tuple[EntryInfo, ...]:
        """Return the entries of a stage, given its qualifiers, best first."""
        rules = None if self.is_knockout else plan.carry_over
        return self.deal(
            plan,
            [
                EntryInfo(
                    each.team,
                    rank=each.rank,
                    carry_vp=VpHundredths(carry_vp(rules, each.vp, each.rank)) if rules is not None else NO_VP,
                )
                for each in qualifiers
            ],
        )

    def deal(self, plan: StagePlan, entries: Sequence[EntryInfo]) -> tuple[EntryInfo, ...]:
        """Deal entries, given in the order of their seeds, into the groups of a stage."""
        return deal_entries(entries, self.count_groups(plan.settings, plan.size))

    # Pairing: rounds and matches

    @abstractmethod
    def count_rounds(self, settings: StageSettings, teams: int) -> int:
        """Return the number of rounds of a stage with that many teams; 0 if they are too few for it."""

    def count_matches(self, settings: StageSettings, teams: int, late: Sequence[int] = ()) -> list[int]:
        """Return the number of matches in each round if nobody leaves the event; none for a number it is not for.

        Args:
            settings: those of the stage.
            teams: how many the stage is for.
            late: the first round of each team that enters late; without any, every round has matches for all teams.
        """
        entries = deal_entries([EntryInfo(str(number)) for number in range(1, teams + 1)], settings.groups)
        try:
            return [len(drawn.pairings) for drawn in self.draw_first(settings, teams, entries)]
        except ConfigError:
            return []

    def boards_each(self, settings: StageSettings, teams: int, late: Sequence[int]) -> Sequence[int]:
        """Return how many boards a team may play, in ascending order; none if results decide, or the team.

        Args:
            settings: those of the stage.
            teams: how many the stage is for.
            late: the first round of each team that enters late.
        """
        return ()

    @abstractmethod
    def draw_first(self, settings: StageSettings, teams: int, entries: Sequence[EntryInfo]) -> list[RoundDraw]:
        """Return the rounds that can be drawn when the stage begins: all, or only the first if it is drawn by round.

        Args:
            settings: those of the stage.
            teams: how many it is planned for; fewer take part if some have left the event.
            entries: the teams that take part, in the order of their seeds; a team that meets all others is the first.
        """

    def draw_next(self, plan: StagePlan, record: StageRecord, number: int) -> RoundDraw:
        """Draw round `number` of a stage whose rounds depend on earlier results (`is_drawn_by_round`)."""
        raise AssertionError(f"all rounds of {self.with_article} are drawn when it begins, got round {number}")

    def drawn_with(self, rounds: Sequence[RoundInfo], round_: RoundInfo) -> RoundInfo:
        """Return the first of the rounds of a stage that are drawn at the same time as one of them."""
        return round_ if self.is_drawn_by_round else rounds[0]

    def most_at_once(self, settings: StageSettings, teams: int) -> int:
        """Return the largest number of matches, or halves of matches, that can be played at the same time."""
        return max(self.count_matches(settings, teams), default=0)

    def teams_left(self, settings: StageSettings, teams: int) -> int | None:
        """Return the number of teams not knocked out at the end of the stage; None if everybody is ranked."""
        return None

    def size_problem(self, settings: StageSettings, teams: int) -> KeyProblem | None:
        """Return why that many teams cannot play the stage: the key and a sentence; None if they can."""
        if settings.groups > teams // 2:
            return "groups", f"each has at least 2 teams, {teams} make at most {teams // 2}, got {settings.groups}"
        return None

    def movement(self, settings: StageSettings, entrants: int) -> Movement | None:
        """Return the movement in which so many entrants play against the field; None if they meet in matches.

        Raises:
            ConfigError: there is none for so many.
        """
        return None

    # Sittings: rooms and boards

    def partnerships(self, entrants: int) -> tuple[Pairing, ...]:
        """Return the partnerships that entrants form where partners change, by number; none where they do not.

        A partnership is a side of a match. It is numbered after the entrants, in the order of this list.
        """
        return ()

    def played_in(self, room: Room, round_: int, first_and_last: int) -> int:  # of each kind
        """Return the round in which a match plays in a room, given the one that decides it.

        `first_and_last` are the numbers of the first and the last round of the stage, added up.
        """
        return round_

    def ends_by_results(self, game: GameSettings | None) -> bool:  # of each kind
        """Return whether results decide how many boards a match has, so that some are only kept ready."""
        return False

    def bye_vp(self, scale: VpScale) -> VpHundredths:
        """Return what a bye is worth, unless the event file says so."""
        return walkover_vp(scale)

    def carried_unit(self, scale: BoardScale) -> str:
        """Return the unit of what teams carry over into it, as boards are scored."""
        return scale.vp_unit

    def carry_source(self, earlier: Sequence[_Settings]) -> _Settings | None:
        """Return the stage among the earlier ones that teams carry over from; None if it has not ranked them."""
        return next((each for each in earlier[-1:] if not each.format.is_knockout), None)

    def ranking_scale(self, scale: BoardScale) -> BoardScale | None:
        """Return the scale of what its entrants rank by; None where places alone do, as in a knockout."""
        return scale

    def compared_scale(self, scale: BoardScale) -> BoardScale | None:
        """Return how the boards of its matches are scored; None where nothing is compared within a match."""
        return scale

    def seat(self, plan: StagePlan, home: str, away: str) -> tuple[TableInfo, ...]:
        """Return the tables of a match, segment by segment: by default one, where the home side sits North-South."""
        return (TableInfo(Room.OPEN, home, away, boards=plan.settings.boards_per_match),)

    def board_set(self, plan: StagePlan, round_: int, match: int) -> BoardSetPlan:
        """Return the board set of a match, by stage, round and, if the match has its own boards, its number."""
        own = f".{match}" if plan.shared is SharedDeals.MATCH else ""
        return BoardSetPlan(f"{plan.number}.{round_}{own}")

    def board_sets(self, plan: StagePlan) -> list[BoardSetPlan]:
        """Return all board sets of the stage, in the order of the rounds, whoever enters and wins."""
        sets = (
            self.board_set(plan, number, index)
            for number, matches in enumerate(self.count_matches(plan.settings, plan.size), 1)
            for index in range(1, matches + 1)
        )
        return list(dict.fromkeys(sets))

    def as_dealt(self, board: Board) -> Board:
        """Return a board as it is before anybody has played it."""
        return board

    def carry_into_matches(
        self,
        plan: StagePlan,
        entries: Sequence[EntryInfo],
        drawn: Sequence[RoundDraw],
        earlier: Sequence[StageRecord],
    ) -> dict[Sides, tuple[ImpHundredths, ImpHundredths]]:
        """Return the carry-over of the teams of each pairing, from the last earlier stage that has ranked them."""
        return {}

    def extra_segment(self, match: MatchInfo, made: FinishedMatch) -> tuple[TableInfo, ...]:
        """Return the tables of a further segment for a match that needs extra boards; none if it needs none."""
        return ()

    # How results compare

    @abstractmethod
    def compare(self, match: MatchInfo, seated: SeatedBoard) -> BoardComparison | None:
        """Return what each side of a match scores on a board; None until the board is finished.

        Raises:
            RuleError: a team sat the same way at all tables, so nothing can be compared.
        """

    def ruling_problem(self, ruling: AskedRuling, unfinished: Sequence[int]) -> str | None:
        """Return why a board cannot be ruled on as asked; None if it can.

        Args:
            ruling: what is asked for.
            unfinished: the boards of the match that have come to no end at any table, in the order of play.
        """
        return None

    def forfeit_problem(self, match: int, unfinished: Sequence[int]) -> str | None:
        """Return why a match with such unfinished boards cannot be forfeited; None if it can."""
        return None

    def cancel_rest(self, unfinished: Sequence[int]) -> Mapping[int, int]:
        """Return which of its unfinished boards are cancelled to give a match up, with the amounts of the rulings."""
        return dict.fromkeys(unfinished, 0)

    def compare_boards(self, match: MatchInfo, boards: Sequence[SeatedBoard]) -> list[BoardComparison | None]:
        """Return what `compare` does for each board of a match, in the order of play.

        Raises:
            RuleError: as `compare` does.
        """
        return [self.compare(match, seated) for seated in boards]

    @abstractmethod
    def score(
        self,
        match: MatchInfo,
        comparisons: Iterable[BoardComparison],
        rulings: Sequence[Ruling],
        scale: VpScale,
        *,
        is_complete: bool,
    ) -> MatchScore | None:
        """Return the score of a match; None while boards that it needs are missing.

        Args:
            match: the match.
            comparisons: its finished boards in the order of play, the cancelled ones too.
            rulings: those on the match that are in force.
            scale: the victory points of each margin, for a contest that has them.
            is_complete: whether all boards are finished.
        """

    @abstractmethod
    def add_up(
        self, match: MatchInfo, comparisons: Iterable[BoardComparison], rulings: Sequence[Ruling]
    ) -> ImpTotals:
        """Return the running totals of the home and away sides, in the unit that boards are compared in."""

    @abstractmethod
    def describe_score(self, match: MatchInfo, score: MatchScore) -> str:
        """Format the score of a match as text: `26 - 10 IMPs, 14.21 - 5.79 VPs`."""

    def describe_unbalanced(self, match: FinishedMatch) -> str:
        """Describe the margins of a match whose figures do not balance; nothing for any other."""
        scale, margins = match.board_scale, match.score.totals.margins
        if match.score.totals.is_balanced:
            return ""
        return f"{match.describe(margins)} {scale.unit}: each team's {scale.ranked_in} are those of its own margin"

    def describe_winner(self, match: FinishedMatch) -> str:
        """Say who goes on from a match where its score does not show it; nothing for any other."""
        return ""

    # How entrants rank

    @abstractmethod
    def rank(self, field: FieldRecord) -> RankedField:
        """Rank the entrants of a field after its rounds."""

    def tie_breaks(self, rules: RankingRules) -> tuple[enum.StrEnum, ...]:
        """Return the tie-break criteria, in the order in which they apply."""
        return tuple(rules.tie_breaks)

    def draws_lots(self, rules: RankingRules) -> bool:
        """Return whether lots may break ties."""
        return any(criterion.value == TieBreak.LOT for criterion in self.tie_breaks(rules))

    def qualify(self, record: StageRecord, count: int | None) -> list[Qualifier]:
        """Return the best `count` entrants of a finished stage (None for all), without withdrawn ones, best first.

        Each group has the same number of them, the winners first.
        """
        rankings = []
        for group in range(1, record.stage.groups + 1):
            rows = self.rank(record.field_of(group)).rows
            rankings.append([row for row in rows if row.team not in record.withdrawn])
        wanted = count or sum(map(len, rankings))
        return [
            Qualifier(row.team, row.rank, row.vp, row.pairs.boards if row.pairs is not None else 0)
            for row in seed_from_groups(rankings, wanted)
        ]


class MovementContest(Contest):
    """Entrants play a movement, with the boards of a round in sets that go from table to table.

    Boards are numbered through the stage.
    """

    is_numbered_through = True
    side_headings = ((">No", "N-S"), (">No", "E-W"))

    def settings_of_new(self, entrants: int) -> Mapping[str, str | None]:
        return {"boards_per_match": None, "boards_per_round": "2"}

    def describe_end(self, shared: SharedDeals) -> str:
        return "the last table that is to play it has"

    @abstractmethod
    def sets(self, plan: StagePlan) -> Sequence[int]:
        """Return the numbers of the sets in play."""

    def board_sets(self, plan: StagePlan) -> list[BoardSetPlan]:
        """Return the sets in play: set s of k boards is boards (s - 1) * k + 1 to s * k."""
        boards = plan.settings.boards_per_match
        return [BoardSetPlan(set_name(plan, number), first=(number - 1) * boards + 1) for number in self.sets(plan)]
