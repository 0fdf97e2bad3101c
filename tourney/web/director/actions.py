"""What an action of the desk is: its form, what it would do, and doing it.

An action is registered by its entry in `registry.ACTIONS`. From there on the desk does the rest: the form at
`/desk/do/NAME`, who may send it, the preview, the word to be typed for a grave one, that a form is carried out once
however often it is sent, the log, and the outcomes of the orders that it gave.

`preview` and `carry_out` run on the desk's thread with a database that they may write to. Both raise a `TourneyError`
for what is refused: its sentence is shown beside the form, and nothing is lost of what was typed. `carry_out` is only
called after `preview` of the same errand, which therefore checks everything that can be checked.
"""

import enum
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from tourney.director.action import TEXT_MAX
from tourney.event.drawn import DrawnEvent
from tourney.results.load import ResultsChange
from tourney.store.desk.users import DeskUser
from tourney.store.draw.objects import MatchInfo
from tourney.web.director.access import Right

Choices: TypeAlias = Sequence[tuple[str, str]]
"""Values of a field with what is shown for each."""


class FieldKind(enum.Enum):
    """How a field of a form is filled in."""

    TEXT = "text"
    NUMBER = "number"
    LONG_TEXT = "long text"
    CHOICE = "choice"
    TICK = "tick"
    """Given as `yes`, else as an empty text."""
    HIDDEN = "hidden"
    """A number that is not asked for: the preview gives it, so that what was seen is what is done."""


class Level(enum.Enum):
    """What an action is offered beside; its form finds that filled in."""

    EVENT = "event"
    MATCH = "match"
    """The field `match` is filled in."""
    TABLE = "table"
    """The field `table` is filled in, with a place such as `3-open`."""
    USER = "user"
    """The field `user` is filled in."""
    USERS = "users"
    """The list of users."""


class Reason(enum.Enum):
    """Whether an action takes a reason, and who will read it."""

    NONE = "none"
    DESK = "desk"
    """For the log of the desk."""
    PUBLIC = "public"
    """It is on the public pages too, with the ruling."""


@dataclass(frozen=True, slots=True)
class FormField:
    """A field of the form of an action."""

    name: str
    label: str
    kind: FieldKind = FieldKind.TEXT
    is_required: bool = True
    help: str = ""
    choices: Callable[["Errand"], Choices] | None = None
    """For `FieldKind.CHOICE`: what can be chosen, given what is filled in so far."""
    chars_max: int = TEXT_MAX
    """For `FieldKind.TEXT`: how long it may be, which is the same on the command line."""
    own_label: Callable[["Errand"], str | None] | None = None
    """The label where what is filled in so far gives a better one, such as the name of a team."""

    def label_for(self, errand: "Errand") -> str:
        """Return the label, given what is filled in so far."""
        return (self.own_label(errand) if self.own_label is not None else None) or self.label


@dataclass(frozen=True)
class Errand:
    """A user who wants something done."""

    drawn: DrawnEvent
    """The event as it is now; its database can be written to."""
    user: DeskUser
    given: Mapping[str, str]
    """What was filled in, without blanks at the ends, by the name of the field."""
    reason: str
    now_ms: int
    phrase: str = field(default="", repr=False)
    """The pass phrase that came with the confirmation, where `Preview.phrase_of` asked for one."""
    request_id: str = ""
    """The number of the form that was confirmed: what it asks for is done once."""

    def __getitem__(self, name: str) -> str:
        """What a field was given; an empty text if it was not."""
        return self.given.get(name, "")

    @property
    def author(self) -> str:
        """The author of orders and rulings."""
        return self.user.name


@dataclass(frozen=True, slots=True)
class Preview:
    """What an action would do."""

    subject: str
    """What it is done to, for the log: `3-open`, `match 7, board 5`."""
    lines: tuple[str, ...]
    """What will come of it, a sentence each: `match 7: 26-10 becomes 23-13`."""
    matches: tuple[MatchInfo, ...] = ()
    """The matches that it decides on: users who belong to one of their teams may not do it."""
    must_type: str | None = None
    """What has to be typed to show that a grave action is meant, such as the name of a team."""
    filled: Mapping[str, str] = field(default_factory=dict)
    """Fields that were left open, with what they stand for at the moment: the board in play, the call that waits.

    They are sent when it is confirmed, as by then they could stand for something else.
    """
    words: tuple[str, ...] = ()
    """A ruling itself, a sentence each; they come before `lines`, and tell nothing of results."""
    change: ResultsChange | None = None
    """What it would change of the results, from which the page says what becomes of the standings."""
    phrase_of: str | None = None
    """Whose new pass phrase has to be typed twice; it is in no form but that, and on no page."""


@dataclass(frozen=True, slots=True)
class ActionOutcome:
    """What was done."""

    text: str
    """A sentence for the log and the user."""
    orders: tuple[int, ...] = ()
    """Orders to tables, by id; what the tables make of them is shown as soon as it is known."""
    is_now_or_never: bool = False
    """Whether the orders make sense only now: they are withdrawn if no host acts on them within some seconds."""


@dataclass(frozen=True, slots=True)
class DeskAction:
    """An action of the desk."""

    name: str
    """The last part of its address: `pause`."""
    title: str
    """What its button says: `Pause`."""
    summary: str
    """What it does, in a sentence or two, above the form."""
    right: Right
    preview: Callable[[Errand], Preview]
    carry_out: Callable[[Errand], ActionOutcome]
    fields: tuple[FormField, ...] = ()
    level: Level = Level.TABLE
    reason: Reason = Reason.DESK
    is_offered: Callable[[DrawnEvent], bool] = lambda _: True
    """Whether there is something for it to be done to, so that its button is shown."""
    whole_title: str = ""
    """What its button says beside the whole event; empty if it is not done to all tables at once."""
    tells_results: bool = False
    """Whether its preview and its outcome tell what boards were worth: users who belong to a team see neither."""
