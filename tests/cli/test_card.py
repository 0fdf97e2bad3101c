"""The command `tourney lab card`: the result card of a duel."""

import csv
import json
from collections import defaultdict
from dataclasses import replace
from math import sqrt
from pathlib import Path

import pytest

from tests.support.commands import converse, run
from tests.support.duel_players import PLAYERS
from tests.support.endplay_reader import needs_endplay
from tourney.bridge import DECLARERS, STRAINS, DoubleDummyTable, board_from_seed
from tourney.config.suites import SUITES, DealSource, hash_boards
from tourney.errors import UsageError
from tourney.formats.boards import format_boards
from tourney.lab.event_files import read_boards
from tourney.scoring.strength.estimate import QUANTILE_95

TABLES = ("789a6" * 4, "a9768" * 4, "56784" * 4)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "players.py").write_text(PLAYERS, encoding="utf-8")
    boards = [
        replace(board_from_seed(5, "1.1", number), makes=DoubleDummyTable.parse(table))
        for number, table in enumerate(TABLES, 1)
    ]
    (tmp_path / "boards.pbn").write_text(format_boards(boards, "test"), encoding="ascii", newline="")
    return tmp_path


def duel(*more: str) -> str:
    of_classes = ("players:Bold", "players:Calm", "--in-process", "--auctions", "--deals", "boards.pbn")
    done = run("duel", *of_classes, "--name", "d", "--concurrency", "2", *more)
    assert done.exit_code == 0, done.stderr
    return done.stdout


def test_the_error_is_that_of_deals_with_all_dealers_and_vulnerabilities_and_the_command_plays_it_again(
    folder: Path,
) -> None:
    told = duel("--variants", "--sprt", "none")
    assert "show a difference" not in told  # which is that of boards of different deals
    card = json.loads(run("lab", "card", "d.toml", "--json").stdout)
    assert run("export", "d.toml", "--format", "csv", "--out", "out").exit_code == 0
    by_deal: defaultdict[str, list[int]] = defaultdict(list)
    for row in csv.DictReader((folder / "out" / "boards.csv").read_text(encoding="utf-8").splitlines()):
        if row["room"] == "open":
            by_deal[row["deal"]].append(int(row["imps_home"]))
    swings = [swing for of_deal in by_deal.values() for swing in of_deal]
    mean = sum(swings) / len(swings)
    sums = [sum(of_deal) - len(of_deal) * mean for of_deal in by_deal.values()]
    error = sqrt(3 / 2 * sum(each * each for each in sums)) / 48
    naive = sqrt(sum((swing - mean) ** 2 for swing in swings) / 47 / 48)
    assert (card["deals"], card["boards"], card["cards"]) == (3, 48, "double-dummy")
    figures = card["imps_a_board"], card["error"], card["naive_error"]
    assert figures == pytest.approx((mean, error, naive))
    assert error > naive > 0
    reach = QUANTILE_95 * error
    assert f"{mean:+.2f} +- {reach:.2f} IMPs/board" in told
    assert f"with 95 % confidence {mean - reach:+.2f} to {mean + reach:+.2f}" in told
    strength = json.loads(run("lab", "strength", "d.toml", "--json").stdout)
    assert strength["duels"][0]["estimate"]["high"] == pytest.approx(mean + reach)
    league = "lab league players:Bold players:Calm --in-process --auctions --deals d-boards.pbn --folder l"
    assert f"{mean:+.2f} +- {reach:.2f}" in run(*league.split()).stdout
    assert all(len(card[key]) == 64 for key in ("first_digest", "second_digest", "boards_sha256"))
    how = "--deals d-boards.pbn --boards 48 --sprt none --auctions --in-process"
    assert card["command"] == f"tourney duel players:Bold players:Calm {how}"
    assert run(*card["command"].split()[1:], "--name", "again").exit_code == 0
    again = json.loads(run("lab", "card", "again.toml", "--json").stdout)
    assert {key for key in card if card[key] != again[key]} <= {"suite", "command"}  # which name the file of boards
    text = run("lab", "card", "d.toml").stdout
    assert f"| IMPs a board | {mean:+.3f} ± {error:.3f} (standard error by deal) |" in text
    assert "| boards | 48, of 3 deals; " in text


@needs_endplay
def test_what_the_tables_of_the_deals_say_is_not_solved_again(folder: Path) -> None:
    duel("--sprt", "none")
    analysed = json.loads(run("analyse", "d.toml", "--json").stdout)
    found = [board for match in analysed["matches"] for board in match["boards"]]
    assert [
        "".join(f"{board['tricks'][seat.letter][strain.letters]:x}" for seat in DECLARERS for strain in STRAINS)
        for board in found
    ] == list(TABLES[: len(found)])
    assert [(board["par"], board["par_contracts"][0]) for board in found] == [(100, "4HX E -1"), (-200, "5NTX N -1")]


def test_a_test_that_stops_where_luck_helps_and_other_events_have_no_card(folder: Path) -> None:
    duel()
    varied = "duel players:Bold players:Calm --in-process"
    sentence = "refused 2: ...(--variants) take --sprt none, and --seed, --deals or --suite..."
    converse(
        folder,
        f"""
        $ lab card d.toml -> refused 2: ...has a sequential test, which stops where luck helps...
        $ {varied} --variants --sprt none -> {sentence}
        $ {varied} --suite tourney-10000 -> {sentence}
        """,
    )


@pytest.fixture
def small_suite(folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A suite of the three deals of the file, and the hash of its boards."""
    monkeypatch.setitem(SUITES, "kita-1000", replace(SUITES["kita-1000"], deals=3))
    return hash_boards(read_boards(DealSource(folder / "boards.pbn"), None) or [])


def test_a_suite_is_named_with_its_hash_and_a_card_says_how_much_of_it_was_played(
    folder: Path, small_suite: str
) -> None:
    suite = f"kita-1000@{small_suite[:16]}"
    duel("--sprt", "none", "--boards", "2", "--suite", f"kita-1000@{small_suite[:8].upper()}=boards.pbn")
    duel("--sprt", "none", "--name", "varied", "--suite", "kita-1000=boards.pbn", "--variants")
    duel("--sprt", "none", "--name", "whole", "--concurrency", "1", "--suite", "kita-1000=boards.pbn")
    named = f"... --suite {suite}=dataset_for_vs_wb5.json"
    converse(
        folder,
        f"""
        $ lab card d.toml --json | : suite suite_deals deals boards -> {suite} 3 2 2
        $ lab card d.toml --json | command -> {named} --boards 2 ...
        $ lab card d.toml -> ... -> | suite | {suite}, 2 of its 3 deals | -> ...
        $ lab card varied.toml --json | command -> {named} --variants --boards 48 ...
        $ lab card whole.toml --json | boards_sha256 -> {small_suite}
        $ lab card whole.toml -> ... -> | suite | {suite} | -> ...
        """,
    )
    assert json.loads(run("lab", "card", "d.toml", "--json").stdout)["boards_sha256"] != small_suite


def test_a_hash_that_is_asked_for_does_not_stand_in_for_that_of_the_suite(folder: Path) -> None:
    boards = read_boards(DealSource(folder / "boards.pbn"), None) or []
    suite = replace(SUITES["tourney-10000"], deals=3)
    with pytest.raises(UsageError, match=r"boards\.pbn has other boards than tourney-10000: SHA-256 .*, not c5f5"):
        DealSource(folder / "boards.pbn", suite, hash_boards(boards)).check(boards)


@pytest.mark.usefixtures("small_suite")
@pytest.mark.parametrize(
    ("suite", "sentence"),
    [
        ("kita-1000@00000000=boards.pbn", "boards.pbn has other boards than kita-1000: SHA-256 "),
        ("fair-1000=boards.pbn", "fair-1000 has 1000 deals, boards.pbn has 3 boards"),
        ("kita-1000=two.pbn", "kita-1000 has 3 deals, two.pbn has 2 boards"),
        ("kita-1000=four.pbn", "kita-1000 has 3 deals, four.pbn has more"),
        ("kita-1000", "kita-1000 is not shipped with tourney: give it as kita-1000=dataset_for_vs_wb5.json"),
        (
            "kita-100",
            "kita-100 is no file, nor a suite: suites are tourney-10000, fair-1000, kita-1000, pidgin-10000",
        ),
        ("kita-1000=none.pbn", "none.pbn is no file"),
        ("tourney-10000=boards.pbn", "tourney-10000 has 10000 deals, boards.pbn has 3 boards"),
    ],
)
def test_other_boards_than_those_of_a_suite_are_refused_before_anything_is_written(
    folder: Path, suite: str, sentence: str
) -> None:
    for name, deals in (("two.pbn", 2), ("four.pbn", 4)):
        boards = [board_from_seed(5, "1.1", number) for number in range(1, deals + 1)]
        (folder / name).write_text(format_boards(boards, "test"), encoding="ascii", newline="")
    before = sorted(folder.rglob("*"))
    refused = run("duel", "players:Bold", "players:Calm", "--in-process", "--sprt", "none", "--suite", suite)
    assert (refused.exit_code, sorted(folder.rglob("*"))) == (2, before)
    assert sentence in " ".join(refused.stderr.split())


def test_our_suite_is_dealt_from_its_seed_as_deals_make_deals_it(folder: Path) -> None:
    source = DealSource.parse("tourney-10000@c5f528152641d531")
    boards = read_boards(source, 20, variants=source.is_varied)
    assert boards is not None
    assert [board.number for board in boards] == list(range(1, 33))
    assert len({board.deal for board in boards}) == 2
    made = run("deals", "make", "--seed", "2026", "--boards", "2", "--out", str(folder / "made.pbn"))
    assert made.exit_code == 0, made.stderr
    first = read_boards(DealSource(folder / "made.pbn"), None)
    assert first is not None
    assert [board.deal for board in first] == [boards[0].deal, boards[16].deal]
