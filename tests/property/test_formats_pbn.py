"""PBN: no text breaks the reader, every export keeps to the format, keeps what it was given."""

import contextlib
import datetime
import re
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.support.pbn import parse_games
from tests.support.strategies import PlayedBoard, boards, played_boards
from tourney.bridge import DECLARERS, SEATS, STRAINS, Board, DoubleDummyTable, Result, score_ns
from tourney.errors import FormatError
from tourney.formats.boards import parse_boards
from tourney.formats.file_kinds import decode_text
from tourney.formats.pbn.games import MANDATORY_TAGS, Game
from tourney.formats.pbn.writer import LINE_LENGTH_MAX, NOTES_MAX, PbnRecord, format_records

names = st.text(st.characters(min_codepoint=32, max_codepoint=0x2FFF, exclude_categories=["Cs"]), max_size=40)
alert_texts = st.one_of(st.text(max_size=30), st.text(st.sampled_from(' ab"[]{}\\;#=:%'), max_size=600))


@st.composite
def records(draw: st.DrawFn) -> PbnRecord:
    """A board with any names and alerts that stops at any call or card; what stops in the play may be a claim."""
    played: PlayedBoard = draw(played_boards())
    calls, cards = played.calls, played.cards
    if draw(st.booleans()):
        cards = cards[: draw(st.integers(0, len(cards)))]
        if not cards:
            calls = calls[: draw(st.integers(0, len(calls)))]
    in_play = replace(played, cards=cards).replay()
    result, contract = in_play.result, in_play.contract
    if result is None and contract is not None and draw(st.booleans()):
        tricks = draw(st.integers(0, 13))
        result = Result(contract, tricks, score_ns(contract, tricks, played.board.vulnerability))
    pace_ms = draw(st.none() | st.integers(0, 10_000_000))
    worth = draw(st.none() | st.integers(0, 10_000_000))
    return PbnRecord(
        event=draw(names),
        date=draw(st.none() | st.dates(min_value=datetime.date(1, 1, 1))),
        board=played.board,
        names=(draw(names), draw(names), draw(names), draw(names)),
        calls=tuple((call, draw(st.none() | alert_texts)) for call in calls),
        cards=cards,
        result=result,
        room=draw(st.sampled_from(["Open", "Closed", None])),
        home_team=draw(names),
        visit_team=draw(names),
        round=draw(names),
        stage=draw(names),
        table=draw(names),
        tags=draw(st.sampled_from([(), (("ScoreIMP", "NS -24"),)])),
        termination=draw(names),
        call_ms=_times(pace_ms, len(calls)),
        card_ms=_times(pace_ms, len(cards)),
        makeable=_makeable(worth) if worth is not None else None,
        par_ns=worth % 2001 - 1000 if worth is not None else None,
    )


def _times(pace_ms: int | None, count: int) -> tuple[int, ...]:
    """Different thinking times out of one number: a number each would be most of what Hypothesis has to draw."""
    return () if pace_ms is None else tuple(pace_ms * (index + 1) % 100_003 for index in range(count))


def _makeable(worth: int) -> DoubleDummyTable:
    """Different tricks out of one number."""
    places = [(seat, strain) for seat in DECLARERS for strain in STRAINS]
    return DoubleDummyTable({place: worth * (index + 1) % 101 % 14 for index, place in enumerate(places)})


slow = settings(
    max_examples=30,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # a board of 52 cards shrinks for minutes
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)


# Reading


@given(st.text(st.sampled_from(' \n\r\t\x00[]{}";%\\#=aN1-é')))
def test_no_text_breaks_the_reader(text: str) -> None:
    games: list[Game] = []
    with contextlib.suppress(FormatError):
        games = parse_games(text, "x.pbn")
    assert [game.line for game in games] == sorted({game.line for game in games})
    assert all(game.tags for game in games)


@given(st.binary())
def test_no_bytes_break_the_reading_of_boards(data: bytes) -> None:
    with pytest.raises(FormatError) as caught:
        parse_boards(decode_text(data), "x.pbn")
    assert str(caught.value).startswith("x.pbn ")
    assert "\n" not in str(caught.value)


@given(st.lists(boards, min_size=1, max_size=5), st.sampled_from(["\n", "\r\n", "\r"]), st.booleans())
def test_boards_written_by_hand_are_read_back(given: list[Board], end: str, parted: bool) -> None:
    unique = list(dict.fromkeys(given))
    lines: list[str] = []
    for board in unique:
        hands = " ".join(str(board.deal[seat]) for seat in SEATS)
        lines += [
            f'[Board "{board.number}"] [Dealer "{board.dealer.letter}"]',
            f'[Vulnerable "{board.vulnerability}"]',
            f'[Deal "N:{hands}"]',
        ]
        if parted:
            lines.append("")
    assert parse_boards(end.join(lines), "x.pbn") == unique


# The export format


@slow
@given(st.lists(records(), min_size=1, max_size=2), names)
def test_every_line_of_an_export_keeps_to_the_format(written: list[PbnRecord], creator: str) -> None:
    text = format_records(written, creator)
    data = text.encode("ascii")
    assert re.fullmatch(rb"[\x20-\x7e\r\n]*", data)
    assert data.count(b"\r") == data.count(b"\n") == data.count(b"\r\n")
    lines = text.split("\r\n")
    assert max(len(line) + 2 for line in lines) <= LINE_LENGTH_MAX
    assert lines[:2] == ["% PBN 2.1", "% EXPORT"]
    assert lines[2].startswith("%Creator: ")
    assert not any(line.startswith("%") for line in lines[3:])
    assert lines[-2:] == ["", ""]
    assert '"#' not in text
    assert lines.count("") == len(written) + 1


@slow
@given(records())
def test_tags_stand_in_the_order_of_the_format(record: PbnRecord) -> None:
    (game,) = parse_games(format_records([record], "x"), "x")
    order = [tag.name for tag in game.tags]
    assert tuple(order[:15]) == MANDATORY_TAGS
    named = ("Auction", "Note", "Play")
    sections = [name for name in order if name in named or (name.endswith("Table") and name != "Table")]
    supplemental = order[15 : len(order) - len(sections)]
    assert supplemental == sorted(set(supplemental))
    assert order[15 + len(supplemental) :] == sections
    assert sections == [
        *(["Auction"] if record.calls else []),
        *(["Note"] * sections.count("Note")),
        *(["Play"] if record.contract is not None else []),
        *(["AuctionTimeTable"] if record.call_ms else []),
        *(["OptimumResultTable"] if record.makeable is not None else []),
        *(["PlayTimeTable"] if record.card_ms else []),
    ]
    notes = [int(tag.value.split(":")[0]) for tag in game.tags if tag.name == "Note"]
    assert notes == list(range(1, len(notes) + 1))
    assert len(notes) <= NOTES_MAX


@slow
@given(records())
def test_the_export_has_a_time_for_every_word_of_the_auction_and_the_play(record: PbnRecord) -> None:
    (game,) = parse_games(format_records([record], "x"), "x")
    auction, play = game.tag("AuctionTimeTable"), game.tag("PlayTimeTable")
    if auction is not None:
        assert [int(ms) for _, ms in auction.rows] == list(record.call_ms)
        assert all(abs(int(ms) - 1000 * int(seconds)) <= 500 for seconds, ms in auction.rows)
    if play is not None:
        section = game.tag("Play")
        assert section is not None
        words = [word for row in section.rows for word in row if word != "*"]
        times = dict(zip(words, [ms for _, ms in play.rows], strict=True))
        assert [int(times[card.pbn]) for _, card in record.cards] == list(record.card_ms)
        assert len(play.rows) % 4 == 0
        assert [word == "-" for word in words] == [ms == "-" for _, ms in play.rows]
