"""A whole event file: what it may say, what it says when it does not, and all that is wrong at once."""

import tomllib
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from pydantic import BaseModel

from tests.support.refusals import problems_of
from tourney.config import (
    EventConfig,
    PortRange,
    parse_event_file,
)
from tourney.config.reader import section_models
from tourney.config.team import TeamConfig
from tourney.contest import ROUND_ROBIN
from tourney.protocol.session.records import RulingKind
from tourney.protocol.session.rules import Penalty
from tourney.resources import example_event_text
from tourney.scoring.victory_points import VpHundredths

FULL = """
[event]
name = "Spring Cup 2026"
results = "out/spring"
database = "sqlite:///out/spring.db"

[[team]]
name = "Alpha"
command = "tourney bot --host {host} --port {port} --seat {seat} --team {team}"

[[team]]
name = "Beta"
profile = "tourney"

[[team]]
name = "Gamma Rays"

[[stage]]
name = "All play all"
format = "round-robin"
boards_per_match = 24
vp_scale = "wbf-discrete"
starts = [2026-11-21T14:00:00Z, 2026-11-21T16:30:00+01:00, 2026-11-22T09:00:00.5Z]
tie_breaks = ["head-to-head-vp", "lot"]

[deals]
seed = 20261121
shared = "match"

[tables]
host = "0.0.0.0"
ports = "2000-4999"
port_plan = "per-seat"
trick_pause_ms = 0
at_once = 16
wire_log = false
connect_s = 30

[vp_table.house]
steps = [[0, 10, 10], [3, 12.5, 7.5], [30, 20, 0]]
"""

LEAST = '[event]\nname = "Cup"\n[[team]]\nname = "A"\n[[team]]\nname = "B"\n[[stage]]\n'

PROFILE_NAMES = (
    '"default", "ben", "ben-2022", "ben-2023", "wbridge5", "robobridge", "q-plus", "gib", "bridge-moniteur-era", '
    '"bridge-player", "bridge-env", "blue-chip", "tourney"'
)


def parse(text: str) -> EventConfig:
    return parse_event_file(text, "event.toml")


def teams(count: int) -> str:
    return "".join(f'[[team]]\nname = "T{number}"\n' for number in range(1, count + 1))


def file(
    *, event: str = "", team: str = "", stage: str = "", deals: str = "", tables: str = "", more: str = ""
) -> str:
    """An event file with further lines for its sections; `team` is for the second of two teams."""
    return (
        f'[event]\nname = "Cup"\n{event}\n[[team]]\nname = "Alpha"\n[[team]]\nname = "Beta"\n{team}\n'
        f"[[stage]]\n{stage}\n[deals]\n{deals}\n[tables]\n{tables}\n{more}\n"
    )


# What a file may say


def test_every_setting_is_read() -> None:
    config = parse(FULL)
    converted: dict[str, object] = {
        "format": ROUND_ROBIN,
        "ports": PortRange(2000, 4999),
        "steps": ((0, 1000, 1000), (3, 1250, 750), (30, 2000, 0)),
    }
    told = tomllib.loads(FULL)
    scales = told.pop("vp_table")
    for section, values in told.items():
        read = getattr(config, section)
        for number, keys in enumerate(values if isinstance(values, list) else [values]):
            for key, value in keys.items():
                of = read[number] if isinstance(read, list) else read
                assert getattr(of, key) == converted.get(key, value), key
    assert config.vp_table.keys() == scales.keys()
    assert config.vp_table["house"].steps.steps == converted["steps"]
    assert config.event.results_folder == "out/spring"
    assert [team.profile for team in config.team] == ["default", "tourney", "default"]
    assert (config.team[1].command, config.deals.pbn) == (None, None)


def test_a_team_has_its_pass_phrase_with_single_blanks_and_its_networks() -> None:
    allow = '["192.168.1.0/24", "10.0.0.7", "2001:db8::/32", "::1"]'
    team = parse(file(team=f'pass_phrase = "  open   sesame "\nallow = {allow}')).team[1]
    assert team.login == "Beta#open sesame"
    assert [str(network) for network in team.allow or ()] == [
        "192.168.1.0/24",
        "10.0.0.7/32",
        "2001:db8::/32",
        "::1/128",
    ]
    assert "sesame" not in repr(team)


def test_the_example_that_ships_is_in_order() -> None:
    assert len(parse(example_event_text()).team) == 4
    assert len(example_event_text().splitlines()) <= 60


def keys_by_section(model: type[BaseModel], section: str = "") -> Iterator[tuple[str, str]]:
    """Yield each key with its section; teams, pairs and players have the same ones, which count once."""
    within = section_models(model)
    yield from ((section, key) for key in model.model_fields.keys() - within.keys())
    for key, inner in within.items():
        if key not in ("pair", "player"):
            yield from keys_by_section(inner, f"{section}.{key}".lstrip("."))


def test_the_event_file_has_no_more_keys_than_a_person_can_look_through() -> None:
    counts = Counter(section for section, _ in keys_by_section(EventConfig))
    print(sum(counts.values()), dict(counts))  # noqa: T201 # what an issue or a release note quotes
    assert counts["alarms"] <= 4
    assert counts["limits"] <= 2
    assert counts["sandbox"] <= 5
    assert counts["web"] <= 10
    assert sum(counts.values()) <= 150


def test_blanks_of_names_are_single_at_the_edges_none() -> None:
    text = '[event]\nname = "  Spring\\t  Cup "\n[[team]]\nname = " Team   One"\n[[team]]\nname = "B"\n[[stage]]\n'
    config = parse(text)
    assert (config.event.name, config.team[0].name) == ("Spring Cup", "Team One")


def test_names_of_events_and_stages_are_of_any_language() -> None:
    name = "Coupe d\N{RIGHT SINGLE QUOTATION MARK}été"
    config = parse(LEAST.replace("Cup", name) + f'name = "{name}"\n')
    assert (config.event.name, config.stage[0].name) == (name, name)


@pytest.mark.parametrize("ports", ['"2000"', "2000", '" 2000 - 2000 "'])
def test_one_port_is_too_few_for_two_tables_however_it_is_written(ports: str) -> None:
    assert problems_of(file(tables=f"ports = {ports}")) == [
        "tables, ports: 1 matches side by side need 2 ports, 2000-2000 has 1"
    ]


def test_a_start_without_a_zone_is_in_that_of_the_event() -> None:
    starts = "starts = [2026-03-28T14:00:00, 2026-03-29T14:00:00, 2026-03-29T14:00:00Z]"
    text = f'[event]\nname = "Cup"\ntimezone = "Europe/Berlin"\n{teams(3)}[[stage]]\n{starts}\n'
    assert parse(text).stage[0].starts == [
        datetime(2026, 3, 28, 13, tzinfo=UTC),
        datetime(2026, 3, 29, 12, tzinfo=UTC),  # in summer time
        datetime(2026, 3, 29, 14, tzinfo=UTC),
    ]
    assert problems_of(text.replace("Europe/Berlin", "Berlin"))[0] == (
        'event, timezone: expected a time zone such as "Europe/Berlin" or "UTC", got \'Berlin\'; '
        "did you mean 'Europe/Berlin'?"
    )


def test_a_start_that_clocks_of_the_zone_show_is_taken() -> None:
    for zone, start in (
        ("America/New_York", "2027-03-14T03:00:00"),
        ("America/New_York", "2027-03-14T02:30:00-05:00"),
        ("Europe/Berlin", "2026-10-25T02:30:00"),  # twice
    ):
        text = f'[event]\nname = "Cup"\ntimezone = "{zone}"\n{teams(2)}[[stage]]\nstarts = [{start}]\n'
        assert parse(text).stage[0].starts is not None


# Scales


def test_the_scale_of_a_stage_is_the_one_it_names() -> None:
    config = parse(FULL.replace('"wbf-discrete"', '"house"'))
    assert config.scale(config.stage[0]).split(3) == (VpHundredths(1250), VpHundredths(750))
    assert parse(file(stage='boards_per_match = 24\nvp_scale = "seed-24"')).stage[0].vp_scale == "seed-24"


# All at once


def test_all_that_is_wrong_is_told_at_once_in_the_order_of_the_file() -> None:
    text = """
[event]
name = " "
nmae = "Cup"
[[team]]
name = "Alpha"
command = "bot {sead}"
[[team]]
name = "a/b"
profile = "fast"
[[team]]
name = "Beta"
colour = "red"
[[stage]]
[deals]
seed = 1
pbn = "boards.pbn"
[tables]
ports = "2000"
[vp_table.house]
steps = [[1, 10, 10]]
[turbo]
"""
    assert problems_of(text) == [
        "event, name: it must not be blank",
        "event: 'nmae' is not known here; did you mean 'name'?",
        "team 1, command: a command may have {host}, {port}, {seat}, {seat_lower}, {seat_letter}, {team}, "
        "{login}, {folder}, {match}, {room}, {pair}, got {sead}; write a literal "
        "brace twice; did you mean 'seat'?",
        "team 2, name: a team name has only characters that a file name may have, got '/' in 'a/b'",
        f"team 2, profile: expected one of {PROFILE_NAMES}, got 'fast'",
        "team 3: 'colour' is not known here, allowed are name, command, player, processes, api, play_api, "
        "model, opponents_model, request_s, open_room, enters, "
        "pass_phrase, allow, folder, protocol, profile, wire, methods",
        "deals: give seed or pbn, not both",
        "vp_table, house, steps: a VP table starts at margin 0, got 1",
        "'turbo' is not known here, allowed are event, team, pair, player, stage, deals, tables, stateful, lobby, "
        "limits, clock, rules, sandbox, launch, record, analysis, reports, web, alarms, vp_table",
    ]


def team_with(keys: str) -> TeamConfig:
    return parse(file(team=keys)).team[1]


def test_a_players_class_is_seated_by_our_own_client_with_its_profile() -> None:
    team = team_with('player = "bots.mine:MyBot"')
    assert team.command == "tourney bot --player bots.mine:MyBot --host {host} --port {port} --seat {seat}"
    assert team.profile == "tourney"
    team = team_with('player = "mine:MyBot"\nprotocol = "stateful"')
    assert team.command == "tourney bot --player mine:MyBot --host {host} --port {port} --protocol stateful"
    assert team.profile == "default"


def test_a_service_is_seated_by_our_own_client_with_its_profile() -> None:
    team = team_with('api = "brill http://127.0.0.1:{port}/"\nmodel = "Pidgin V2"\nrequest_s = 9')
    options = "--api 'brill http://127.0.0.1:{port}/' --set 'model=Pidgin V2' --set request_s=9"
    options += " --set 'answers={folder}/answers.jsonl'"
    assert team.command == f"tourney bot {options} --host {{host}} --port {{port}} --seat {{seat}}"
    assert (team.profile, team.api) == ("tourney", "brill http://127.0.0.1:{port}")
    two = 'api = "bba https://bids"\nplay_api = "ben http://plays"\n'
    team = team_with(two + 'protocol = "stateful"')
    options = "--api 'bba https://bids' --set 'play_api=ben http://plays'"
    options += " --set 'answers={folder}/answers.jsonl'"
    assert team.command == f"tourney bot {options} --host {{host}} --port {{port}} --protocol stateful"


# Text that is no event file

TOO_DEEP = "its brackets or dots are nested too deeply"
TOO_LONG = "a number has more than 64 bits or 30 digits"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ["there is no [event] section", "there is no [[team]] section", "there is no [[stage]] section"]),
        ("a = " + "[" * 50_000, [TOO_DEEP]),
        ("a" + ".a" * 3_000 + " = 1", [TOO_DEEP]),
        ("a" + ".a" * 200_000 + " = 1", [TOO_DEEP]),
        ("[a" + " . 'b c'" * 200_000 + "]", [TOO_DEEP]),
        ("a = { a" + '."b"' * 200_000 + " = 1 }", [TOO_DEEP]),
        ("a = " + "9" * 5_000, [TOO_LONG]),
        ("a = 0x1" + "0" * 16, [TOO_LONG]),
        ("a = [{ b = -9223372036854775809 }]", [TOO_LONG]),
        ("a = 1e31", [TOO_LONG]),
        ("a = 1e-99999999999999999999", [TOO_LONG]),
    ],
)
def test_text_that_is_no_event_file_is_refused(text: str, expected: list[str]) -> None:
    assert problems_of(text) == expected


@pytest.mark.parametrize("seed", [-(2**63), -1, 0, 2**63 - 1])
def test_every_seed_that_toml_can_write_is_taken(seed: int) -> None:
    assert parse(file(deals=f"seed = {seed}")).deals.seed == seed


@pytest.mark.parametrize("scoring", ["cross-imps", "butler"])
def test_a_penalty_at_imps_of_pairs_is_in_imps(scoring: str) -> None:
    stage = f'format = "howell"\nscoring = "{scoring}"'
    others = '\n[[team]]\nname = "Gamma"\n[[team]]\nname = "Delta"'
    text = file(team=others, stage=stage, more='[rules]\nirregularity_remedy = "penalty"\npenalty = "1 VP"')
    assert problems_of(text) == [
        'rules, penalty: in stage 1, a Howell, a penalty is in IMPs; give it so, such as "3 IMPs"'
    ]
    assert parse(text.replace("1 VP", "4 IMPs")).rules.penalty == Penalty(RulingKind.PENALTY_IMPS, 4)
