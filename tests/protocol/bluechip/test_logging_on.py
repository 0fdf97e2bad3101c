"""From the first connection to the names of the teams (BC-01, BC-02, BC-05 to BC-11, BC-52)."""

from ipaddress import ip_network
from typing import Any

import pytest

from tests.support.table_rig import TableRig
from tests.support.wire_tables import EAST, NORTH, SOUTH, WEST, at_start_of_board, board, log_on, seated, table
from tourney.bridge import SEATS, Seat
from tourney.protocol.access import UNAUTHENTICATED_MAX, ConnectionLimits, TableAccess, TeamAccess, hash_phrase
from tourney.protocol.session.effects import Close, LogRemark
from tourney.protocol.session.orders import Disconnect, Stop
from tourney.protocol.session.records import SeatTaken
from tourney.protocol.session.table import Stage


@pytest.mark.clause("BC-05")
def test_a_log_on_is_on_record_before_it_is_answered() -> None:
    rig = table()
    log_on(rig, "Beta", "West")
    record, answer, _ = rig.log
    assert isinstance(record, SeatTaken)
    assert (record.seat, record.team, record.version) == (WEST, "Beta", 18)
    assert isinstance(answer, tuple)


@pytest.mark.clause("BC-01")
@pytest.mark.parametrize(
    "line",
    [
        'connecting "alpha" as north using protocol version 18',
        '  CONNECTING "ALPHA"  AS  NORTH USING PROTOCOL VERSION 18  ',
        '\tConnecting "Alpha" as North using protocol version 18\t',
    ],
)
def test_case_and_blanks_of_a_log_on_do_not_matter(line: str) -> None:
    rig = table()
    peer = rig.connect()
    rig.send_line(peer, line)
    assert rig.core.state.seat_of(peer.number) is NORTH


@pytest.mark.clause("BC-01", "BC-10")
@pytest.mark.parametrize(
    "said", ["Zürich".encode(), "ZÜRICH".encode("latin-1"), "Zu\N{COMBINING DIAERESIS}rich".encode()]
)
def test_a_name_with_other_letters_is_known_in_every_encoding(said: bytes) -> None:
    rig = table(ns_team="Zürich")
    peer = rig.connect()
    (told,) = rig.send_line(peer, b'Connecting "' + said + b'" as North using protocol version 18')
    assert told.casefold() == 'north ("zürich") seated'
    assert rig.core.state.seat_of(peer.number) is NORTH


@pytest.mark.clause("BC-01")
def test_sent_lines_are_printable_ascii_with_single_blanks_but_for_the_times() -> None:
    rig = at_start_of_board()
    sent = [effect[1] for effect in rig.log if isinstance(effect, tuple)]
    assert len(sent) == 12
    for line in sent:
        assert line.isascii()
        assert line.isprintable()
        assert "  " not in line
        assert line == line.strip()


@pytest.mark.clause("BC-02")
def test_any_seat_on_a_port_of_one_seat_is_the_seat_of_the_port() -> None:
    rig = table()
    peer = rig.connect(port_seat=NORTH)
    _, told = log_on(rig, "Alpha", "ANYPL", peer)
    assert told == ['North ("Alpha") seated']


@pytest.mark.clause("BC-07")
def test_ready_to_start_before_the_teams_are_told_does_not_count() -> None:
    rig = seated()
    rig.converse("N: ready to start -> nothing")
    for what in ("for teams", "to start"):
        for seat in SEATS:
            if (seat, what) != (NORTH, "to start"):
                rig.send_line(seat, f"{seat.title} ready {what}")
    assert rig.core.state.stage is Stage.SEATING
    rig.converse("N: ready to start -> ... -> Start of board")


@pytest.mark.clause("BC-07")
def test_a_player_that_took_a_seat_again_before_the_first_board_is_told_the_teams_and_the_others_are_not() -> None:
    rig = seated()
    rig.converse("""
        all: ready for teams
        any hears
        E hangs up
    """)
    rig.seats[EAST], _ = log_on(rig, "Beta", "East")
    rig.converse("""
        E: ready for teams -> Teams : N/S : "Alpha" E/W : "Beta"
        N hears -> nothing
        S hears -> nothing
        W hears -> nothing
    """)


REFUSED = {
    "no seat": ('Connecting "Alpha" using protocol version 18', "got none"),
    "a seat of no word": ('Connecting "Alpha" as using protocol version 18', "got none"),
    "an unknown seat": ('Connecting "Alpha" as Up using protocol version 18', "got 'Up'"),
    "a foreign team": ('Connecting "Gamma" as South using protocol version 18', "'Gamma' does not play here"),
    "the opponents' name": ('Connecting "Beta" as South using protocol version 18', "'Beta' sits EW here"),
    "the wrong side": ('Connecting "Alpha" as West using protocol version 18', "'Alpha' sits NS here"),
    "version 17": ('Connecting "Alpha" as South using protocol version 17', "version 17 is not spoken"),
    "version 20": ('Connecting "Alpha" as South using protocol version 20', "version 20 is not spoken"),
    "no as": ('Connecting "Alpha" at South using protocol version 18', "a log-on is"),
    "no version": ('Connecting "Alpha" as South', "a log-on is"),
    "a version of words": ('Connecting "Alpha" as South using protocol version new', "got 'new'"),
    "a taken seat": ('Connecting "Alpha" as North using protocol version 18', "North is taken by 'Alpha'"),
    "a name without quotes": ("Connecting Alpha as South using protocol version 18", "in double quotes"),
    "no team": ('Connecting "" as South using protocol version 18', "'' does not play here"),
    "any seat of a foreign team": ('Connecting "Gamma" as ANYPL using protocol version 18', "no seat of 'Gamma'"),
}


@pytest.mark.clause("BC-08")
@pytest.mark.parametrize(("line", "reason"), REFUSED.values(), ids=REFUSED.keys())
def test_a_log_on_that_cannot_be_is_told_why_and_closed(line: str, reason: str) -> None:
    rig = table()
    first, _ = log_on(rig, "Alpha", "North")
    (told,) = rig.send_line(rig.connect(), line)
    assert told.startswith("Error: ")
    assert reason in told
    rig.converse("it is disconnected\nseated -> N Alpha")
    assert not first.closed
    assert first.take() == []


@pytest.mark.clause("BC-08")
def test_a_refusal_quotes_no_more_of_a_name_than_a_name_can_have() -> None:
    rig = table()
    _, told = log_on(rig, "G" * 5000, "North")
    assert len(told[0]) < 200


@pytest.mark.clause("BC-08")
@pytest.mark.parametrize(
    ("line", "system"),
    [
        ("version 18.", ""),  # BEN before 2023
        ("version 18 BEN-21GF 0.8.8.6 config/default.conf", "BEN-21GF 0.8.8.6 config/default.conf"),  # --sendinfo
        ("version 19 sayc", "sayc"),  # RoboBridge
    ],
)
def test_text_after_the_version_is_kept_as_the_system_of_the_player(line: str, system: str) -> None:
    rig = table()
    rig.converse(f"""
        a program comes
        it: Connecting "Alpha" as South using protocol {line} -> South ("Alpha") seated
    """)
    (record,) = rig.of_kind(SeatTaken)
    assert record.system == system


@pytest.mark.clause("BC-10")
def test_team_names_are_compared_without_case_and_keep_theirs_on_display() -> None:
    rig = table(ns_team="Queen of Hearts")
    _, told = log_on(rig, "queen OF  hearts", "North")
    assert told == ['North ("queen OF hearts") seated']
    for seat, team in ((EAST, "beta"), (SOUTH, "QUEEN OF HEARTS"), (WEST, "Beta")):
        rig.seats[seat], _ = log_on(rig, team, seat.title)
    rig.seats[NORTH] = rig.peers[1]
    rig.all_say("ready for teams", seats=(NORTH, EAST, SOUTH))
    rig.converse("""
        W: ready for teams -> Teams : N/S : "Queen of Hearts" E/W : "Beta"
    """)


@pytest.mark.clause("BC-11")
def test_a_line_of_another_seat_is_ignored_without_a_word_and_noted() -> None:
    rig = at_start_of_board()
    rig.converse("""
        any hears
        N: East ready for deal -> nothing
        E hears -> nothing
    """)
    assert isinstance(rig.log[-1], LogRemark)
    assert rig.log[-1].text == "the line is East's, the connection North's: ignored"


def test_a_table_full_of_strangers_keeps_the_places_of_its_seats_and_the_oldest_gives_way() -> None:
    rig = table()
    unauthenticated = [rig.connect() for _ in range(UNAUTHENTICATED_MAX)]
    newest = rig.connect()
    assert unauthenticated[0].take() == [
        f"Error: this table takes {UNAUTHENTICATED_MAX} connections that have not logged on, and the oldest gives way"
    ]
    assert [bool(each.closed) for each in unauthenticated] == [True] + [False] * (UNAUTHENTICATED_MAX - 1)
    assert not newest.closed
    rig.converse("N logs on\nE logs on\nS logs on\nW logs on\nseated -> N Alpha -> E Beta -> S Alpha -> W Beta")


def test_a_program_that_we_have_started_gives_way_to_no_stranger_and_is_not_kept_out_with_them() -> None:
    rig = table(access=TableAccess(ConnectionLimits(connections_per_address=1)))
    ours = rig.connect(address="127.0.0.1:1", is_ours=True)
    for port in range(3 * UNAUTHENTICATED_MAX):
        rig.connect(address=f"127.0.0.1:{port}")
        rig.converse("Gamma logs on as North from 127.0.0.1:9")
    assert not ours.closed
    assert rig.send_line(ours, 'Connecting "Alpha" as North using protocol version 18') == ['North ("Alpha") seated']


def test_nothing_is_sent_to_a_connection_after_its_end_was_asked_for() -> None:
    # The shell closes when what was sent is written; until it says so the seat is still taken.
    rig = at_start_of_board(bad_lines_max=1)
    core, peer = rig.core, rig.seats[EAST]
    effects = core.receive_line(peer.number, b"nonsense", rig.now_ms, rig.now_ms)
    assert any(isinstance(effect, Close) for effect in effects)
    for seat in (NORTH, SOUTH, WEST):
        for what in ("for deal", "for cards"):
            effects += core.receive_line(
                rig.seats[seat].number, f"{seat.title} ready {what}".encode(), rig.now_ms, rig.now_ms
            )
    effects += core.receive_order(Stop("the director stops the table"), rig.now_ms)
    closed_at = next(i for i, effect in enumerate(effects) if isinstance(effect, Close))
    later = [effect for effect in effects[closed_at:] if isinstance(effect, tuple)]
    assert later
    assert all(effect[0] != peer.number for effect in later)


def test_who_comes_when_the_session_is_over_is_told_so() -> None:
    rig = seated([board()])
    rig.stop("the director stops the table")
    late = rig.connect()
    assert late.take() == ["Error: the session is over"]
    assert late.closed


# Pass phrases, addresses, log-ons that fail

SECRET = "Open sesame"
WITH_PHRASE = dict.fromkeys((Seat.NORTH, Seat.SOUTH), TeamAccess(hash_phrase(SECRET, "5a17")))
"""Alpha's programs say a phrase, Beta's none."""


def guarded(**settings: Any) -> TableRig:
    return table(access=TableAccess(by_seat=WITH_PHRASE), **settings)


def test_partners_who_enter_by_themselves_have_a_phrase_each() -> None:
    access = {Seat.NORTH: TeamAccess(hash_phrase("one", "5a17")), Seat.SOUTH: TeamAccess(hash_phrase("two", "5a17"))}
    table(access=TableAccess(by_seat=access)).converse("""
        Alpha#one logs on as South
            -> Error: 'Alpha' with that pass phrase does not play here, South is a seat of 'Alpha'
        Alpha#two logs on as South -> South ("Alpha") seated
        Alpha#one logs on as North -> North ("Alpha") seated
    """)


@pytest.mark.clause("BC-05")
@pytest.mark.parametrize("said", [f"Alpha#{SECRET}", f"ALPHA#{SECRET}", f"Alpha #{SECRET}", "alpha#Open  sesame"])
def test_a_team_with_a_pass_phrase_gets_its_seat_by_name_and_phrase(said: str) -> None:
    name = said.partition("#")[0].strip()
    guarded().converse(f'{said} logs on as North -> North ("{name}") seated\nit is connected')


@pytest.mark.clause("BC-08")
@pytest.mark.parametrize(
    ("said", "who"),
    [
        ("Alpha", "'Alpha' without a pass phrase"),
        ("Gamma", "'Gamma' without a pass phrase"),
        ("Alpha#open sesame", "'Alpha' with that pass phrase"),
        ("Alpha#Opensesame", "'Alpha' with that pass phrase"),
        ("Alpha#", "'Alpha' with that pass phrase"),
        ("Alpha#Open sesame#", "'Alpha' with that pass phrase"),
        (f"Gamma#{SECRET}", "'Gamma' with that pass phrase"),
    ],
)
def test_a_wrong_phrase_is_refused_in_the_words_of_a_wrong_name(said: str, who: str) -> None:
    guarded().converse(f"""
        {said} logs on as North -> Error: {who} does not play here, North is a seat of 'Alpha'
        it is disconnected
        seated -> nothing
    """)


def allowing(*networks: str) -> TableRig:
    """Only Alpha's programs have to come from somewhere."""
    access = TeamAccess(allow=tuple(map(ip_network, networks)))
    return table(access=TableAccess(by_seat=dict.fromkeys((Seat.NORTH, Seat.SOUTH), access)))


@pytest.mark.clause("BC-08")
@pytest.mark.parametrize(
    ("address", "is_allowed"),
    [
        ("192.168.1.7:40123", True),
        ("192.168.2.7:40123", False),
        ("10.0.0.7:40123", True),
        ("10.0.0.8:40123", False),
        ("2001:db8::7:40123", True),
        ("2001:db9::7:40123", False),
        ("::ffff:10.0.0.7:40123", True),
        ("::ffff:10.0.0.8:40123", False),
        ("test", False),
    ],
)
def test_a_team_with_a_list_of_addresses_is_seated_from_those_alone(address: str, is_allowed: bool) -> None:
    refusal = "Error: 'Alpha' from that address does not play here, North is a seat of 'Alpha'"
    answer = 'North ("Alpha") seated' if is_allowed else refusal
    allowing("192.168.1.0/24", "10.0.0.7", "2001:db8::/32").converse(f"""
        Beta logs on as East from {address} -> East ("Beta") seated
        Alpha logs on as North from {address} -> {answer}
        it is {"connected" if is_allowed else "disconnected"}
    """)


def test_where_no_team_of_the_table_may_come_from_a_connection_ends_at_the_door() -> None:
    entrance = TeamAccess(allow=(ip_network("10.0.0.0/8"),))
    rig = table(access=TableAccess(by_seat=dict.fromkeys(Seat, entrance)))
    peer = rig.connect(address="11.0.0.1:40123")
    assert peer.take() == ["Error: no team of this table plays from 11.0.0.1"]
    assert peer.closed
    rig.converse('Alpha logs on as North from 10.0.0.1:40123 -> North ("Alpha") seated')


def test_an_address_whose_connections_all_sit_is_refused_the_next() -> None:
    rig = table(access=TableAccess(ConnectionLimits(connections_per_address=1)))
    rig.converse("Alpha logs on as North from 10.0.0.7:1")
    assert rig.connect(address="10.0.0.7:2").take() == ["Error: this table takes 1 connections at once from 10.0.0.7"]


def test_addresses_of_one_ipv6_network_of_64_bits_count_as_one() -> None:
    rig = table(access=TableAccess(ConnectionLimits(connections_per_address=1)))
    first = rig.connect(address="2001:db8::1:40000")
    assert not rig.connect(address="2001:db8::ffff:1:40000").closed
    assert first.take() == [
        "Error: this table takes 1 connections at once from 2001:db8::/64, and the oldest gives way"
    ]
    assert not rig.connect(address="2001:db8:0:1::1:40000").closed


def test_a_connection_over_a_limit_is_told_why_and_its_seat_is_free_again() -> None:
    rig = seated()
    rig.order(Disconnect(rig.seats[EAST].number, "more than 5 lines a second for 1 s"))
    rig.converse("""
        E hears -> Error: more than 5 lines a second for 1 s
        E is disconnected
        Beta logs on as East -> East ("Beta") seated
    """)
