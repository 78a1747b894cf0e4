#!/usr/bin/env bash
# Real kernels: the controller of a demo bisect is killed with SIGKILL ten times, in builds and in
# boots, and resumed each time; the answer must be the planted commit and the samples those of
# complete boots. Two kernels are taken from the cache first, so that there is something to build.
#
#   demo_test.sh SOURCE BUILD [KILLS [SECONDS]]
#
# With SECONDS the controller is killed every so many seconds instead of at random moments, as
# often as it takes: a loop around a run that never gets further than that.
set -euo pipefail
top=$1 build=$2 kills=${3:-10} every=${4:-}
program=$build/harness/bisect-run
export BISECT_RUN_HOME=$top
cache=${XDG_CACHE_HOME:-$HOME/.cache}/bisect-run
[ -e "$cache/demo/finished" ] && [ "$(ls "$cache/images" 2> /dev/null | wc -l)" -ge 8 ] || {
  echo "the demo's kernels are not in the cache; tests/run -R e2e.demo builds them"
  exit 77
}
work=$(mktemp -d "${TMPDIR:-/tmp}/br-kills-XXXXXX")
results=$work/results
trap 'rm -rf "$work"' EXIT
die() { echo "FAILED: $*"; tail -n 20 "$work"/*.log; exit 1; }

# Only processes of this run count, whose guests have the end of its id in their names: others may
# be at work on this machine, and in this cache.
makes() { pgrep -f "make -C $cache/objects/" || true; }
before=$(makes | sort)
left_over() {
  local run
  run=$(sqlite_value 'select id from run')
  pgrep -f "qemu.*guest=bisect-run-${run##*-}-" || true
  comm -13 <(echo "$before") <(makes | sort) | grep -v '^$' || true
}
sqlite_value() {
  python3 -c 'import sqlite3, sys
print(sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True).execute(sys.argv[2]).fetchone()[0])' \
    "$results/results.db" "$1"
}

# The two images used last.
for image in $(ls -t "$cache/images" | head -n 2); do rm -rf "$cache/images/$image"; done

seed=${RANDOM_SEED:-$RANDOM}
RANDOM=$seed
echo "seed $seed"
done_kills=0 command=demo
while :; do
  # Not a background job of ours: those have SIGINT ignored. `timeout` kills it, at once.
  seconds=${every:-$((3 + RANDOM % 12))}
  [ -n "$every" ] || [ "$done_kills" -lt "$kills" ] || seconds=0
  code=0
  timeout -s KILL "$seconds" "$program" $command --results "$results" \
    > "$work/life-$done_kills.log" 2>&1 || code=$?
  if [ "$code" -eq 2 ] && grep -q 'start it anew' "$work/life-$done_kills.log"; then
    command=demo  # killed in the moment between its first row and its own copies
    continue
  fi
  [ "$code" -eq 137 ] || break
  done_kills=$((done_kills + 1))
  if [ -e "$results/results.db" ] && "$program" runs --results "$results" 2> /dev/null | grep -q .
  then command=resume; fi
done
[ "$code" -eq 0 ] || die "exit $code after $done_kills kills"

planted=$(sed -n 4p "$cache/demo/finished")
answer=$("$program" report --format json --results "$results" |
  python3 -c 'import json,sys; a=json.load(sys.stdin)["answer"]; print(*[c["oid"] for c in a["commits"]])')
[ "$answer" = "$planted" ] || die "the answer is $answer, planted is $planted"
python3 - "$results/results.db" << 'PY' || die "the samples are not those of complete boots"
import sqlite3, sys
db = sqlite3.connect(f"file:{sys.argv[1]}?mode=ro", uri=True)
assert db.execute("pragma integrity_check").fetchone()[0] == "ok"
assert db.execute("select count(*) from boot where outcome = 'running'").fetchone()[0] == 0
counts = {n for (n,) in db.execute(
    "select count(*) from sample s join boot b on s.boot = b.id where b.outcome = 'complete' group by b.id")}
assert len(counts) == 1, counts
PY
sleep 1
[ -z "$(left_over)" ] || die "processes are left over: $(left_over)"
echo "demo.kills $done_kills $done_kills $done_kills" >> "$build/faults-tally"
echo "killed $done_kills times, the planted commit was named; $SECONDS s in all"
