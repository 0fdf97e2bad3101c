"""Outputs that must stay the same byte for byte: checksums of all, and some of them whole, in `tests/golden/outputs`.

`UPDATE_GOLDEN=1 pytest TEST` writes what is there now instead of comparing; review shows the difference.
"""

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tourney import __version__
from tourney.site.folder import MANIFEST

FOLDER: Final = Path(__file__).parents[1] / "golden" / "outputs"


def check_outputs(name: str, outputs: Mapping[str, str | bytes], whole: tuple[str, ...] = ()) -> None:
    """Compare outputs with those on file.

    Args:
        name: names the list of checksums, `NAME.sha256`.
        outputs: what was written, by file name; `__version__` in it is replaced.
        whole: names of outputs that are kept whole, as `NAME-` and their last part, so that a difference can be read.
    """
    found = {key: _data(value) for key, value in sorted(outputs.items())}
    sums = {key: hashlib.sha256(data).hexdigest() for key, data in found.items()}
    listing = FOLDER / f"{name}.sha256"
    if os.environ.get("UPDATE_GOLDEN"):
        FOLDER.mkdir(exist_ok=True)
        listing.write_text("".join(f"{value}  {key}\n" for key, value in sums.items()), encoding="utf-8")
        for key in whole:
            _sample(name, key).write_bytes(found[key])
    for key in whole:
        assert found[key].decode() == _sample(name, key).read_bytes().decode(), key
    golden = {key: value for value, key in map(_fields, listing.read_text(encoding="utf-8").splitlines())}
    assert sums.keys() == golden.keys()
    assert [key for key in sums if sums[key] != golden[key]] == []


def read_folder(folder: Path) -> dict[str, bytes]:
    """Every file below a folder but manifests, whose digests are those of a version, by its path in it."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.name != MANIFEST)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def _data(output: str | bytes) -> bytes:
    data = output.encode() if isinstance(output, str) else output
    return data.replace(__version__.encode(), b"VERSION")


def _sample(name: str, key: str) -> Path:
    return FOLDER / f"{name}-{key.replace('/', '-')}"


def _fields(line: str) -> tuple[str, str]:
    value, _, key = line.partition("  ")
    return value, key
