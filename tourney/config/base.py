"""What every section of an event file is made of: the base class, and texts and enums with their sentences."""

import enum
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict

from tourney.config.values import check_text, clean_name, shown


class Section(BaseModel):
    """A section: unknown keys are errors, nothing is converted silently."""

    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True, strict=True)


def member(kind: type[enum.StrEnum]) -> BeforeValidator:
    """Text of the file to a member of an enum; strict mode would refuse it."""

    def convert(value: Any) -> Any:  # before pydantic has looked at the type
        if isinstance(value, str) and value in tuple(kind):
            return kind(value)
        allowed = ", ".join(f'"{member.value}"' for member in kind)
        raise ValueError(f"allowed is one of {allowed}, got {shown(value)}")

    return BeforeValidator(convert)


Text = Annotated[str, AfterValidator(check_text)]

Name = Annotated[str, AfterValidator(clean_name)]
"""Of an event or a stage."""
