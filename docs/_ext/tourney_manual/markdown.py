"""Small helpers to write Markdown."""

import re
from typing import Final

_CODE: Final = re.compile(r"(`[^`]*`)")
_NAMES: Final = r"(?<![\w-])--[a-z][a-z-]*[a-z]|\{[a-z_]+\}|\[\[?[a-z_.]+\]\]?|\b\w+_\w+\b"
"""Options, placeholders, sections of an event file, and identifiers with an underscore."""

_NAME_OR_MARK: Final = re.compile(rf"({_NAMES})|[\\*_<>\[\]|]")


def escape_markdown(text: str) -> str:
    """Plain text as Markdown that shows it unchanged, with names of things and what is in backquotes as code."""
    parts = _CODE.split(text)  # text and code by turns, text first
    parts[::2] = [_NAME_OR_MARK.sub(_escape, part) for part in parts[::2]]
    return "".join(parts)


def _escape(found: re.Match[str]) -> str:
    return f"`{found[0]}`" if found[1] else f"\\{found[0]}"


def as_item(term: str, text: str) -> str:
    """An item of a list: `text` may have several paragraphs and lists."""
    lines = text.split("\n")
    return "\n".join([f"- {term}: {lines[0]}", *(f"  {line}" if line else "" for line in lines[1:])])
