"""A service that is asked over a real connection: what it may do wrong, and how often and how long it is asked."""

import contextlib
import json
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.support.stub_service import HTML, Reply, StubService, serve_stub
from tests.support.table_rig import TableRig, play_out
from tourney.bots import strategy_of
from tourney.bots.api.service import ApiOptions, ApiService
from tourney.bots.api.service_player import (
    DIALECTS,
    AnswerFile,
    ServicePlayer,
    ServiceSettings,
    first_question,
    seat_services,
)
from tourney.bridge import (
    DOUBLE,
    REDOUBLE,
    SEATS,
    Bid,
    PlayerView,
    Seat,
    Side,
    Strain,
    Vulnerability,
    board_from_seed,
    parse_call,
    parse_card,
    parse_hand,
)
from tourney.config.api import DialectName, Service
from tourney.errors import LaunchError, ServiceError
from tourney.protocol.session.table import TableSettings
from tourney.testing.players import calling_view

OPTIONS = ApiOptions()
ASKED = first_question(OPTIONS, bids=True)
BID = Reply(body='{"bid": "1N", "alert": "False"}', content_type=HTML)


class Clock:
    """A clock that only sleeping moves."""

    def __init__(self) -> None:
        self.now_s = 0.0
        self.sleeps: list[float] = []

    def time(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.sleeps.append(seconds)
        self.now_s += seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def ben() -> Iterator[StubService]:
    with serve_stub(DialectName.BEN) as service:
        yield service


def client(stub: StubService, clock: Clock, request_s: float = 30, dialect: DialectName | None = None) -> ApiService:
    chosen = DIALECTS[dialect or stub.dialect]
    return ApiService(stub.url, chosen, request_s, clock_s=clock.time, sleep=clock.sleep)


ERROR = json.dumps({"error": "An error occurred: boom"})


@pytest.mark.parametrize(
    ("reply", "sentence", "times"),
    [
        (Reply(404, "<h1>Not Found</h1>", HTML), '/bid is not there (404): a service of dialect "ben" has it', 1),
        (Reply(200, '{"message": "Bidding is over"}'), "/bid refused the question: 'Bidding is over'", 1),
        (Reply(400, ERROR), "/bid refused the question (400): ", 1),
        (Reply(444, ""), "/bid refuses this name of its machine (444): start it with --allowed-hosts 127.0.0.1", 1),
        (Reply(302, ""), "/bid answered with status 302: 'it leads to no address'", 1),
        (Reply(302, "", location="/v2/bid"), "/bid answered with status 302: 'it leads to /v2/bid'", 1),
        (Reply(405, "Method Not Allowed"), '/bid is not there (405): a service of dialect "ben" has it', 1),
        (Reply(500, "<h1>Internal Server Error</h1>", HTML), "/bid failed (500): ", 6),
        (Reply(429, '{"limit": "100 per 1 minute"}'), "/bid takes no more requests for now (429): ", 6),
        (Reply(200, BID.body, cut=5), "/bid broke off in the middle of its answer", 6),
    ],
)
def test_a_fault_is_a_sentence_and_is_asked_again_where_that_may_help(
    ben: StubService, clock: Clock, reply: Reply, sentence: str, times: int
) -> None:
    ben.next_replies = [reply] * 20
    with pytest.raises(ServiceError) as failed:
        client(ben, clock).ask(ASKED)
    assert str(failed.value).startswith(ben.url + sentence)
    assert len(ben.asked) == times
    assert sum(clock.sleeps) < 30
    assert len({str(query) for _, query in ben.asked}) == 1


def test_a_service_that_recovers_in_time_is_not_noticed(ben: StubService, clock: Clock) -> None:
    ben.next_replies = [Reply(429), Reply(503), Reply(200, BID.body, cut=1), BID]
    answer = client(ben, clock).ask(ASKED)
    assert answer == (Bid(1, Strain.NOTRUMP), "")
    assert clock.sleeps == [0.5, 1.0, 2.0]


def test_an_answer_that_does_not_come_is_not_asked_for_again(ben: StubService) -> None:
    ben.next_replies = [Reply(waits=True)]
    service = ApiService(ben.url, DIALECTS[DialectName.BEN], 0.2)
    with pytest.raises(ServiceError, match=r"/bid has not answered within 0\.2 s$"):
        service.ask(ASKED)
    assert len(ben.asked) == 1


@pytest.mark.parametrize(
    ("beginning", "endless"),
    [
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
        (b"HTTP/1.1 200 OK\r\n", b"X-More: x\r\n"),
        (b"HTTP/1.1 200 OK\r\nX-More: ", b"x"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n", b"0"),
        (b"HTTP/1.1 200 OK\r\n\r\n", b" "),
    ],
    ids=["informational responses", "headers", "one header", "length of a chunk", "body"],
)
def test_a_service_that_keeps_sending_and_never_answers_is_cut_at_the_time_limit(
    beginning: bytes, endless: bytes
) -> None:
    listener = socket.create_server(("127.0.0.1", 0))

    def drip() -> None:
        with listener, listener.accept()[0] as connection, contextlib.suppress(OSError):
            connection.recv(65536)
            connection.sendall(beginning)
            while True:
                connection.sendall(endless)
                time.sleep(0.02)  # its pace

    dripping = threading.Thread(target=drip)
    dripping.start()
    address = f"http://127.0.0.1:{listener.getsockname()[1]}"
    service = ApiService(address, DIALECTS[DialectName.BEN], 0.2)
    with pytest.raises(ServiceError, match=r"/bid has not answered within 0\.2 s$"):
        service.ask(ASKED)
    dripping.join()


def test_a_service_that_is_not_there_is_waited_for_and_named(clock: Clock) -> None:
    with serve_stub(DialectName.BEN) as gone:
        pass
    notes: list[str] = []
    chosen, limits = DIALECTS[gone.dialect], 27
    service = ApiService(gone.url, chosen, limits, notify=notes.append, clock_s=clock.time, sleep=clock.sleep)
    with pytest.raises(ServiceError, match=rf"^{gone.url}/bid cannot be reached: Connection refused, 6 times$"):
        service.ask(ASKED)
    assert notes == [f"{gone.url}/bid cannot be reached: Connection refused; it is asked again, for 27 s at most"]


def test_an_address_that_cannot_be_one_is_a_sentence(clock: Clock) -> None:
    for url, sentence in {
        f"http://{'a' * 70}.b": "cannot be reached: no machine has such a name",
        "http://h:99999": "has no port from 0 to 65535 after its colon",
    }.items():
        service = ApiService(url, DIALECTS[DialectName.BEN], 1, clock_s=clock.time, sleep=clock.sleep)
        with pytest.raises(ServiceError, match=sentence):
            service.ask(ASKED)


def test_a_question_that_may_have_been_handled_is_posted_once(clock: Clock) -> None:
    with serve_stub(DialectName.BBA) as bba:
        bba.next_replies = [Reply(500, "oops")]
        with pytest.raises(ServiceError, match=r"/api/auction/generate failed \(500\): 'oops'$"):
            client(bba, clock).ask(ASKED)
        assert len(bba.asked) == 1


# Two dialects confused


@pytest.mark.parametrize(
    ("service", "asked_in", "sentence"),
    [
        (
            "brill",
            "ben",
            "has no /autoplay (404), so it is no BEN of 0.8.7.5 or later and would misread the vulnerability",
        ),
        ("ben", "brill", 'is BEN: its dialect is "ben"'),
        ("ben", "bba", 'is not there (404): a service of dialect "bba" has it'),
        ("bba", "brill", 'is not there (404): a service of dialect "brill" has it'),
    ],
)
def test_a_service_of_another_dialect_is_found_out_before_it_sits_down(
    service: str, asked_in: str, sentence: str
) -> None:
    dialect = DialectName(asked_in)
    with serve_stub(DialectName(service)) as stub:
        play = Service(DialectName.BEN, stub.url) if dialect is DialectName.BBA else None
        settings = ServiceSettings(service=Service(dialect, stub.url), play=play, options=OPTIONS, request_s=5)
        with pytest.raises(ServiceError) as failed:
            seat_services(settings, print)
    assert sentence in str(failed.value)


# At the table

BOARDS = tuple(board_from_seed(34, "services", number) for number in range(1, 3))


@pytest.mark.parametrize("dialect", [each for each in DialectName if each is not DialectName.BBA])
def test_a_service_plays_whole_boards_as_the_player_behind_it_would(dialect: DialectName) -> None:
    with serve_stub(dialect) as stub:
        _play_boards(stub, stub)
        told = {query["vul"] for _, query in stub.asked if "vul" in query}
        scorings = [query.get("tournament") for path, query in stub.asked if path in ("/bid", "/lead", "/play")]
    if dialect is DialectName.BEN:  # it keeps what it was told before
        assert set(scorings) == {"imps"}
    assert told == {"None", "NS"}  # of boards 1 and 2


def test_one_service_bids_and_another_plays() -> None:
    with serve_stub(DialectName.BBA) as bidding, serve_stub(DialectName.BRILL) as play:
        _play_boards(bidding, play)
        assert {path for path, _ in bidding.asked} == {"/api/auction/generate"}
        assert {path for path, _ in play.asked} == {"/autoplay", "/lead", "/play"}


def _play_boards(bidding: StubService, play: StubService) -> None:
    """Play with services as North and South; each of them answers all that it is asked."""
    settings = ServiceSettings(
        service=Service(bidding.dialect, bidding.url),
        play=Service(play.dialect, play.url) if play is not bidding else None,
        options=OPTIONS,
        request_s=30,
    )
    rig = TableRig(TableSettings(ns_team="Alpha", ew_team="Beta", boards=BOARDS))
    seated = {seat: seat_services(settings, print) for seat in Side.NS.seats}
    play_out(rig, {seat: seated.get(seat) or strategy_of("basic", 1) for seat in SEATS}, Random(1))
    assert rig.ended == [None]


def test_what_is_not_legal_goes_to_the_table(ben: StubService, clock: Clock) -> None:
    service = client(ben, clock)
    ben.next_replies = [Reply(200, '{"bid": "XX"}')]
    assert (
        ServicePlayer(service, service, OPTIONS).choose_call(calling_view("AK97.K32.QT3.AK7", "1C")).call is REDOUBLE
    )


def test_what_is_forced_is_not_asked(ben: StubService, clock: Clock) -> None:
    view = PlayerView(Seat.WEST, 1, Seat.NORTH, Vulnerability.NONE, parse_hand("2.AKQJ.AKQJ.5432", Seat.WEST))
    for call in ("1NT", "Pass", "Pass", "Pass"):
        view.add_call(parse_call(call))
    view.add_card(parse_card("AS"))
    view.show_dummy(parse_hand("KQJ.T98.T98.QJT9", Seat.SOUTH))
    view.add_card(parse_card("JS"))
    service = client(ben, clock)
    assert ServicePlayer(service, service, OPTIONS).choose_card(view, Seat.WEST) == parse_card("2S")
    assert ben.asked == []


def test_nobody_is_asked_for_the_contract_of_minibridge(ben: StubService, clock: Clock) -> None:
    view = calling_view("AK97.K32.QT3.AK7", "")
    view.show_dummy(parse_hand("QJ8.A95.K642.642", Seat.SOUTH))
    service = client(ben, clock)
    with pytest.raises(
        ServiceError, match=r"^board 1, North: services are not asked for the contract of Minibridge$"
    ):
        ServicePlayer(service, service, OPTIONS).choose_call(view)


def test_a_board_that_is_begun_again_takes_the_same_course_in_a_program_that_is_started_again(
    ben: StubService, clock: Clock, tmp_path: Path
) -> None:
    view = calling_view("AK97.K32.QT3.AK7", "1C")
    path = tmp_path / "answers.jsonl"
    service = client(ben, clock)
    ben.next_replies = [
        Reply(200, '{"bid": "XX"}'),
        Reply(200, '{"bid": "X", "alert": "True", "explanation": "strong"}'),
        Reply(200, '{"bid": "1N"}'),
    ]
    first = ServicePlayer(service, service, OPTIONS, answers=AnswerFile(path))
    assert first.choose_call(view).call is REDOUBLE  # which is not kept, as the table refuses it
    assert first.choose_call(view) == (DOUBLE, "strong")
    path.write_text(path.read_text(encoding="utf-8") + '{"known": "1 N', encoding="utf-8")
    again = ServicePlayer(service, service, OPTIONS, answers=AnswerFile(path))
    assert again.choose_call(view) == (DOUBLE, "strong")
    assert len(ben.asked) == 2
    other = calling_view("AK97.K32.QT3.AK7", "1D")
    assert again.choose_call(other) == (Bid(1, Strain.NOTRUMP), "")
    assert len(path.read_text(encoding="utf-8").splitlines()) == 3
    with pytest.raises(LaunchError, match=r"the file of answers, cannot be used: "):
        AnswerFile(tmp_path)
