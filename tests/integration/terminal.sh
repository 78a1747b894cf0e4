#!/usr/bin/env bash
# Progress and `show --follow` on a real terminal (tmux) that is resized all the time: what scrolled
# by is the log, each line whole, each once, and no piece of a live line is left. A controller over
# fake builds and boots is at work; a second terminal only reads.
set -euo pipefail
top=$1 build=$2
program=$build/harness/bisect-run controller=$build/tests/faults_controller
export BISECT_RUN_HOME=$top
command -v tmux > /dev/null || { echo "tmux is not installed"; exit 77; }
[ -x "$program" ] && [ -x "$controller" ] || { echo "not built"; exit 77; }
work=$(mktemp -d "${TMPDIR:-/tmp}/br-terminal-XXXXXX")
unset TMUX
tmux_() { tmux -S "$work/socket" -f /dev/null "$@"; }
trap 'tmux_ kill-server 2> /dev/null || true; rm -rf "$work"' EXIT
die() { echo "FAILED: $*"; exit 1; }

open() {  # open NAME COLUMNS COMMAND: a terminal that stays when its command has ended
  tmux_ new-session -d -s "$1" -x "$2" -y 24 \
    "$3; echo \"ended with \$?\"; exec sleep 600" \; set -g history-limit 20000 > /dev/null
}
text() { tmux_ capture-pane -p -J -S - -t "$1"; }
await() {  # await NAME PATTERN SECONDS
  local i
  for ((i = 0; i < $3 * 10; i++)); do
    text "$1" | grep -q -- "$2" && return
    sleep 0.1
  done
  text "$1" | tail -n 20; die "no '$2' on the terminal of $1"
}

tmux_ new-session -d -s first -x 80 -y 24 'exec sleep 600'
tmux_ set -g history-limit 20000
open run 100 "$controller $work live"
await run 'm/s' 20
"$program" runs --results "$work" | grep -q running || die "no run is at work"
open follow 100 "$program show --follow --results $work"
await follow '  boot 0000' 20

# Narrower, wider, and so narrow that the live line breaks into many rows, until the run has ended.
resizes=0
while ! text run | grep -q 'ended with' && [ $resizes -lt 600 ]; do
  for columns in 60 45 120 30 80 50 140 20 90 35 100 40 70 25 110; do
    tmux_ resize-window -t run -x "$columns" -y 24
    tmux_ resize-window -t follow -x "$columns" -y 24
    resizes=$((resizes + 1))
    sleep 0.2
  done
done
tmux_ resize-window -t run -x 160 -y 24
tmux_ resize-window -t follow -x 160 -y 24
await run 'ended with' 120
await follow 'ended with' 20
text run > "$work/run.text"
text follow > "$work/follow.text"

python3 - "$work" $resizes << 'PY'
import re, sqlite3, sys
work, resizes = sys.argv[1:]
def lines(name):
    return [line.rstrip() for line in open(f"{work}/{name}.text") if line.strip()]
db = sqlite3.connect(f"file:{work}/results.db?mode=ro", uri=True)
boots = db.execute("select count(*) from boot where outcome = 'complete'").fetchone()[0]
failed = db.execute("select count(*) from build where error_kind is not null").fetchone()[0]
built = db.execute("select count(*) from build where error_kind is null").fetchone()[0]

kinds = {
    "boot": r"\d+@none: [\d.]+ m/s( \(about [\dhmins ]+ left\))?",
    "built": r"\d+@none: built in \d+ s",
    "failed": r"\d+@none: not built: error: does not compile",
    "answer": r"commit commit 77",
    "ended": r"ended with 0",
}
seen = dict.fromkeys(kinds, 0)
for line in lines("run"):
    kind = [k for k, pattern in kinds.items() if re.fullmatch(pattern, line)]
    assert kind, f"a broken line: {line!r}"
    seen[kind[0]] += 1
assert (seen["boot"], seen["built"], seen["failed"]) == (boots, built, failed), (seen, boots, built, failed)
assert (seen["answer"], seen["ended"]) == (1, 1), seen

follow = lines("follow")
# A long event goes on below, behind blanks.
events = [line for line in follow if re.match(r" +\d+ (s|min \d\d s)  \S", line)]
assert len(events) > 20, follow
assert follow[-1] == "ended with 0" and any(line.endswith(": answered") for line in follow), follow[-5:]
assert not [line for line in follow if "[#" in line], "a live line of the other terminal"
print(f"terminal: {sum(seen.values())} lines of a run and {len(events)} events that were followed, "
      f"all whole after {resizes} resizes")
PY
