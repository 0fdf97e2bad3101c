"""The words of the stateful-server protocol: reading undoes writing, and no bytes do harm."""

from dataclasses import Field, fields
from typing import Any, Final, get_args, get_origin

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.protocol_players import words_of
from tourney.bridge import CALLS, DECK, SEATS, Call, Card, Contract, Seat, Side, Strain, Vulnerability
from tourney.errors import FormatError
from tourney.protocol.stateful.messages import (
    PLAYER_MESSAGES,
    SERVER_MESSAGES,
    AuccloseMessage,
    ClaimMessage,
    Extension,
    Id,
    IdOrNone,
    Ids,
    StatefulMessage,
    UndoMessage,
    codec_of,
    format_message,
    parse_player_message,
    parse_server_message,
)
from tourney.protocol.stateful.values import NAME, NAME_CHARS_MAX, PARTNER

ids = st.from_regex(r"[a-zA-Z0-9]{1,64}", fullmatch=True)
texts = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S"], include_characters=" "), max_size=100)
names = texts.map(lambda text: " ".join(text.split())[:NAME_CHARS_MAX].strip()).filter(
    lambda name: name not in ("", "-")
)
seats = st.sampled_from(SEATS)
contracts = st.builds(Contract, st.integers(1, 7), st.sampled_from(Strain), st.integers(0, 2), seats)

OF_TYPES: Final[dict[Any, st.SearchStrategy[Any]]] = {
    bool: st.booleans(),
    int: st.integers(-999_999_999, 999_999_999),
    str: texts,
    type(None): st.none(),
    Call: st.sampled_from(CALLS),
    Card: st.sampled_from(DECK),
    Contract: contracts,
    Extension: st.sampled_from(Extension),
    Seat: seats,
    Side: st.sampled_from(Side),
    Vulnerability: st.sampled_from(Vulnerability),
}


def values_of(type_: Any, of_types: dict[Any, st.SearchStrategy[Any]]) -> st.SearchStrategy[Any]:
    """Whatever a field of a type may have."""
    if type_ in of_types:
        return of_types[type_]
    parts = [values_of(part, of_types) for part in get_args(type_) if part is not ...]
    if get_origin(type_) is tuple:
        return st.lists(*parts, max_size=30).map(tuple)
    return st.frozensets(*parts) if get_origin(type_) is frozenset else st.one_of(parts)


def arguments_of(field: Field[Any]) -> st.SearchStrategy[Any]:
    """Whatever a field of a message may have."""
    words = ids if field.type in (Id, IdOrNone, Ids) else names if codec_of(field) in (NAME, PARTNER) else texts
    words = st.sampled_from(["open", "closed"]) if field.name == "room" else words
    return values_of(get_args(field.type)[0], OF_TYPES | {str: words})


def drawn(kind: type[StatefulMessage]) -> st.SearchStrategy[StatefulMessage]:
    """Any message of a kind, from its declaration."""
    if kind is AuccloseMessage:  # its arguments depend on each other
        return st.builds(AuccloseMessage.of_contract, st.none() | contracts)
    built = st.builds(kind, **{field.name: arguments_of(field) for field in fields(kind)})
    return built.filter(has_all_before_what_it_has) if kind in (ClaimMessage, UndoMessage) else built


def has_all_before_what_it_has(message: StatefulMessage) -> bool:
    """Whether no argument is given after one that is left out: a number, whose offer it is, at least one card."""
    given_ = [getattr(message, field.name) not in (None, ()) for field in fields(message)]
    if isinstance(message, ClaimMessage) and message.cards == ():
        return False
    return given_ == sorted(given_, reverse=True)


messages = st.one_of(*map(drawn, (PLAYER_MESSAGES | SERVER_MESSAGES).values()))
words = st.sampled_from(
    words_of(
        " ".join(PLAYER_MESSAGES),
        " ".join(SERVER_MESSAGES),
        '- 0 1 N E 1C 7NT PASS DOUBLE REDOUBLE AS 10H TH AS,KS , " "" \\" NS EW BOTH "Alpha Alpha g1 , ,, X-',
    )
)


@pytest.mark.clause("SS-02", "SS-03")
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
