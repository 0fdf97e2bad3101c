"""What the store gives and takes: plain objects, free of SQL. The draw as it is stored is in `plans`."""

from tourney.store.objects.draw import (
    NO_CARRY,
    NO_VP,
    EntryInfo,
    EventInfo,
    MatchInfo,
    RoundInfo,
    SegmentInfo,
    StageInfo,
    TableInfo,
    TeamInfo,
)
from tourney.store.objects.play import (
    BoardRecord,
    BoardResult,
    CallRecord,
    CardRecord,
    StoredMatchScore,
    TableJob,
    TableProgress,
)
from tourney.store.objects.settings import HostSettings
from tourney.store.objects.watching import AttemptKey, LiveBoard, LiveTable, OrderInfo, QuestionInfo

__all__ = [
    "NO_CARRY",
    "NO_VP",
    "AttemptKey",
    "BoardRecord",
    "BoardResult",
    "CallRecord",
    "CardRecord",
    "EntryInfo",
    "EventInfo",
    "HostSettings",
    "LiveBoard",
    "LiveTable",
    "MatchInfo",
    "OrderInfo",
    "QuestionInfo",
    "RoundInfo",
    "SegmentInfo",
    "StageInfo",
    "StoredMatchScore",
    "TableInfo",
    "TableJob",
    "TableProgress",
    "TeamInfo",
]
