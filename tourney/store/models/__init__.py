"""The schema. Nothing outside `store` sees these classes; migrations build what they describe.

Times named `*_at_ms` are milliseconds since 1970-01-01 UTC. Victory points are whole hundredths. Seats are
N, E, S, W. The natural key of a call or card is (table, board, attempt, seq): the database refuses a second one.
"""

from tourney.store.db.declaring import Model
from tourney.store.models.analyses import BoardAnalysis, PlayAnalysis
from tourney.store.models.desk import DeskLogRow, SessionRow, UserRow
from tourney.store.models.draw import (
    BoardRow,
    BoardSet,
    Bye,
    DealRow,
    Event,
    Host,
    Match,
    MatchResult,
    Round,
    StageEntry,
    StageRow,
    Team,
)
from tourney.store.models.kinds import OrderKind, StageWord, TableState, UserRole, WorkerState
from tourney.store.models.machines import LogPart, WorkerRow
from tourney.store.models.play import BoardAttempt, CallRow, CardRow, ConnectionRow, IncidentRow, ResultRow, TableRow
from tourney.store.models.rulings import AlertQuestion, DecisionRow, Finalisation, Order, Publication, RulingRow

__all__ = [
    "AlertQuestion",
    "BoardAnalysis",
    "BoardAttempt",
    "BoardRow",
    "BoardSet",
    "Bye",
    "CallRow",
    "CardRow",
    "ConnectionRow",
    "DealRow",
    "DecisionRow",
    "DeskLogRow",
    "Event",
    "Finalisation",
    "Host",
    "IncidentRow",
    "LogPart",
    "Match",
    "MatchResult",
    "Model",
    "Order",
    "OrderKind",
    "PlayAnalysis",
    "Publication",
    "ResultRow",
    "Round",
    "RulingRow",
    "SessionRow",
    "StageEntry",
    "StageRow",
    "StageWord",
    "TableRow",
    "TableState",
    "Team",
    "UserRole",
    "UserRow",
    "WorkerRow",
    "WorkerState",
]
