"""What an action of the console is: its form, what it would do, and doing it.

An action is registered by its entry in `registry.ACTIONS`. From there on the console does the rest: the form at
`/director/do/NAME`, who may send it, the preview, the word to be typed for a grave one, that a form is carried out
once however often it is sent, the log, and the outcomes of the orders that it gave.

`preview` and `carry_out` run on the console's thread with a database that they may write to. Both raise a
`TourneyError` for what is refused: its sentence is shown beside the form, and nothing is lost of what was typed.
`carry_out` is only called after `preview` of the same request, which therefore checks everything that can be checked.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import groupby

from tourney.director.action import ActionBegun, ActionPreview
from tourney.director.offer import Offer
from tourney.director.parameters import FilledForm, Input
from tourney.event.drawn import DrawnEvent
from tourney.store.draw.objects import MatchInfo
from tourney.store.users import ConsoleUser


@dataclass(frozen=True)
class ActionRequest(FilledForm):
    """A user who wants something done, with the form as it is filled in so far."""

    user: ConsoleUser
    reason: str
    now_ms: int
    phrase: str = field(default="", repr=False)
    """The passphrase that came with the confirmation, where `Preview.phrase_of` asked for one."""
    request_id: str = ""
    """The number of the form that was confirmed: what it asks for is done once."""

    @property
    def author(self) -> str:
        """The author of orders and rulings."""
        return self.user.name


@dataclass(frozen=True, slots=True)
class Preview:
    """What an action would do."""

    subject: str
    """What it is done to, for the log: `3-open`, `match 7, board 5`."""
    shown: ActionPreview
    """What will come of it, in words."""
    matches: tuple[MatchInfo, ...] = ()
    """The matches that it decides on: users who belong to one of their teams may not do it."""
    must_type: str | None = None
    """What has to be typed to show that a grave action is meant, such as the name of a team."""
    filled: Mapping[str, str] = field(default_factory=dict)
    """Fields that were left open, with what they stand for at the moment: the board in play, the call that waits.

    They are sent when it is confirmed, as by then they could stand for something else.
    """
    phrase_of: str | None = None
    """Whose new passphrase has to be typed twice; it is in no form but that, and on no page."""


@dataclass(frozen=True, slots=True)
class ConsoleAction:
    """An action of the console."""

    name: str
    """The last part of its address: `pause`."""
    offer: Offer
    """Its words, and who may ask for it where."""
    summary: str
    """What it does, in a sentence or two, above the form."""
    preview: Callable[[ActionRequest], Preview]
    carry_out: Callable[[ActionRequest], ActionBegun]
    fields: tuple[Input, ...]
    is_offered: Callable[[DrawnEvent], bool]
    """Whether there is something for it to be done to, so that its button is shown."""

    @property
    def groups(self) -> list[tuple[str, list[Input]]]:
        """The fields by the heading above those that belong together, in their order; an empty one for the others."""
        return [(group, list(fields)) for group, fields in groupby(self.fields, key=lambda each: each.group)]
