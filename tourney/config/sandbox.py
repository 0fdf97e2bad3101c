"""`[sandbox]`: the sandbox around the programs that tourney starts, and what one of them may use up."""

from typing import Annotated, Any, Final

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from tourney.config.base import OneOf, Section, Text
from tourney.config.command import check_wrapper
from tourney.config.values import SandboxKind

ENTRIES_MAX: Final = 100


def _entries(value: Any) -> Any:  # before pydantic has looked at the type
    if isinstance(value, list) and len(value) > ENTRIES_MAX:
        raise ValueError(f"at most {ENTRIES_MAX} are allowed, got {len(value)}")
    return value


_Texts = Annotated[list[Text], BeforeValidator(_entries)]


class SandboxConfig(Section):
    """`[sandbox]`."""

    kind: OneOf[SandboxKind] | None = None
    """What programs that tourney starts are kept from.

    - `"bubblewrap"`: each program sees the system's own folders, read-only, the files that its command names, and a
      folder of its own. It reaches its table and nothing else on any network, and sees no other process. Needs
      `bwrap`, which Linux distributions call bubblewrap.
    - `"command"`: each program is started by `command`, such as that of a container or `sudo -u`.
    - `"none"`: they run as the user who runs the event, with all its rights.

    By default `"bubblewrap"` where it works, which is tried at the start of a run, and otherwise `"none"`; in a duel
    `"none"`.
    """
    command: Annotated[Text, AfterValidator(check_wrapper)] | None = None
    """With `kind = "command"`: the command that starts a program, with the word `{command}` where its own words
    go. It may have any of the names in braces that a team's command may have:
    `"podman run --rm --network=host --volume={folder}:{folder} bridge {command}"`."""
    readable: _Texts | None = None
    """With `kind = "bubblewrap"`: files and folders that all programs may read besides those that their commands
    name, such as what a script starts or opens. Devices may be among them, such as `"/dev/nvidia0"`."""
    memory_mb: Annotated[int, Field(ge=16, le=10_000_000)] | None = None
    """The memory that a program may take, with all that it starts, in megabytes. Files in `/tmp` and `/dev/shm` count
    with `kind = "bubblewrap"`, which keeps them in memory. A program that takes more is ended, as if it had crashed.
    By default there is no limit."""
    disk_mb: Annotated[int, Field(ge=1, le=10_000_000)] | None = None
    """The disk space that a program may take in its own folder, in megabytes, with what is there from earlier starts.
    A file or folder counts 4 kB at least. A program that takes more is ended, as if it had crashed. By default there
    is no limit."""

    @model_validator(mode="after")
    def _command_of_its_kind(self) -> "SandboxConfig":
        if (self.kind is SandboxKind.COMMAND) != (self.command is not None):
            raise ValueError('kind = "command" and command belong together: give both or neither')
        return self
