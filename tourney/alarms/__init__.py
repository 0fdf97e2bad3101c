"""Alarms: what an organiser has to know of though nobody looks.

A watcher derives them from the record, in a process that is no part of what it watches: the dead report nothing.

    signs       what the record, and the disk, show now
    episodes    when signs are an alarm, when an episode has ended, when a message may be sent and what it says; pure
    addresses   where messages go
    sender      sends a message, in a process of its own, which alone loads apprise
    watcher     all that again and again, until the event is over

An alarm is a row (`store.alarms`) with the state of its message. Several watchers may watch one event: a row is
there once, and whoever sends it claims it first. A message is sent at least once, twice only when its sender is
killed between sending and saying so.
"""
