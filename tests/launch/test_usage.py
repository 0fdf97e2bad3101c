"""What a program has in its own folder, measured."""

import os
from pathlib import Path

from tests.support.ordinary_user import ordinary_user
from tourney.launch.usage import disk_excess

ONE_MB = 1
EXCEEDED = "took more than 1 MB in its own folder, disk_mb = 1 are allowed"
KB = 1024


def test_files_count_wherever_they_are_in_the_folder(tmp_path: Path) -> None:
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    (tmp_path / "net").write_bytes(b"x" * 500 * KB)
    assert disk_excess(tmp_path, ONE_MB) == ""
    (deep / "net").write_bytes(b"x" * 600 * KB)
    assert disk_excess(tmp_path, ONE_MB) == EXCEEDED


def test_what_is_elsewhere_or_takes_no_space_does_not_count(tmp_path: Path) -> None:
    own, other = tmp_path / "own", tmp_path / "other"
    own.mkdir()
    other.mkdir()
    (other / "net").write_bytes(b"x" * 2000 * KB)
    (own / "link").symlink_to(other)
    (own / "net").symlink_to(other / "net")
    (own / "table").write_bytes(b"x" * 600 * KB)
    (own / "same table").hardlink_to(own / "table")
    with (own / "hole").open("wb") as file:
        file.truncate(100_000 * KB)
    assert disk_excess(own, ONE_MB) == ""


def test_empty_files_count_too_so_that_the_look_at_them_ends(tmp_path: Path) -> None:
    for number in range(257):
        (tmp_path / str(number)).touch()
    assert disk_excess(tmp_path, ONE_MB) == EXCEEDED


def test_nothing_can_be_hidden_in_a_folder_that_is_closed_or_too_deep() -> None:
    with ordinary_user() as own:
        closed = own / "closed"
        closed.mkdir(0o300)
        assert disk_excess(own, ONE_MB) == (
            "has a folder in its own whose size cannot be seen (Permission denied), disk_mb = 1 are allowed"
        )
        closed.rmdir()
    before = Path.cwd()
    with ordinary_user() as own:
        try:
            os.chdir(own)
            for _ in range(30):  # of 200 characters each: no path that the system takes leads to the last
                Path("n" * 200).mkdir()
                os.chdir("n" * 200)
            assert "(File name too long)" in disk_excess(own, ONE_MB)
        finally:
            os.chdir(before)
