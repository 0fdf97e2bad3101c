"""Parts of a file: what is asked for, and what the whole file is the answer to."""

import pytest

from tourney.web.byte_ranges import RangeNotSatisfiable, parse_range


@pytest.mark.parametrize(
    ("header", "wanted"),
    [
        ("bytes=0-0", range(1)),
        ("bytes=90-", range(90, 100)),
        ("bytes=20-29", range(20, 30)),
        ("bytes=90-500", range(90, 100)),
        ("bytes=-10", range(90, 100)),
        ("bytes=-500", range(100)),
        ("Bytes=5-5", range(5, 6)),
        ("bytes=0-1,5-6", None),
        ("bytes=9-5", None),
        ("bytes=-", None),
        ("bytes=", None),
        ("bytes=1", None),
        ("lines=1-2", None),
        ("bytes=" + "9" * 100 + "-", None),
    ],
)
def test_a_part_is_what_the_standard_says(header: str, wanted: range | None) -> None:
    assert parse_range(header, 100) == wanted


@pytest.mark.parametrize(("header", "length"), [("bytes=100-", 100), ("bytes=-0", 100), ("bytes=0-", 0)])
def test_nothing_of_a_file_cannot_be_sent(header: str, length: int) -> None:
    with pytest.raises(RangeNotSatisfiable):
        parse_range(header, length)
