"""The conditions of contest are the same word for word, but where a change of them was meant."""

from tests.conditions.test_conditions import BASE, CHANGES, event_file, read_lines
from tests.support.golden_outputs import check_outputs
from tourney.conditions.document import conditions_of, format_html, format_markdown
from tourney.config import EventConfig, parse_event_file
from tourney.resources import EXAMPLES, example_event_text

SHAPES = {}
"""Events of every shape, by name: behind it the other teams, if they are not the usual ones."""
for _line, _settings in read_lines("shapes"):
    _name, _, _others = _line.partition(":")
    SHAPES[_name] = event_file(_settings, *([tuple(_others.strip().split(", "))] if _others else []))


def outputs_of(configs: dict[str, EventConfig], commitment: str | None = None) -> dict[str, str]:
    texts: dict[str, str] = {}
    for name, config in configs.items():
        conditions = conditions_of(config, commitment)
        texts |= {f"{name}.md": format_markdown(conditions), f"{name}.html": format_html(conditions)}
    return texts


def test_conditions_of_the_example_event_files_are_as_before() -> None:
    configs = {name: parse_event_file(example_event_text(name), f"{name}.toml") for name in EXAMPLES}
    texts = outputs_of(configs)
    check_outputs("conditions-examples", texts, tuple(f"{name}.md" for name in configs))


WHOLE = (
    *("three-stages.md", "cup-after-groups.md", "swiss-of-eight.md", "gauntlet.md", "carry-over.md"),
    *("pairs-mitchell.md", "pairs-after-teams.md", "board-a-match-odd.md", "rubber-swiss.md", "russian-knockout.md"),
    "estonian.md",
)


def test_conditions_of_events_of_every_shape_are_as_before() -> None:
    check_outputs("conditions-shapes", outputs_of(SHAPES), WHOLE)
    check_outputs("conditions-sealed", outputs_of({"sealed": SHAPES["three-teams"]}, "ab" * 32))


def test_conditions_of_every_setting_are_as_before() -> None:
    configs = {}
    for place, (with_it, value) in CHANGES.items():
        settings = with_it | {place: value}
        removed = {key: "" for key, setting in settings.items() if not setting}
        if not removed.keys() & BASE.keys():
            configs[place] = event_file(settings)
    check_outputs("conditions-settings", outputs_of(configs))
