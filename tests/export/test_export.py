"""Exports, read back by our own readers and by the programs that people have."""

from contextlib import suppress
from pathlib import Path

import pytest

from tests.support.event_conversation import converse
from tests.support.exports import export_json, export_pbn, games_of
from tests.support.played_event import draw_event, event_text
from tourney.errors import LaunchError
from tourney.export.files import replace_file

# PBN


def test_pbn_of_an_event_not_begun_is_a_file_without_games(tmp_path: Path) -> None:
    played = draw_event(tmp_path)
    paths = export_pbn(played, tmp_path)
    assert [path.name for path in paths] == ["all.pbn"]
    assert games_of(paths[0]) == []
    (of_match,) = export_pbn(played, tmp_path, match=1)
    assert of_match.read_bytes() == paths[0].read_bytes()


# JSON


def test_json_keeps_the_seed_to_itself_until_every_match_is_over(tmp_path: Path) -> None:
    played = draw_event(
        tmp_path, event_text("Ants", "Bees", stage='format = "double-round-robin"', deals="seed = 77")
    )
    converse(played, "match 1 is played\nscored")
    assert export_json(played, tmp_path)["seed"] is None
    converse(played, "match 2 is played\nscored")
    assert export_json(played, tmp_path)["seed"] == "77"


# Files


def test_a_file_is_replaced_only_when_it_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("before", encoding="utf-8")
    with suppress(ZeroDivisionError), replace_file(path) as file:
        file.write("half")
        file.flush()
        assert path.read_text(encoding="utf-8") == "before"
        raise ZeroDivisionError
    assert path.read_text(encoding="utf-8") == "before"
    with replace_file(path) as file:
        file.write("after\r\n")
    assert path.read_bytes() == b"after\r\n"
    assert list(tmp_path.iterdir()) == [path]


def test_a_file_that_cannot_be_written_is_refused_in_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.mkdir()
    with pytest.raises(LaunchError, match=r"^file .*x\.csv cannot be written: Is a directory$"), replace_file(path):
        pass
    assert list(tmp_path.iterdir()) == [path]
