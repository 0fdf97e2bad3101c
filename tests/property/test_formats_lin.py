"""LIN: what bridgebots, a program not ours, reads in our files, field by field, for any board."""

import re
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.support.strategies import PlayedBoard, played_boards
from tourney.bridge import SEATS, Result, Side, score_ns
from tourney.formats.lin.writer import LinCall, LinGame, LinMatch, format_line, format_lines, format_vugraph

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # it imports packages that deprecate their own use
    import bridgebots.lin

names = st.text(st.characters(min_codepoint=32, max_codepoint=0x2FFF, exclude_categories=["Cs"]), max_size=12)
explanations = st.text(st.sampled_from(" abpn!SHdc|,♠♦é\n1"), max_size=12)

slow = settings(
    max_examples=10,
    deadline=None,
    phases=[Phase.explicit, Phase.reuse, Phase.generate],  # a board of 52 cards shrinks for minutes
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture],
)


@st.composite
def games(draw: st.DrawFn, *, with_play: bool = False) -> LinGame:
    """A board played out, passed out, claimed, or forfeited anywhere; `with_play` it has a card and a result."""
    played: PlayedBoard = draw(played_boards(passed_out=not with_play))
    calls, cards = played.calls, played.cards
    if draw(st.booleans()) and cards:
        cards = cards[: draw(st.integers(1 if with_play else 0, 51))]
    in_play = replace(played, cards=cards).replay()
    result = in_play.result
    if result is None and (with_play or draw(st.booleans())):
        tricks = draw(st.integers(0, 13))
        result = Result(in_play.contract, tricks, score_ns(in_play.contract, tricks, played.board.vulnerability))
    if result is None and not cards:
        calls = calls[: draw(st.integers(0, len(calls)))]
    return LinGame(
        board=played.board,
        names=(draw(names), draw(names), draw(names), draw(names)),
        calls=tuple(LinCall(call, draw(st.booleans()), draw(st.just("") | explanations)) for call in calls),
        cards=tuple(card for _, card in cards),
        result=result,
    )


def match_of(*pairs: tuple[LinGame | None, LinGame | None]) -> LinMatch:
    first = next(game for pair in pairs for game in pair if game is not None)
    return LinMatch(
        title="Test, Cup",
        segment="Round 1",
        teams=("Alpha", "Beta"),
        names=(first.names, first.names),
        boards=tuple(range(1, 65)),
        games=pairs,
    )


def _nodes(text: str) -> list[tuple[str, str]]:
    words = text.replace("\n", "").split("|")
    return list(zip(words[::2], words[1::2], strict=False))


@slow
@given(games())
def test_a_line_is_pairs_of_ascii_on_one_line(game: LinGame) -> None:
    line = format_line(game)
    assert re.fullmatch(r"(?:[a-z]{2}\|[ -{}~]*\|)+", line)
    nodes = _nodes(line)
    assert [key for key, _ in nodes[:6]] == ["pn", "st", "md", "rh", "ah", "sv"]
    assert len(nodes[0][1].split(",")) == 4
    assert sum(key == "mb" for key, _ in nodes) == len(game.calls)
    assert sum(key == "pc" for key, _ in nodes) == (len(game.cards) if game.result is not None else 0)


@slow
@given(games(), st.none() | games())
def test_a_vugraph_file_has_two_results_a_board_eight_names_and_every_game(
    opened: LinGame, closed: LinGame | None
) -> None:
    text = format_vugraph(match_of((opened, closed)))
    assert text.isascii()
    nodes = _nodes(text)
    assert nodes[0] == ("vg", "Test; Cup,Round 1,I,1,64,Alpha,0,Beta,0")
    results = nodes[1][1].split(",")
    assert (nodes[1][0], len(results)) == ("rs", 128)
    assert bool(results[2 * opened.board.number - 2]) is (opened.result is not None)
    assert (nodes[2][0], len(nodes[2][1].split(","))) == ("pn", 8)
    labels = [value for key, value in nodes if key == "qx"]
    assert labels == [f"o{opened.board.number}", *([f"c{closed.board.number}"] if closed is not None else [])]


# bridgebots reads every board with a card played and a result, and those passed out


def _plain(text: str) -> str:
    """What is the same in every spelling of a text."""
    return re.sub(r"[^a-z0-9]", "", text.lower())


def _check_bridgebots(game: LinGame, deal: Any, played: Any) -> None:
    by_name = {direction.name: direction for direction in deal.hands}
    assert played.board_name == f"Board {game.board.number}"
    assert deal.dealer.name == game.board.dealer.title.upper()
    assert (deal.ns_vulnerable, deal.ew_vulnerable) == (
        game.board.vulnerability.includes(Side.NS),
        game.board.vulnerability.includes(Side.EW),
    )
    line = format_line(game)
    shown = dict(zip("SWNE", line.split("|")[1].split(","), strict=True))
    for seat in SEATS:
        direction = by_name[seat.title.upper()]
        assert {repr(card) for card in deal.hands[direction].cards} == {c.pbn for c in game.board.deal[seat].cards}
        assert played.names[direction] == shown[seat.letter]
    assert played.bidding_record == [str(made.call).upper() for made in game.calls]
    meant = {entry.bid_index: entry for entry in played.bidding_metadata}
    for index, made in enumerate(game.calls):
        entry = meant.get(index)
        assert (entry is not None and entry.alerted) is made.is_alerted
        explanation = entry.explanation if entry is not None else None
        ascii_only = made.explanation.replace("é", "e").translate(dict(zip(map(ord, "♠♦"), "sd", strict=True)))
        assert _plain(explanation or "") == _plain(ascii_only)
    assert [repr(card) for card in played.play_record] == [card.pbn for card in game.cards]
    assert game.result is not None
    contract = game.result.contract
    if contract is None:
        assert (str(played.contract), played.tricks, played.score) == ("PASS", 0, 0)
        return
    assert (str(played.contract), played.declarer.name) == (str(contract), contract.declarer.title.upper())
    assert played.tricks == game.result.tricks
    assert (played.score if contract.declarer.side is Side.NS else -played.score) == game.result.score


@slow
@given(game=games(with_play=True))
def test_bridgebots_reads_every_field_of_a_line(game: LinGame, tmp_path: Path) -> None:
    path = tmp_path / "boards.lin"
    path.write_text(format_lines([game]), encoding="ascii")
    ((deal, (played,)),) = [(one.deal, one.board_records) for one in bridgebots.lin.parse_single_lin(path)]
    _check_bridgebots(game, deal, played)


@slow
@given(game=games(with_play=True))
def test_bridgebots_reads_every_field_of_both_rooms_of_a_vugraph_file(game: LinGame, tmp_path: Path) -> None:
    path = tmp_path / "match.lin"
    path.write_text(format_vugraph(match_of((game, game))), encoding="ascii")
    ((deal, both),) = [(one.deal, one.board_records) for one in bridgebots.lin.parse_multi_lin(path)]
    assert len(both) == 2
    for played in both:
        _check_bridgebots(game, deal, played)
