"""Enumerations that the database stores, and how it stores them."""

import enum

from sqlalchemy import Enum


class StageWord(enum.StrEnum):
    """The values of `stages.format`. Any other format is stored as `OTHER`; the event's `plan` has its name."""

    ROUND_ROBIN = "round-robin"
    DOUBLE_ROUND_ROBIN = "double-round-robin"
    SWISS = "swiss"
    KNOCKOUT = "knockout"
    GAUNTLET = "gauntlet"
    MATCH = "match"

    OTHER = "match"


class TableState(enum.StrEnum):
    """The state of a table."""

    WAITING = "waiting"
    """No host has it: its round has not begun, or it was stopped and may continue."""
    ASSIGNED = "assigned"
    """Given to a host, which has not opened it yet."""
    OPEN = "open"
    """Its ports are open and it waits for players."""
    PLAYING = "playing"
    FINISHED = "finished"
    FAILED = "failed"
    """It could not be opened or played on; `reason` says why. A new run tries again."""


class OrderKind(enum.StrEnum):
    """A director's order to a running table."""

    PAUSE = "pause"
    RESUME = "resume"
    STOP = "stop"
    """End the table's session; the current board stays unfinished."""
    KICK = "kick"
    """End the connection of one seat."""
    REPLAY = "replay"
    """Play a board again under its number; its former result stays on record."""
    ALERT = "alert"
    """The operator's answer to whether a call is alertable (BC-27)."""


class WorkerState(enum.StrEnum):
    """The state of a worker of a cluster."""

    WORKING = "working"
    GONE = "gone"
    """It has left, or the scheduler has lost it; hosts that it started may play on."""


class UserRole(enum.StrEnum):
    """What a user of the director's desk may do."""

    ORGANISER = "organiser"
    """Everything: also users, and making results final."""
    DIRECTOR = "director"
    """Tables, orders, rulings and alert answers."""
    OPERATOR = "operator"
    """Alert answers, pausing and resuming; sees no hands."""


def stored_enum(kind: type[enum.StrEnum], name: str) -> Enum:
    """Stored by value, with a check, the same on every database; a native type could not be altered later."""
    return Enum(
        kind,
        name=name,
        native_enum=False,
        create_constraint=True,
        length=20,
        values_callable=lambda members: [member.value for member in members],
    )
