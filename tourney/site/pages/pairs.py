"""Pairs stages as the pages show them: where their boards have pages, and what the tables of a round have."""

from collections.abc import Mapping

from tourney.contest.draw import MatchInfo
from tourney.results.travellers import PlayedLine, StageTravellers
from tourney.site import urls
from tourney.site.public import PublicView
from tourney.views.pair_figures import PairsUnit, pairs_unit


class PairsViews:
    """The pairs stages of an event."""

    def __init__(self, view: PublicView) -> None:
        self._view = view
        self.stages: Mapping[int, StageTravellers] = {found.stage.number: found for found in view.travellers}
        """Those that have begun, by number."""

    # Where pages are

    def page_of(self, stage: int, board: int) -> str:
        """Return the address of the page of a board."""
        form = urls.STAGE_TRAVELLER if len(self._view.event.stages) > 1 else urls.TRAVELLER
        return form.format(stage=stage, board=board)

    @property
    def shown(self) -> list[tuple[int, int]]:
        """The boards that count: the number of the stage, and of the board."""
        return [(number, board) for number, stage in self.stages.items() for board in stage.by_board]

    # Views

    def unit(self, stage: int) -> PairsUnit:
        """Return what scores of a stage that has begun are shown in."""
        return pairs_unit(self.stages[stage].scoring, self._view.report_settings.matchpoints)

    def lines_at(self, match: MatchInfo) -> dict[int, PlayedLine]:
        """Return what a table in a round has on each board that counts, by its number."""
        found = self.stages.get(match.stage)
        lines = ((each, line) for each in found.travellers for line in each.lines) if found is not None else ()
        return {each.board.number: line for each, line in lines if line.match.number == match.number}
