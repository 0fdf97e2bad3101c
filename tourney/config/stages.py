"""`[[stage]]`: a stage's format, boards and scoring, and what teams carry over from the previous stage."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from fractions import Fraction
from functools import partial
from typing import Annotated, Any, Final, TypeVar

from pydantic import AfterValidator, AwareDatetime, BeforeValidator, Field, ValidationInfo, model_validator

from tourney.config.base import Name, OneOf, Problems, Section, between
from tourney.config.values import (
    NAME_CHARS_MAX,
    EarlyLeavers,
    one_of,
    parse_hundredths,
    parse_part,
    shown,
)
from tourney.contest import FORMATS, ROUND_ROBIN, Contest, formats_by_word, formats_with, game_format_name
from tourney.contest.draw import VoidMatches
from tourney.errors import ConfigError
from tourney.movement.carry_over import CarryOver, ImpHundredths
from tourney.movement.pairs.mitchell import Phantom
from tourney.movement.pairs.movement import Movement
from tourney.movement.pairs.movement_csv import format_movement, parse_movement
from tourney.movement.pairs.planning import CompareWithin, MovementSettings
from tourney.movement.pairs.ranking import PairsRanking, PairsTieBreak
from tourney.movement.ranking import RankingRules
from tourney.movement.seating import SeatsRule
from tourney.movement.tie_breaks import DEFAULT_TIE_BREAKS, UNIT_OF, TieBreak
from tourney.plurals import listed
from tourney.scoring import BOARD_A_MATCH, BOARDS_MAX, GAME
from tourney.scoring.board_scale import BoardScale
from tourney.scoring.chicago import ChicagoOrder
from tourney.scoring.games import (
    DEALS_OF_CHICAGO,
    DEALS_OF_RUBBER,
    GameKind,
    GameSettings,
    PassedOut,
    Unfinished,
    stage_scale,
)
from tourney.scoring.pairs.field import PairsScoring
from tourney.scoring.strength.sequential import SequentialTest
from tourney.scoring.victory_points import VpHundredths, VpScale

_Criterion = TypeVar("_Criterion", TieBreak, PairsTieBreak)

ROUNDS_MAX: Final = 1000
BYE_VP_MAX: Final = 100
SEGMENTS_MAX: Final = 100
MATCHES_MAX: Final = 64
"""The most matches of a duel: more than any machine has cores for."""
EXTRA_BOARDS_MAX: Final = 64
SECTIONS_MAX: Final = 26
"""Sections are known by the letters A to Z."""
SESSIONS_MAX: Final = 20
CARRY_MAX: Final = 1000
"""The largest carry-over, in IMPs or victory points."""


def _check_criteria(criteria: list[_Criterion], why_last: str = "") -> list[_Criterion]:
    for number, criterion in enumerate(criteria):
        if criterion in criteria[:number]:
            raise ValueError(f"each is named once, got '{criterion}' twice")
        if "lot" in criteria[:number]:
            raise ValueError(f"'lot' must stand last{why_last}, got '{criterion}' after it")
    return criteria


def _parse_vp(value: Any) -> int:  # before pydantic has looked at the type
    return parse_hundredths(value, BYE_VP_MAX, "victory points")


def _parse_cap(value: Any) -> int:  # before pydantic has looked at the type
    return parse_hundredths(value, CARRY_MAX, "IMPs or victory points")


def _parse_by_rank(value: Any) -> tuple[int, ...]:  # before pydantic has looked at the type
    if not isinstance(value, list) or not value:
        raise ValueError(f"expected a list of amounts, the best team's first, got {shown(value)}")
    amounts = tuple(_parse_cap(amount) for amount in value)
    if list(amounts) != sorted(amounts, reverse=True):
        raise ValueError(f"a team of a lower rank brings no more than one above it, got {shown(value)}")
    return amounts


_HALF: Final = Fraction(1, 2)
_THIRD: Final = Fraction(1, 3)


def _parse_format(value: Any) -> Contest:  # before pydantic has looked at the type
    if isinstance(value, Contest):
        return value
    raise ValueError(one_of(formats_by_word(), value))


BOARDS_PER_ROUND: Final = 2
"""How many boards a table plays in a round of a movement, unless the event file says so."""
BOARDS_PER_ROUND_MAX: Final = 100
NOT_OF_DRAW: Final = frozenset(
    {"name", "format", "starts", "tie_breaks", "bye_vp", "late_vp", "early_leavers", "ties"}
)
"""The keys that may change at any time, or that the plan of a draw has otherwise."""


@dataclass(frozen=True, slots=True)
class OwnMovement:
    """The organiser's own movement and the path that the event file gives for it."""

    path: str
    movement: Movement | None
    """None where the file was not read, because only the text of an event file is looked at."""

    def __str__(self) -> str:
        return self.path


def _read_movement(value: Any, info: ValidationInfo) -> Any:  # before pydantic has looked at the type
    """Return the movement of the file that is named, read by the function `read` of the validation context."""
    if isinstance(value, OwnMovement):
        return value
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"expected the path of a CSV file, got {shown(value)}")
    read = (info.context or {}).get("read")
    if read is None:
        return OwnMovement(value, None)
    try:
        return OwnMovement(value, parse_movement(read(value), value))
    except ConfigError as error:
        raise ValueError(str(error)) from error


def _parse_switch(value: Any) -> Any:  # before pydantic has looked at the type
    """Return whether there is an arrow switch, or the rounds that have one."""
    if isinstance(value, bool):
        return value
    if isinstance(value, list | tuple) and value and all(type(number) is int and number > 0 for number in value):
        return tuple(sorted(set(value)))
    raise ValueError(f"expected true, false or a list of rounds, got {shown(value)}")


def _check_test(text: str) -> str:
    """Return a sequential test in its full form, so that the draw keeps it whatever is the default later."""
    try:
        return str(SequentialTest.parse(text))
    except ConfigError as error:
        raise ValueError(str(error)) from error


def _parse_phantom(value: Any) -> Any:  # before pydantic has looked at the type
    if isinstance(value, Phantom) or value is None:
        return value
    if isinstance(value, bool):
        return Phantom.EAST_WEST if value else None
    if isinstance(value, str) and value in tuple(Phantom):
        return Phantom(value)
    raise ValueError(f'expected true, false, "north-south", "east-west" or "rover", got {shown(value)}')


class CarryOverConfig(Section):
    """`[stage.carry_over]`: a part of what was won in the stage before, or an amount by rank, and at most a cap."""

    won: Annotated[Fraction | None, BeforeValidator(parse_part)] = None
    """Into a match: the share of the margin that is carried over if the higher-ranked team won the two teams'
    matches in the last stage that was no knockout. Into any other format: the share of the victory
    points of the stage before, for pairs of its percentage or its IMPs per board. From 0 to 1, a number or a
    quotient in quotes; by default a half."""
    lost: Annotated[Fraction | None, BeforeValidator(parse_part)] = None
    """Into a match: the share of that margin when the lower-ranked team had won. By default a third, or as `won`
    where that is less."""
    # In hundredths.
    cap: Annotated[int | None, BeforeValidator(_parse_cap)] = None
    """The most that is carried over: 0 to 1000 IMPs or victory points, with at most two decimals. By default
    there is no limit."""
    # In hundredths.
    by_rank: Annotated[tuple[int, ...] | None, BeforeValidator(_parse_by_rank)] = None
    """Instead of shares: what each rank is worth, the best first, none more than the one before it, 0 to 1000
    each; lower ranks have nothing. Into a match goes the difference between the two teams."""
    by_boards: bool = False
    """For pairs, where a share of the percentage or IMPs per board of the stage before is added: whether it is a
    share of what a board weighs. With `won = 0.5`, a board of the stage before then counts
    half as much as one of this stage, however many there were. Otherwise the stage before counts half as much as this
    one. With `by_boards`, half of 60 percent over 20 boards are 20 percent in a stage of 30 boards."""

    @model_validator(mode="after")
    def _one_rule(self) -> "CarryOverConfig":
        if self.by_rank is not None and (self.won is not None or self.lost is not None):
            raise ValueError("give shares of what was won (won, lost), or by_rank, not both")
        if self.by_rank is not None and self.by_boards:
            raise ValueError("by_boards: it is for shares of what was won, not for by_rank")
        return self

    @property
    def rules(self) -> CarryOver:
        cap = ImpHundredths(self.cap) if self.cap is not None else None
        if self.by_rank is not None:
            return CarryOver(Fraction(0), Fraction(0), cap, self.by_rank, by_boards=False)
        won = self.won if self.won is not None else _HALF
        lost = self.lost if self.lost is not None else min(won, _THIRD)
        return CarryOver(won, lost, cap, by_boards=self.by_boards)

    def plan_of_draw(self) -> str:
        """Return it as the plan of a draw has it."""
        rules = self.rules
        by_boards = ["by boards"] if rules.by_boards else []
        return json.dumps([str(rules.won), str(rules.lost), rules.cap, rules.by_rank, *by_boards])


def _existing(start: datetime) -> datetime:
    """Check that clocks show a local time: they skip an hour where summer time begins."""
    then = start.astimezone(UTC).astimezone(start.tzinfo)
    if then.replace(tzinfo=None) != start.replace(tzinfo=None):
        shown, asked = (f"{moment:%Y-%m-%d %H:%M}" for moment in (then, start))
        raise ValueError(f"clocks in {start.tzinfo} never show {asked}: at that moment they show {shown}")
    return start


Start = Annotated[
    AwareDatetime,
    Field(ge=datetime(2000, 1, 1, tzinfo=UTC), le=datetime(2999, 12, 31, tzinfo=UTC)),
    AfterValidator(_existing),
]
"""The start of a round; a year far from now is a typing error."""


_ALIKE: Final = {
    "boards_per_match": ("boards_per_round", "rubbers", "deals", "chicagos"),
    "tie_breaks": ("ties",),
    "ties": ("tie_breaks",),
}
"""What may be meant by a key that a format does not have."""


def _contest_of(keys: Mapping[str, Any]) -> Contest | None:
    """Returns the kind of contest that a stage names with its format and its game; None if there is none.

    Raises:
        ValueError: they contradict each other.
    """
    game, named = keys.get("game"), keys.get("format", ROUND_ROBIN.name)
    if isinstance(named, Contest):  # of a lobby
        return named
    words = formats_by_word()
    if not isinstance(named, str) or named not in words:
        return None
    if named in tuple(GameKind) and game not in (None, named):
        raise ValueError(f"game: format {named!r} is itself a game, got {game!r}")
    if named in tuple(GameKind) or game not in tuple(GameKind):
        return words[named]
    played = FORMATS.get(game_format_name(game, named))
    if played is None:
        raise ValueError(
            f"game: it is for matches of two entrants, not for {words[named].with_article}, got {game!r}"
        )
    return played


class StageConfig(Section):
    """`[[stage]]`: what may be asked of a stage; its format says which keys it has, and what some of them may be.

    A key that a format does not have stands at its default. `consistency_problems` says what a stage may follow.
    """

    # Never empty once it has been read.
    name: Name = ""
    """What the stage is called, 1 to 100 characters; the names of two stages must differ in more than case. By
    default the name of its format."""
    format: Annotated[Contest, BeforeValidator(_parse_format)] = ROUND_ROBIN
    """Who meets whom.

    - `"round-robin"`: every team meets every other once.
    - `"double-round-robin"`: twice, home and away.
    - `"swiss"`: in each round teams meet that stand close together in the ranking; needs `rounds`.
    - `"knockout"`: the loser of a match, by IMPs, is out.
    - `"gauntlet"`: one team meets all the others (see `against_all`).
    - `"match"`: two teams meet, as in the last round of a knockout.
    - `"duel"`: two teams play one long match in parts side by side (`matches`), each with its own boards, to find
      out which is better. `tourney duel` writes such an event.
    - `"rubber"`, `"chicago"`, `"minibridge"`: a round robin of that `game`; of two teams it is one match.
    - `"mitchell"`: pairs play a Mitchell. The first half of them, in the order of the file, stays North-South, and
      the others move up a table each round.
    - `"howell"`: pairs play a Howell: everybody meets everybody once.
    - `"movement"`: pairs play a movement of your own (`movement`).
    - `"individual"`: 8, 12, 13, 16, 17, 20, 21 or 24 players, with a `game` also 4 or 5 (`[[player]]`).
      Partners change after each round: everybody plays with everybody once and against everybody twice.
    - `"american-whist"`: all teams of an odd number meet in one session, scored at board-a-match. The first pair of
      each team stays North-South at its table, the second moves East-West; the two halves of a match are played in
      different rounds.
    - `"new-england-relay"`: the same for an even number of teams, at least 4.

    For pairs one table plays in each round, and its results are compared with those of all other tables on the same
    boards. Of a team, the first pair plays.
    """
    game: OneOf[GameKind] | None = None
    """The game that is played in a match at one table: `"rubber"` for rubber bridge, `"chicago"`, or `"minibridge"`,
    which is for programs that speak the [stateful-server protocol](stateful.md). The home team's pair sits
    North-South, the other's East-West, and teams rank by the points they win less those they lose. By default a
    match is one of two teams over the same boards in two rooms."""
    rubbers: Annotated[int | None, between(1, BOARDS_MAX // DEALS_OF_RUBBER)] = None
    """How many rubbers a match has; by default 1, or as many as `deals` give. For each, 32 deals
    are kept ready; a match that has used them all up is broken off, with the premiums for what is unfinished."""
    deals: Annotated[int | None, between(1, BOARDS_MAX)] = None
    """At rubber bridge: how many deals a match has at most, including those that are passed out. The premiums for an
    unfinished game or part score are given at the end. By default a match lasts until its `rubbers` are finished.
    At Minibridge: how many deals a match has; by default 16. One that is dealt again, because both sides have 20
    points, is not counted."""
    chicagos: Annotated[int | None, between(1, BOARDS_MAX // DEALS_OF_CHICAGO)] = None
    """How many chicagos of four hands a match has; by default 1."""
    scoring: str | None = None
    """In a match of two teams in two rooms, how a board is scored from both:

    - `"imps"`: the difference is converted to IMPs, which add up to the margin of the match. The usual one, but in an
      American Whist or a New England Relay.
    - `"board-a-match"`: the team that is ahead by any margin wins the board, and its points; a tied board is half to
      each. Points add up to the score of the match, and decide a knockout.

    For pairs, how results are compared:

    - `"matchpoints"`: 2 for each lower score on the same board and 1 for each equal one; with fewer results than
      elsewhere by Neuberg's formula. The default.
    - `"cross-imps"`: IMPs against every other result, per comparison.
    - `"butler"`: IMPs against the mean of all results.

    At Chicago, how a hand is scored:

    - `"plain"`: above and below the line; part scores are carried over from hand to hand. The usual one.
    - `"duplicate"`: each hand by itself, as at duplicate.
    - `"russian"`: the duplicate score against what the high cards of the stronger side are worth, in IMPs.
    - `"estonian"`: the same with a table that knows the fit of the stronger side too (www.compensationtable.com).
    """
    order: OneOf[ChicagoOrder] | None = None
    """Who is vulnerable on the second and the third hand. `"modern"`, the usual form: the side that does
    not deal. `"dealer"`, the older form: the side that deals. On the first hand nobody is, on the fourth both are."""
    honours: bool | None = None
    """At rubber bridge and plain Chicago: whether four or five trump honours, or four aces at notrump, in one hand
    are worth 100 or 150 points above the line. They need not be claimed. By default at rubber bridge only."""
    passed_out: OneOf[PassedOut] | None = None
    """What becomes of a deal that is passed out. `"next-dealer"`, usual at rubber bridge: the next player deals.
    `"redeal"`, usual at Chicago: the same player deals again. `"counts"`, usual with Russian and Estonian scoring:
    the hand counts, as the side with the points has missed its target."""
    unfinished: OneOf[Unfinished] | None = None
    """Who gets the premium of 300 or 100 when a rubber is broken off while both sides have a game
    or a part score. `"neither"`: the usual rule. `"both"`: the difference is the same."""
    teams: Annotated[int | None, Field(ge=2)] = None
    """In a stage after the first: how many teams, or pairs, of the one before take part. They are the best, seeded by
    their places. Equally many come from each group, or for pairs from each list of a section or direction. The
    winners are seeded first, in the order of the groups, then the runners-up, and so on. From a knockout come those
    that are still in. A team that has left the event does not go on; the next one takes its place. By default all."""
    groups: Annotated[int, between(1, 64)] = 1
    """How many groups play a round robin side by side, of at least 2 teams each. The teams are dealt into them
    back and forth: 1, 4, 5, 8 and 2, 3, 6, 7."""
    rounds: Annotated[int | None, between(1, ROUNDS_MAX)] = None
    """How many rounds are played, for pairs in each session. A Swiss must say so, and may have as many as can be
    played without anybody meeting the same opponent twice. A knockout goes down to one team by default; with fewer
    rounds, those that are left go on to the next stage. A gauntlet has one match in each round by default; with 1,
    all its matches are played side by side."""
    boards_per_match: Annotated[int, between(1, BOARDS_MAX)] = 16
    """How many boards a match has, 1 to 160000."""
    matches: Annotated[int, between(1, MATCHES_MAX)] = 1
    """How many matches the two teams play side by side, 1 to 64, each with its own boards."""
    sprt: Annotated[str, AfterValidator(_check_test)] | None = None
    """The sequential test that tells whether the first team is better, by default none. `"0,0.5"` tests
    whether it is better by half an IMP a board (H1, accepted where it is so) or not at all (H0). `"0,0.5,0.05,0.05"`
    says also how often H1 and H0 may be accepted wrongly, by default 0.05 each. `two-sided` at the end,
    `"0,0.5,two-sided"`, asks which of the two is better. It is what `tourney duel --sprt` takes."""
    boards_per_round: Annotated[int | None, between(1, BOARDS_PER_ROUND_MAX)] = None
    """In place of `boards_per_match`: how many boards a
    table plays in a round, 1 to 100; by default 2. Boards are numbered through the stage."""
    arrow_switch: Annotated[bool | tuple[int, ...], BeforeValidator(_parse_switch)] = False
    """In which rounds the pairs of each table exchange directions, so that there is one winner:
    `true` for the last round, or the last two from 12 tables on, which gives the best balance, or a list of rounds.
    Without a switch, North-South and East-West are ranked apart."""
    phantom: Annotated[Phantom | None, BeforeValidator(_parse_phantom)] = None
    """With an odd number of pairs: `true`, and each pair in turn sits out a round, where it would meet the missing
    one. In a Mitchell `"north-south"` or `"east-west"` says which that is; `true` is `"east-west"`. In a Mitchell of
    13 to 31 pairs it may be `"rover"`, which leaves no table half empty. The last pair sits out round 1. In each
    later round it takes the place of another North-South pair, which sits out. In a movement of your own, the pair
    with the highest number is missing."""
    barometer: bool = False
    """Whether all tables play the same boards in each round, so that they can be shown after it. By
    default a set of boards goes from table to table, and is shown when the last one has played it."""
    movement: Annotated[OwnMovement | None, BeforeValidator(_read_movement)] = None
    """The path of a CSV file with the columns `round,table,ns,ew,set`. It has a line for
    each table of each round, all by number from 1. A pair that sits out has a line without opponents and set."""
    sections: Annotated[int, between(1, SECTIONS_MAX)] = 1
    """How many sections play side by side, each with its own movement and the same boards. The pairs are
    dealt into them back and forth, in the order of the file or of their seeds. Sections differ by at most one pair,
    or by one table where no phantom completes a table."""
    compare_within: OneOf[CompareWithin] = CompareWithin.FIELD
    """With several sections: which results on a board are compared. `"field"`: those of all sections, and
    there is one ranking. `"section"`: those of the own section, and each section is ranked by itself."""
    sessions: Annotated[int, between(1, SESSIONS_MAX)] = 1
    """How often the movement is played, each time with new boards. Rounds, sets and boards are numbered
    on, all boards have the same top, and an average plus depends on the other boards of the same session."""
    ties: Annotated[list[OneOf[PairsTieBreak]], AfterValidator(_check_criteria)] = Field(default_factory=list)
    """In place of `tie_breaks`: how equal scores are separated, by the first criterion that can; by
    default they share their place. May be changed at any time.

    - `"own-meeting"`: points on the boards on which the tied pairs met, if all have met.
    - `"opponents"`: the sum of the final scores of the opponents met.
    - `"boards-won"`: boards above average, an average one counting a half.
    - `"deviation"`: the lower standard deviation over the boards.
    - `"common-boards"`: the boards that the tied pairs played in the same direction, compared alone.
    - `"best-session"`: the best session, then the second best, and so on.
    - `"lot"`: drawn once all rounds are finished; it must come last.
    """
    segments: Annotated[int, between(1, SEGMENTS_MAX)] = 1
    """How many segments of equal length a match is played in; programs log on afresh for each."""
    seats: OneOf[SeatsRule] = SeatsRule.FIXED
    """How the seats change between segments.

    - `"fixed"`: not at all; the home team sits North-South in the open room.
    - `"alternate"`: directions and opponents change, so that in four segments every pair has met both others in
      both directions.
    - `"rights"`: the teams choose their direction by turns (`open_room`), the home team first, and opponents
      change as well.
    """
    board_points: Annotated[int, between(1, 2)] = 1
    """At board-a-match: what a board is worth. With 1, a board is 1, a half or 0 points; with 2, it is 2, 1 or 0."""
    vp_scale: Annotated[str, Field(max_length=NAME_CHARS_MAX)] = "wbf-continuous"
    """How a margin in IMPs becomes victory points: `"wbf-continuous"`, `"wbf-discrete"` (both of 2013),
    `"seed-24"` (for matches of 24 boards only), or the NAME of a `[vp_table.NAME]`. In a knockout victory
    points do not count. At board-a-match: `"points"`, which is then the default, for the points of the match
    themselves, or the NAME of a `[vp_table.NAME]` whose margins are in points."""
    starts: list[Start] | None = None
    """When the rounds start: a date and time for each, none earlier than the one before. A time without a zone is
    in the `timezone` of `[event]`, which it then needs. One that the clocks there skip is refused. Of one that they
    show twice the first is taken, unless it has an offset such as `+01:00`. By default the first round starts at
    once, and each other round as soon as the previous one is finished."""
    extra_boards: Annotated[int, between(0, EXTRA_BOARDS_MAX)] = 0
    """How many more boards are played while the match is level, up to four times;
    after that the better seed goes on. They are dealt from the seed, even when the other boards come from a
    PBN file. By default 4 in a knockout, none in a match."""
    third_place: bool = False
    """Whether the beaten semi-finalists play for third place."""
    against_all: Annotated[str | None, Field(max_length=NAME_CHARS_MAX)] = None
    """The team that meets all others. By default the first team, and in a later stage the best."""
    carry_over: CarryOverConfig | None = None
    """`[stage.carry_over]`: what teams carry over from the stage before; by default nothing. Give shares
    (`won`, `lost`) or `by_rank`, not both."""
    tie_breaks: Annotated[
        list[OneOf[TieBreak]], AfterValidator(partial(_check_criteria, why_last=", for it leaves nothing to part"))
    ] = Field(default_factory=lambda: list(DEFAULT_TIE_BREAKS))
    """How ties in victory points are broken: by the first criterion that finds the teams different. Those that
    it leaves level are looked at again from the first criterion on, and share their rank when none separates
    them; `[]` for no tie-breaks at all. May be changed at any time. `tourney standings EVENT --explain` shows
    how each tie was broken.

    - `"head-to-head-vp"`, `"head-to-head-imps"`: victory points, or IMPs won less IMPs lost, in the matches
      among the tied teams, if all of them have met equally often.
    - `"imp-difference"`, `"imp-quotient"`: IMPs won less IMPs lost, or divided by IMPs lost, in all matches.
    - `"head-to-head-points"`, `"points"`: at board-a-match, the points in the matches among the tied teams, if all
      of them have met equally often, or in all matches. The criteria in IMPs are not for board-a-match, where the
      default is `"points"` after victory points, and `"head-to-head-points"` where teams rank by points.
    - `"total-points-quotient"`: points scored at the team's tables divided by the points its opponents scored
      there.
    - `"boards-won"`: boards won on total points, a level one counting a half. This and the one before leave out
      boards whose score is a ruling's.
    - `"wins"`: matches won.
    - `"lot"`: drawn once all matches are finished; it must come last.
    """
    # In hundredths.
    bye_vp: Annotated[int | None, BeforeValidator(_parse_vp)] = None
    """The victory points of a team that has a bye, credited once the round is finished; by default 60 percent of
    the most a match is worth. May be changed at any time."""
    # In hundredths.
    late_vp: Annotated[int | None, BeforeValidator(_parse_vp)] = None
    """In a Swiss: the victory points for each round that a team missed by coming late (`enters`), credited once the
    round is finished. By default 40 percent of the maximum for a match. May be changed at any time."""
    early_leavers: OneOf[EarlyLeavers] = EarlyLeavers.FORGET
    """What becomes of the scores of a team that leaves before it has played half of its matches. This concerns round
    robins, American Whists and New England Relays. `"forget"` cancels them, and those of its opponents against it;
    `"forfeit"` lets them stand, and its remaining matches are forfeited like any other. With either, the scores of a
    team that leaves later stand, and each opponent left gets the best of its own average, the complement of that
    team's average, and 60 percent, less its own fines in that match. May be changed at any time."""

    void_matches: OneOf[VoidMatches] = VoidMatches.AVERAGE_PLUS
    """What becomes of a match of which more than half of the boards were cancelled or not played. A forfeited board
    counts as played, and a forfeited match is never void.

    - `"average-plus"`: it is void. What was played does not count. A team gets +3 IMPs a board on half of the boards,
      rounded up, or -3 if it is at fault. It is at fault if rulings gave it less than average on at least half of the
      boards that were not played.
    - `"as-played"`: it counts by the boards that are left.
    """

    @model_validator(mode="before")
    @classmethod
    def _has_defaults_of_its_format(cls, data: Any) -> Any:  # before pydantic has looked at the type
        """Returns the keys with the format that the game makes, and with what follows from it.

        Raises:
            ValueError: the game and the format contradict each other.
        """
        contest = _contest_of(data) if isinstance(data, dict) else None
        if contest is None:
            return data
        both = {"format": contest, "game": contest.game or data.get("game")}
        return {"name": contest.title, **contest.defaults(data), **data, **both}

    @model_validator(mode="after")
    def _has_boards_of_a_match(self) -> "StageConfig":
        if (game := self.game_settings) is not None:
            self.__dict__["boards_per_match"] = min(game.deals_ready(self.deals), BOARDS_MAX)
        elif "boards_per_round" in self.format.keys:
            self.__dict__["boards_per_match"] = self.boards_per_round or BOARDS_PER_ROUND
        return self

    def problems(self) -> Problems:
        """Yields settings that do not fit the format or each other, by their keys."""
        if self.boards_per_match % self.segments:
            yield "segments", f"{self.boards_per_match} boards cannot be cut into {self.segments} equal segments"
        yield from self._foreign_keys()
        yield from self._foreign_values()
        if self.movement is None and "movement" in self.format.keys:
            yield "movement", "a stage with its own movement names its file"
        if self.compare_within is not CompareWithin.FIELD and self.sections == 1:
            yield "compare_within", f"there is one section, got {self.compare_within.value!r}"
        if self.honours and self.scoring not in (None, "plain"):
            yield "honours", f"at {self.scoring} scoring they count for nothing"
        yield from self._scoring_problems()

    def _foreign_keys(self) -> Problems:
        """Yields keys that are for other formats."""
        carried = self.carry_over.model_fields_set if self.carry_over is not None else ()
        for key in (*StageConfig.model_fields, *(f"carry_over, {key}" for key in CarryOverConfig.model_fields)):
            is_given = key in self.model_fields_set or key.removeprefix("carry_over, ") in carried
            if is_given and key not in self.format.keys and (formats := formats_with(key)):
                own = [other for other in _ALIKE.get(key, ()) if other in self.format.keys]
                meant = f", which has {listed(own, 'or')}" if own else ""
                yield key, f"it is for {listed(formats, 'or')}, not for {self.format.with_article}{meant}"

    def _foreign_values(self) -> Problems:
        """Yields values that the format does not have, of keys that it has."""
        a = self.format.with_article
        for key, allowed in {"scoring": self.format.scorings, **self.format.choices}.items():
            value = getattr(self, key)
            for each in value if isinstance(value, list) else [value]:
                if key in self.model_fields_set and each is not None and each not in allowed:
                    has = (
                        f"in {a} it is {listed([str(one).lower() for one in allowed], 'or')}"
                        if allowed
                        else f"{a} has but one"
                    )
                    yield key, f"{has}, got {shown(each if isinstance(each, bool) else str(each))}"

    def _scoring_problems(self) -> Problems:
        """Yields settings that do not fit how boards are scored."""
        unit = self.board_scale.tie_break_unit
        own = ", ".join(repr(str(criterion)) for criterion, of in UNIT_OF.items() if of == unit)
        for tie_break in self.tie_breaks:
            if UNIT_OF.get(tie_break, unit) != unit:
                yield "tie_breaks", f"the stage is scored in {unit}, its own criteria are {own}, got '{tie_break}'"
        if self.board_points != 1 and self.scoring_in_use != BOARD_A_MATCH:
            yield "board_points", f"it is for board-a-match, the stage is scored in {unit}, got {self.board_points}"

    def plan_of_draw(self) -> dict[str, object]:
        """Return the settings that the draw of the stage depends on, but for those at their default."""
        said = {
            key: value
            for key, value in self
            if value != StageConfig.model_fields[key].get_default(call_default_factory=True)
        }
        said |= {"void_matches": self.void_matches, "scoring": self.scoring_in_use}
        if self.carry_over is not None:
            said["carry_over"] = self.carry_over.plan_of_draw()
        if self.movement is not None and self.movement.movement is not None:
            said["movement"] = format_movement(self.movement.movement)
        if (game := self.game_settings) is not None:
            said[GAME] = asdict(game)
        return {key: value for key, value in said.items() if key not in NOT_OF_DRAW}

    @property
    def movement_settings(self) -> MovementSettings:
        """What it says about the movement of its pairs."""
        own = self.movement.movement if self.movement is not None else None
        return self.settings(MovementSettings, is_barometer=self.barometer, own=own)

    @property
    def pairs_ranking(self) -> PairsRanking:
        """How pairs are scored and ranked, in a stage for them."""
        scoring = self.scoring_in_use
        return PairsRanking(PairsScoring(scoring), tuple(self.ties)) if self._is_of_field else PairsRanking()

    @property
    def _is_of_field(self) -> bool:
        """Whether results are compared across the field."""
        return self.scoring_in_use in tuple(PairsScoring)

    @property
    def scoring_in_use(self) -> str:
        """The word of `scoring`, or else the usual one of the format; empty if there is but one way to score."""
        if self.scoring in self.format.scorings:
            return self.scoring
        return next(iter(self.format.scorings), "")  # any other word is refused

    @property
    def scoring_of_programs(self) -> str:
        """How the stage is scored in a word or two, as programs are told: `imps`, `rubber`, `chicago plain`."""
        game = self.format.game
        return " ".join(word for word in (game.value if game is not None else "", self.scoring_in_use) if word)

    def unit_into(self, contest: Contest) -> str:
        """Returns the unit of what is carried over from it into a stage of a kind."""
        return self.pairs_ranking.scoring.level_unit if self._is_of_field else contest.carried_unit(self.board_scale)

    @property
    def carried_unit(self) -> str:
        """The unit of what is carried over into it."""
        return self.unit_into(self.format)

    @property
    def sequential_test(self) -> SequentialTest | None:
        """The test that decides a duel, whatever its number of boards; None without one."""
        return SequentialTest.parse(self.sprt) if self.sprt is not None else None

    @property
    def board_scale(self) -> BoardScale:
        """How the boards of its matches are scored."""
        return stage_scale(self.game_settings, self.scoring_in_use, str(self.board_points), self.vp_scale)

    @property
    def game_settings(self) -> GameSettings | None:
        """The game that is played at one table, with its rules; None for a match of teams in two rooms."""
        kind = self.format.game
        return GameSettings.of_keys(kind, self.__dict__) if kind is not None else None

    def ranking_rules(self, scale: VpScale | None) -> RankingRules:
        """Returns the ranking rules; if the event file no longer has the scale (None), a match is worth 20 points."""
        usual = RankingRules()
        most = scale.steps[-1].winner if scale is not None else usual.most_vp
        walkover = self.format.bye_vp(scale) if scale is not None else usual.bye_vp
        late = self.late_vp if self.late_vp is not None else most * 40 // 100
        return RankingRules(
            tie_breaks=tuple(self.tie_breaks),
            bye_vp=VpHundredths(self.bye_vp if self.bye_vp is not None else walkover),
            most_vp=most,
            forgets_early_leavers=self.early_leavers is EarlyLeavers.FORGET,
            vp_scale=scale,
            late_vp=VpHundredths(late),
            pairs=self.pairs_ranking,
        )


def stage_teams(stages: Sequence[StageConfig], teams: int) -> list[int]:
    """Returns the number of teams of each stage if this many enter the event."""
    counts: list[int] = []
    for stage in stages:
        before = counts[-1] if counts else teams
        counts.append(stage.teams if counts and stage.teams is not None else before)
    return counts
