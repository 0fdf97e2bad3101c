"""The line of a program's output that says what happened, in traces as real runtimes print them."""

import re
from typing import Final

import pytest

from tourney.launch.output import LINES_SEARCHED, find_error_line

# As printed by CPython 3.11, Node 20, OpenJDK 17, rustc 1.95, Go 1.22, .NET 8, g++ 12, and others; paths shortened.
TRACES: Final[dict[str, tuple[str, str]]] = {
    "python": (
        """
Traceback (most recent call last):
  File "/home/a/player.py", line 12, in <module>
    import numpy as np
ModuleNotFoundError: No module named 'numpy'
""",
        "ModuleNotFoundError: No module named 'numpy'",
    ),
    "python, with carets and an exception of its own name": (
        """
Traceback (most recent call last):
  File "/home/a/player.py", line 40, in <module>
    main()
    ~~~~^^
  File "/home/a/player.py", line 31, in main
    raise engine.OutOfTime("no move in 30 s")
engine.OutOfTime: no move in 30 s
bye
""",
        "engine.OutOfTime: no move in 30 s",
    ),
    "python, chained": (
        """
Traceback (most recent call last):
  File "/home/a/player.py", line 3, in load
    open("weights.h5")
FileNotFoundError: [Errno 2] No such file or directory: 'weights.h5'

The above exception was the direct cause of the following exception:

Traceback (most recent call last):
  File "/home/a/player.py", line 8, in <module>
    load()
  File "/home/a/player.py", line 5, in load
    raise RuntimeError("no network") from error
RuntimeError: no network
""",
        "RuntimeError: no network",
    ),
    "python, wrong options": (
        """
usage: player.py [-h] --port PORT
player.py: error: the following arguments are required: --port
""",
        "player.py: error: the following arguments are required: --port",
    ),
    "node": (
        """
/home/a/bot.js:2
function play(x) { return x.cards.length; }
                            ^

TypeError: Cannot read properties of undefined (reading 'cards')
    at play (/home/a/bot.js:2:29)
    at Object.<anonymous> (/home/a/bot.js:3:1)
    at Module._compile (node:internal/modules/cjs/loader:1521:14)
    at node:internal/main/run_main_module:28:49

Node.js v20.20.2
""",
        "TypeError: Cannot read properties of undefined (reading 'cards')",
    ),
    "node, no such module": (
        """
node:internal/modules/cjs/loader:1210
  throw err;
  ^

Error: Cannot find module '/home/a/bot.js'
    at Module._resolveFilename (node:internal/modules/cjs/loader:1207:15)
    at node:internal/main/run_main_module:28:49 {
  code: 'MODULE_NOT_FOUND',
  requireStack: []
}

Node.js v20.20.2
""",
        "Error: Cannot find module '/home/a/bot.js'",
    ),
    "java": (
        """
Exception in thread "main" java.lang.RuntimeException: cannot start the engine
	at Bot.main(Bot.java:1)
Caused by: java.io.FileNotFoundException: engine.dat (No such file or directory)
	at java.base/java.io.FileInputStream.open0(Native Method)
	at java.base/java.io.FileInputStream.<init>(FileInputStream.java:157)
	... 12 more
""",
        "Caused by: java.io.FileNotFoundException: engine.dat (No such file or directory)",
    ),
    "rust": (
        """

thread 'main' (10820) panicked at src/main.rs:1:55:
index out of bounds: the len is 0 but the index is 3
stack backtrace:
   0: __rustc::rust_begin_unwind
             at /rustc/59807616e1fa2540724bfbac14d7976d7e4a3860/library/std/src/panicking.rs:689:5
   1: core::panicking::panic_fmt
   2: bot::main
note: Some details are omitted, run with `RUST_BACKTRACE=full` for a verbose backtrace.
""",
        "thread 'main' (10820) panicked at src/main.rs:1:55: index out of bounds: the len is 0 but the index is 3",
    ),
    "rust, an error returned": (
        'Error: Os { code: 111, kind: ConnectionRefused, message: "Connection refused" }',
        'Error: Os { code: 111, kind: ConnectionRefused, message: "Connection refused" }',
    ),
    "go": (
        """
panic: runtime error: index out of range [5] with length 3

goroutine 1 [running]:
main.(*Player).lead(0xc000012345, {0xc00001c0a8, 0x3, 0x3})
	/home/a/main.go:12 +0x1d
main.main()
	/home/a/main.go:7 +0x45
exit status 2
""",
        "panic: runtime error: index out of range [5] with length 3",
    ),
    ".net": (
        """
Unhandled exception. System.IO.FileNotFoundException: Could not find file '/home/a/table.bin'.
File name: '/home/a/table.bin'
   at Interop.ThrowExceptionForIoErrno(ErrorInfo errorInfo, String path, Boolean isDirError)
   at Robot.Program.Main(String[] args) in /home/a/Program.cs:line 9
""",
        "Unhandled exception. System.IO.FileNotFoundException: Could not find file '/home/a/table.bin'.",
    ),
    "c++": (
        """
terminate called after throwing an instance of 'std::out_of_range'
  what():  vector::_M_range_check: __n (which is 3) >= this->size() (which is 0)
Aborted (core dumped)
""",
        "terminate called after throwing an instance of 'std::out_of_range': "
        "vector::_M_range_check: __n (which is 3) >= this->size() (which is 0)",
    ),
    "a crash under a shell": (
        "loading\nrun.sh: line 3: 10872 Segmentation fault      (core dumped) ./bot $1\nexit status 139\n",
        "run.sh: line 3: 10872 Segmentation fault      (core dumped) ./bot $1",
    ),
    "a missing library": (
        "./bot: error while loading shared libraries: libdds.so: cannot open shared object file: No such file\n",
        "./bot: error while loading shared libraries: libdds.so: cannot open shared object file: No such file",
    ),
    "shell": ("run.sh: 1: ben: not found\nmake: *** [Makefile:3: play] Error 127\n", "run.sh: 1: ben: not found"),
    "windows": (
        "'ben' is not recognized as an internal or external command,\noperable program or batch file.\n",
        "'ben' is not recognized as an internal or external command,",
    ),
    "perl": (
        "Can't locate Bridge/Foo.pm in @INC (@INC contains: /etc/perl) at bot.pl line 1.\n"
        "BEGIN failed--compilation aborted at bot.pl line 1.\n",
        "Can't locate Bridge/Foo.pm in @INC (@INC contains: /etc/perl) at bot.pl line 1.",
    ),
    "ruby": (
        "bot.rb:3:in `play': undefined local variable or method `cards' for main:Object (NameError)\n"
        "\tfrom bot.rb:5:in `<main>'\n",
        "bot.rb:3:in `play': undefined local variable or method `cards' for main:Object (NameError)",
    ),
    "wine, of which nothing is to blame": (
        "Cannot find the licence file\n0024:fixme:winsock:server_ioctl_sock Unsupported ioctl 9800000c\n",
        "Cannot find the licence file",
    ),
    "a log with levels": (
        "12:00:00 INFO  board 1\n12:00:09 ERROR the network file is damaged\n12:00:09 INFO  closing\n",
        "12:00:09 ERROR the network file is damaged",
    ),
    "plain words": ("board 1\nno licence, ending\n\n", "no licence, ending"),
    "colours and progress drawn over": (
        "\x1b[1m\x1b[31merror\x1b[0m: no such model\nloading  10 %\rloading 100 %\r\n",
        "error: no such model",
    ),
    "noise alone": ("Aborted (core dumped)\n", "Aborted (core dumped)"),
    "nothing": ("\n \n", ""),
}


@pytest.mark.parametrize("kind", TRACES)
def test_the_line_that_says_what_happened_is_found(kind: str) -> None:
    output, line = TRACES[kind]
    assert find_error_line(output.split("\n")) == line


@pytest.mark.parametrize(
    "kind", [kind for kind, (output, line) in TRACES.items() if line and re.search(r"\n\s+\S", output)]
)
def test_a_trace_is_found_below_what_was_printed_before_and_above_a_farewell(kind: str) -> None:
    output, line = TRACES[kind]
    before = [f"board {number}" for number in range(200)]
    assert find_error_line([*before, *output.split("\n"), "closing the log", "bye"]) == line


def test_an_error_that_was_overcome_long_before_the_end_is_not_shown() -> None:
    overcome = "ConnectionRefusedError: [Errno 111] Connection refused"
    after = [f"board {number} is finished" for number in range(LINES_SEARCHED)]
    assert find_error_line([overcome, *after, "no licence, ending"]) == "no licence, ending"
    assert find_error_line([overcome, *after[2:], "no licence, ending"]) == overcome
