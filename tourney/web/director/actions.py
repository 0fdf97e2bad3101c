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

from tourney.director.offer import Level, Reason, Right
from tourney.director.parameters import FilledForm, Input
from tourney.event.drawn import DrawnEvent
from tourney.results.load import ResultsChange
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
    """Whose new passphrase has to be typed twice; it is in no form but that, and on no page."""
    cost: str = ""
    """What somebody loses by it, or which rounds it changes; empty if neither."""


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
class ConsoleAction:
    """An action of the console."""

    name: str
    """The last part of its address: `pause`."""
    title: str
    """What its button says: `Pause`."""
    summary: str
    """What it does, in a sentence or two, above the form."""
    right: Right
    preview: Callable[[ActionRequest], Preview]
    carry_out: Callable[[ActionRequest], ActionOutcome]
    fields: tuple[Input, ...] = ()
    level: Level = Level.TABLE
    reason: Reason = Reason.CONSOLE
    is_offered: Callable[[DrawnEvent], bool] = lambda _: True
    """Whether there is something for it to be done to, so that its button is shown."""
    undo: str = ""
    """The action that undoes it, so that it is carried out at one press; empty if it is previewed first."""
    is_for_rounds: bool = False
    """Whether it is offered beside a round too."""
    tells_results: bool = False
    """Whether its preview and its outcome tell what boards were worth: users who belong to a team see neither."""

    @property
    def groups(self) -> list[tuple[str, list[Input]]]:
        """The fields by the heading above those that belong together, in their order; an empty one for the others."""
        return [(group, list(fields)) for group, fields in groupby(self.fields, key=lambda each: each.group)]
