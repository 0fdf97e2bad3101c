#!/bin/sh
# Plays the program of a change against the one before it, for any service that runs a script on every change.
#
#     NEW="./new {port} {seat} {team}" OLD="./old {port} {seat} {team}" sh duel.sh
#
# NEW and OLD are what `tourney duel` takes: commands, or players' classes. REQUIRED is better, not-worse or same, and
# BOARDS the most boards. Words behind duel.sh are further options of `tourney duel`. The exit status is 0 if the
# verdict is the one that is required. Then there are duel.xml (JUnit), boards (CSV), swings.txt, and
# the record of the duel: new-v-old.toml and the folder results.
set -eu
: "${NEW:?the command of the new program}" "${OLD:?the command of the old one}"

status=0
tourney duel "$NEW" "$OLD" --names new,old \
    --fail-unless "${REQUIRED:-not-worse}" --boards "${BOARDS:-2000}" \
    --junit-file duel.xml "$@" || status=$?

# What the author of the change looks at first. There is none if the duel could not begin.
tourney export new-v-old.toml --format csv --out boards || true
tourney swings new-v-old.toml --team new > swings.txt || true
exit "$status"
