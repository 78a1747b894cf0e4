#!/usr/bin/env bash
# git steers, we judge: calibrate on the ends of the demo, then the real `git bisect run` over three
# of its commits, in a clone. git must name the planted commit, and what is no vote must end it.
set -euo pipefail
top=$1
program=$2/harness/bisect-run
work=$(mktemp -d "${TMPDIR:-/tmp}/br-judge-XXXXXX")
trap 'rm -rf "$work"' EXIT
export BISECT_RUN_HOME=$top
demo=${XDG_CACHE_HOME:-$HOME/.cache}/bisect-run/demo
[ -e "$demo/finished" ] || { echo "the demo's history is not there: e2e.demo makes it"; exit 77; }
planted=$(sed -n 4p "$demo/finished")
die() { echo "FAILED: $*"; tail -n 20 "$work"/*.log 2> /dev/null || true; exit 1; }
git_() { git -C "$work/linux" -c advice.detachedHead=false "$@"; }

git clone -q --shared --no-checkout "$demo/linux.git" "$work/linux"
run() { (cd "$work/linux" && "$program" "$@" --results "$work/results"); }

SECONDS=0
run calibrate demo-good demo-bad --marks 50 --out "$work/judge.json" \
  --on-end 'echo "$BISECT_RUN_STATUS $BISECT_RUN_EXIT" > "'"$work"'/end"' > "$work/calibrate.log" 2>&1 ||
  die "calibrate exited with $?"
grep -q 'git bisect run' "$work/calibrate.log" || die "calibrate does not say how to go on"
[ "$(cat "$work/end")" = 'answered 0' ] || die "--on-end was told: $(cat "$work/end")"
echo "calibrated after $SECONDS s"

# The work tree of the clone stays empty: the judge has one of its own.
child=$(git_ rev-list --reverse --ancestry-path "$planted..demo-bad" | head -n 1)
git_ bisect start --no-checkout "$child" "$planted~2" > "$work/start.log" 2>&1
(cd "$work/linux" && git bisect run "$program" scenario netns-scaling BISECT_HEAD \
  --judge "$work/judge.json" --results "$work/results") > "$work/run.log" 2>&1 ||
  die "git bisect run exited with $?"
grep -q "^$planted is the first bad commit" "$work/run.log" || die "git names another commit"
echo "git bisect run named the planted commit; $SECONDS s in all"

# The log of such a bisection is read by the main job.
git_ bisect log > "$work/bisect.log"
run plan --import "$work/bisect.log" > "$work/plan.log" 2>&1 || die "the log of git is not taken"
grep -qE '^  commits +1,' "$work/plan.log" || die "one commit should be left: $(cat "$work/plan.log")"

# What does not fit the calibration is no vote.
refuse() {  # refuse PATTERN ARGUMENTS…
  local pattern=$1 status=0; shift
  run scenario netns-scaling "$planted" --judge "$work/judge.json" "$@" > "$work/refuse.log" 2>&1 || status=$?
  [ "$status" -ge 128 ] || die "$*: exit $status is a vote for git"
  grep -q "$pattern" "$work/refuse.log" || die "$*: no '$pattern' in the message"
}
refuse 'variant' --variant all
refuse 'mode' --mode direct
refuse 'vCPUs' --cpus 1
sed 's/"host_digest": "./&x/' "$work/judge.json" > "$work/other.json"
mv "$work/other.json" "$work/judge.json"
refuse 'another machine'
echo "judge: $SECONDS s"

# In the demo's own repository, whose object tree saves the revert test a whole build.
# A budget that is too small ends with what is known; more of it goes on to the answer, which git
# replays to the same commit.
status=0
run "$planted~2" "$child" --good "$planted~1" --repo "$demo/linux.git" --marks 50 --budget 3s \
  > "$work/small.log" 2>&1 || status=$?
[ "$status" -eq 1 ] || die "a budget of 3 s: exit $status"
grep -q 'budget of 3 s was spent' "$work/small.log" || die "the budget is not the reason"
status=0
run resume --budget 1s > "$work/less.log" 2>&1 || status=$?
[ "$status" -eq 2 ] || die "a smaller budget: exit $status"
run resume --budget 2h > "$work/more.log" 2>&1 || die "more budget: exit $?"
grep -q "^  ${planted:0:12}" "$work/more.log" || die "the answer is not the planted commit"
run report --format bisect-log > "$work/ours.log"
git_ bisect reset > /dev/null 2>&1 || true
git_ bisect replay "$work/ours.log" > "$work/replay.log" 2>&1 || true
grep -q "^$planted is the first bad commit" "$work/replay.log" || die "git replays to something else"
run show > "$work/show.log"
grep -q 'why each step was made' "$work/show.log" || die "show does not explain"
echo "budget, resume, replay and show: $SECONDS s in all"
