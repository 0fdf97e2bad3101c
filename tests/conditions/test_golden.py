"""The conditions of contest are the same word for word, but where a change of them was meant."""

from tests.conditions.test_conditions import (
    BASE,
    BEFORE,
    CHANGES,
    CHICAGO,
    ENTRANTS,
    FINAL,
    GROUPS,
    HOWELL,
    KNOCKOUT,
    LATER_KNOCKOUT,
    LEAGUE,
    MITCHELL,
    NO_BOARDS,
    ODD,
    OWN,
    SWISS,
    TABLE,
    event_file,
)
from tests.support.golden_outputs import check_outputs
from tourney.conditions.document import conditions_of, format_html, format_markdown
from tourney.config import EventConfig, parse_event_file
from tourney.resources import EXAMPLES, example_event_text

OTHERS = ("Beta", "Gamma", "Delta")
EIGHT = tuple(f"Team {number}" for number in range(2, 9))
SHAPES = {
    "three-teams": event_file({}, OTHERS[:2]),
    "eight-teams": event_file({}, EIGHT),
    "swiss-of-eight": event_file(SWISS, EIGHT),
    "knockout-of-seven": event_file(KNOCKOUT | {"stage.third_place": "true"}, EIGHT[:-1]),
    "knockout-of-one-round": event_file(KNOCKOUT | {"stage.rounds": "1"}, EIGHT),
    "gauntlet": event_file({"stage.format": '"gauntlet"'}, EIGHT),
    "gauntlet-in-one-round": event_file({"stage.format": '"gauntlet"', "stage.rounds": "1"}, OTHERS),
    "match": event_file({"stage.format": '"match"'}, OTHERS[:1]),
    "four-groups": event_file({"stage.groups": "4", "stage.format": '"double-round-robin"'}, EIGHT),
    "three-stages": event_file({BEFORE: GROUPS + LEAGUE, **FINAL}, OTHERS),
    "cup-after-groups": event_file({BEFORE: GROUPS, "stage.teams": "4", **KNOCKOUT}, EIGHT),
    "odd-names": event_file(ODD),
    "segments": event_file({"stage.segments": "4", "stage.seats": '"alternate"'}),
    "rights": event_file({"stage.seats": '"rights"', "team.open_room": '"east-west"'}),
    "own-scale": event_file(TABLE),
    "carry-over": event_file(
        LATER_KNOCKOUT | {"stage.carry_over.won": "0.5", "stage.carry_over.lost": "0.25", "stage.teams": "4"}, EIGHT
    ),
    "pairs-howell-odd": event_file(HOWELL | {ENTRANTS: "7", "stage.phantom": "true"}),
    "pairs-mitchell": event_file(MITCHELL | {"stage.scoring": '"cross-imps"', "tables.port_plan": '"per-pair"'}),
    "pairs-arrow-switch": event_file(
        MITCHELL | {ENTRANTS: "24", "stage.arrow_switch": "true", "stage.ties": '["boards-won", "lot"]'}
    ),
    "pairs-own-movement": event_file(OWN | {"stage.scoring": '"butler"', "rules.penalty": '"2 IMPs"'}),
    "pairs-barometer": event_file(HOWELL | {ENTRANTS: "20", "stage.barometer": "true"}),
    "pairs-after-teams": event_file({BEFORE: LEAGUE, **HOWELL, "stage.teams": "6", "stage.name": '"Final"'}),
    "board-a-match-odd": event_file({"stage.scoring": '"board-a-match"', "rules.penalty": '"0.5 VP"'}, OTHERS[:2]),
    "rubber-swiss": event_file(
        NO_BOARDS | SWISS | {"stage.game": '"rubber"', "stage.deals": "30", "stage.unfinished": '"both"'}, OTHERS[:2]
    ),
    "russian-knockout": event_file(
        NO_BOARDS | KNOCKOUT | {"stage.game": '"chicago"', "stage.scoring": '"russian"', "stage.chicagos": "2"}
    ),
    "chicago-duplicate": event_file(CHICAGO | {"stage.scoring": '"duplicate"'}),
    "estonian": event_file(CHICAGO | {"stage.scoring": '"estonian"'}),
    "chicago": event_file(CHICAGO | {"rules.penalty": '"100 points"'}),
    "carry-over-by-rank": event_file(LATER_KNOCKOUT | {"stage.carry_over.by_rank": "[10, 2.5]"}),
}


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
