"""The formats of a stage, each a model with its own keys, defaults and checks, and `StageByFormat`, their union."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar, Final

from pydantic import Discriminator, Tag, model_validator

from tourney.config.base import Problem
from tourney.config.stages import BOARDS_PER_ROUND_MAX, StageConfig, named_format
from tourney.contest import FORMATS, ROUND_ROBIN, Contest, game_format_name
from tourney.contest.individual import IndividualContest
from tourney.contest.pairs import PairsContest
from tourney.contest.plan import COMPARE_WITHIN, MOVEMENT_ROWS, PAIRS_SCORING, SCORING, SECTIONS, SESSIONS
from tourney.contest.team_formats import SeveralTeams
from tourney.contest.teams import TeamContest
from tourney.movement.pairs.mitchell import Phantom
from tourney.movement.pairs.movement_csv import format_movement
from tourney.movement.pairs.planning import CompareWithin
from tourney.movement.pairs.ranking import PairsRanking, PairsTieBreak
from tourney.movement.ranking import RankingRules
from tourney.movement.tie_breaks import TieBreak
from tourney.scoring import BOARD_A_MATCH, BOARDS_MAX, GAME, POINTS_SCALE
from tourney.scoring.board_a_match import BoardPoints
from tourney.scoring.board_scale import IMPS, BoardScale, board_a_match_scale, pairs_scale
from tourney.scoring.chicago import HANDS, ChicagoOrder, ChicagoScoring
from tourney.scoring.games import (
    DEALS_OF_CHICAGO,
    DEALS_OF_MINIBRIDGE,
    DEALS_OF_RUBBER,
    MINIBRIDGE_REDEALS_MIN,
    GameKind,
    GameSettings,
    PassedOut,
    Unfinished,
)
from tourney.scoring.pairs.field import PairsScoring
from tourney.scoring.victory_points import VpHundredths, VpScale

BOARDS_PER_ROUND: Final = 2
"""How many boards a table plays in a round of a movement, unless the event file says so."""


# Matches of two teams in two rooms


class TeamsStageConfig(StageConfig):
    """Teams meet in matches: a round robin, a Swiss, a knockout, a match or a gauntlet."""

    usual_scoring: ClassVar[str | None] = None
    """The `scoring` that is written out where the file has none."""

    @model_validator(mode="before")
    @classmethod
    def _has_defaults_of_its_scoring(cls, data: Any) -> Any:  # before pydantic has looked at the type
        if not isinstance(data, dict) or data.get("scoring", cls.usual_scoring) != BOARD_A_MATCH:
            return data
        by_points = data.get("vp_scale", POINTS_SCALE) == POINTS_SCALE
        usual = TieBreak.HEAD_TO_HEAD_POINTS if by_points else TieBreak.POINTS
        return {"scoring": BOARD_A_MATCH, "vp_scale": POINTS_SCALE, "tie_breaks": [usual.value]} | data

    @property
    def board_scale(self) -> BoardScale:
        if self.scoring != BOARD_A_MATCH or BOARD_A_MATCH not in self.format.scorings:
            return IMPS  # also where it is refused: what else is missing for it need not be said
        return board_a_match_scale(BoardPoints(str(self.board_points)), self.vp_scale)

    def _plan_of_kind(self) -> dict[str, object]:
        return {SCORING: f"{self.scoring} {self.board_points}" if self.board_scale is not IMPS else None}


class SeveralTeamsStageConfig(TeamsStageConfig):
    """All teams meet in one session: an American Whist or a New England Relay."""

    usual_scoring: ClassVar = BOARD_A_MATCH

    @model_validator(mode="before")
    @classmethod
    def _has_boards_of_a_round(cls, data: Any) -> Any:  # before pydantic has looked at the type
        return _with_boards_of_a_round(data, "in a movement of several teams")


def _with_boards_of_a_round(data: Any, where: str) -> Any:
    """Takes the length of a table's round in a movement for that of a match.

    Raises:
        ValueError: the stage gives the length of a match.
    """
    if not isinstance(data, dict):
        return data
    if "boards_per_match" in data:
        raise ValueError(
            f"boards_per_match: {where} `boards_per_round` says how many boards a table plays, leave it out"
        )
    boards = data.get("boards_per_round")
    is_usable = type(boards) is int and 1 <= boards <= BOARDS_PER_ROUND_MAX
    return data | {"boards_per_match": boards if is_usable else BOARDS_PER_ROUND}


# Pairs


class PairsStageConfig(StageConfig):
    """Pairs play a movement against the field: a Mitchell, a Howell, or the organiser's own."""

    @model_validator(mode="before")
    @classmethod
    def _has_boards_of_a_round(cls, data: Any) -> Any:  # before pydantic has looked at the type
        return _with_boards_of_a_round(data, "in pairs events")

    def _misfits(self) -> Iterator[Problem]:
        a = self.format.with_article
        if self.movement is None and "movement" in self.format.keys:
            yield "movement", "a stage with its own movement names its file"
        if self.compare_within is not CompareWithin.FIELD and self.sections == 1:
            yield "compare_within", f"there is one section, got {self.compare_within.value!r}"
        if self.carry_over is not None and self.carry_over.lost is not None:
            yield "carry_over, lost", f"it is for matches, in {a} a share is carried over by `won`"
        if self.phantom is Phantom.ROVER and not self.format.takes_rover:
            sits_out = f"in {a} a pair sits out each round with `phantom = true`"
            yield "phantom", f"a rover is for a Mitchell, {sits_out}"

    def _plan_of_kind(self) -> dict[str, object]:
        switched, own = self.arrow_switch, self.movement
        return {
            "arrow_switch": (switched or None) if isinstance(switched, bool) else list(switched),
            "phantom": self.phantom.value if self.phantom is not None else None,
            "barometer": self.barometer or None,
            SECTIONS: self.sections if self.sections > 1 else None,
            SESSIONS: self.sessions if self.sessions > 1 else None,
            COMPARE_WITHIN: self.compare_within.value if self.compare_within is not CompareWithin.FIELD else None,
            PAIRS_SCORING: self.scoring_in_use,
            MOVEMENT_ROWS: format_movement(own.movement) if own is not None and own.movement is not None else None,
        }

    @property
    def pairs_ranking(self) -> PairsRanking:
        return PairsRanking(PairsScoring(self.scoring_in_use), tuple(self.ties))

    @property
    def board_scale(self) -> BoardScale:
        return pairs_scale(is_matchpoints=self.pairs_ranking.scoring is PairsScoring.MATCHPOINTS)

    def unit_into(self, contest: Contest) -> str:  # noqa: ARG002 # it has nothing else
        return self.pairs_ranking.scoring.level_unit


class IndividualStageConfig(PairsStageConfig):
    """Players change partners after each round."""

    @model_validator(mode="before")
    @classmethod
    def _plays_the_same_boards_at_all_tables(cls, data: Any) -> Any:  # before pydantic has looked at the type
        if not isinstance(data, dict):
            return data
        if data.get("barometer") is False:
            raise ValueError("barometer: in an individual all tables play the same boards in each round")
        return data | {"barometer": True}

    def _misfits(self) -> Iterator[Problem]:
        yield from super()._misfits()
        unfit = [each for each in self.ties if each not in _TIES_OF_PLAYERS]
        if unfit:
            allowed = ", ".join(repr(each.value) for each in _TIES_OF_PLAYERS)
            yield "ties", f"of players they are {allowed}, got {unfit[0].value!r}"


_TIES_OF_PLAYERS: Final = (PairsTieBreak.BOARDS_WON, PairsTieBreak.DEVIATION, PairsTieBreak.LOT)
"""The tie-breaks that compare what single players have won, whoever sat with them and against them."""


# Games at one table


class GameStageConfig(StageConfig):
    """Matches are of a game that is played at one table."""

    length_keys: ClassVar = ""
    """The keys that say how long a match is, in place of `boards_per_match`."""
    ways_to_pass_out: ClassVar[tuple[PassedOut, ...]] = ()
    """What may become of a deal that is passed out; empty if there is no choice."""

    @model_validator(mode="before")
    @classmethod
    def _has_format_of_its_game(cls, data: Any) -> Any:  # before pydantic has looked at the type
        """Returns the keys with the format that the game makes, and the number of boards that are kept ready.

        Raises:
            ValueError: the game and another key contradict each other.
        """
        if not isinstance(data, dict):
            return data
        ready = {"boards_per_match": min(cls._deals_ready(data), BOARDS_MAX)}
        game, named = data.get("game"), data.get("format", ROUND_ROBIN.name)
        if isinstance(named, Contest):  # of a lobby
            return data | {"game": named.game} | ready
        if isinstance(named, str) and named in tuple(GameKind):
            if game not in (None, named):
                raise ValueError(f"game: format {named!r} is itself a game, got {game!r}")
            game, named = named, ROUND_ROBIN.name
        if game not in tuple(GameKind) or not isinstance(named, str) or named not in FORMATS:
            return data
        played = FORMATS.get(game_format_name(game, named))
        if played is None:
            raise ValueError(
                f"game: it is for matches of two entrants, not for {FORMATS[named].with_article}, got {game!r}"
            )
        if "boards_per_match" in data:
            raise ValueError(f"boards_per_match: how long a match of {game} is, {cls.length_keys} say; leave it out")
        return data | {"format": played, "game": game} | ready

    @classmethod
    def _deals_ready(cls, data: Mapping[str, Any]) -> int:
        """Returns the number of deals that a match has at most; keys that are no numbers are reported elsewhere."""
        raise NotImplementedError

    def _misfits(self) -> Iterator[Problem]:
        yield from super()._misfits()
        allowed = self.ways_to_pass_out
        if self.passed_out is not None and allowed and self.passed_out not in allowed:
            has = f"{self.format.game} has {' or '.join(allowed)}"
            yield "passed_out", f"{has}, got {self.passed_out.value!r}"
        if self.honours and self.scoring not in (None, "plain"):
            yield "honours", f"at {self.scoring} scoring they count for nothing"

    @property
    def game_settings(self) -> GameSettings:
        raise NotImplementedError

    def _plan_of_kind(self) -> dict[str, object]:
        return {GAME: self.game_settings.to_plain()}

    @property
    def board_scale(self) -> BoardScale:
        return self.game_settings.board_scale

    def ranking_rules(self, scale: VpScale | None) -> RankingRules:  # noqa: ARG002 # it has no victory points
        """Returns the rules of a ranking by points won less points lost: who does not play wins and loses none."""
        none = VpHundredths(0)
        return RankingRules(
            tie_breaks=tuple(self.tie_breaks),
            bye_vp=VpHundredths(self.bye_vp or 0),
            most_vp=none,
            forgets_early_leavers=False,
            late_vp=none,
        )


def _number(data: Mapping[str, Any], key: str) -> int | None:
    value = data.get(key)
    return value if isinstance(value, int) and 1 <= value <= BOARDS_MAX else None


class RubberStageConfig(GameStageConfig):
    """Matches of rubber bridge."""

    length_keys: ClassVar = "rubbers or deals"
    ways_to_pass_out: ClassVar = (PassedOut.NEXT_DEALER, PassedOut.REDEAL)

    @classmethod
    def _deals_ready(cls, data: Mapping[str, Any]) -> int:
        return _number(data, "deals") or (_number(data, "rubbers") or 1) * DEALS_OF_RUBBER

    @property
    def game_settings(self) -> GameSettings:
        return GameSettings(
            kind=GameKind.RUBBER,
            length=self.rubbers or (1 if self.deals is None else None),
            honours=self.honours is not False,
            passed_out=self.passed_out or PassedOut.NEXT_DEALER,
            unfinished=self.unfinished or Unfinished.NEITHER,
        )


class ChicagoStageConfig(GameStageConfig):
    """Matches of Chicago."""

    length_keys: ClassVar = "chicagos"
    ways_to_pass_out: ClassVar = (PassedOut.REDEAL, PassedOut.COUNTS)

    @classmethod
    def _deals_ready(cls, data: Mapping[str, Any]) -> int:
        passed_out = data.get("passed_out", _usual_when_passed_out(data.get("scoring")))
        each = HANDS if passed_out == PassedOut.COUNTS else DEALS_OF_CHICAGO
        return (_number(data, "chicagos") or 1) * each

    @property
    def game_settings(self) -> GameSettings:
        scoring = _chicago_scoring(self.scoring)
        return GameSettings(
            kind=GameKind.CHICAGO,
            length=self.chicagos or 1,
            scoring=scoring,
            order=self.order or ChicagoOrder.MODERN,
            honours=bool(self.honours),
            passed_out=self.passed_out or _usual_when_passed_out(self.scoring),
        )


def _usual_when_passed_out(scoring: object) -> PassedOut:
    """Returns what becomes of a passed-out hand of Chicago unless the event file says so."""
    return PassedOut.COUNTS if _chicago_scoring(scoring).is_in_imps else PassedOut.REDEAL


def _chicago_scoring(word: object) -> ChicagoScoring:
    """Returns how Chicago is scored, by its word in an event file; plainly without one, or if it is none."""
    return next((each for each in ChicagoScoring if each.value.lower() == word), ChicagoScoring.PLAIN)


class MinibridgeStageConfig(GameStageConfig):
    """Matches of Minibridge."""

    length_keys: ClassVar = "deals"

    @classmethod
    def _deals_ready(cls, data: Mapping[str, Any]) -> int:
        deals = _number(data, "deals") or DEALS_OF_MINIBRIDGE
        return deals + max(MINIBRIDGE_REDEALS_MIN, deals // 2)

    @property
    def game_settings(self) -> GameSettings:
        return GameSettings(
            kind=GameKind.MINIBRIDGE,
            length=self.deals or DEALS_OF_MINIBRIDGE,
            honours=False,
            passed_out=PassedOut.REDEAL,
        )


# The union


def _model_name(section: Any) -> str:  # before pydantic has looked at the type
    """Returns the tag of the model that a `[[stage]]` section is checked by, in `StageByFormat`."""
    if isinstance(section, StageConfig):
        played, game = section.format, section.game
    else:
        keys = section if isinstance(section, dict) else {}
        played, game = named_format(keys.get("format")), keys.get("game")  # any model reports an invalid format
    return str(game) if played.game is None and game in tuple(GameKind) else played.model


StageByFormat = Annotated[
    Annotated[TeamsStageConfig, Tag(TeamContest.model)]
    | Annotated[SeveralTeamsStageConfig, Tag(SeveralTeams.model)]
    | Annotated[PairsStageConfig, Tag(PairsContest.model)]
    | Annotated[IndividualStageConfig, Tag(IndividualContest.model)]
    | Annotated[RubberStageConfig, Tag(GameKind.RUBBER.value)]
    | Annotated[ChicagoStageConfig, Tag(GameKind.CHICAGO.value)]
    | Annotated[MinibridgeStageConfig, Tag(GameKind.MINIBRIDGE.value)],
    Discriminator(_model_name),
]
"""A `[[stage]]` section as the model of its format."""
