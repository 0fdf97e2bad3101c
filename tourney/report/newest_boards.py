"""The boards of the newest stage that has any to show, in an event with team and pairs stages.

Of a round that is asked for, the boards are shown as its stage is scored; this is for a command that names none.
"""

from tourney.event.drawn import DrawnEvent
from tourney.report import boards, travellers
from tourney.report.boards import BoardComparisons
from tourney.report.travellers import TravellersReport
from tourney.results.travellers import load_travellers


def load(
    drawn: DrawnEvent, *, board: int | None = None, round_number: int | None = None
) -> BoardComparisons | TravellersReport:
    """Load the boards of the newest round of matches, or the travellers of a later pairs stage that has begun.

    Raises:
        ConfigError: something is wrong with the event file, which says how pairs are ranked.
        StoreError: the database cannot be used.
        UsageError: there is no such board.
    """
    if not any(stage.format.has_rooms for stage in drawn.event.stages):
        return travellers.load(drawn, board=board, round_number=round_number)
    found = load_travellers(drawn.database, drawn.event, drawn.ranking_rules, drawn.movements)
    of_pairs = max((stage.stage.rounds[0].number for stage in found if stage.travellers), default=0)
    of_teams = boards.newest_round(drawn.database, drawn.event)
    load_boards = travellers.load if of_pairs > of_teams else boards.load
    return load_boards(drawn, board=board, round_number=round_number)
