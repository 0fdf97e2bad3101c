"""The rights of a user to whom files can be closed."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

NOBODY = 65534


@contextmanager
def ordinary_user() -> Iterator[Path]:
    """A folder of this user's own; root, whom no mode of a file stops, has the rights of nobody meanwhile."""
    with TemporaryDirectory(prefix="tourney-user-") as folder:
        if os.geteuid() != 0:
            yield Path(folder)
            return
        os.chown(folder, NOBODY, -1)
        os.seteuid(NOBODY)
        try:
            yield Path(folder)
        finally:
            os.seteuid(0)
