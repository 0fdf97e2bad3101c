"""From the first connection to the names of the teams (BC-01, BC-02, BC-05 to BC-11, BC-52)."""

import pytest

from tests.support.wire_tables import EAST, NORTH, SOUTH, WEST, at_start_of_board, log_on, table
from tourney.protocol.access import UNAUTHENTICATED_MAX, ConnectionLimits, TableAccess
from tourney.protocol.session.effects import Close
from tourney.protocol.session.orders import Stop
from tourney.protocol.session.records import SeatTaken


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


@pytest.mark.clause("BC-08")
def test_a_refusal_quotes_no_more_of_a_name_than_a_name_can_have() -> None:
    rig = table()
    _, told = log_on(rig, "G" * 5000, "North")
    assert len(told[0]) < 200


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
