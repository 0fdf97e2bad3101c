"""What of an event file says where the record of the event is: enough for whoever only reads that."""

from dataclasses import dataclass
from typing import Any

from tourney.config.toml import load_toml
from tourney.config.values import check_text, clean_name, slug


@dataclass(frozen=True, slots=True)
class EventNames:
    """The event and where it is kept, as `[event]` says it."""

    event: str
    results: str | None = None
    database: str | None = None
    has_own_scales: bool = False
    """Whether the file has victory-point scales of the organiser's own."""

    @property
    def results_folder(self) -> str:
        """As the file has it, else `results/<name>`; relative to the folder of the event file."""
        return self.results or f"results/{slug(self.event)}"


def parse_event_names(text: str, name: str) -> EventNames | None:
    """The names of an event file; None when there is something wrong with them, which `parse_event_file` says.

    Args:
        text: TOML. Nothing else in it is looked at.
        name: what to call the file in messages.

    Raises:
        EventFileError: it is no TOML.
    """
    data = load_toml(text, name)
    section = data.get("event")
    if not isinstance(section, dict):
        return None
    texts = [section.get(key) for key in ("results", "database")]
    try:
        event = clean_name(_expect_text(section.get("name")))
        results, database = (None if text is None else check_text(_expect_text(text)) for text in texts)
    except ValueError:
        return None
    return EventNames(event, results, database, bool(data.get("vp_table")))


def _expect_text(value: Any) -> str:  # of TOML
    if not isinstance(value, str):
        raise ValueError("text in quotes is asked for")  # noqa: TRY004 # as all that is wrong with a value
    return value
