"""Small PBN texts of matches, and what `tourney score` makes of them."""

from collections.abc import Iterable
from typing import Any

from tourney.bridge import Board, BoardInPlay, Seat, parse_call, parse_deal
from tourney.formats.unchecked import SourceFinding
from tourney.scorefile.match import MatchesReport, ScoredMatch, score_matches
from tourney.scorefile.records import read_files
from tourney.scoring import WBF_CONTINUOUS

DEAL = "N:Q65.K92.872.7654 AK9.AJT6.KT3.A82 T4.Q843.AQ54.KJ9 J8732.75.J96.QT3"
OTHER_DEAL = "N:QT3.KQJ6.987.AT6 KJ7542.72.52.854 A.T985.KQT6.KJ97 986.A43.AJ43.Q32"

AUCTION = "1NT Pass Pass Pass"
"""From North: 1NT by North."""

_DEFAULTS = {
    "Board": "1",
    "Dealer": "N",
    "Vulnerable": "None",
    "Deal": DEAL,
    "Declarer": "N",
    "Contract": "1NT",
    "Result": "7",
}


def game(room: str | None = None, *, auction: str = "", play: str = "", **tags: str | None) -> str:
    """One game: 1NT by North, seven tricks, unless tags say otherwise; None leaves a tag out."""
    merged = {**_DEFAULTS, "Room": room, **tags}
    lines = [f'[{name} "{value}"]' for name, value in merged.items() if value is not None]
    if auction:
        lines += [f'[Auction "{tags.get("Dealer") or "N"}"]', auction]
    if play:
        lines += [f'[Play "{Seat.from_letter(merged["Declarer"] or "N").next.letter}"]', play]
    return "\n".join([*lines, "", ""])


def both(*, auction: str = "", play: str = "", **tags: str | None) -> str:
    """A board played in both rooms with the same result."""
    return game("Open", auction=auction, play=play, **tags) + game("Closed", auction=auction, play=play, **tags)


def score(*texts: str | bytes) -> MatchesReport:
    """The score of files `a.pbn`, `b.pbn`, and so on."""
    named = zip("abcdef", texts, strict=False)
    data = [(f"{letter}.pbn", t.encode() if isinstance(t, str) else t) for letter, t in named]
    return score_matches(read_files(data), WBF_CONTINUOUS)


def document_of(scored: MatchesReport) -> Any:  # JSON
    """The JSON document of the score."""
    return scored.document()


def match_in(*texts: str | bytes) -> ScoredMatch:
    """The one match that is in the files."""
    (match,) = score(*texts).matches
    return match


def told(findings: Iterable[SourceFinding]) -> list[str]:
    """`line, board, room: text` of each finding."""
    return [f"{f.line}, {f.board}, {f.room}: {f.text}" for f in findings]


def whole_play() -> tuple[list[list[str]], int, BoardInPlay]:
    """The board played out with the highest legal card each time: rows in columns from the leader, tricks, board."""
    in_play = BoardInPlay(Board.numbered(1, parse_deal(DEAL)))
    for call in AUCTION.split():
        in_play.add_call(parse_call(call))
    assert in_play.play is not None
    while not in_play.is_over:
        in_play.add_card(in_play.play.legal_cards()[0])
    leader = in_play.play.contract.leader
    rows = []
    for trick in in_play.play.tricks:
        row = [""] * 4
        for index, card in enumerate(trick.cards):
            row[(trick.leader.plus(index) - leader) % 4] = card.pbn
        rows.append(row)
    return rows, in_play.play.tricks_won, in_play


def text_of(rows: list[list[str]]) -> str:
    return "\n".join(" ".join(row) for row in rows)
