"""Where messages go: the environment or a file of the organiser's, and schemes that do nothing else."""

from pathlib import Path

import pytest

from tourney.alarms.addresses import VARIABLE, load_addresses
from tourney.config.alarms import AlarmsConfig
from tourney.errors import TourneyError

CONFIG = AlarmsConfig(addresses_file="alarms.txt")
MAIL = "mailtos://me:secret@example.org"


def in_file(folder: Path, text: str, mode: int = 0o600) -> list[str]:
    path = folder / "alarms.txt"
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)
    return load_addresses(CONFIG, folder, {})


def test_the_environment_comes_before_the_file(tmp_path: Path) -> None:
    assert in_file(tmp_path, f"# mine\n\n{MAIL}\n") == [MAIL]
    two = load_addresses(CONFIG, tmp_path, {VARIABLE: f"{MAIL}\nntfys://club"})
    assert two == [MAIL, "ntfys://club"]


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "has no address"),
        ("file:///etc/passwd", "scheme file"),
        ("syslog://", "not of the form"),
        ("syslog://_/daemon?secret", "scheme syslog"),
        ("http://169.254.169.254/secret", "scheme http"),
        ("secret", "address 1 is not of the form"),
        ("slack://a/b/c?template=/etc/secret", "template="),
        ("slack://a/b/c?%74emplate=/etc/secret", "template="),
        ("slack://a/b/c?%2574emplate=/etc/secret", "template="),
        ("slack://a/b/c?x=1;template+=/etc/secret", "template="),
        ("slack://a/b/c?x=1&%20Config=http://secret", "Config="),
        (f"{MAIL}\n" * 11, "at most 10"),
    ],
)
def test_what_is_no_address_of_a_service_is_refused_and_not_shown(tmp_path: Path, text: str, why: str) -> None:
    with pytest.raises(TourneyError, match=why) as refused:
        in_file(tmp_path, text)
    assert "secret" not in str(refused.value)


def test_a_file_that_others_may_read_is_refused_and_so_is_none_at_all(tmp_path: Path) -> None:
    with pytest.raises(TourneyError, match="chmod 600"):
        in_file(tmp_path, MAIL, 0o640)
    with pytest.raises(TourneyError, match="cannot be read"):
        load_addresses(CONFIG, tmp_path / "elsewhere", {})
    with pytest.raises(TourneyError, match="TOURNEY_ALARMS"):
        load_addresses(AlarmsConfig(), tmp_path, {})
