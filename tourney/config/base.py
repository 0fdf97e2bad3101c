"""The base class of the sections of an event file, and their common checks of texts and words."""

import enum
from collections.abc import Iterable, Iterator
from typing import Annotated, Any, Final, TypeAlias, TypeVar

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from tourney.config.values import check_text, clean_name, one_of

_T = TypeVar("_T")
_Enum = TypeVar("_Enum", bound=enum.StrEnum)


class Section(BaseModel):
    """A section: unknown keys are errors, nothing is converted silently."""

    model_config = ConfigDict(
        defer_build=True, extra="forbid", frozen=True, arbitrary_types_allowed=True, strict=True
    )

    def settings(self, kind: type[_T], **more: Any) -> _T:  # whatever the fields of the data class are
        """Make a data class of the settings that keep their name there; `more` has the others.

        A setting in seconds, such as `stall_s`, is the field in milliseconds of its name, `stall_ms`.
        """
        for name in kind.__dataclass_fields__:  # type: ignore[attr-defined] # of a data class
            in_seconds = f"{name.removesuffix('_ms')}_s"
            if hasattr(self, name):
                more.setdefault(name, getattr(self, name))
            elif name.endswith("_ms") and hasattr(self, in_seconds):
                more.setdefault(name, 1000 * getattr(self, in_seconds))
        return kind(**more)


class _ByValue:
    """Converts text of the file to a member of the annotated enum, which strict mode would refuse."""

    @staticmethod
    def __get_pydantic_core_schema__(kind: type[enum.StrEnum], handler: GetCoreSchemaHandler) -> CoreSchema:
        def convert(value: Any) -> Any:  # before pydantic has looked at the type
            if isinstance(value, str) and value in tuple(kind):
                return kind(value)
            raise ValueError(one_of(kind, value))

        return core_schema.no_info_before_validator_function(convert, handler(kind))


OneOf = Annotated[_Enum, _ByValue]
"""A word of the file, by the enum of the words that are allowed: `OneOf[PortPlan]`."""


def between(least: int, most: int) -> Any:  # as pydantic says
    """Limit a number of the file to those from the least to the most, as metadata of its type."""
    return Field(ge=least, le=most)


Problem: TypeAlias = tuple[str, str]
"""A value that does not fit the others: where it is (`team 2, name`, or a key of a section), and a sentence."""


Problems: TypeAlias = Iterator[Problem]


def refuse(problems: Iterable[Problem]) -> None:
    """Refuses a file in which values do not fit each other.

    Raises:
        ValueError: there is a problem; the message has a line for each.
    """
    if lines := "\n".join(f"{path}: {sentence}" for path, sentence in problems):
        raise ValueError(lines)


LIST_MAX: Final = 100
"""The most entries of a list of addresses, names or files."""

Text = Annotated[str, AfterValidator(check_text)]

Name = Annotated[str, AfterValidator(clean_name)]
"""The name of an event or a stage."""
