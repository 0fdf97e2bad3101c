"""`tourney score`: no file breaks it, and what we export it reads back to the same results and IMPs."""

from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.support.examples import examples
from tests.support.exports import matches_of
from tests.support.played_event import draw_event, event_text
from tests.support.score_texts import AUCTION, both, document_of, game, text_of, told, whole_play
from tests.support.strategies import PlayedBoard, played_boards
from tourney.bridge import SEATS, Card, Result, Seat, format_deal
from tourney.errors import FormatError
from tourney.export.files import PROGRAM
from tourney.export.lin import lin_match
from tourney.export.pbn import match_records
from tourney.formats.lin.writer import format_vugraph
from tourney.formats.pbn.unchecked_reader import iter_unchecked_games
from tourney.formats.pbn.writer import format_records
from tourney.formats.unchecked import SourceFinding
from tourney.movement.seating import Room
from tourney.scorefile.checking import check_game, was_played
from tourney.scorefile.match import MatchesReport, score_matches
from tourney.scorefile.records import read_files
from tourney.scoring import WBF_CONTINUOUS

slow = settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])

_HEAP = (
    '[Board "~1"]~[Room "~Open"]~Closed"]~[Deal "N:~AKQ.JT9.876.5432 ~-~[Contract "~4S"]~[Result "~'
    '^9"]~EW ~NS ~10~[Score "~[ScoreIMP "~[Auction "N"]~[Play "W"]~#~##x~\n~\n\n~\r~ ~{~}~;~%~=1=~$3~'
    "^R~^~*~+~AP~Pass ~1NT ~X ~SA ~H10 ~qx|o1|~qx|c1|~md|3S~mb|1C|~rs|4HE=,~|~pc|SA|~mc|9|~"
    "vg|a,b,c,1,2,~\x00~\xff"
)
_PIECES = _HEAP.split("~")


def _score(data: bytes) -> MatchesReport | None:
    with suppress(FormatError):
        return score_matches(read_files([("x", data)]), WBF_CONTINUOUS)
    return None


@given(st.lists(st.sampled_from(_PIECES), max_size=60))
def test_no_heap_of_pieces_breaks_it(pieces: list[str]) -> None:
    scored = _score("".join(pieces).encode("iso-8859-1"))
    if scored is not None:
        document = document_of(scored)
        assert len(document["matches"]) == len(scored.matches)


_ROWS, _TRICKS, _ = whole_play()
_WHOLE = both(auction=AUCTION, play=text_of(_ROWS), Result=str(_TRICKS), Score="NS 0", ScoreIMP="NS 0") + game(
    "Open", Board="2"
)


@given(st.integers(0, len(_WHOLE)), st.integers(0, 40), st.lists(st.sampled_from(_PIECES), max_size=3))
def test_no_damage_to_a_file_breaks_it(start: int, length: int, pieces: list[str]) -> None:
    damaged = _WHOLE[:start] + "".join(pieces) + _WHOLE[start + length :]
    scored = _score(damaged.encode("iso-8859-1"))
    lines = damaged.count("\n") + damaged.count("\r") + 1
    if scored is not None:
        for match in scored.matches:
            assert all(1 <= found.line <= lines for found in match.findings)


def _rows(leader: Seat, cards: tuple[tuple[Seat, Card], ...]) -> list[list[str]]:
    rows = []
    for start in range(0, len(cards), 4):
        row = ["-"] * 4
        for seat, card in cards[start : start + 4]:
            row[(seat - leader) % 4] = card.pbn.lower()
        rows.append(row)
    return rows


@slow
@given(played_boards(), st.data())
def test_a_board_that_was_played_by_the_rules_has_no_finding_and_its_result(
    played: PlayedBoard, data: st.DataObject
) -> None:
    result = played.replay().result
    assert isinstance(result, Result)
    contract = result.contract
    shown = {
        "Contract": str(contract) if contract is not None else "Pass",
        "Declarer": contract.declarer.letter if contract is not None else "",
        "Result": str(result.tricks) if contract is not None else "",
        "Score": f"EW {-result.score}",
    }
    # Any one of these, and the auction, follow from the others.
    hidden = data.draw(st.sets(st.sampled_from(["Contract", "Declarer", "Score"])) | st.just({"Result"}))
    tags = {name: value for name, value in shown.items() if name not in hidden}
    text = "".join(
        f'[{name} "{value}"]\n'
        for name, value in {
            "Board": str(played.board.number),
            "Dealer": played.board.dealer.letter,
            "Vulnerable": played.board.vulnerability.value,
            "Deal": format_deal(played.board.deal, SEATS[played.board.number % 4]),
            **tags,
        }.items()
    )
    text += f'[Auction "{played.board.dealer.letter}"]\n{" ".join(map(str, played.calls))}\n'
    if contract is not None:
        text += f'[Play "{contract.leader.letter}"]\n{text_of(_rows(contract.leader, played.cards))}\n'
    on_text: list[SourceFinding] = []
    (stated,) = iter_unchecked_games(text, "x", on_text)
    assert on_text == []
    assert was_played(stated)
    checked = check_game(stated)
    assert checked.findings == ()
    assert checked.result == result


@examples(3)
@given(st.integers(0, 10**6))
def test_our_exports_read_back_to_the_same_results_and_imps(seed: int) -> None:
    with TemporaryDirectory() as folder:
        played = draw_event(Path(folder), event_text(boards=3, deals=f"seed = {seed}"))
        played.play(1, seed=str(seed))
        (match,) = matches_of(played)
        (segment,) = match.match.segments
        texts = (
            format_records(match_records(played.event, match), PROGRAM),
            format_vugraph(lin_match(played.event, match, segment)),
        )
        played.database.close()
    expected = {
        board.board.number: [record.result and record.result.result for record in board.records.values()]
        for board in match.boards
    }
    for text in texts:
        scored = score_matches(read_files([("x", text.encode())]), WBF_CONTINUOUS)
        (found,) = scored.matches
        assert told([*found.findings, *scored.findings]) == []
        assert (found.home, found.away) == (match.match.home, match.match.away)
        assert {int(board.board): [board.records[room].result for room in Room] for board in found.boards} == expected
        assert [board.comparison and board.comparison.imps_home for board in found.boards] == [
            board.line.imps for board in match.boards
        ]
        card = match.card
        assert found.totals[:2] == (card.totals.home, card.totals.away)
        assert card.score is not None
        assert found.vp == (card.score.vp_home, card.score.vp_away)
