"""Pairs stages as the pages show them: where their boards have pages, and what the tables of a round have."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from tourney.bridge import Side
from tourney.protocol.session.records import RulingKind
from tourney.results.travellers import PlayedLine, StageTravellers
from tourney.scoring.pairs.matchpoints import MatchpointScale
from tourney.scoring.pairs.traveller import Average
from tourney.site import urls
from tourney.store.draw.objects import MatchInfo
from tourney.views.pair_figures import PairsUnit, pairs_unit
from tourney.views.rulings import describe_kind
from tourney.views.travellers import format_score


@dataclass(frozen=True, slots=True)
class PairSeat:
    """What one side of a table has on a board."""

    pair: str
    points: str
    level: str
    """The percentage of the board; empty in IMPs."""
    adjustment: str
    """The ruling that took the place of the result: `average plus`; empty if there is none."""


@dataclass(frozen=True, slots=True)
class TravellerRow:
    """What a table has on a board."""

    score: str
    """The score that counts, North-South's."""
    seats: tuple[PairSeat, PairSeat]
    """North-South and East-West."""

    @property
    def adjustments(self) -> list[str]:
        """What rulings have put in place of the result, a phrase for each side that they are about."""
        return [f"{seat.pair}: {seat.adjustment}" for seat in self.seats if seat.adjustment]


class PairsViews:
    """The pairs stages of an event."""

    def __init__(
        self,
        travellers: Sequence[StageTravellers] = (),
        matchpoints: MatchpointScale = MatchpointScale.TWO,
        *,
        has_several_stages: bool = False,
    ) -> None:
        self.stages: Mapping[int, StageTravellers] = {found.stage.number: found for found in travellers}
        """Those that have begun, by number."""
        self._matchpoints = matchpoints
        self._has_several_stages = has_several_stages

    # Where pages are

    def page_of(self, stage: int, board: int) -> str:
        """Return the address of the page of a board."""
        return urls.traveller_page(board, stage if self._has_several_stages else None)

    def page_if_shown(self, stage: int, board: int) -> str | None:
        """Return the same; None as long as the board does not count."""
        found = self.stages.get(stage)
        return self.page_of(stage, board) if found is not None and board in found.by_board else None

    @property
    def shown(self) -> list[tuple[int, int]]:
        """The boards that count: the number of the stage, and of the board."""
        return [(number, board) for number, stage in self.stages.items() for board in stage.by_board]

    # Views

    def scores(self, stage: int) -> PairsUnit | None:
        """Return how the scores of a stage are shown; None if it has none yet."""
        found = self.stages.get(stage)
        return pairs_unit(found.scoring, self._matchpoints) if found is not None else None

    def table_number(self, match: MatchInfo) -> int | None:
        """Return the number of a match's table in the movement; None if nothing is known of its stage."""
        found = self.stages.get(match.stage)
        return found.tables.get(match.number) if found is not None else None

    def view_table(self, match: MatchInfo) -> dict[int, TravellerRow]:
        """Return what a table in a round has on each board that counts, by its number."""
        found, scores = self.stages.get(match.stage), self.scores(match.stage)
        if found is None or scores is None:
            return {}
        return {
            traveller.board.number: TravellerRow(
                format_score(line), (_seat(line, Side.NS, scores), _seat(line, Side.EW, scores))
            )
            for traveller, line in found.lines_of.get(match.entrants[0], ())
            if line.match.number == match.number
        }


def _seat(line: PlayedLine, side: Side, scores: PairsUnit) -> PairSeat:
    return PairSeat(
        pair=line.pair(side),
        points=scores.on_board(line, side),
        level=scores.share_on_board(line, side),
        adjustment=_adjustment(line, side),
    )


def _adjustment(line: PlayedLine, side: Side) -> str:
    """Return the artificial score of a side in words, or the score that a ruling has assigned to it."""
    counted = line.counts(side)
    if counted is None or isinstance(counted, Average):
        return counted.value.replace("-", " ") if counted is not None else ""
    own = (r for r in line.rulings if r.kind is RulingKind.ASSIGNED_SCORE and r.team == line.pair(side))
    return next((describe_kind(ruling) for ruling in own), "")
