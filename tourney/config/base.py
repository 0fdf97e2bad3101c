"""The base class of the sections of an event file, and their common checks of texts and words."""

import enum
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict

from tourney.config.values import check_text, clean_name, one_of


class Section(BaseModel):
    """A section: unknown keys are errors, nothing is converted silently."""

    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True, strict=True)


def member(kind: type[enum.StrEnum]) -> BeforeValidator:
    """Returns a validator that converts text of the file to a member of an enum, which strict mode would refuse."""

    def convert(value: Any) -> Any:  # before pydantic has looked at the type
        if isinstance(value, str) and value in tuple(kind):
            return kind(value)
        raise ValueError(one_of(kind, value))

    return BeforeValidator(convert)


Text = Annotated[str, AfterValidator(check_text)]

Name = Annotated[str, AfterValidator(clean_name)]
"""The name of an event or a stage."""
