"""The event file (TOML) as checked plain objects. Text in, objects out: files are read elsewhere."""

from tourney.config.model import (
    DealsConfig,
    EarlyLeavers,
    EventConfig,
    EventSection,
    SharedDeals,
    StageConfig,
    StageFormat,
    TablesConfig,
    TeamConfig,
)
from tourney.config.reader import parse_event_file
from tourney.config.values import PortPlan, PortRange, slug

__all__ = [
    "DealsConfig",
    "EarlyLeavers",
    "EventConfig",
    "EventSection",
    "PortPlan",
    "PortRange",
    "SharedDeals",
    "StageConfig",
    "StageFormat",
    "TablesConfig",
    "TeamConfig",
    "parse_event_file",
    "slug",
]
