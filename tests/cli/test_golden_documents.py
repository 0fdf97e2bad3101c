"""What programs read stays byte for byte: JSON documents, CSV tables, event.json and its tables."""

from pathlib import Path

import pytest

from tests.support.golden_documents import EVENTS, FOLDER, documents_of


@pytest.mark.parametrize("name", EVENTS)
def test_documents_are_those_that_programs_have_learned_to_read(name: str, tmp_path: Path) -> None:
    made = dict(documents_of(name, tmp_path))
    files = [path for path in (FOLDER / name).rglob("*") if path.is_file()]
    golden = {path.relative_to(FOLDER).as_posix(): path.read_bytes().decode() for path in files}
    assert sorted(made) == sorted(golden)
    assert [file for file in golden if made[file] != golden[file]] == []
    for file, text in golden.items():
        assert made[file] == text, file
