"""Small helpers to write Markdown."""

import re
from typing import Final

_CODE: Final = re.compile(r"(`[^`]*`)")
_OPTION_OR_MARK: Final = re.compile(r"(?<![\w-])--[a-z][a-z-]*[a-z]|[\\*_<>\[\]|#{}]")


def escape_markdown(text: str) -> str:
    """Plain text as Markdown that shows it unchanged; options, and what stands between backquotes, as code."""
    parts = _CODE.split(text)  # text and code by turns, text first
    parts[::2] = [_OPTION_OR_MARK.sub(_escape, part) for part in parts[::2]]
    return "".join(parts)


def _escape(found: re.Match[str]) -> str:
    return f"`{found[0]}`" if found[0].startswith("--") else f"\\{found[0]}"


def as_definition(term: str, text: str) -> str:
    """An entry of a definition list: `text` may have several paragraphs and lists."""
    lines = text.split("\n")
    return "\n".join([term, f": {lines[0]}", *(f"  {line}" if line else "" for line in lines[1:])])
