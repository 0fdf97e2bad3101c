"""An event file on disk: read within limits, its paths relative to its own folder."""

from pathlib import Path

import pytest

from tourney.bridge import board_from_seed
from tourney.config import Durability, PortPlan, PortRange
from tourney.errors import ConfigError
from tourney.event.file import EventFile, load_event_file
from tourney.event.place import DATABASE_VARIABLE, EVENT_FILE_BYTES_MAX, load_event_location
from tourney.protocol.access import PhraseChecker
from tourney.protocol.session.rules import PairMethods, RemedyName, TableRules, TimeLimit, TimeRules
from tourney.store.control.host_settings import HostSettings, SandboxSettings, StatefulSettings
from tourney.store.db.database import Database

TEXT = '[event]\nname = "Spring Cup"\n[[team]]\nname = "A"\n[[team]]\nname = "B"\n[[stage]]\n'


@pytest.fixture(autouse=True)
def _no_database_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(DATABASE_VARIABLE, raising=False)


def _load(folder: Path, text: str = TEXT) -> EventFile:
    path = folder / "event.toml"
    path.write_text(text, encoding="utf-8")
    return load_event_file(path)


def _refusal(path: Path) -> str:
    with pytest.raises(ConfigError) as caught:
        load_event_file(path)
    return str(caught.value)


def _with_event(lines: str) -> str:
    return TEXT.replace("[event]\n", f"[event]\n{lines}\n")


# Reading


def test_a_tilde_in_the_name_of_a_folder_or_file_is_the_home_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.delenv("TOURNEY_DATABASE", raising=False)
    path = tmp_path / "event.toml"
    named = 'results = "~/cup"\ndatabase = "sqlite:///~/cup.db"\n'
    path.write_text(TEXT.replace("[event]\n", f"[event]\n{named}"), encoding="utf-8")
    event_file = load_event_file(path)
    assert event_file.results == home / "cup"
    assert event_file.database_url == f"sqlite:///{home}/cup.db"
    (home / "boards.pbn").write_bytes(b"boards")
    assert event_file.read_named_file("~/boards.pbn", "PBN file") == b"boards"


@pytest.mark.parametrize(("line_end", "encoding"), [("\n", "utf-8"), ("\r\n", "utf-8-sig")])
def test_a_file_of_any_system_is_read(tmp_path: Path, line_end: str, encoding: str) -> None:
    path = tmp_path / "event.toml"
    path.write_bytes(TEXT.replace("Spring", "Été").replace("\n", line_end).encode(encoding))
    assert load_event_file(path).config.event.name == "Été Cup"


def test_a_file_that_is_not_there_or_is_a_folder(tmp_path: Path) -> None:
    path = tmp_path / "event.toml"
    assert _refusal(path) == f"event file {path} cannot be read: No such file or directory"
    assert _refusal(tmp_path) == f"event file {tmp_path} cannot be read: Is a directory"


@pytest.mark.parametrize(
    ("data", "line", "byte"),
    [
        (TEXT.replace("Spring", "Été").encode("latin-1"), 2, "0xc9"),
        (b"\x89PNG\r\n\x1a\n\x00\xff", 1, "0x89"),
        (TEXT.encode() + b'# \xe2\x82"', 8, "0xe2"),
    ],
    ids=["Latin-1", "an image", "a character cut off"],
)
def test_a_file_that_is_not_utf_8(tmp_path: Path, data: bytes, line: int, byte: str) -> None:
    path = tmp_path / "event.toml"
    path.write_bytes(data)
    assert _refusal(path) == (f"event file {path} is not UTF-8 text: line {line} has byte {byte}; save it as UTF-8")


def test_a_file_that_is_too_large_is_not_read_to_its_end(tmp_path: Path) -> None:
    path = tmp_path / "event.toml"
    with path.open("wb") as file:
        file.truncate(2**40)  # a file with a hole takes no room; to read it would
    assert _refusal(path) == f"event file {path} has more than 1000000 bytes, the most that are read"
    path.write_text(TEXT + "#" * (EVENT_FILE_BYTES_MAX - len(TEXT)), encoding="utf-8")
    assert load_event_file(path).config.event.name == "Spring Cup"


# Paths


def test_results_are_in_a_folder_beside_the_file_however_it_was_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _load(tmp_path)
    monkeypatch.chdir(tmp_path)
    event_file = load_event_file(Path("event.toml"))
    assert event_file.path == tmp_path / "event.toml"
    assert event_file.results == tmp_path / "results" / "spring-cup"
    assert event_file.database_url == f"sqlite:///{tmp_path}/results/spring-cup/event.db"


def test_results_where_the_file_says(tmp_path: Path) -> None:
    assert _load(tmp_path, _with_event('results = "out/spring"')).results == tmp_path / "out" / "spring"
    elsewhere = _load(tmp_path, _with_event('results = "/var/cups"'))
    assert elsewhere.results == Path("/var/cups")
    assert elsewhere.database_url == "sqlite:////var/cups/event.db"


@pytest.mark.parametrize("folder", ["50% off", "who?", "a#b", "Übung", "%41", "a b"])
def test_the_database_is_in_the_results_folder_whatever_its_name(tmp_path: Path, folder: str) -> None:
    event_file = _load(tmp_path, _with_event(f'results = "{folder}"'))
    assert Database(event_file.database_url).file == tmp_path / folder / "event.db"


def test_a_database_of_the_file_is_relative_to_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir("/")
    assert _load(tmp_path, _with_event('database = "sqlite:///spring.db"')).database_url == (
        f"sqlite:///{tmp_path}/spring.db"
    )
    server = "postgresql://admin:secret@db.example.org/cups"
    assert _load(tmp_path, _with_event(f'database = "{server}"')).database_url == server


@pytest.mark.parametrize("lines", ["", 'database = "sqlite:///spring.db"'])
def test_the_environment_overrides_the_database_relative_to_the_working_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lines: str
) -> None:
    event_file = _load(tmp_path, _with_event(lines))
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv(DATABASE_VARIABLE, "sqlite:///mine.db")
    assert event_file.database_url == f"sqlite:///{tmp_path}/here/mine.db"
    monkeypatch.setenv(DATABASE_VARIABLE, "postgresql://localhost/cups")
    assert event_file.database_url == "postgresql://localhost/cups"
    monkeypatch.setenv(DATABASE_VARIABLE, "")
    assert event_file.database_url.startswith(f"sqlite:///{tmp_path}/")


def test_a_record_on_a_server_is_durable_whatever_the_file_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    event_file = _load(tmp_path, TEXT + '[record]\ndurability = "process"\n')
    before = event_file.host_settings
    monkeypatch.setenv(DATABASE_VARIABLE, "postgresql://localhost/cups")
    after = event_file.host_settings
    assert (before.durability, after.durability) == (Durability.PROCESS, Durability.FULL)
    assert event_file.durability_notice == "'process' is for an SQLite file: PostgreSQL commits in full, always"
    assert event_file.weakest_durability(None) == Durability.FULL
    assert event_file.weakest_durability(Durability.PROCESS) == Durability.PROCESS, "recorded in a file before"


# What it is asked for


def test_hosts_are_told_what_they_need(tmp_path: Path) -> None:
    tables = (
        '[tables]\nhost = "0.0.0.0"\nports = "3000-3999"\nport_plan = "per-seat"\ntrick_pause_ms = 5\n'
        "wire_log = false\nconnect_s = 7\n[clock]\nboard_s = 120\n"
    )
    results = tmp_path / "results" / "spring-cup"
    files = (results / f"event.db{suffix}" for suffix in ("", "-wal", "-shm", "-journal"))
    hidden = (tmp_path / "event.toml", results, *files)
    assert _load(tmp_path, TEXT + tables).host_settings == HostSettings(
        folder=str(tmp_path),
        results_folder=str(tmp_path / "results" / "spring-cup"),
        host="0.0.0.0",
        ports=PortRange(3000, 3999),
        port_plan=PortPlan.PER_SEAT,
        trick_pause_ms=5,
        wire_log=False,
        connect_s=7,
        rules=TableRules(time=TimeRules(board=TimeLimit(120_000, RemedyName.PENALTY))),
        methods={"A": PairMethods(), "B": PairMethods()},
        stateful=StatefulSettings(tournament="springcup"),
        scorings=("imps",),
        sandbox=SandboxSettings(hidden=tuple(map(str, hidden))),
    )


PHRASES = {name: f'name = "{name}"\npass_phrase = "open sesame"' for name in ("A", "B")}


def test_hosts_are_told_the_hash_of_a_pass_phrase_and_nothing_that_has_it_in_clear(tmp_path: Path) -> None:
    event_file = _load(tmp_path, TEXT.replace('name = "A"', PHRASES["A"]).replace('name = "B"', PHRASES["B"]))
    settings = event_file.host_settings
    phrases = [settings.entrances[name].phrase for name in ("A", "B")]
    assert all(phrase is not None and PhraseChecker().fits(phrase, "open sesame") for phrase in phrases)
    assert phrases[0] != phrases[1], "each team has a salt of its own"
    assert event_file.host_settings == settings, "the same file looks changed"
    assert "sesame" not in repr(settings)
    assert event_file.passphrases == {"A": "open sesame", "B": "open sesame"}


@pytest.mark.parametrize("host", ["127.0.0.1", "127.9.9.9", "::1", "localhost", "LOCALHOST."])
def test_tables_that_only_this_machine_reaches_are_nothing_to_tell_of(tmp_path: Path, host: str) -> None:
    assert _load(tmp_path, f'{TEXT}[tables]\nhost = "{host}"\n').access_notice is None


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.168.1.5", "table.example"])
def test_tables_that_others_reach_are_told_of_with_the_teams_that_ask_for_a_name_alone(
    tmp_path: Path, host: str
) -> None:
    def told(text: str) -> str | None:
        return _load(tmp_path, f'{text}[tables]\nhost = "{host}"\n').access_notice

    bare = f"tables listen on {host}: from there anybody may take a seat of"
    assert told(TEXT) == f"{bare} A, B, by the name alone"
    with_phrase = TEXT.replace('name = "A"', PHRASES["A"])
    assert told(with_phrase) == f"{bare} B, by the name alone"
    both = with_phrase.replace('name = "B"', 'name = "B"\nallow = ["10.0.0.7"]')
    assert told(both) == f"tables listen on {host}: each team has a passphrase or a list of addresses"
    many = "".join(f'[[team]]\nname = "T{n}"\n' for n in range(9))
    assert told(TEXT + many) == f"{bare} A, B, T0, T1, T2, T3, T4, T5 and 3 more, by the name alone"


def test_a_named_file_is_relative_to_the_file_and_read_within_limits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    event_file = _load(tmp_path)
    (tmp_path / "boards.pbn").write_bytes(str(board_from_seed(1, "a", 1)).encode())
    assert event_file.read_named_file("boards.pbn", "PBN file") == (tmp_path / "boards.pbn").read_bytes()
    with pytest.raises(ConfigError) as caught:
        event_file.read_named_file("none.pbn", "PBN file")
    assert str(caught.value) == f"PBN file {tmp_path}/none.pbn cannot be read: No such file or directory"
    monkeypatch.setattr("tourney.event.file.NAMED_FILE_BYTES_MAX", 10)
    with pytest.raises(ConfigError) as caught:
        event_file.read_named_file("boards.pbn", "PBN file")
    assert str(caught.value) == f"PBN file {tmp_path}/boards.pbn has more than 10 bytes, the most that are read"


# The place of the record alone


@pytest.mark.parametrize(
    "text",
    [
        *(TEXT, TEXT.replace('"Spring Cup"', '"  Spring \\t Cup 2 "'), TEXT.replace('"Spring Cup"', '"Été"')),
        *(
            TEXT.replace("[event]", f"[event]\n{lines}")
            for lines in ('results = "out"', 'database = "sqlite:///a.db"')
        ),
        *(TEXT + "[vp_table]\n", TEXT + "[vp_table.mine]\nsteps = [[0, 10, 10], [9, 20, 0]]\n"),
    ],
)
def test_the_place_of_the_record_is_that_of_the_whole_file(tmp_path: Path, text: str) -> None:
    whole = _load(tmp_path, text)
    place = load_event_location(whole.path)
    assert place == whole.place
    assert (place.results, place.database_url) == (whole.results, whole.database_url)


@pytest.mark.parametrize(
    "section",
    [
        *(
            "",
            "event = 1",
            "[[event]]",
            "[event]",
            "[event]\nname = 1",
            '[event]\nname = " "',
            '[event]\nname = "\\u0000"',
        ),
        *(f'[event]\nname = "{"n" * 101}"', '[event]\nname = "A"\nresults = ""', '[event]\nname = "A"\ndatabase = 1'),
    ],
)
def test_a_file_that_says_its_place_wrongly_is_left_to_be_checked_as_a_whole(tmp_path: Path, section: str) -> None:
    path = tmp_path / "event.toml"
    path.write_text(section, encoding="utf-8")
    assert load_event_location(path) is None
    with pytest.raises(ConfigError, match="event"):
        load_event_file(path)


def test_the_address_behind_a_wildcard_is_told_if_a_team_is_awaited_and_the_file_names_none(tmp_path: Path) -> None:
    wildcard = '[tables]\nhost = "0.0.0.0"\n'
    file = _load(tmp_path, f"{TEXT}{wildcard}")
    assert file.address_notice == file.address.notice != ""
    assert file.address.host != "0.0.0.0"
    assert _load(tmp_path, f'{TEXT}{wildcard}public_host = "bridge.example.org"\n').address_notice is None
    assert _load(tmp_path, TEXT).address_notice is None
    started = TEXT.replace('name = "A"', 'name = "A"\ncommand = "bot"').replace(
        'name = "B"', 'name = "B"\ncommand = "bot"'
    )
    assert _load(tmp_path, f"{started}{wildcard}").address_notice is None
