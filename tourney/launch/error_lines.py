"""Which line of a program's output says why it ended.

Runtimes of many languages surround that line with others: stack frames, hints, exit statuses. This module knows the
forms of Python, Node, Deno, Java, Rust, Go, .NET, C++, Ruby, Perl, shells and Wine; it reads no files.
"""

import re
from collections.abc import Sequence
from typing import Final

LINES_SEARCHED: Final = 15
"""How far before the end an error may be named, without stack frames and noise: an earlier one was overcome."""

LINE_CHARS_MAX: Final = 1000
"""How much of a line is looked at."""


def _any_of(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns), re.IGNORECASE)


_NOISE: Final = _any_of(
    r"\s+at ",  # a frame of Java, Node, .NET, or a Rust backtrace
    r"\s+(in <\w+>|from \S+:\d+|File \"|\d+: |\[\d+\] |@ |\S+: in |\w+, called at )",  # and of other languages
    r"\s+/\S+:\d+",  # Go, with the line of the function above it
    r"\S+\([^ ]*(, [^ ]*)*\)$",
    r"#\d+ ",
    r"\s*\.\.\. (and )?\d+ (more|lines)\b",
    r"\s*---+ end of ",
    r"\s*stack ?(backtrace|traceback|trace)?:?$|callstack\b",
    r"traceback \(most|during handling of|the above exception was|\s+for further information",
    r"goroutine \d+|created by |\[signal SIG|in expression starting at",
    r"node\.js v\d|node:\w+|\s*throw |\s+\w+: .*,$|npm (err!|error) ",
    r"\s*[\^~|+{}\[\]()=*_.-]*$",  # a mark below a piece of the source, a line across
    r"note: |begin failed--|picked up _?java|aborted( \(core dumped\))?$",
    r"exit status \d+$|make(\[\d+\])?: \*\*\* ",
    r"([0-9a-f]+:)+(fixme|warn|trace|err):",  # Wine
)
"""A line that names no error."""

_NAME: Final = r"(?-i:(?:[A-Za-z_$][\w$]*(?:\.|::))*\w*(?:Error|Exception))"

_NAMED: Final = _any_of(
    # ValueError: ..., System.IO.IOException: ..., Error [ERR_MODULE_NOT_FOUND]: ...
    rf"(unhandled exception[.:] |(error: )?uncaught (\(in promise\) )?)?{_NAME}( \[\w+\])?( \(\w+\))?(:|\s*$|\ \()",
    r"caused by: \S|exception in thread \"",  # Java
    r"error: (could not find|unable to access|main method)",
    r"#\s+(SIG|EXCEPTION_)\w+ \(",
    r"\[?unhandled ?(promise ?rejection|exception)\b|(error: )?uncaught \S",  # Node, Deno, .NET
    r"\[error\] fatal unhandled exception",  # Mono
    r"thread '.*' (\(\d+\) )?(panicked|has overflowed)",  # Rust
    r"panic: |fatal error: |runtime: out of memory",  # Go
    r"terminate called|libc\+\+abi: |\S+: .*assertion .* failed|\*\*\* .* \*\*\*: terminated",  # C and C++
    r"double free|free\(\): |malloc\(\): |corrupted size|==\d+==\s*error:",
    r".*\b(error while loading shared libraries:|segmentation fault|bus error|out of memory)\b",
    r".*: (not found|permission denied|exec format error|no such file or directory)$",  # shells
    r".*\bcommand not found\b|.*\bis not recognized as an internal or external command",
    r".* \(\w*(Error|Exception)\)$",  # Ruby
    r"can't locate \S+ in @INC",  # Perl
    r"\*\* \(\w+",  # Elixir
    r"wine: |([0-9a-f]+:)+err:module:import_dll\b|it looks like wine(32|64) is missing",
)
"""A line that names an error in the way of some runtime."""

_LEVELED: Final = re.compile(r".*\b(?:ERROR|FATAL|CRITICAL)\b|.*\b(?:[Ee]rror|[Ff]atal)\s*:")
"""A line of an ordinary log or message that says it is of an error."""

_CAUSE: Final = re.compile(r"\s*(?:---> |\[cause\]: |\|\s+(?=[\w.]+(?:Error|Exception)\b))(?P<cause>\S.*)")
"""The cause below an error of .NET or Node, or a part of a Python exception group, without its mark."""

_PANICKED: Final = re.compile(r"thread '.*panicked at \S+:\d+:\d+:$")
_WHAT: Final = re.compile(r"\s*what\(\):\s*(?P<what>.*)")
_REJECTION: Final = re.compile(r"(?P<name>UnhandledPromiseRejection): .*( reason .+?)\.?")
_TRACEBACK: Final = "Traceback (most recent call last):"
_IGNORED: Final = "Exception ignored in"
"""The first line of a Python traceback that ended nothing: most often from the exit after another one."""

_DUMP: Final = "Register dump:"
"""The first line of what Wine's debugger prints."""

_CONTROL: Final = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|[^\S ]|[^\s\x20-\U0010ffff]")
"""Colours, tabs and control characters."""


def find_error_line(output: Sequence[str]) -> str:
    """Return the line that says what happened, without the blanks around it; empty if there is no output.

    That is the last line near the end that names an error; the root cause where a trace has one; without such a line
    the last one that is neither a stack frame nor noise. `output` are whole lines, their indentation included.
    """
    lines = [line for line in map(_last_drawn, output) if line.strip()]
    found = _find_named(_without_aftermath(lines)) or _find_named(lines)
    if found:
        return found
    lines_left = [line for line in lines if not _NOISE.match(line)]
    leveled = [line for line in lines_left[-LINES_SEARCHED:] if _LEVELED.match(line)]
    return (leveled or lines_left or lines or [""])[-1].strip()


def _last_drawn(line: str) -> str:
    """Return a line as a terminal shows it in the end: without colours, and without what was drawn over."""
    drawn = [part for part in line.rstrip().split("\r") if part.strip()]
    return _CONTROL.sub(lambda found: " " * found[0].isspace(), drawn[-1][:LINE_CHARS_MAX]) if drawn else ""


def _without_aftermath(lines: Sequence[str]) -> list[str]:
    """Return the lines without those that follow from the error."""
    kept = []
    is_ignored = False
    for line in lines:
        if line.startswith(_DUMP):
            break
        if line.startswith(_IGNORED):
            is_ignored = True
        elif not is_ignored:
            kept.append(line)
        elif not line[0].isspace() and not line.startswith(_TRACEBACK):
            is_ignored = False  # the exception itself
    return kept


def _find_named(lines: Sequence[str]) -> str:
    """Return the last line near the end that names an error, with what belongs to it; empty if there is none."""
    searched = 0
    for number in range(len(lines) - 1, -1, -1):
        line = lines[number]
        if (cause := _CAUSE.fullmatch(line)) is not None:
            return cause["cause"].strip()
        if _is_raised(lines, number) or _NAMED.match(line):
            return _join(lines, number)
        if not _NOISE.match(line):
            searched += 1
        if searched == LINES_SEARCHED:
            break
    return ""


def _is_raised(lines: Sequence[str], number: int) -> bool:
    """Return whether a line is the first after the frames of a Python traceback, whatever the exception is called."""
    if lines[number][0].isspace():
        return False
    before = number - 1
    while before >= 0 and lines[before][0].isspace():
        before -= 1
    return before >= 0 and before < number - 1 and lines[before].startswith(_TRACEBACK)


def _join(lines: Sequence[str], number: int) -> str:
    """Join a line with the next one where the runtime puts the reason there."""
    line, after = lines[number].strip(), lines[number + 1 : number + 2]
    if after and _PANICKED.fullmatch(line):
        return f"{line} {after[0].strip()}"
    if after and line.startswith("terminate called") and (what := _WHAT.fullmatch(after[0])) is not None:
        return f"{line}: {what['what']}"
    if (rejection := _REJECTION.fullmatch(line)) is not None:
        return f"{rejection['name']}:{rejection[2]}"  # behind two hundred characters that are always the same
    return line
