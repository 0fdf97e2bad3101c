"""The event file (TOML) as checked plain objects. Text in, objects out: files are read elsewhere.

The models need pydantic, which takes as long to load as the rest of the command line, so they are imported when they
are first asked for. Words and values that other rooms use as well are plain.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from tourney.config.values import (
    CardPlay,
    Durability,
    EarlyLeavers,
    OpenRoomSide,
    PortPlan,
    PortRange,
    Processes,
    SandboxKind,
    slug,
)

if TYPE_CHECKING:
    from tourney.config.event import DealsConfig, EventConfig, EventSection
    from tourney.config.reader import parse_event_file
    from tourney.config.stages import StageConfig
    from tourney.config.tables import TablesConfig
    from tourney.config.team import TeamConfig

_WITH_PYDANTIC: Final = {
    "DealsConfig": "event",
    "EventConfig": "event",
    "EventSection": "event",
    "StageConfig": "stages",
    "TablesConfig": "tables",
    "TeamConfig": "team",
    "parse_event_file": "reader",
}
"""Modules of this folder by name."""

__all__ = [
    "CardPlay",
    "DealsConfig",
    "Durability",
    "EarlyLeavers",
    "EventConfig",
    "EventSection",
    "OpenRoomSide",
    "PortPlan",
    "PortRange",
    "Processes",
    "SandboxKind",
    "StageConfig",
    "TablesConfig",
    "TeamConfig",
    "parse_event_file",
    "slug",
]


def __getattr__(name: str) -> Any:  # PEP 562; what checks types reads the imports above
    if name not in _WITH_PYDANTIC:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_WITH_PYDANTIC[name]}"), name)
