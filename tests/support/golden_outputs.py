"""Outputs that must stay the same byte for byte: checksums of all, and some of them whole, in `tests/golden/outputs`.

`UPDATE_GOLDEN=1 pytest TEST` writes what is there now instead of comparing; review shows the difference.
"""

import hashlib
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from tourney import __version__
from tourney.site.write import MANIFEST

FOLDER: Final = Path(__file__).parents[1] / "golden" / "outputs"


def check_outputs(name: str, outputs: Mapping[str, str | bytes], whole: tuple[str, ...] = ()) -> None:
    """Compare outputs with those on file.

    Args:
        name: names the list of checksums, `NAME.sha256`.
        outputs: what was written, by file name; `__version__` in it is replaced.
        whole: names of outputs that are kept whole, as `NAME-` and their last part, so that a difference can be read.
    """
    check_whole(name, {key: outputs[key] for key in whole})
    sums = {key: hashlib.sha256(_data(value)).hexdigest() for key, value in sorted(outputs.items())}
    listing = FOLDER / f"{name}.sha256"
    if os.environ.get("UPDATE_GOLDEN"):
        listing.write_text("".join(f"{value}  {key}\n" for key, value in sums.items()), encoding="utf-8")
    golden = {key: value for value, key in map(_fields, listing.read_text(encoding="utf-8").splitlines())}
    missing, new = sorted(golden.keys() - sums.keys()), sorted(sums.keys() - golden.keys())
    differing = [key for key in sums if key in golden and sums[key] != golden[key]]
    assert (missing, new, differing) == ([], [], []), f"{listing.name}: missing, new, differing"


def check_whole(name: str, outputs: Mapping[str, str | bytes]) -> None:
    """Compare outputs with those that are kept whole, as `NAME-` and their last part."""
    for key, output in outputs.items():
        sample = FOLDER / f"{name}-{key.replace('/', '-')}"
        if os.environ.get("UPDATE_GOLDEN"):
            sample.write_bytes(_data(output))
        assert _data(output).decode() == sample.read_bytes().decode(), sample.name


def read_folder(folder: Path) -> dict[str, bytes]:
    """Every file below a folder but manifests, whose digests are those of a version, by its path in it."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.name != MANIFEST)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def _data(output: str | bytes) -> bytes:
    data = output.encode() if isinstance(output, str) else output
    return data.replace(__version__.encode(), b"VERSION")


def _fields(line: str) -> tuple[str, str]:
    value, _, key = line.partition("  ")
    return value, key
