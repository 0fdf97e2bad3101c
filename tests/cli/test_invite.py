"""The command `tourney invite`."""

import json
from functools import partial
from pathlib import Path

import pytest

from tests.support import commands
from tests.support.played_event import draw_event, event_text, write_event
from tourney.connect.archive import archive_digest, build_archive

TEXT = event_text("Alpha", "Beta", more='[tables]\nhost = "10.0.0.5"').replace(
    'name = "Alpha"\n', 'name = "Alpha"\npass_phrase = "open sesame"\n', 1
)


@pytest.fixture(autouse=True)
def _no_database_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TOURNEY_DATABASE", raising=False)


run = partial(commands.run, "invite")


def test_an_invitation_before_the_draw_draws_and_stores_nothing(tmp_path: Path) -> None:
    path = write_event(tmp_path, TEXT)
    assert "The draw has not been made." in run(path, "alpha").stdout
    assert [file.name for file in tmp_path.iterdir()] == ["event.toml"]


def test_the_text_is_for_the_author_and_the_notes_are_for_the_organiser(tmp_path: Path) -> None:
    result = run(write_event(tmp_path, TEXT), "Alpha")
    assert 'Connecting "Alpha#open sesame" as North using protocol version 18' in result.stdout
    assert "nft" not in result.stdout
    assert result.stderr.splitlines() == [
        "note: the passphrase of Alpha is in this text: send it to its author only",
        "note: to let its programs in, on the machine of the tables: "
        "nft add rule inet filter input tcp dport 2000-4999 accept",
    ]
    assert "sesame" not in run(write_event(tmp_path, TEXT), "Beta").output


def test_json_is_one_document_with_the_matches_of_the_draw(tmp_path: Path) -> None:
    played = draw_event(tmp_path, TEXT)
    result = run(played.path, "Beta", "--json")
    document = json.loads(result.stdout)
    assert result.stderr == ""
    assert (document["host"], document["pass_phrase"], document["drawn"]) == ("10.0.0.5", None, True)
    assert [table["room"] for table in document["tables"]] == ["open", "closed"]


def test_who_may_come_through_a_tunnel_is_told_the_command_and_the_digest_and_never_a_key(tmp_path: Path) -> None:
    text = TEXT.replace("[tables]", '[web]\nhosts = ["club.example"]\n[tables]\nconnect_port = 1900', 1)
    result = run(write_event(tmp_path, text), "Alpha")
    assert "  python3 connect.pyz https://club.example/ --team Alpha --key-file alpha.key\n" in result.stdout
    assert f"  {archive_digest(build_archive())}\n" in result.stdout
    assert "connect.pyz" not in run(write_event(tmp_path, TEXT), "Alpha").stdout
