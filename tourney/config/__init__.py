"""The event file (TOML) as checked plain objects. Text in, objects out: files are read elsewhere."""

from tourney.config.model import (
    DealsConfig,
    EventConfig,
    EventSection,
    OpenRoomSide,
    SharedDeals,
    TablesConfig,
    TeamConfig,
)
from tourney.config.reader import parse_event_file
from tourney.config.stages import EarlyLeavers, StageConfig, StageFormat
from tourney.config.values import PortPlan, PortRange, slug

__all__ = [
    "DealsConfig",
    "EarlyLeavers",
    "EventConfig",
    "EventSection",
    "OpenRoomSide",
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
