"""What an action of the director has to be told, declared once for commands and forms.

A field of an action is annotated with an `ActionParameter`. From it, `tourney.cli.director` makes an argument or an
option of a command, and `tourney.web.director.actions` the inputs of a form. What is special about a kind of
value, such as that a form asks each team of a match for its award, is said in the parameter and nowhere else.
"""

import enum
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from types import UnionType
from typing import Any, Final, TypeAlias, Union, get_args, get_origin, get_type_hints

from tourney.contest.draw import MatchInfo
from tourney.event.drawn import DrawnEvent

AUTHOR_MAX: Final = 100
"""Maximum length of a name in characters: the width of the database column."""

TEXT_MAX: Final = 500
"""Maximum length of a reason in characters: it is shown to players and printed in lists."""

Choices: TypeAlias = Sequence[tuple[str, str]]
"""Values of an input with what is shown for each."""


class InputKind(enum.Enum):
    """How an input of a form is filled in."""

    TEXT = "text"
    NUMBER = "number"
    CHOICE = "choice"
    TICK = "tick"
    """Given as `yes`, else as an empty text."""
    HIDDEN = "hidden"
    """A number that is not asked for: the preview gives it, so that what was seen is what is done."""


@dataclass(frozen=True)
class FilledForm:
    """A form as it is filled in so far."""

    drawn: DrawnEvent
    """The event as it is now; its database can be written to."""
    given: Mapping[str, str]
    """What was filled in, without blanks at the ends, by the name of the input."""

    def __getitem__(self, name: str) -> str:
        """What an input was given; an empty text if it was not."""
        return self.given.get(name, "")

    @property
    def match(self) -> MatchInfo | None:
        """The match that is filled in, as a number or as the place of a table; None if none is."""
        text = self["match"] or self["table"].partition("-")[0]
        return next((match for match in self.drawn.event.matches if str(match.number) == text), None)


@dataclass(frozen=True, slots=True)
class Input:
    """An input of a form."""

    name: str
    label: str
    kind: InputKind = InputKind.TEXT
    is_required: bool = True
    help: str = ""
    choices: Callable[[FilledForm], Choices] | None = None
    """For `InputKind.CHOICE`: what can be chosen, given what is filled in so far."""
    chars_max: int = TEXT_MAX
    """For `InputKind.TEXT`: how long it may be, which is the same on the command line."""
    own_label: Callable[[FilledForm], str | None] | None = None
    """The label where what is filled in so far gives a better one, such as the name of a team."""

    def label_for(self, form: FilledForm) -> str:
        """Return the label, given what is filled in so far."""
        return (self.own_label(form) if self.own_label is not None else None) or self.label


@dataclass(frozen=True, slots=True)
class ActionParameter:
    """How a field of an action is asked for. Without `argument` and `option` commands do not ask for it.

    Its type says the rest: whether an option is a flag, whether it may be left out, what kind of input it is.
    """

    argument: str = ""
    """Shown for it in the usage of a command: `MATCH`."""
    option: str = ""
    """The name of the option that it is: `--board`."""
    metavar: str = ""
    """Shown for the value of the option."""
    help: str = ""
    """What it means, for the option and the input."""
    name: str = ""
    """The name of its input, if that is not the one of the option or else of the field."""
    label: str = ""
    """The label of its input, if that is not its name."""
    choices: Callable[[FilledForm], Choices] | None = None
    """What can be chosen at the console, given what is filled in so far."""
    chars_max: int = TEXT_MAX
    inputs: tuple[Input, ...] = ()
    """Its inputs, where it has not the one that is made from the above."""
    convert: Callable[[str], Any] | None = None
    """Makes the value of a text, if it is neither a text nor a number."""
    read: Callable[[FilledForm], Any] | None = None
    """Makes the value of a form, if it is not just what the only input was given."""


@dataclass(frozen=True, slots=True)
class ActionField:
    """A field of an action, with its type and the way it is asked for."""

    name: str
    parameter: ActionParameter
    type: type
    """`str`, `int`, `bool` or a type of our own; of the elements where it `is_tuple`."""
    is_tuple: bool
    is_optional: bool
    """Whether it may be None."""

    @property
    def is_required(self) -> bool:
        """Whether it has to be given: it is no flag, and may be neither None nor nothing."""
        return not (self.is_optional or self.is_tuple or self.type is bool)

    @property
    def inputs(self) -> tuple[Input, ...]:
        """Its inputs at the console."""
        asked = self.parameter
        if asked.inputs or asked.read is not None:
            return asked.inputs
        name = asked.name or asked.option.removeprefix("--") or self.name
        is_flag, kind = self.type is bool, InputKind.TEXT
        if asked.choices is not None:
            kind = InputKind.CHOICE
        elif asked.convert is None and self.type in (bool, int):
            kind = InputKind.TICK if is_flag else InputKind.NUMBER
        return (
            Input(
                name,
                asked.help.removesuffix(".") if is_flag else asked.label or name.capitalize(),
                kind,
                self.is_required,
                "" if is_flag else asked.help,
                asked.choices,
                asked.chars_max,
            ),
        )

    def read(self, form: FilledForm) -> Any:
        """Return the value of a form that has been checked.

        Raises:
            UsageError: the inputs do not go together, or what is named is not there.
        """
        if self.parameter.read is not None:
            return self.parameter.read(form)
        (only,) = self.inputs
        text = form[only.name]
        if self.type is bool:
            return bool(text)
        return self.convert(text) if text or not self.is_optional else None

    def convert(self, text: str) -> Any:
        """Return the value of a text.

        Raises:
            UsageError: it cannot be read.
        """
        if self.parameter.convert is not None:
            return self.parameter.convert(text)
        return int(text) if self.type is int else text


def action_fields(action: type[Any]) -> tuple[ActionField, ...]:
    """Return the fields of an action that are asked for, in their order."""
    hints = get_type_hints(action, include_extras=True)
    found = []
    for field in fields(action):
        hint, *marks = get_args(hints[field.name]) or (hints[field.name],)
        parameter = next((mark for mark in marks if isinstance(mark, ActionParameter)), None)
        if parameter is None:
            continue
        is_optional = get_origin(hint) in (Union, UnionType)
        if is_optional:
            hint = next(each for each in get_args(hint) if each is not type(None))
        is_tuple = get_origin(hint) is tuple
        if is_tuple:
            hint = get_args(hint)[0]
        found.append(ActionField(field.name, parameter, hint, is_tuple, is_optional))
    return tuple(found)


# What several actions ask for


def teams(form: FilledForm) -> Choices:
    """Return the teams of the match that is filled in, or of the event if none is."""
    match = form.match
    names = match.teams if match is not None else form.drawn.event.team_names
    return [(name, name) for name in names]


TABLE: Final = ActionParameter("MATCH-ROOM", name="table", help="such as 3-open")
MATCH: Final = ActionParameter("MATCH")
BOARD: Final = ActionParameter("BOARD")
TEAM: Final = ActionParameter("TEAM", choices=teams)
