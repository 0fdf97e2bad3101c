"""The wire log: one JSON object a line, whatever a program has said."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory

from hypothesis import given
from hypothesis import strategies as st

from tourney.bridge import SEATS, Seat
from tourney.table.wire_log import WireLog


@given(
    st.none() | st.sampled_from(SEATS), st.text(st.characters(exclude_characters="#")) | st.binary(), st.integers(0)
)
def test_every_line_reads_back_as_it_was_said(seat: Seat | None, line: str | bytes, t_ms: int) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "wire.jsonl"
        log = WireLog(path)
        log.write(t_ms, seat, "in", line)
        log.close()
        (written,) = path.read_bytes().splitlines(keepends=True)
    assert written.endswith(b"\n")
    text = line if isinstance(line, str) else line.decode("ascii", "backslashreplace")
    if isinstance(line, bytes) and b"#" in line:
        return  # what may be a phrase is hidden
    entry = {"t_ms": t_ms, "seat": seat.letter if seat is not None else None, "dir": "in", "line": text}
    assert json.loads(written) == entry


def test_phrase_of_a_log_on_is_hidden_and_the_hash_of_an_alert_is_not(tmp_path: Path) -> None:
    log = WireLog(tmp_path / "wire.jsonl", ["Alpha"])
    log.write(1, None, "in", 'Connecting "Alpha#secret" as North using protocol version 18')
    log.write(2, Seat.NORTH, "in", b' connecting "Alpha#secret" as North using protocol version 18')
    log.write(3, Seat.NORTH, "in", "North bids 2C Alert. asks for majors, #1 of our gadgets")
    log.close()
    first, second, third = (json.loads(line)["line"] for line in (tmp_path / "wire.jsonl").read_text().splitlines())
    assert "secret" not in first + second
    assert '"Alpha#***"' in first
    assert third.endswith("#1 of our gadgets")


def test_phrase_of_a_log_on_in_the_stateful_protocol_is_hidden_before_and_after_it_has_a_seat(tmp_path: Path) -> None:
    log = WireLog(tmp_path / "wire.jsonl", ["Alpha"])
    log.write(1, None, "in", b"HELLO Alpha#secret")
    log.write(2, Seat.NORTH, "in", b' hello "Alpha#secret"')
    log.write(3, Seat.NORTH, "in", b'X-ALERT N "suit # 1"')
    log.close()
    first, second, alert = (json.loads(line)["line"] for line in log.path.read_text().splitlines())
    assert (first, second) == ("HELLO Alpha#***", ' hello "Alpha#***"')
    assert alert == 'X-ALERT N "suit # 1"'
