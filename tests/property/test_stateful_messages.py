"""The words of the stateful-server protocol: reading undoes writing, and no bytes do harm."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.protocol_players import words_of
from tourney.bridge import CALLS, DECK, SEATS, Contract, Side, Strain, Vulnerability
from tourney.errors import FormatError
from tourney.protocol.stateful.messages import (
    NAME_CHARS_MAX,
    PLAYER_MESSAGES,
    SERVER_MESSAGES,
    AlertMessage,
    AuccloseMessage,
    AucopenMessage,
    BidMessage,
    BoardMessage,
    DeclarerMessage,
    DummyMessage,
    EndMessage,
    Extension,
    ExtensionsMessage,
    GamesMessage,
    HandMessage,
    HelloMessage,
    JoinedMessage,
    JoinGameMessage,
    JoinTournamentMessage,
    NakMessage,
    NoteMessage,
    PingMessage,
    PlayMessage,
    PongMessage,
    ResultMessage,
    ScoreMessage,
    StatefulMessage,
    StoppedMessage,
    TimeMessage,
    TournamentsMessage,
    TrickMessage,
    TricksWonMessage,
    TurnMessage,
    format_message,
    parse_player_message,
    parse_server_message,
)

ids = st.from_regex(r"[a-zA-Z0-9]{1,64}", fullmatch=True)
texts = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S"], include_characters=" "), max_size=100)
names = texts.map(lambda text: " ".join(text.split())[:NAME_CHARS_MAX]).filter(bool)
seats = st.sampled_from(SEATS)
nobody = st.none() | seats
cards = st.sampled_from(DECK)
hands = st.lists(cards, max_size=13, unique=True).map(tuple)
calls = st.lists(st.sampled_from(CALLS), max_size=60).map(tuple)
numbers = st.integers(0, 999_999)
points = st.integers(-9999, 9999)
strains, sides = st.sampled_from(Strain), st.sampled_from(Side)
contracts = st.none() | st.builds(Contract, st.integers(1, 7), strains, st.integers(0, 2), seats)
vulnerabilities = st.sampled_from(Vulnerability)
spoken = texts.map(lambda text: " ".join(text.split()))

messages: st.SearchStrategy[StatefulMessage] = st.one_of(
    st.builds(HelloMessage, names),
    st.builds(JoinTournamentMessage) | st.builds(JoinTournamentMessage, ids, st.none() | names),
    st.builds(JoinGameMessage) | st.builds(JoinGameMessage, ids, nobody),
    st.builds(BidMessage, st.sampled_from(CALLS)),
    st.builds(PlayMessage, cards),
    st.builds(TournamentsMessage, st.lists(ids, max_size=5).map(tuple)),
    st.builds(GamesMessage, st.lists(ids, max_size=5).map(tuple)),
    st.builds(NakMessage, spoken),
    st.builds(HandMessage, hands),
    st.builds(DummyMessage, hands),
    st.builds(JoinedMessage, ids, seats, st.none() | names),
    st.builds(AucopenMessage, nobody, calls),
    st.builds(AuccloseMessage.of_contract, contracts),
    st.builds(TrickMessage, nobody, st.lists(cards, max_size=4).map(tuple)),
    st.builds(TricksWonMessage, st.lists(seats, max_size=13).map(tuple)),
    st.builds(
        ScoreMessage,
        ns_above=points,
        ns_below=points,
        ns_vulnerable=st.booleans(),
        ew_above=points,
        ew_below=points,
        ew_vulnerable=st.booleans(),
    ),
    st.builds(ExtensionsMessage, st.frozensets(st.sampled_from(Extension))),
    st.builds(AlertMessage, seats, spoken, st.none() | numbers),
    st.builds(BoardMessage, numbers, seats, vulnerabilities),
    st.builds(DeclarerMessage, seats),
    st.builds(
        TurnMessage,
        position=seats,
        number=numbers,
        dealer=seats,
        vulnerability=vulnerabilities,
        hand=hands,
        calls=calls,
        dummy=hands,
        cards=hands,
    ),
    st.builds(ResultMessage, contracts, st.integers(0, 13), points),
    st.builds(TimeMessage, sides, numbers, st.none() | numbers),
    st.builds(PingMessage, ids),
    st.builds(PongMessage, ids),
    st.builds(EndMessage, spoken),
    st.builds(StoppedMessage, spoken),
    st.builds(NoteMessage, spoken),
)

words = st.sampled_from(
    words_of(
        " ".join(PLAYER_MESSAGES),
        " ".join(SERVER_MESSAGES),
        '- 0 1 N E 1C 7NT PASS DOUBLE REDOUBLE AS 10H TH AS,KS , " "" \\" NS EW BOTH "Alpha Alpha g1 , ,, X-',
    )
)


@pytest.mark.clause("SS-02")
@pytest.mark.clause("SS-03")
@given(messages)
def test_reading_undoes_writing(message: StatefulMessage) -> None:
    line = format_message(message).encode()
    if message.NAME in PLAYER_MESSAGES:
        assert parse_player_message(line) == message
    if message.NAME in SERVER_MESSAGES:
        assert parse_server_message(line) == message


@pytest.mark.clause("SS-04")
@given(st.binary(max_size=200) | st.lists(words, max_size=8).map(lambda said: " ".join(said).encode()))
def test_any_bytes_are_a_message_or_refused_in_a_sentence(line: bytes) -> None:
    for parse in (parse_player_message, parse_server_message):
        try:
            message = parse(line)
        except FormatError:
            continue
        assert message is None or format_message(message)
