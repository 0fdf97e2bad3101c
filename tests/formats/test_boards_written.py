"""Boards as PBN: the export format of boards that nobody has played yet."""

from typing import Any

from tests.support.endplay_reader import ENDPLAY_VULNERABILITY, endplay_pbn, needs_endplay
from tourney.bridge import board_from_seed, format_deal
from tourney.formats.boards import format_boards

CREATOR = "tourney 1.0"


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


SIXTEEN = [board_from_seed("others", "1.1", number) for number in range(1, 17)]


@needs_endplay
def test_endplay_reads_every_board_as_one_not_played() -> None:
    read: list[Any] = endplay_pbn.loads(format_boards(SIXTEEN, CREATOR))
    assert len(read) == 16
    for theirs, ours in zip(read, SIXTEEN, strict=True):
        assert theirs.board_num == ours.number
        assert theirs.dealer.abbr == ours.dealer.letter
        assert theirs.vul.name == ENDPLAY_VULNERABILITY[ours.vulnerability]
        assert theirs.deal.to_pbn() == format_deal(ours.deal)
        assert (theirs.contract, theirs.auction, theirs.play) == (None, [], [])
