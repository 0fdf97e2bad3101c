"""How an action of the director is offered: its names, who may ask for it, where, and whether it takes a reason."""

import enum
from dataclasses import dataclass


class Right(enum.Enum):
    """A thing that not every user of the console may do. To look at the console itself takes none."""

    HOLD = "pause and resume tables"
    ANSWER = "answer alerts"
    CONDUCT = "give orders and rulings"
    SEE_HANDS = "see hands, calls and cards"
    SEE_LOG = "read what others did at the console"
    ADMINISTER = "manage users, make results final or provisional"


class Level(enum.Enum):
    """What an action is offered beside; its form finds that filled in."""

    EVENT = "event"
    MATCH = "match"
    """The input `match` is filled in."""
    TABLE = "table"
    """The input `table` is filled in, with a place such as `3-open`."""
    USER = "user"
    """The input `user` is filled in."""
    USERS = "users"
    """The list of users."""


class Reason(enum.Enum):
    """Whether an action takes a reason, and who will read it."""

    NONE = "none"
    CONSOLE = "console"
    """For the log of the console; commands ask for none."""
    RECORD = "record"
    """It is kept on record with the action."""
    PUBLIC = "public"
    """It is on the public pages too, with the ruling."""


@dataclass(frozen=True, slots=True)
class Offer:
    """The words and the rules by which an action is offered.

    What it does is said in the docstring of the action: the first paragraph in its form, all of it in the help of its
    command.
    """

    title: str
    """What its button says."""
    right: Right = Right.CONDUCT
    level: Level = Level.TABLE
    reason: Reason = Reason.PUBLIC
    has_law: bool = True
    """Whether the law that is applied may be given with it."""
    asks_first: bool = False
    """Whether its command says what it costs, and asks whether it is meant."""
    instead: str = ""
    """What its command adds to what it costs."""
    undo: str = ""
    """The action that undoes it: the console then carries it out at one press, without a preview or a reason."""
    is_for_rounds: bool = False
    """Whether it is offered beside a round too, whose number its form then finds filled in as `round`."""
    tells_results: bool = False
    """Whether its preview and its outcome tell what boards were worth: users who belong to a team see neither."""
