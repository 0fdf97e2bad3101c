"""Keeps translated templates on the disk, so that a process does not have to translate them before its first page."""

import sys
from collections.abc import Iterable
from contextlib import suppress
from hashlib import sha1
from importlib.util import cache_from_source
from pathlib import Path
from tempfile import NamedTemporaryFile

import jinja2
from jinja2.bccache import Bucket, BytecodeCache


class TemplateCache(BytecodeCache):
    """Keeps templates where Python keeps its own modules: in `__pycache__` beside them.

    As there, nothing is kept in folders that cannot be written to, nor with PYTHONDONTWRITEBYTECODE. What a template
    is translated to depends on the template, on Jinja, and on what Jinja works out meanwhile because it is constant;
    when one of them has changed, the template is translated anew.

    Args:
        modules: the names of the modules that say how templates are translated, and have the functions they call.
    """

    def __init__(self, modules: Iterable[str]) -> None:
        self._basis = sha1(jinja2.__version__.encode(), usedforsecurity=False)
        for name in sorted(modules):
            source = sys.modules[name].__file__
            self._basis.update(Path(source).read_bytes() if source is not None else name.encode())

    def get_cache_key(self, name: str, filename: str | None = None) -> str:  # noqa: ARG002 # as Jinja has it
        """Return the path of the file in which a template is kept."""
        return cache_from_source(filename) if filename is not None else ""

    def get_source_checksum(self, source: str) -> str:
        """Return what tells whether what is kept was made from this text, and would be made from it again."""
        checksum = self._basis.copy()
        checksum.update(source.encode())
        return checksum.hexdigest()

    def load_bytecode(self, bucket: Bucket) -> None:
        """Read a template, if it is kept; Jinja drops what was made from another text, or is damaged."""
        with suppress(OSError), Path(bucket.key).open("rb") as file:
            bucket.load_bytecode(file)

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Keep a template, if that can be done; whoever reads it meanwhile finds the old file or the new one."""
        if sys.dont_write_bytecode:
            return
        path = Path(bucket.key)
        with suppress(OSError):
            path.parent.mkdir(exist_ok=True)
            with NamedTemporaryFile(dir=path.parent, prefix=path.name, delete=False) as file:
                new = Path(file.name)
                try:
                    bucket.write_bytecode(file)
                    file.flush()
                    new.chmod(0o644)
                    new.replace(path)
                except OSError:
                    new.unlink(missing_ok=True)
                    raise
