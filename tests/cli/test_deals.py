"""The commands `tourney deals make`, `seal`, `open` and `check`: boards from a seed or a file, sealed and opened."""

import json
import os
import stat
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from tests.support import commands
from tests.support.commands import printed, refusal, run
from tests.support.event_conversation import converse
from tests.support.played_event import BEGINS_AT_MS, PlayedEvent, draw_event, event_text, write_event
from tests.support.refusals import refused_commands
from tourney.bridge import Board, board_from_seed
from tourney.coordinator.draw import ensure_drawn
from tourney.event.file import load_event_file
from tourney.event.seal import seal_problem
from tourney.formats.boards import parse_boards
from tourney.store.db.database import Database

FOUR = ("Ants", "Bees", "Cats", "Dogs")


deals = partial(run, "deals")


def refused(*words: object, status: int) -> str:
    return refusal(deals(*words), status)


def dealt(*words: object) -> list[Board]:
    result = printed(deals("make", *words))
    return parse_boards(result, "stdout")


def from_seed(set_name: str, *numbers: int, seed: int = 7) -> list[Board]:
    return [board_from_seed(seed, set_name, number) for number in numbers]


# Boards


def test_boards_of_a_seed_are_written_to_a_file_and_counted(tmp_path: Path) -> None:
    out = tmp_path / "boards.pbn"
    result = deals("make", "--boards", 32, "--seed", 7, "--out", out)
    assert (result.exit_code, result.stdout, result.stderr) == (0, f"Wrote 32 boards to {out}\n", "")
    data = out.read_bytes()
    assert data.startswith(b"% PBN 2.1\r\n% EXPORT\r\n")
    assert parse_boards(data.decode("ascii"), "x") == from_seed("1.1", *range(1, 33))
    assert list(tmp_path.iterdir()) == [out]


def test_numbers_begin_where_it_is_said_and_the_board_of_a_number_is_the_same() -> None:
    assert dealt("--boards", 2, "--seed", -7, "--first", 17) == from_seed("1.1", 17, 18, seed=-7)


def test_boards_are_those_that_an_event_of_that_seed_plays(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text(*FOUR, boards=3, deals='seed = 7\nshared = "match"'))
    third_round = played.event.rounds[2]
    for index, match in enumerate(third_round.matches, 1):
        assert tuple(dealt("--boards", 3, "--seed", 7, "--set", f"1.3.{index}")) == played.boards(match.number)


def test_a_seed_that_is_drawn_is_told_and_deals_the_same_boards_again() -> None:
    first, second = deals("make", "--boards", 1), deals("make", "--boards", 1)
    seed = first.stderr.split()[3].rstrip(":")
    assert first.stderr == f"the seed is {seed}: with --seed {seed} the same boards are dealt again\n"
    assert deals("make", "--boards", 1, "--seed", seed).stdout == first.stdout
    assert second.stdout != first.stdout
    assert seed not in first.stdout


def test_a_file_that_is_there_is_not_written_over_and_one_that_cannot_be_read_or_written_is_named(
    tmp_path: Path,
) -> None:
    out = tmp_path / "boards.pbn"
    out.write_text("mine", encoding="utf-8")
    commands.converse(
        tmp_path,
        """
        $ deals make --boards 1 --seed 7 --out FOLDER/boards.pbn
            -> refused: FOLDER/boards.pbn exists already: give the name of a new file
        $ deals make --boards 1 --seed 7 --out FOLDER/no/x.pbn
            -> refused: file FOLDER/no/x.pbn cannot be written: No such file or directory
        $ deals check FOLDER/no/x.pbn -> refused 2: file FOLDER/no/x.pbn cannot be read: No such file or directory
        """,
    )
    assert out.read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize(("words", "status", "sentence"), refused_commands("commands/deals"))
def test_words_that_do_not_go_together_are_a_usage_error_in_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], status: int, sentence: str
) -> None:
    monkeypatch.chdir(tmp_path)
    assert refused(*words, status=status) == sentence


@pytest.mark.parametrize(
    ("option", "value"), [("--boards", 0), ("--boards", 10_001), ("--first", 0), ("--seed", 2**63), ("--seed", "x")]
)
def test_numbers_out_of_range_are_a_usage_error(option: str, value: object) -> None:
    assert f"Invalid value for '{option}'" in refusal(deals("make", "--boards", 2, option, value), 2)


# The seal


@pytest.fixture
def drawn(tmp_path: Path) -> PlayedEvent:
    return draw_event(tmp_path, event_text("Ants", "Bees", "Cats", deals=""))


def seal(path: Path) -> str:
    """Seal the event; its hash."""
    return printed(deals("seal", path)).splitlines()[1].removeprefix("SHA-256 ")


OPEN_SEAL = "$ deals open EVENT --force --out FOLDER/opened.json"


def test_an_event_is_sealed_played_opened_and_checked(drawn: PlayedEvent) -> None:
    commitment = seal(drawn.path)
    fits = f"They fit SHA-256 {commitment}"
    converse(
        drawn,
        f"""
        all is played
        scored
        $ deals open EVENT --out FOLDER/opened.json
            -> Wrote 6 boards in 3 sets to FOLDER/opened.json; they fit SHA-256 -> {commitment}
        $ deals check FOLDER/opened.json --hash {commitment.upper()}
            -> 6 boards in 3 sets of Test Cup, all dealt from seed {drawn.event.seed} -> {fits}
        $ deals check FOLDER/opened.json
            -> ...
            -> {fits}
            -> Compare it with the hash that was published before the event, or give that with --hash.
        """,
    )
    document = json.loads((drawn.path.parent / "opened.json").read_text(encoding="utf-8"))
    assert [each["set"] for each in document["sets"]] == ["1.1", "1.2", "1.3"]
    played = [board.number for match in drawn.event.matches for board in drawn.boards(match.number)]
    assert [int(line.split()[0]) for each in document["sets"] for line in each["boards"]] == played


def test_a_run_says_when_the_boards_are_no_longer_those_that_were_sealed(drawn: PlayedEvent) -> None:
    results = drawn.file.results
    assert seal_problem(results, drawn.database, drawn.event) is None
    seal(drawn.path)
    assert seal_problem(results, drawn.database, drawn.event) is None
    drawn.path.write_text(event_text("Ants", "Bees", "Cats", deals="seed = 99"), encoding="utf-8")
    event = ensure_drawn(load_event_file(drawn.path), drawn.database, BEGINS_AT_MS)
    trouble = seal_problem(results, drawn.database, event)
    assert trouble is not None
    assert trouble.startswith("event 'Test Cup' no longer has the boards that were sealed at ")
    (results / "seal.json").write_text("{}", encoding="utf-8")
    assert "is damaged" in (seal_problem(results, drawn.database, event) or "")


def test_a_seal_is_made_once_and_said_again(drawn: PlayedEvent) -> None:
    first = deals("seal", drawn.path)
    stored = (drawn.file.results / "seal.json").read_bytes()
    drawn.play(1)
    assert printed(deals("seal", drawn.path)) == first.stdout
    assert (drawn.file.results / "seal.json").read_bytes() == stored


def test_boards_that_are_still_to_be_played_are_closed_to_other_users(tmp_path: Path) -> None:
    out = tmp_path / "boards.pbn"
    before = os.umask(0o022)
    try:
        assert deals("make", "--boards", 1, "--out", out).exit_code == 0
    finally:
        os.umask(before)
    assert stat.S_IMODE(out.stat().st_mode) == 0o640


@pytest.mark.skipif(os.name == "nt", reason="rights of files are others on Windows")
def test_only_its_owner_can_read_what_opens_the_seal(drawn: PlayedEvent) -> None:
    before = os.umask(0)
    try:
        commitment = seal(drawn.path)
    finally:
        os.umask(before)
    path = drawn.file.results / "seal.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    document = json.loads(path.read_text(encoding="utf-8"))
    assert document["commitment"] == commitment
    assert document["nonce"] not in deals("seal", drawn.path).stdout


def test_two_events_with_the_same_boards_have_different_hashes(tmp_path: Path) -> None:
    hashes = set()
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        hashes.add(seal(draw_event(tmp_path / name).path))
    assert len(hashes) == 2


def test_an_event_that_was_drawn_anew_is_not_sealed_or_opened_by_the_old_seal(tmp_path: Path) -> None:
    played = draw_event(tmp_path, event_text(deals="seed = 1"))
    seal(played.path)
    file = load_event_file(write_event(tmp_path, event_text(deals="seed = 2")))
    ensure_drawn(file, played.database, 0)
    anew = "refused: event 'Test Cup' no longer has the boards that were sealed at 20..."
    converse(played, f"$ deals seal EVENT -> {anew}\n$ deals open EVENT --force -> {anew}")


def test_an_event_is_not_sealed_once_boards_have_been_begun_nor_opened_before_that(drawn: PlayedEvent) -> None:
    converse(
        drawn,
        """
        $ deals open EVENT
            -> refused: event 'Test Cup' was not sealed: there is no seal.json in FOLDER/results/test-cup
        match 1 board 1 is played
        $ deals seal EVENT -> refused: boards of 'Test Cup' have been begun: ...
        """,
    )
    assert not (drawn.file.results / "seal.json").exists()


def test_boards_are_not_opened_before_all_matches_are_over_unless_forced(drawn: PlayedEvent) -> None:
    converse(
        drawn,
        f"""
        $ deals seal EVENT
        match 1 is played
        scored
        $ deals open EVENT -> refused: 2 of 3 matches of 'Test Cup' have not finished: ...
        {OPEN_SEAL} -> Wrote ... -> ...
        """,
    )


def test_sealing_draws_the_event_and_the_boards_of_the_run_are_those_that_were_sealed(tmp_path: Path) -> None:
    path = write_event(tmp_path, event_text(deals=""))  # nobody knows the boards before the draw
    commitment = seal(path)
    file = load_event_file(path)
    with closing(Database(file.database_url)) as database:
        event = ensure_drawn(file, database, now_ms=1)  # as a run begins
        assert seal_problem(file.results, database, event) is None
    commands.converse(
        tmp_path,
        f"""
        $ deals open FOLDER/event.toml --force --out FOLDER/opened.json
        $ deals check FOLDER/opened.json --hash {commitment}
        """,
    )


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"format": "tourney-seal-1", "nonce": 1}', "\udcff"])
def test_a_damaged_seal_is_named_and_kept(drawn: PlayedEvent, text: str) -> None:
    path = drawn.file.results / "seal.json"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    assert refused("seal", drawn.path, status=1).startswith(f"seal {path} is damaged: ")
    assert path.read_bytes() == text.encode("utf-8", "surrogateescape")


def test_a_board_changed_after_the_seal_shows_and_so_does_a_hash_that_was_not_published(drawn: PlayedEvent) -> None:
    commitment, out = seal(drawn.path), drawn.path.with_name("opened.json")
    converse(
        drawn,
        f"""
        {OPEN_SEAL}
        $ deals check FOLDER/opened.json --hash {"0" * 64} -> refused: ...{"0" * 64} was published
        """,
    )
    document = json.loads(out.read_text(encoding="utf-8"))
    document["sets"][1]["boards"][0] = document["sets"][2]["boards"][0]
    out.write_text(json.dumps(document), encoding="utf-8")
    changed = f"refused: opened.json does not fit: its boards have SHA-256 ...{commitment}..."
    converse(
        drawn,
        f"""
        $ deals check FOLDER/opened.json -> {changed}
        $ deals check FOLDER/opened.json --hash {commitment} -> {changed}
        """,
    )


def test_boards_that_fit_the_hash_but_not_the_seed_that_is_named_are_found(tmp_path: Path) -> None:
    from tourney.formats.seal import OpenedSeal, SealedBoards, format_board_line, format_opened

    chosen = format_board_line(board_from_seed(8, "1.1", 1))
    boards = SealedBoards("Cup", "7", {"1.1": (chosen,)})
    path = tmp_path / "opened.json"
    path.write_text(format_opened(OpenedSeal("0" * 64, boards.commitment("0" * 64), boards)), encoding="utf-8")
    assert refused("check", path, status=1).endswith("but board 1 of set 1.1 is not what seed 7 deals")
