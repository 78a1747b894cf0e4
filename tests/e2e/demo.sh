#!/usr/bin/env bash
# The main job on real kernels: the demo is killed with SIGKILL in the middle of a build, of a boot
# and of a measurement, resumed each time, and must name the planted commit; then the whole demo
# once more from its cached kernels; then one scenario and one comparison on its commits.
set -euo pipefail
top=$1
program=$top/bisect-run
work=$(mktemp -d "${TMPDIR:-/tmp}/br-e2e-XXXXXX")
results=$work/results
trap 'rm -rf "$work"' EXIT

step() { printf '\n== %s (%d s)\n' "$*" "$SECONDS"; }
die() { echo "FAILED: $*"; tail -n 30 "$work"/*.log 2> /dev/null || true; exit 1; }

# Only QEMUs of these runs count: others may be at work on this machine.
qemus() { pgrep -f "qemu.*guest=bisect-run-" || true; }
before=$(qemus)
left_over() { comm -13 <(sort <<< "$before") <(qemus | sort) | grep -v '^$' || true; }

# samples: how many the database holds.
samples() {
  python3 - "$results/results.db" << 'PY'
import sqlite3, sys
try:
    db = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True, timeout=5)
    print(db.execute("select count(*) from sample").fetchone()[0])
except sqlite3.Error:
    print(0)
PY
}

# kill_when NAME CONDITION -- COMMAND…: SIGKILL for the command as soon as the condition holds.
# False if the command ended well before that.
kill_when() {
  local name=$1 condition=$2 pid; shift 3
  step "$name"
  "$@" > "$work/$name.log" 2>&1 &
  pid=$!
  until eval "$condition"; do
    kill -0 "$pid" 2> /dev/null || {
      wait "$pid" || die "$name failed before it was killed"
      return 1
    }
    sleep 0.1
  done
  kill -9 "$pid"
  wait "$pid" 2> /dev/null || true
}

new_qemu() { [ -n "$(left_over)" ]; }
# Whether one of our own processes is under another: others may be building, too.
below() {
  local at=$1
  while [ "${at:-0}" -gt 1 ]; do
    [ "$at" -ne "$2" ] || return 0
    at=$(awk '/^PPid:/ { print $2 }' "/proc/$at/status" 2> /dev/null)
  done
  return 1
}
compiling() {
  local make
  for make in $(pgrep -f 'make -C .*bisect-run/objects.* bzImage'); do
    below "$make" "$pid" && return 0
  done
  return 1
}
more_samples() { [ "$(samples)" -gt "$seen" ]; }

next=resume
kill_when build compiling -- "$program" demo --results "$results" || {
  echo "every kernel was in the cache: nobody was killed in a build"
  next=demo
}
kill_when boot new_qemu -- "$program" $next --results "$results" || die "it was not killed in a boot"
seen=$(samples)
kill_when measurement more_samples -- "$program" resume --results "$results" ||
  die "it was not killed in a measurement"

step "resume to the end"
"$program" resume --results "$results" > "$work/resume.log" 2>&1 || die "resume exited with $?"
cat "$work/resume.log"
[ -z "$(left_over)" ] || die "QEMUs are left over: $(left_over)"

# answer_of RESULTS: oids in the JSON answer.
answer_of() {
  "$program" report --format json --results "$1" |
    python3 -c 'import json,sys; a=json.load(sys.stdin)["answer"]; print(a["kind"], *[c["oid"] for c in a["commits"]])'
}
# The file of the finished history: its key, then good, bad and planted.
planted=$(sed -n 4p "${XDG_CACHE_HOME:-$HOME/.cache}/bisect-run/demo/finished")
[ "$(answer_of "$results")" = "commit $planted" ] || die "the answer is $(answer_of "$results"), planted is $planted"

step "the demo again, from cached kernels"
"$program" demo --results "$work/again" \
  --on-end 'cat > "'"$work"'/end.json"; echo "$BISECT_RUN_STATUS $BISECT_RUN_EXIT $BISECT_RUN_COMMITS" > "'"$work"'/end"' \
  > "$work/again.log" 2>&1 || die "the second demo exited with $?"
[ "$(answer_of "$work/again")" = "commit $planted" ] || die "the second answer differs"
[ "$(cat "$work/end")" = "answered 0 $planted" ] || die "--on-end was told: $(cat "$work/end")"
"$program" report --format json --results "$work/again" | cmp - "$work/end.json" || die "--on-end got another answer"

step "one scenario on one commit, without a new build"
"$program" scenario netns-scaling demo-good --marks 50 --boots 1 --results "$work/again" \
  > "$work/scenario.log" 2>&1 || die "scenario exited with $?"
cat "$work/scenario.log"
! grep -q 'built in' "$work/scenario.log" || die "the scenario built a kernel"

step "compare the planted commit with its parent"
"$program" compare "$planted~1" "$planted" --marks 50 --metric add+exec --boots 3 --json \
  --results "$work/again" > "$work/compare.json" 2> "$work/compare.log" || die "compare exited with $?"
python3 - "$work/compare.json" << 'PY' || die "the comparison does not show the slow-down: $(cat "$work/compare.json")"
import json, sys
series = json.load(open(sys.argv[1]))["series"]
rows = next(s for s in series if s["metric"] == "add+exec")["rows"]
cell = next(r for r in rows if r["mark"] == 50)["cells"][1]
assert cell["high"] < 1, cell
PY
[ -z "$(left_over)" ] || die "QEMUs are left over: $(left_over)"
echo "demo: the planted commit was named twice; $SECONDS s in all"
