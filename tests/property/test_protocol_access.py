"""What access control holds back, whatever comes: phrases are never shown, no line beyond the limits is read."""

from hypothesis import example, given
from hypothesis import strategies as st

from tests.support.examples import examples
from tourney.protocol.access import PhraseChecker, address_key, hash_phrase, hide_phrase, parse_peer, split_login
from tourney.protocol.admission import (
    BACKLOG_MAX,
    LINE_BYTES,
    LineRateLimit,
    cut_lines,
)

NAMES = ["Alpha", "C#", "A"]
printable = st.characters(min_codepoint=32, max_codepoint=126)
said_in_quotes = st.characters(min_codepoint=32, max_codepoint=126, exclude_characters='"')
clear = st.text(st.sampled_from("abcdefghijklmn0123456789"), min_size=8).map(lambda text: f"sesame{text}")
"""Phrases that no other part of a line can have in it by chance."""


# Passphrases


@given(name=st.sampled_from(NAMES), phrase=st.text(said_in_quotes, max_size=64))
def test_name_and_phrase_come_out_of_a_log_on_as_they_went_in(name: str, phrase: str) -> None:
    assert split_login(f"{name}#{phrase}", NAMES) == (name, phrase)
    assert split_login(name, NAMES) == (name, None)


@given(
    phrase=clear,
    name=st.sampled_from([*NAMES, "Gamma", "", "X Y"]),
    before=st.text(printable, max_size=12),
    after=st.text(printable, max_size=40),
    quotes=st.sampled_from(['""', '"', '" ', "  ", "''"]),
)
@example(
    phrase="sesame00", name="Alpha", before="Connecting ", after=" as North using protocol version 18", quotes='""'
)
@example(phrase="sesame00", name="C#", before="connecting", after="", quotes='""')
@example(phrase="sesame00", name="Alpha", before="Connecting#", after="", quotes='""')
def test_no_phrase_after_the_sign_is_ever_shown(phrase: str, name: str, before: str, after: str, quotes: str) -> None:
    line = f"{before}{quotes[0]}{name}#{phrase}{quotes[1:]}{after}"
    assert phrase not in hide_phrase(line, NAMES)


@given(line=st.text(st.characters(min_codepoint=32, max_codepoint=126, exclude_characters="#")))
@example(line='Connecting "Alpha" as North using protocol version 18')
def test_a_line_without_the_sign_is_shown_as_it_is(line: str) -> None:
    assert hide_phrase(line, NAMES) == line


def test_a_log_on_is_shown_with_its_name_and_without_its_phrase() -> None:
    line = 'Connecting "{}" as North using protocol version 18'
    assert hide_phrase(line.format("Alpha#open sesame"), NAMES) == line.format("Alpha#***")
    assert hide_phrase(line.format("C##open sesame"), NAMES) == line.format("C##***")
    assert hide_phrase(line.format("C#"), NAMES) == line.format("C#")


@examples(15)  # a hash is slow on purpose
@given(phrase=st.text(printable, min_size=4, max_size=64), guess=st.text(printable, max_size=64))
@example(phrase="sesame", guess="Sesame")
@example(phrase="sesame", guess="sesame ")
def test_a_hash_fits_its_own_phrase_only(phrase: str, guess: str) -> None:
    kept = hash_phrase(phrase, "00" * 16)
    checker = PhraseChecker()
    assert checker.fits(kept, phrase)
    assert checker.fits(kept, guess) is (guess == phrase)
    assert hash_phrase(phrase, "01" * 16).digest != kept.digest


# Addresses


@given(peer=st.text(printable, max_size=40) | st.ip_addresses().map(lambda address: f"{address}:40000"))
def test_any_peer_is_an_address_or_none(peer: str) -> None:
    address = parse_peer(peer)
    assert address is None or address_key(address)


# Lines a second


@given(
    data=st.lists(st.binary(max_size=600).map(lambda line: line.replace(b"\n", b"?"))).map(b"\n".join),
    room=st.integers(0, 20),
)
def test_a_cut_takes_whole_lines_as_many_as_there_is_room_for(data: bytes, room: int) -> None:
    end = cut_lines(data, room)
    assert data[:end].count(b"\n") <= room
    assert end <= room * LINE_BYTES
    assert end == len(data) or data[:end].count(b"\n") == room or end == room * LINE_BYTES


@given(
    reads=st.lists(st.tuples(st.integers(0, 500), st.integers(1, 3000)), max_size=60),
    per_s=st.sampled_from([10, 33, 2000]),
)
def test_never_more_lines_are_read_than_a_second_s_worth_and_what_time_has_brought(
    reads: list[tuple[int, int]], per_s: int
) -> None:
    meter = LineRateLimit(per_s, flood_ms=1000)
    now_ms, total = 5_000, 0
    for wait_ms, lines in reads:
        now_ms += wait_ms
        data = b"North ready for deal\n" * lines
        end = meter.take_lines(data, now_ms, 100_000)
        total += data[:end].count(b"\n")
        assert total <= per_s + (now_ms - 5_000) * per_s / 1000
        if end < len(data):
            assert meter.room(now_ms + meter.pause_ms()) >= 1


@given(
    data=st.lists(st.binary(max_size=600).map(lambda line: line.replace(b"\n", b"?"))).map(b"\n".join),
    spent=st.integers(0, 40),
    most=st.integers(0, 20),
)
def test_what_is_taken_is_what_there_is_room_for_and_counts_as_read(data: bytes, spent: int, most: int) -> None:
    meter, now_ms = LineRateLimit(40, flood_ms=1000), 5_000
    assert meter.take_lines(b"\n" * spent, now_ms, 100) == spent
    end = meter.take_lines(data, now_ms, most)
    assert end == cut_lines(data, min(40 - spent, most))
    read = data[:end].count(b"\n") + end // LINE_BYTES
    assert meter.room(now_ms) == max(0, 40 - spent - read)


@given(per_s=st.integers(10, 100_000), now_ms=st.integers(0, 2**41))
def test_after_a_pause_a_tenth_of_a_second_s_lines_may_be_read(per_s: int, now_ms: int) -> None:
    meter = LineRateLimit(per_s, flood_ms=1000)
    assert meter.take_lines(b"\n" * 200_000, now_ms, 200_000) == per_s
    assert meter.room(now_ms) == 0
    assert meter.room(now_ms + meter.pause_ms()) >= per_s // 10


def test_a_flood_is_what_stays_behind_at_each_read_for_too_long() -> None:
    meter, much, little = LineRateLimit(10, flood_ms=1000), b"\n" * 11, b"\n" * 10
    for now_ms in range(0, 1001, 100):
        meter.note_backlog(much, now_ms)
        assert not meter.is_flood(now_ms)
    assert meter.is_flood(1001)
    meter.note_backlog(little, 1001)
    assert not meter.is_flood(9999)
    meter.note_backlog(much, 9999)
    assert not meter.is_flood(10_999)
    assert meter.is_flood(11_000)


def test_a_stream_without_line_ends_is_behind_too() -> None:
    meter = LineRateLimit(100_000, flood_ms=1000)
    meter.note_backlog(b"x" * LINE_BYTES * (BACKLOG_MAX + 1), 0)
    assert meter.is_flood(1001)
