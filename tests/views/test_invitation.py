"""What the author of a team's programs is sent: from the event file alone, and with the draw."""

from pathlib import Path

import pytest

from tests.support import commands
from tests.support.event_conversation import converse
from tests.support.played_event import draw_event, event_text, write_event
from tourney.bridge import Seat
from tourney.connect.archive import archive_digest, build_archive
from tourney.store.control.table_state import assign_table

EVENT = """
[event]
name = "Club Night"
[[team]]
name = "Alpha"
pass_phrase = "open sesame"
allow = ["192.0.2.0/24", "203.0.113.7", "2001:db8::/32"]
profile = "ben"
[team.wire]
timing = false
[[team]]
name = "Team Two"
command = "~/bots/run.sh {host} {port} {seat} '{team}'"
[[team]]
name = "Gamma"
[[stage]]
format = "round-robin"
boards_per_match = 8
segments = 2
[tables]
host = "10.0.0.5"
ports = "20000-20063"
"""
FOUR = event_text("Alpha", "Beta", "Gamma", "Delta", more='[tables]\nhost = "10.0.0.5"\nat_once = 1')
STATEFUL = EVENT.replace('name = "Gamma"\n', 'name = "Gamma"\nprotocol = "stateful"\n') + "[stateful]\nport = 5000\n"

RULE = "nft add rule inet filter input"
IN = f"(note: to let its programs in, on the machine of the tables: {RULE}"
ALPHA = (
    "ip saddr { 192.0.2.0/24, 203.0.113.7 } tcp dport 20000-20063 accept"
    f" && {RULE} ip6 saddr {{ 2001:db8::/32 }} tcp dport 20000-20063"
)


@pytest.fixture(autouse=True)
def _no_database_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TOURNEY_DATABASE", raising=False)


@pytest.mark.parametrize(
    ("text", "script"),
    [
        pytest.param(
            EVENT,
            f"""
            $ invite EVENT alpha
                -> (note: the passphrase of Alpha is in this text: send it to its author only)
                -> {IN} {ALPHA} accept)
                -> Club Night: invitation for Alpha
                -> Your programs connect to the tables over TCP: one connection, usually one
                -> program, for each seat.
                -> Address 10.0.0.5
                -> Ports 20000-20063, one for each table: see the matches below
                -> Protocol Blue Chip table manager protocol, version 18 or 19
                -> Log-on Connecting "Alpha#open sesame" as North using protocol version 18
                -> Passphrase open sesame (secret: anyone who has it can take your seats)
                -> Profile ben, with timing = false
                -> Allowed from 192.0.2.0/24, 203.0.113.7, 2001:db8::/32 only
                -> Firewall let your programs out to 10.0.0.5, TCP ports 20000-20063; nothing comes in
                -> To try the program, with tourney installed and its command for PROGRAM:
                -> tourney check-bot --team Alpha --profile ben -- PROGRAM {{host}} {{port}} {{seat}} {{team}}
                -> The draw has not been made. When it has, your opponents, rooms, seats and
                -> ports are known, and this invitation lists them; the ports are certain once a
                -> table is open.
            $ invite EVENT 'team two'
                -> Club Night: invitation for Team Two
                -> The organiser's computer starts your programs at every seat: you need not connect anything.
                -> To try the program, with tourney installed:
                -> tourney check-bot --team 'Team Two' -- ~/bots/run.sh {{host}} {{port}} {{seat}} {{team}}
                -> The draw has not been made...
                -> ...
            $ invite EVENT 'Team Two' --json | started_by_tourney -> yes
            $ invite EVENT Gamma --json | : drawn pass_phrase host inbound
                -> no - 10.0.0.5 {RULE} tcp dport 20000-20063 accept
            """,
            id="before-the-draw",
        ),
        pytest.param(
            EVENT.replace("10.0.0.5", "127.0.0.1"),
            """
            $ invite EVENT Gamma
                -> (note: tables listen on 127.0.0.1: programs on other machines cannot connect)
                -> Club Night: invitation for Gamma
                -> ...
            $ invite EVENT Gamma --json | inbound -> -
            """,
            id="this-machine-only",
        ),
        pytest.param(
            EVENT.replace('host = "10.0.0.5"', 'host = "0.0.0.0"\npublic_host = "bridge.example.org"'),
            f"""
            $ invite EVENT Gamma -> {IN} tcp dport 20000-20063 accept) -> Club Night: invitation for Gamma -> ...
            $ invite EVENT Gamma --json | host -> bridge.example.org
            """,
            id="public-host",
        ),
        pytest.param(
            STATEFUL,
            f"""
            $ invite EVENT Gamma
                -> {IN} tcp dport 5000 accept)
                -> ...
                -> Port 5000, all event long: the server gives each program its seat
                -> Protocol stateful-server protocol
                -> Log-on HELLO "Gamma", then JOIN-T
                -> ...
                -> Firewall let your programs out to 10.0.0.5, TCP port 5000; nothing comes in
                -> ...
                -> tourney check-bot --team Gamma --protocol stateful -- PROGRAM {{host}} {{port}} {{team}}
                -> ...
            $ invite EVENT Gamma --json | : protocol log_on first_port last_port -> stateful HELLO "Gamma" 5000 5000
            $ invite EVENT Alpha --json | : protocol first_port -> blue-chip 20000
            """,
            id="stateful",
        ),
        pytest.param(
            EVENT.replace("[tables]", '[web]\nhosts = ["club.example"]\n[tables]\nconnect_port = 1900'),
            f"""
            $ invite EVENT Alpha
                -> ...
                -> python3 connect.pyz https://club.example/ --team Alpha --key-file alpha.key
                -> ...
                -> {archive_digest(build_archive())}
                -> ...
            """,
            id="through-a-tunnel",
        ),
    ],
)
def test_before_the_draw_an_author_learns_all_but_the_matches(tmp_path: Path, text: str, script: str) -> None:
    write_event(tmp_path, text)
    commands.converse(tmp_path, script.replace("EVENT", "FOLDER/event.toml"))
    assert [file.name for file in tmp_path.iterdir()] == ["event.toml"]


@pytest.mark.parametrize(
    ("text", "script"),
    [
        pytest.param(
            EVENT,
            """
            $ invite EVENT Alpha
                -> ...
                -> Round Match Opponent Segment Room Seats Port Boards
                -> 2 2 Team Two 1 open North, South 20000 4
                -> 2 2 Team Two 1 closed East, West 20001 4
                -> 2 2 Team Two 2 open North, South 20000 4
                -> 2 2 Team Two 2 closed East, West 20001 4
                -> 3 3 Gamma 1 open East, West 20000 4
                -> 3 3 Gamma 1 closed North, South 20001 4
                -> 3 3 Gamma 2 open East, West 20000 4
                -> 3 3 Gamma 2 closed North, South 20001 4
                -> Round 1: your team sits out.
                -> The ports of a table that is not open yet are those it takes unless another
                -> program has them. They are certain once it is open, and the organiser then has
                -> them in connections.json.
            $ invite EVENT Alpha --json | : drawn byes -> yes 1
            $ invite EVENT Alpha --json | tables[opponent=Gamma]: segment room ports open
                -> 1 open East=20000 West=20000 no
                -> 1 closed North=20001 South=20001 no
                -> ...
            """,
            id="all-drawn",
        ),
        pytest.param(
            EVENT.replace("[tables]", '[tables]\nteam_ports = "30001-30009"'),
            f"""
            $ invite EVENT Gamma
                -> {IN} tcp dport 30003 accept)
                -> ...
                -> Port 30003, all event long: it leads each program to its seat
                -> ...
                -> Firewall let your programs out to 10.0.0.5, TCP port 30003; nothing comes in
                -> ...
                -> 3 3 Alpha 2 closed East, West 30003 4
                -> Round 2: your team sits out.
            $ invite EVENT Gamma --json | : first_port last_port -> 30003 30003
            """,
            id="port-of-its-own",
        ),
        pytest.param(
            FOUR,
            """
            $ invite EVENT Beta
                -> ...
                -> Round Match Opponent Room Seats Port Boards
                -> 1 2 Gamma open North, South - 2
                -> 1 2 Gamma closed East, West - 2
                -> ...
                -> 3 5 Delta open North, South 2000 2
                -> ...
                -> A dash for a port: 1 match is played at once, and later ones take ports that
                -> become free.
            """,
            id="waits-for-others",
        ),
        pytest.param(
            event_text("Alpha", "Beta", "Gamma", "Delta", stage='format = "swiss"\nrounds = 2'),
            """
            $ invite EVENT Alpha -> ... -> Round 2: drawn when the rounds before it have finished. -> ...
            $ invite EVENT Alpha --json | rounds_to_draw -> 2
            """,
            id="drawn-later",
        ),
    ],
)
def test_the_matches_of_the_draw_are_listed_with_the_ports_that_they_take(
    tmp_path: Path, text: str, script: str
) -> None:
    converse(draw_event(tmp_path, text), script)


def test_ports_that_a_table_has_taken_replace_those_it_wished_for(tmp_path: Path) -> None:
    played = draw_event(tmp_path, FOUR)
    table = played.match(1).tables[0]
    assign_table(played.database, table.id, "1", dict.fromkeys(Seat, 20040), 0)
    converse(played, "$ invite EVENT Alpha --json | tables[match=1].ports: -> North=20040 South=20040 -> ...")


def test_a_team_that_the_draw_does_not_have_is_told_to_the_organiser(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("Alpha", "Beta"))
    write_event(tmp_path, event_text("Alpha", "Beta", "Gamma"))
    converse(
        played,
        """
        $ invite EVENT Gamma
            -> ...
            -> (note: Gamma is not in the draw: `tourney schedule` and `tourney run` bring it in)
            -> Test Cup: ...
            -> ...
        """,
    )
