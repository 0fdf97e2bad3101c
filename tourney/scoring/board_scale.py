"""How a board of a match is scored, and in what unit: IMPs, or points at board-a-match and at games of one table.

The figures of boards and matches are whole numbers of the scale's own unit: IMPs, or hundredths of a point. A half of
a board, 0.6 of one after average plus and the share that a weighted score gives are then exact or rounded once.

Two teams share what a board of board-a-match is worth, so a team's own margin on it is its points less those that it
did not get. Two teams that get average plus have both won 0.2 of a board more than they have lost.

At rubber bridge and Chicago nothing is compared: the figures of a board are what each side writes on the score sheet,
and what teams rank by is what they have won less what their opponents have.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Final

from tourney.errors import ConfigError
from tourney.scoring import POINTS_SCALE, SCALE_NAMES
from tourney.scoring.assigned import WeightedScore, round_half_away, weighted_imps
from tourney.scoring.board_a_match import BoardPoints, average_board, weighted_board_a_match
from tourney.scoring.imps import IMPS_MAX
from tourney.scoring.pairs.traveller import Average
from tourney.scoring.victory_points import (
    UserTable,
    VpHundredths,
    VpScale,
    VpStep,
    format_hundredths,
    format_vp,
    vp_scale,
)

_FIGURE: Final = re.compile(r"([+-]?)(\d{1,4})(?:\.(\d{1,2}))?")


class BoardScale(ABC):
    """A way of scoring boards over two tables."""

    unit: str
    """The unit of what people read: `IMPs`, `points`."""
    one: str
    """One of them: `IMP`, `point`."""
    hundredths_each: int
    """A figure in hundredths of the unit: 100 where figures are whole IMPs, 1 where they are hundredths of points."""
    plus: int
    """A team's figure for average plus on a board (Laws 2017, Law 12C2)."""
    average: int
    minus: int
    least: int
    """The least figure of a team on a board."""
    most: int
    is_board_a_match: bool = False
    key: str = "imps"
    """What keys of documents with such figures are named after: `imps`, or `points`."""
    ranks_by_points: bool = False
    """Whether teams rank by the figures of their matches themselves; victory points are then hundredths of the
    unit."""
    match_heading: str = "VP"
    """The heading of what a match gives in that by which teams rank."""
    match_unit: str = "VP"
    """The unit of what it gives beside its score; empty if it gives nothing more."""
    match_words: str = "VP"
    """The words after it: `VP`, `points counted`."""
    ranking_key: str = "vp"
    """What keys of documents are named after that have what teams rank by: `vp`, or `ranking_score`."""
    ranking_heading: str = "VP"
    """The heading of that by which teams rank."""
    ranked_in: str = "victory points"
    """What that is: `victory points`, `points`."""
    ranked_unit: str = "VP"
    """Its unit, as it follows a figure: `VP`, `points`."""
    room_form: str = "{} room"
    """How the room of a table is called; empty at one table, where there is none to name."""
    match_forfeit: str = "match forfeited"
    """What a ruling is called by which a side loses the rest of a match."""
    ranking_unit: str = "VP"
    """What a penalty is in that is not in the unit of boards: VP, or percent of a top."""
    lin_scoring: str = "I"
    """The letter of LIN for it."""
    pbn_scoring: str = "IMP"
    """PBN's name for it."""
    pbn_score: str = "ScoreIMP"
    """The tag of what a board gives."""
    usebio_scoring: str = "IMPS"
    tie_break_unit: str = "IMPs"
    """The unit of tie-breaks that are for one way of scoring only."""
    lacks: frozenset[str] = frozenset({"butler", "strength", "swings"})
    """The reports that have no page where boards are scored so, by their names."""
    usebio_of_board: tuple[str, ...] = ("IMPS",)
    """The elements of USEBIO that have what the home team won on a board."""
    usebio_of_table: tuple[str, ...] = ()
    """Those that have what North-South and East-West won on it, at each table."""

    @property
    def refused_penalties(self) -> Mapping[str, str]:
        """The units, `vp` and `percent`, that no penalty is in, each with the sentence that says so."""
        refused = {"percent": f"percent of a top are for pairs at matchpoints: give {self.unit}"}
        if self.ranks_by_points:
            refused["vp"] = f"teams rank by {self.unit}: a penalty is in {self.unit}, not in victory points"
        return refused

    def penalty_problem(self, *, in_vp: bool, is_given: bool) -> str | None:  # noqa: ARG002 # of other scales
        """Return why the penalty of an event file means nothing here; None if it does.

        Args:
            in_vp: whether it is in victory points rather than in IMPs.
            is_given: whether the event file says how much it is.
        """
        return None

    def describe_awards(self) -> str:
        """Return the words for what a ruling may give a team for a board."""
        return f"avg+, avg, avg- or a number of {self.unit}"

    def parse_figure(self, text: str) -> int | None:
        """Parse a number of IMPs, or of points with at most 2 decimals, as a figure; None if it is none."""
        found = _FIGURE.fullmatch(text)
        if found is None or (found[3] and self.hundredths_each > 1):
            return None
        hundredths = 100 * int(found[2]) + int((found[3] or "").ljust(2, "0"))
        return (-1 if found[1] == "-" else 1) * hundredths // self.hundredths_each

    @property
    def averages(self) -> tuple[int, ...]:
        """The figures for average plus, average and average minus; none where a board without a result has none."""
        return self.plus, self.average, self.minus

    @property
    def a_unit(self) -> str:
        """One of them, with its article: `an IMP`, `a point`."""
        return f"a{'n' if self.one[0] in 'aeiouAI' else ''} {self.one}"

    @property
    def heading(self) -> str:
        """The heading of figures: `IMPs`, `Points`."""
        return f"{self.unit[0].upper()}{self.unit[1:]}"

    def describe_award(self, figure: int) -> str:
        """Describe an artificial score: `average plus, +3 IMPs`."""
        sign = "+" if figure >= 0 and not self.is_board_a_match else ""
        return f"{self.name_award(figure)}, {sign}{self.count(figure)}"

    def name_award(self, figure: int) -> str:
        """Return what an artificial score is called, without its figure."""
        averages = dict(zip(self.averages, ("average plus", "average", "average minus"), strict=False))
        return averages.get(figure, "adjusted score")

    def describe_penalty(self, figure: int) -> str:
        """Describe a penalty in the unit of boards: `3 IMPs`."""
        return self.count(figure)

    def describe_vp_penalty(self, hundredths: int) -> str:
        """Describe a penalty in what teams rank by: `0.50 VP`."""
        return f"{self.format_vp(hundredths)} {self.ranked_unit}"

    def compare(self, opened: Sequence[WeightedScore], closed: Sequence[WeightedScore], sign: int) -> int:  # noqa: ARG002
        """Return the figure of the side that sat North-South in the open room (`sign` 1), or East-West there (-1).

        Each score of one room is compared with each of the other; only the weighted sum is rounded.
        """
        raise AssertionError("a board of a game counts only with the boards before it")

    def is_balanced(self, own: int, other: int) -> bool:  # noqa: ARG002 # by default each side writes its own
        """Return whether one team has won what the other has lost, as it is unless the score was adjusted."""
        return True

    def split(self, own: int, other: int) -> tuple[int, int]:
        """Return what a team has won on a board, and what it has lost."""
        return own, other

    def vp_scale(self, name: str, boards: int, own_tables: Mapping[str, UserTable]) -> VpScale:
        """Return the scale of that name for matches of `boards` boards.

        Raises:
            ConfigError: no scale for boards scored like this has this name.
        """
        return vp_scale(name, boards, own_tables)

    @abstractmethod
    def vp(self, own: int, margin: int, scale: VpScale) -> VpHundredths:
        """Return the victory points of a match for a team's own total and margin."""

    def is_said_by_score(self, vp: int, own: int, margin: int) -> bool:  # noqa: ARG002 # for scales that rank by it
        """Return whether what a team ranks by (`vp`) needs no figure of its own, for its score of the match says it.

        Args:
            vp: what the match gave it.
            own: its own total in the match.
            margin: its own margin.
        """
        return False

    def hundredths(self, figure: int) -> int:
        """Return a figure in hundredths of the unit."""
        return self.hundredths_each * figure

    def format(self, figure: int) -> str:
        """Format a figure: `26`, `4.5`."""
        return format_hundredths(self.hundredths(figure))

    def document(self, figure: int) -> int | str:
        """Return a figure as documents have it: a number of IMPs, or points as text."""
        return self.format(figure) if self.key == "points" else figure

    def format_signed(self, figure: int) -> str:
        """Format a margin: `+26`, `-4.5`, `0`."""
        return f"{'+' if figure > 0 else ''}{self.format(figure)}"

    @property
    def vp_unit(self) -> str:
        """The unit that teams rank by: `VPs`, `points`."""
        return self.unit if self.ranks_by_points else "VPs"

    def format_vp(self, hundredths: int) -> str:
        """Format what teams rank by: `13.34` victory points, `4.5` points."""
        return format_hundredths(hundredths) if self.ranks_by_points else format_vp(hundredths)

    def describe_board(self, teams: tuple[str, str], figures: tuple[int, int]) -> str:
        """Say what both teams have won on a board: `Ants 1.5, Bees 0.5 points`."""
        won = (f"{team} {self.format(figure)}" for team, figure in zip(teams, figures, strict=True))
        return f"{', '.join(won)} {self.unit}"

    def count(self, figure: int) -> str:
        """Format a figure with its unit: `1 IMP`, `0.5 points`."""
        return f"{self.format(figure)} {self.one if self.hundredths(figure) == 100 else self.unit}"


class ImpsScale(BoardScale):
    """International Match Points: the difference of the two scores, converted (Law 78B)."""

    unit, one = "IMPs", "IMP"
    hundredths_each = 100
    plus, average, minus = 3, 0, -3
    least, most = -IMPS_MAX, IMPS_MAX
    lacks = frozenset()

    compare = staticmethod(weighted_imps)

    def is_balanced(self, own: int, other: int) -> bool:
        return own == -other

    def split(self, own: int, other: int) -> tuple[int, int]:  # noqa: ARG002 # the other team's say nothing of it
        return max(own, 0), max(-own, 0)

    def vp_scale(self, name: str, boards: int, own_tables: Mapping[str, UserTable]) -> VpScale:
        if name == POINTS_SCALE:
            raise ConfigError(f"teams rank by {POINTS_SCALE!r} at board-a-match only; IMPs need a scale")
        return super().vp_scale(name, boards, own_tables)

    def vp(self, own: int, margin: int, scale: VpScale) -> VpHundredths:  # noqa: ARG002
        return scale.split(margin)[0]

    def describe_board(self, teams: tuple[str, str], figures: tuple[int, int]) -> str:
        """Say who has won a board: `6 IMPs to Ants`."""
        home, away = figures
        if not self.is_balanced(home, away):
            return super().describe_board(teams, figures)
        return f"{self.count(abs(home))} to {teams[home < 0]}" if home else "No swing"


class PairsScale(ImpsScale):
    """Pairs, whose results are compared across the field: only rulings have figures.

    An artificial score is told by the IMPs that teams would get for it. A penalty of 3 IMPs is a tenth of a top.
    """

    match_forfeit = "rest of the round forfeited"
    ranking_unit = "percent"
    lacks = BoardScale.lacks
    room_form = ""
    ranked_in = "score"

    def __init__(self, *, is_matchpoints: bool) -> None:
        self._is_matchpoints = is_matchpoints
        self.ranking_heading = self.ranked_unit = "%" if is_matchpoints else "IMPs per board"

    @property
    def refused_penalties(self) -> Mapping[str, str]:
        vp = {"vp": "pairs win no victory points: give percent of a top at matchpoints, or IMPs"}
        return vp if self._is_matchpoints else {**super().refused_penalties, **vp}

    def penalty_problem(self, *, in_vp: bool, is_given: bool) -> str | None:  # noqa: ARG002
        if self._is_matchpoints or not in_vp:
            return None
        return 'a penalty is in IMPs; give it so, such as "3 IMPs"'

    def describe_awards(self) -> str:
        return "avg+, avg or avg- (or assign a result)"

    def parse_figure(self, text: str) -> int | None:  # noqa: ARG002 # 3 would be taken for average plus
        """Return None: a number is no matchpoints."""
        return None

    def describe_award(self, figure: int) -> str:
        return self.name_award(figure)

    def describe_penalty(self, figure: int) -> str:
        if not self._is_matchpoints:
            return super().describe_penalty(figure)
        return self.describe_vp_penalty(round_half_away(Fraction(10_000 * figure) * PENALTY_PART))

    def describe_vp_penalty(self, hundredths: int) -> str:
        return f"{hundredths / 100:g} % of a top"


class BoardAMatchScale(BoardScale):
    """Board-a-match: a board is won, tied or lost, whatever the margin; figures are hundredths of a point."""

    unit, one = "points", "point"
    hundredths_each = 1
    least = 0
    is_board_a_match = True
    key = "points"
    lin_scoring, pbn_scoring, pbn_score, usebio_scoring = "B", "BAM", "ScoreMP", "BAM"
    tie_break_unit = "points"
    usebio_of_board, usebio_of_table = (), ("NS_MATCH_POINTS", "EW_MATCH_POINTS")

    def __init__(self, points: BoardPoints, *, ranks_by_points: bool) -> None:
        self.points = points
        self.ranks_by_points = ranks_by_points
        if ranks_by_points:
            self.match_heading, self.match_words, self.ranking_heading = "Counted", "points counted", "Points"
            self.ranked_in = self.ranked_unit = self.unit
            self.ranking_key, self.match_unit = "ranking_score", ""
        self.most = 100 * points.won
        self.plus, self.average, self.minus = (
            int(100 * average_board(kind, points)) for kind in (Average.PLUS, Average.AVERAGE, Average.MINUS)
        )

    def penalty_problem(self, *, in_vp: bool, is_given: bool) -> str | None:  # noqa: ARG002
        return None if in_vp else 'there are no IMPs at board-a-match; give victory points, such as "0.5 VP"'

    def compare(self, opened: Sequence[WeightedScore], closed: Sequence[WeightedScore], sign: int) -> int:
        """Compare the scores; a weighted sum is rounded to a hundredth, exact halves away from the average."""
        north_south, east_west = (opened, closed) if sign > 0 else (closed, opened)
        points = weighted_board_a_match(tuple(north_south), tuple(east_west), self.points)
        return self.average + round_half_away(100 * points - self.average)

    def is_balanced(self, own: int, other: int) -> bool:
        return own + other == self.most

    def split(self, own: int, other: int) -> tuple[int, int]:  # noqa: ARG002
        return own, self.most - own

    def vp_scale(self, name: str, boards: int, own_tables: Mapping[str, UserTable]) -> VpScale:
        if name == POINTS_SCALE:
            each, total = self.most, self.most * boards
            steps = [
                VpStep(margin, VpHundredths((total + 100 * margin) // 2), VpHundredths((total - 100 * margin) // 2))
                for margin in range(0, total // 100 + 1, each // 100)
            ]
            return VpScale(name, boards, tuple(steps))
        if name in SCALE_NAMES:
            raise ConfigError(
                f"{name} is for margins in IMPs; at board-a-match teams rank by {POINTS_SCALE!r}, or by a "
                f"[vp_table.NAME] of your own with margins in points"
            )
        return super().vp_scale(name, boards, own_tables)

    def vp(self, own: int, margin: int, scale: VpScale) -> VpHundredths:
        """Return the team's points where these are what teams rank by; otherwise those of its margin in whole points.

        A part of a point, as averages and weighted scores leave it, does not reach the next step.
        """
        if self.ranks_by_points:
            return VpHundredths(own)
        whole = abs(margin) // 100
        return scale.split(whole if margin >= 0 else -whole)[0]

    def is_said_by_score(self, vp: int, own: int, margin: int) -> bool:  # noqa: ARG002
        return self.ranks_by_points and vp == own


class GameScale(BoardScale):
    """What each side writes on the score sheet of a game at one table: points or IMPs.

    Teams rank by what they have won less what their opponents have.
    """

    hundredths_each = 100
    plus = average = minus = 0
    averages = ()
    room_form = ""
    ranks_by_points = True
    ranking_key = "ranking_score"
    match_unit = ""

    def __init__(self, unit: str, most: int) -> None:
        self.unit, self.one = unit, unit.removesuffix("s")
        self.least, self.most = -most, most
        self.key = unit.lower()
        self.match_heading = self.ranking_heading = f"Net {unit}"
        self.match_words = f"net {unit}"
        self.ranked_in = self.ranked_unit = unit

    def penalty_problem(self, *, in_vp: bool, is_given: bool) -> str | None:
        if not in_vp and (is_given or self.key == "imps"):
            return None
        return f'a penalty is in {self.unit}; say how many it costs there, such as "100 {self.unit}"'

    def describe_awards(self) -> str:
        return f"a number of {self.unit}"

    def vp(self, own: int, margin: int, scale: VpScale) -> VpHundredths:  # noqa: ARG002
        return VpHundredths(100 * margin)

    def is_said_by_score(self, vp: int, own: int, margin: int) -> bool:  # noqa: ARG002
        return vp == 100 * margin


SHEET_POINTS_MAX: Final = 9999
"""The most points that a ruling gives a side of a game for a board."""

PENALTY_PART: Final = Fraction(1, 30)
"""The part of a top that a penalty of one IMP is at matchpoints: average plus is 3 IMPs, or a tenth above average."""

IMPS: Final = ImpsScale()
_OF_PAIRS: Final = {is_matchpoints: PairsScale(is_matchpoints=is_matchpoints) for is_matchpoints in (False, True)}
_OF_POINTS: Final = GameScale("points", SHEET_POINTS_MAX)
_OF_IMPS: Final = GameScale("IMPs", IMPS_MAX)
_BOARD_A_MATCH: Final = {
    (points, by_points): BoardAMatchScale(points, ranks_by_points=by_points)
    for points in BoardPoints
    for by_points in (False, True)
}


def board_a_match_scale(points: BoardPoints, vp_scale_name: str) -> BoardScale:
    """Return the scale of board-a-match; teams rank by points themselves if the victory point scale is `points`."""
    return _BOARD_A_MATCH[points, vp_scale_name == POINTS_SCALE]


def pairs_scale(*, is_matchpoints: bool) -> BoardScale:
    """Return the scale of pairs, at matchpoints or in IMPs."""
    return _OF_PAIRS[is_matchpoints]


def game_scale(*, in_imps: bool) -> BoardScale:
    """Return the scale of a game at one table: in IMPs or in points."""
    return _OF_IMPS if in_imps else _OF_POINTS
