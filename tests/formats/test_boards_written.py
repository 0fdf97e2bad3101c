"""Boards as PBN: the export format of boards that nobody has played yet."""

import warnings
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.support.endplay_reader import endplay_pbn, needs_endplay
from tests.support.pbn import parse_games
from tests.support.strategies import deals, seats, vulnerabilities
from tourney.bridge import Board, Seat, Vulnerability, board_from_seed, format_deal
from tourney.formats.boards import BOARD_NUMBER_MAX, format_boards, parse_boards
from tourney.formats.pbn.writer import LINE_LENGTH_MAX

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it imports packages that deprecate their own use
    import bridgebots.deal_utils
    import bridgebots.pbn

CREATOR = "tourney 1.0"

any_boards = st.lists(
    st.builds(Board, st.integers(1, BOARD_NUMBER_MAX), seats, vulnerabilities, deals),
    max_size=4,
    unique_by=lambda board: board.number,
)


def test_a_board_has_the_mandatory_tags_in_their_order_and_nothing_else() -> None:
    assert format_boards([board_from_seed(7, "1.1", 2)], CREATOR).split("\r\n") == [
        "% PBN 2.1",
        "% EXPORT",
        "%Creator: tourney 1.0",
        '[Event "?"]',
        '[Site "?"]',
        '[Date "????.??.??"]',
        '[Board "2"]',
        '[West "?"]',
        '[North "?"]',
        '[East "?"]',
        '[South "?"]',
        '[Dealer "E"]',
        '[Vulnerable "NS"]',
        '[Deal "E:Q8.KJ543.52.Q642 AKJ965..AT9743.5 T432.T976.8.AKJ7 7.AQ82.KQJ6.T983"]',
        '[Scoring "?"]',
        '[Declarer "?"]',
        '[Contract "?"]',
        '[Result "?"]',
        "",
        "",
    ]


def test_a_file_of_no_boards_is_its_header_and_an_empty_line() -> None:
    assert format_boards([], CREATOR) == "% PBN 2.1\r\n% EXPORT\r\n%Creator: tourney 1.0\r\n\r\n"


@given(any_boards.filter(bool))
def test_our_own_reader_gets_every_board_back_and_the_format_is_kept(boards: list[Board]) -> None:
    text = format_boards(boards, CREATOR)
    assert parse_boards(text, "x") == boards
    assert len(parse_games(text, "x")) == len(boards)
    assert text.isascii()
    assert text.endswith("\r\n\r\n")
    assert all(len(line) + 2 <= LINE_LENGTH_MAX for line in text.split("\r\n"))


SIXTEEN = [board_from_seed("others", "1.1", number) for number in range(1, 17)]

_ENDPLAY_VULNERABILITY = {
    Vulnerability.NONE: "none",
    Vulnerability.NS: "ns",
    Vulnerability.EW: "ew",
    Vulnerability.ALL: "both",
}


@needs_endplay
def test_endplay_reads_every_board_as_one_not_played() -> None:
    read: list[Any] = endplay_pbn.loads(format_boards(SIXTEEN, CREATOR))
    assert len(read) == 16
    for theirs, ours in zip(read, SIXTEEN, strict=True):
        assert theirs.board_num == ours.number
        assert theirs.dealer.abbr == ours.dealer.letter
        assert theirs.vul.name == _ENDPLAY_VULNERABILITY[ours.vulnerability]
        assert theirs.deal.to_pbn() == format_deal(ours.deal)
        assert (theirs.contract, theirs.auction, theirs.play) == (None, [], [])


def test_bridgebots_reads_every_deal(tmp_path: Path) -> None:
    # Its records are of boards that were played; of others it reads tags and deal.
    path = tmp_path / "boards.pbn"
    path.write_bytes(format_boards(SIXTEEN, CREATOR).encode())
    records = [bridgebots.pbn._build_record_dict(record) for record in bridgebots.pbn._split_pbn(path)]
    assert len(records) == 16
    for tags, ours in zip(records, SIXTEEN, strict=True):
        deal = bridgebots.deal_utils.from_pbn_deal(tags["Dealer"], tags["Vulnerable"], tags["Deal"])
        assert tags["Board"] == str(ours.number)
        assert deal.dealer.abbreviation() == ours.dealer.letter
        assert deal.ns_vulnerable == (ours.vulnerability in (Vulnerability.NS, Vulnerability.ALL))
        assert deal.ew_vulnerable == (ours.vulnerability in (Vulnerability.EW, Vulnerability.ALL))
        for direction, cards in deal.player_cards.items():
            seat = Seat.from_letter(direction.abbreviation())
            assert sorted(map(str, cards)) == sorted(card.pbn for card in ours.deal[seat].cards)
