"""What the author of a team's programs is sent: from the event file alone, and with the draw."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.played_event import draw_event, event_text, write_event
from tourney.bridge import Seat
from tourney.event.file import EventFile, load_event_file
from tourney.output.content import text_of
from tourney.output.tables import TextTable
from tourney.store.control.table_state import assign_table
from tourney.store.draw.objects import EventInfo
from tourney.views.invitation import Invitation, find_team

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


def invite(file: EventFile, team: str, event: EventInfo | None = None) -> Invitation:
    return Invitation(file, find_team(file, team), file.address, event)


def words_of(invitation: Invitation) -> str:
    """The text on one line, single blanks between the words."""
    return " ".join(" ".join(_texts(invitation)).split())


def _texts(invitation: Invitation) -> Iterator[str]:
    for part in invitation.text():
        if isinstance(part, TextTable):
            yield " ".join(column.heading for column in part.columns if part.show_header)
            yield from (" ".join(map(text_of, row)) for row in part.rows)
        else:
            yield str(part)


@pytest.fixture
def file(tmp_path: Path) -> EventFile:
    return load_event_file(write_event(tmp_path, EVENT))


def test_before_the_draw_an_author_learns_all_but_the_matches(file: EventFile) -> None:
    text = words_of(invite(file, "Alpha"))
    for words in (
        "Address 10.0.0.5",
        "Ports 20000-20063, one for each table",
        "version 18 or 19",
        'Log-on Connecting "Alpha#open sesame" as North using protocol version 18',
        "Passphrase open sesame (secret: anyone who has it can take your seats)",
        "Profile ben, with timing = false",
        "Allowed from 192.0.2.0/24, 203.0.113.7, 2001:db8::/32 only",
        "Firewall let your programs out to 10.0.0.5, TCP ports 20000-20063; nothing comes in",
        "tourney check-bot --team Alpha --profile ben -- PROGRAM {host} {port} {seat} {team}",
        "The draw has not been made. When it has, your opponents, rooms, seats and ports are known",
    ):
        assert words in text


def test_the_organiser_is_told_about_the_secret_and_the_firewall(file: EventFile) -> None:
    rule = "nft add rule inet filter input {} tcp dport 20000-20063 accept"
    let_in = " && ".join(
        rule.format(source) for source in ("ip saddr { 192.0.2.0/24, 203.0.113.7 }", "ip6 saddr { 2001:db8::/32 }")
    )
    assert invite(file, "Alpha").notices == [
        "the passphrase of Alpha is in this text: send it to its author only",
        f"to let its programs in, on the machine of the tables: {let_in}",
    ]
    assert invite(file, "Gamma").document()["inbound"] == (
        "nft add rule inet filter input tcp dport 20000-20063 accept"
    )


def test_tables_that_only_this_machine_can_reach_are_told_to_the_organiser(tmp_path: Path) -> None:
    file = load_event_file(write_event(tmp_path, EVENT.replace("10.0.0.5", "127.0.0.1")))
    invitation = invite(file, "Gamma")
    assert invitation.notices == ["tables listen on 127.0.0.1: programs on other machines cannot connect"]
    assert invitation.document()["inbound"] is None


def test_a_public_host_is_the_address_of_an_invitation(tmp_path: Path) -> None:
    named = EVENT.replace('host = "10.0.0.5"', 'host = "0.0.0.0"\npublic_host = "bridge.example.org"')
    file = load_event_file(write_event(tmp_path, named))
    assert invite(file, "Gamma").document()["host"] == "bridge.example.org"
    assert file.address_notice is None


def test_a_team_with_a_port_of_its_own_is_invited_there_for_all_its_matches(tmp_path: Path) -> None:
    played = draw_event(tmp_path, EVENT.replace("[tables]", '[tables]\nteam_ports = "30001-30009"'))
    invitation = invite(played.file, "Gamma", played.event)
    document = invitation.document()
    port = 30_000 + next(team.number for team in played.event.teams if team.name == "Gamma")
    assert (document["first_port"], document["last_port"]) == (port, port)
    assert {at for table in document["tables"] for at in (table["ports"] or {}).values()} == {port}
    text = words_of(invitation)
    assert f"Port {port}, all event long: it leads each program to its seat" in text
    assert f"TCP port {port}; nothing comes in" in text
    assert "connections.json" not in text


def test_a_team_whose_programs_are_started_need_not_connect(file: EventFile) -> None:
    invitation = invite(file, "team two")
    text = words_of(invitation)
    assert "The organiser's computer starts your programs at every seat" in text
    assert "tourney check-bot --team 'Team Two' -- ~/bots/run.sh {host} {port} {seat} {team}" in text
    assert "Address" not in text
    assert invitation.notices == []
    assert invitation.document()["started_by_tourney"]


def test_the_matches_of_the_draw_are_listed_with_the_ports_that_they_take(tmp_path: Path) -> None:
    played = draw_event(tmp_path, EVENT)
    document = invite(played.file, "Alpha", played.event).document()
    assert document["drawn"]
    assert len(document["byes"]) == 1
    first = played.match(document["tables"][0]["match"])
    opponent = first.away if first.home == "Alpha" else first.home
    assert [(t["segment"], t["room"], t["boards"], t["opponent"]) for t in document["tables"][:4]] == [
        (1, "open", 4, opponent),
        (1, "closed", 4, opponent),
        (2, "open", 4, opponent),
        (2, "closed", 4, opponent),
    ]
    open_room, closed_room = document["tables"][:2]
    assert set(open_room["ports"]) | set(closed_room["ports"]) == {"North", "East", "South", "West"}
    assert (set(open_room["ports"].values()), set(closed_room["ports"].values())) == ({20000}, {20001})
    assert not open_room["open"]


def test_a_match_that_waits_for_others_has_no_ports_yet(tmp_path: Path) -> None:
    text = event_text("Alpha", "Beta", "Gamma", "Delta", more='[tables]\nhost = "10.0.0.5"\nat_once = 1')
    played = draw_event(tmp_path, text)
    first, second = played.event.rounds[0].matches
    at_once = invite(played.file, first.home, played.event).document()["tables"][0]
    later = invite(played.file, second.home, played.event)
    assert set(at_once["ports"].values()) == {2000}
    assert set(later.document()["tables"][0]["ports"].values()) == {None}
    assert "A dash for a port: 1 match is played at once" in words_of(later)


def test_ports_that_a_table_has_taken_replace_those_it_wished_for(tmp_path: Path) -> None:
    played = draw_event(tmp_path, EVENT)
    match = next(match for match in played.event.rounds[0].matches)
    table = match.tables[0]
    assign_table(played.database, table.id, "1", dict.fromkeys(Seat, 20040), 0)
    ports = invite(played.file, match.home, played.reload()).document()["tables"][0]["ports"]
    assert set(ports.values()) == {20040}


def test_rounds_that_depend_on_results_are_said_to_be_drawn_later(tmp_path: Path) -> None:
    text = event_text("Alpha", "Beta", "Gamma", "Delta", stage='format = "swiss"\nrounds = 2')
    played = draw_event(tmp_path, text)
    invitation = invite(played.file, "Alpha", played.event)
    assert invitation.document()["rounds_to_draw"] == [2]
    assert "Round 2: drawn when the rounds before it have finished." in words_of(invitation)


def test_a_team_that_the_draw_does_not_have_is_told_to_the_organiser(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text("Alpha", "Beta"))
    file = load_event_file(write_event(tmp_path, event_text("Alpha", "Beta", "Gamma")))
    assert any("Gamma is not in the draw" in notice for notice in invite(file, "Gamma", played.event).notices)


def test_a_team_of_the_stateful_protocol_is_invited_to_the_port_of_the_event(tmp_path: Path) -> None:
    text = EVENT.replace('name = "Gamma"\n', 'name = "Gamma"\nprotocol = "stateful"\n')
    file = load_event_file(write_event(tmp_path, text + "[stateful]\nport = 5000\n"))
    words = words_of(invite(file, "Gamma"))
    assert "Port 5000, all event long: the server gives each program its seat" in words
    assert 'Protocol stateful-server protocol Log-on HELLO "Gamma", then JOIN-T' in words
    assert "tourney check-bot --team Gamma --protocol stateful -- PROGRAM {host} {port} {team}" in words
    document = invite(file, "Gamma").document()
    assert (document["protocol"], document["log_on"]) == ("stateful", 'HELLO "Gamma"')
    assert (document["first_port"], document["last_port"]) == (5000, 5000)
    assert "TCP port 5000" in document["outbound"]
    other = invite(file, "Alpha").document()
    assert (other["protocol"], other["first_port"]) == ("blue-chip", 20000)
