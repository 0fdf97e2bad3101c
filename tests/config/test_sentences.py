"""Every part of the event file wrong in turn: the place, what is allowed, and what was found."""

import pytest

from tests.config.test_file import LEAST, file, parse, teams
from tests.support.refusals import file_of, problems_of, refusals
from tourney.config import EventConfig
from tourney.config.reader import section_models

UNSAFE = "team 2, name: a team name has only characters that a file name may have"


def with_part(part: str, text: str) -> str:
    """An event file of which one part is this: a section, the second team's name, the stages of so many."""
    if part == "whole file":
        return text
    if part == "name":
        return LEAST.replace('name = "A"', 'name = "Alpha"').replace('name = "B"', text)
    return file(**{part: text}) if part.isalpha() else file_of(part, text)


@pytest.mark.parametrize(
    ("part", "text", "sentences"),
    [
        *refusals("event_file"),
        ("name", "name = 'a\N{RIGHT-TO-LEFT OVERRIDE}b'", [f"{UNSAFE}, got '\\u202e' in 'a\\u202eb'"]),
        ("team", f"allow = {['10.0.0.7'] * 101}", ["team 2, allow: a list of at most 100 is allowed, got 101"]),
    ],
)
def test_what_is_wrong_in_an_event_file_is_told_with_its_place_the_limit_and_what_it_has(
    part: str, text: str, sentences: list[str]
) -> None:
    assert problems_of(with_part(part, text)) == sentences


def command(text: str) -> str:
    return file(team=f"command = {text}")


LATIN, ASCII = '[team.wire]\ncharset = "latin-1"', '[team.wire]\ncharset = "ascii"'


def two_teams(name: str, more: str, other: str, more_of_other: str) -> str:
    text = f'[event]\nname = "Cup"\n[[team]]\nname = "{name}"\n{more}\n'
    return text + f'[[team]]\nname = "{other}"\n{more_of_other}\n[[stage]]\nboards_per_match = 1\n'


@pytest.mark.clause("BC-10")
@pytest.mark.parametrize(
    "text",
    [
        two_teams("Zürich", "", "Łódź", ""),
        two_teams("Zürich", LATIN, "Øresund", LATIN),
        two_teams("Zürich", "", "東京", 'profile = "ben"'),
        two_teams("Zurich", ASCII, "Beta", 'profile = "blue-chip"'),
    ],
)
def test_names_may_have_letters_that_every_team_can_be_sent(text: str) -> None:
    assert len(parse(text).team) == 2


@pytest.mark.clause("BC-10")
@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (two_teams("Łódź", LATIN, "B", ""), "'Łódź' has letters that cannot be sent to its own programs, {} latin-1"),
        (
            two_teams("Zürich", "", "B", ASCII),
            "'Zürich' has letters that cannot be sent to team 2's programs, {} ascii",
        ),
        (
            two_teams("Zürich", "", "B", 'profile = "blue-chip"'),
            "'Zürich' has letters that cannot be sent to team 2's programs, {} ascii",
        ),
    ],
)
def test_names_with_letters_that_a_team_cannot_be_sent_are_told(text: str, problem: str) -> None:
    assert problems_of(text) == [f"team 1, name: {problem.format('whose charset is')}"]


def test_a_name_is_composed_as_programs_send_it() -> None:
    assert problems_of(two_teams("Zürich", "", "Zu\N{COMBINING DIAERESIS}rich", "")) == [
        "team 2, name: names must differ in more than case: 'Zürich' is that of team 1"
    ]


@pytest.mark.parametrize("entrant", ["pair", "player"])
@pytest.mark.parametrize("key", ['open_room = "east-west"', "enters = 2"])
def test_a_pair_and_a_player_have_no_keys_of_two_rooms_or_of_late_teams(entrant: str, key: str) -> None:
    entrants = teams(8).replace("team", entrant) + f'command = "a"\n{key}\n'
    name, found = (
        key.partition(" ")[0],
        problems_of(f'[event]\nname = "Cup"\n{entrants}[[stage]]\nformat = "howell"\n'),
    )
    assert f"{entrant} 8, {name}: it is a key of [[team]], a {entrant} has none" in found
    assert not [problem for problem in found if problem.startswith("team")]


LIMITED = [
    (
        section,
        key,
        *sorted(
            limit
            for each in field.metadata
            for limit in (getattr(each, "ge", None), getattr(each, "le", None))
            if limit is not None
        ),
    )
    for section, model in section_models(EventConfig).items()
    for key, field in model.model_fields.items()
    if section not in ("event", "team", "pair", "player", "stage", "lobby")
    and len(field.metadata) > 1
    and field.annotation is int
]
"""The whole numbers of sections that stand by themselves, each with its least and most."""


@pytest.mark.parametrize(("section", "key", "least", "most"), LIMITED)
def test_a_whole_number_is_within_its_limits(section: str, key: str, least: int, most: int) -> None:
    for value, sentence in (
        (least - 1, f"at least {least} is allowed, got {least - 1}"),
        (most + 1, f"at most {most} is allowed, got {most + 1}"),
        ("0.5", "expected a whole number, got 0.5"),
        ("'all'", "expected a whole number, got 'all'"),
    ):
        assert problems_of(f"{LEAST}[{section}]\n{key} = {value}") == [f"{section}, {key}: {sentence}"]
    for value in (least, most) if section != "stateful" else (most,):
        assert getattr(getattr(parse(f"{LEAST}[{section}]\n{key} = {value}"), section), key) == value


def test_the_number_of_stages() -> None:
    most = "".join(f"name = 'Stage {number}'\n[[stage]]\n" for number in range(1, 20))
    assert len(parse(file(stage=most)).stage) == 20
    assert problems_of(file(stage=f"{most}name = 'Stage 20'\n[[stage]]")) == [
        "stage: an event has 1 to 20 stages, got 21"
    ]
    assert problems_of("stage = []\n" + LEAST.replace("[[stage]]", "")) == [
        "stage: an event has 1 to 20 stages, got 0"
    ]


@pytest.mark.parametrize(
    ("plan", "at_once", "side_by_side", "needed"),
    [("per-table", 16, 3, 6), ("per-table", 2, 2, 4), ("per-seat", 16, 3, 24), ("per-seat", 1, 1, 8)],
)
def test_ports_for_the_matches_side_by_side(plan: str, at_once: int, side_by_side: int, needed: int) -> None:
    def text(last: int) -> str:
        tables = f'port_plan = "{plan}"\nat_once = {at_once}\nports = "2000-{last}"'
        return f'[event]\nname = "Cup"\n{teams(7)}[[stage]]\n[tables]\n{tables}\n'

    assert len(parse(text(2000 + needed - 1)).tables.ports) == needed
    assert problems_of(text(2000 + needed - 2)) == [
        f"tables, ports: {side_by_side} matches side by side need {needed} ports, "
        f"2000-{2000 + needed - 2} has {needed - 1}"
    ]


def test_long_values_are_cut_in_messages() -> None:
    (problem,) = problems_of(command(f"'{'x' * 500} {{'"))
    assert len(problem) < 200
    (problem,) = problems_of(file(deals=f"seed = '{'9' * 5000}'"))
    assert problem == f"deals, seed: expected a whole number, got '{'9' * 56}..."
