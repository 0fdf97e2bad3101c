"""The entries of a wire log, packed or not."""

import gzip
from pathlib import Path

from tourney.host.wire_log import packed_path


def read_entries(path: Path) -> list[str]:
    """Return the lines of a log, first those that have been packed."""
    packed = packed_path(path)
    texts = [gzip.decompress(packed.read_bytes()).decode()] if packed.exists() else []
    if path.exists() or not texts:
        texts.append(path.read_text())
    return "".join(texts).splitlines(keepends=True)
