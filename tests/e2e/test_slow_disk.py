"""A disk that makes everybody wait: runs and hosts wait, say why, and nobody is taken for dead."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.test_killed import check_whole
from tests.support.events import bot, read_until, rest_of, start_tourney, until, write_event
from tests.support.simulated_run import query

TEAMS = [("Alpha", bot(1)), ("Beta", bot(2))]

SLOW_SYNC = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static void wait_while_slow(int file) {
    char link[64], path[4096];
    const char *flag = getenv("SLOW_WHILE");
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (!flag || length < 0 || access(flag, F_OK)) return;
    path[length] = 0;
    if (strstr(path, ".db")) usleep(1500000);
}
int fsync(int file) {
    wait_while_slow(file);
    return ((int (*)(int))dlsym(RTLD_NEXT, "fsync"))(file);
}
int fdatasync(int file) {
    wait_while_slow(file);
    return ((int (*)(int))dlsym(RTLD_NEXT, "fdatasync"))(file);
}
"""


@pytest.mark.campaign
def test_a_disk_that_takes_a_second_and_a_half_for_each_transaction_is_named_and_waited_for(tmp_path: Path) -> None:
    compiler = shutil.which("cc")
    if compiler is None or not sys.platform.startswith("linux"):
        pytest.skip("a slow disk is a C library that is loaded before the others: there is no `cc`, or no Linux")
    source, library, flag = tmp_path / "slow.c", tmp_path / "slow.so", tmp_path / "slow"
    source.write_text(SLOW_SYNC)
    subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    event = write_event(tmp_path, TEAMS, boards=1, tables="lease_s = 2\n")
    run = start_tourney("run", event, "--hosts", "2", on=("env", f"LD_PRELOAD={library}", f"SLOW_WHILE={flag}"))
    told = read_until(run, "round 1: ")
    flag.touch()  # its hosts have yet to begin
    told += read_until(run, f"the disk of {tmp_path}/results is slow; ")
    until(lambda: query(event, "SELECT count(*) FROM hosts WHERE pid > 0") == [(2,)], "both hosts have begun")
    flag.unlink()
    done = rest_of(run)
    assert done.status == 0, told + done.out
    assert "ended with status" not in told + done.out
    assert "goes to another" not in told + done.out
    assert query(event, "SELECT count(*) FROM hosts") == [(2,)]
    check_whole(event, 1)
