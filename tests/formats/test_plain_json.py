"""Settings as JSON text: what was written is read, and nothing else is taken for it."""

import json
import re
from dataclasses import dataclass
from ipaddress import ip_network
from typing import Any

import pytest

from tourney.config import PortPlan, PortRange
from tourney.config.programs import PROFILES
from tourney.formats.plain_json import format_plain, parse_plain
from tourney.protocol.access import ConnectionLimits, PhraseHash, TeamAccess
from tourney.protocol.session.records import RulingKind
from tourney.protocol.session.rules import (
    AlertMode,
    PairMethods,
    Penalty,
    RemedyName,
    TableRules,
    TimeLimit,
    TimeRules,
)
from tourney.protocol.wires import WireProfile
from tourney.store.control.host_settings import HostSettings

SETTINGS = HostSettings(
    folder="/events/Größe",
    results_folder='/events/"results"',
    host="::",
    ports=PortRange(2000, 2999),
    port_plan=PortPlan.PER_SEAT,
    trick_pause_ms=0,
    wire_log=False,
    connect_s=7,
    rules=TableRules(
        time=TimeRules(call=TimeLimit(5000, RemedyName.WARN)),
        penalty=Penalty(RulingKind.PENALTY_VP, 250),
        claims=True,
        alerting=AlertMode.AUCTION,
    ),
    methods={"Alpha": PairMethods(negative_doubles=False), "Beta": PairMethods(inverted_minors=True)},
    limits=ConnectionLimits(line_bytes=99),
    entrances={
        "Alpha": TeamAccess(PhraseHash("00ff", "ab"), (ip_network("10.0.0.0/8"), ip_network("2001:db8::/32"))),
        "Beta": TeamAccess(allow=(ip_network("127.0.0.1/32"),)),
    },
    lease_s=4,
)


def test_settings_are_read_as_they_were_written() -> None:
    assert parse_plain(HostSettings, format_plain(SETTINGS)) == SETTINGS


def test_what_is_not_there_has_its_default_and_what_is_not_known_is_left_out() -> None:
    assert parse_plain(WireProfile, '{"line_gap_ms": 50, "colour": "red"}') == PROFILES["robobridge"]


@dataclass(frozen=True, slots=True)
class Small:
    number: int
    words: tuple[str, ...] = ()


@pytest.mark.parametrize(
    ("kind", "text", "why"),
    [
        (Small, "{}", "'number' is missing"),
        (Small, '{"number": true}', "int is asked for, got True"),
        (Small, '{"number": 1.5}', "int is asked for, got 1.5"),
        (Small, '{"number": 1, "words": "ab"}', "list is asked for, got 'ab'"),
        (Small, '{"number": 1, "words": [null]}', "str is asked for, got None"),
        (Small, "[1]", "dict is asked for, got [1]"),
        (Small, "number", "Expecting value: line 1 column 1 (char 0)"),
        (WireProfile, '{"seated": "loudly"}', "'loudly' is not a valid SeatedForm"),
        (TeamAccess, '{"allow": ["nowhere"]}', "'nowhere' does not appear to be an IPv4 or IPv6 network"),
    ],
)
def test_a_text_of_something_else_is_no_settings(kind: type[Any], text: str, why: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(why)}$"):
        parse_plain(kind, text)


def test_the_text_is_json() -> None:
    assert json.loads(format_plain(SETTINGS))["entrances"]["Beta"] == {"phrase": None, "allow": ["127.0.0.1/32"]}
