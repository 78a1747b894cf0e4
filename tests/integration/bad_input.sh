#!/usr/bin/env bash
# Wrong input, as a person would give it: each gets a message that names the thing and the way out,
# exit code 2 (3 for the machine's faults), and leaves nothing behind.
set -eu
top=$1
program=$2/harness/bisect-run
work=$(mktemp -d "${TMPDIR:-/tmp}/br-bad-XXXXXX")
trap 'rm -rf "$work"' EXIT
export BISECT_RUN_HOME=$top XDG_CACHE_HOME=$work/cache HOME=$work
results=$work/results
faults=0
cases=0

git_() { git -c user.name=t -c user.email=t@invalid -c init.defaultBranch=main "$@"; }

# A tree that looks like a kernel, with three commits, a side branch and an unrelated root.
repo=$work/linux
mkdir -p "$repo"/{kernel,arch/x86}
cd "$repo"
git_ init -q .
printf 'VERSION = 6\nPATCHLEVEL = 1\n' > Makefile
echo 'config A' > Kconfig
echo > kernel/fork.c; echo > arch/x86/Kconfig
git_ add -A; git_ commit -qm one; git_ tag one
echo a >> kernel/fork.c; git_ commit -qam two; git_ tag two
echo b >> kernel/fork.c; git_ commit -qam three; git_ tag three
git_ checkout -q -b side one; echo s >> Kconfig; git_ commit -qam side; git_ tag side
git_ checkout -q --orphan other; echo o >> Kconfig; git_ commit -qam other; git_ tag other
git_ checkout -q main

# expect CODE PATTERN… -- ARGUMENTS…: exit code and every pattern in what is printed.
expect() {
  local code=$1 patterns=() out status=0 pattern; shift
  while [ "$1" != -- ]; do patterns+=("$1"); shift; done; shift
  cases=$((cases + 1))
  out=$("$program" "$@" 2>&1) || status=$?
  if [ "$status" -ne "$code" ]; then
    echo "FAILED: $* exited with $status, not $code: $out"; faults=$((faults + 1)); return
  fi
  for pattern in "${patterns[@]}"; do
    grep -qiE -- "$pattern" <<< "$out" ||
      { echo "FAILED: $*: no \"$pattern\" in: $out"; faults=$((faults + 1)); }
  done
  if grep -qE 'terminate called|std::|Aborted|backtrace' <<< "$out"; then
    echo "FAILED: $*: a stack trace: $out"; faults=$((faults + 1))
  fi
}
main_job() { expect "$@" --repo "$repo" --results "$results"; }

main_job 2 'nosuch' -- nosuch three
main_job 2 'swapped' 'good end comes first' -- three one
main_job 2 'same commit|equal' -- two two
main_job 2 'same commit|equal' -- two main~1
main_job 2 'merge base|different branches|not an ancestor' -- side three
main_job 2 'unrelated|no common' -- other three
main_job 2 'scenario' 'nosuch' 'netns-scaling' -- one three --scenario nosuch
main_job 2 'variant' 'nosuch' 'none' -- one three --variant nosuch
main_job 2 'one variant' 'compare' -- one three --variant none,all
main_job 2 'hz100 and hz1000 exclude' -- compare one@hz100,hz1000
main_job 2 'patch' 'no file' -- compare one --patch "$work/nosuch.patch"
git_ diff two three > "$work/fix.patch"
main_job 2 'one\+.*fix.patch' 'kernel/fork.c: hunk 1 of 1' 'does not fit' -- \
  compare three one+"$work/fix.patch"
main_job 2 'fix.patch: kernel/fork.c: hunk 1 of 1' -- compare two one --patch "$work/fix.patch"
main_job 2 '16 vCPUs' 'NR_CPUS' -- compare one two --cpus 2,16
main_job 2 'my.config' -- compare one --config "$work/my.config"
main_job 2 'NAME=value' -- compare one --make-arg LLVM
main_job 2 '--compiler' -- compare one --make-arg CC=clang
main_job 2 'memory' 'MiB' -- compare one --memory 12
main_job 2 'virtual clock' 'tcg' -- compare one --clock virtual --accel kvm
main_job 2 'metric' 'nosuch' -- one three --metric nosuch
main_job 2 'mode' 'nosuch' -- one three --mode nosuch
main_job 2 'marks' -- one three --marks 5,2
main_job 2 'two revisions|GOOD BAD' -- one
main_job 2 'nosuch' -- compare one nosuch
main_job 2 'kernels are needed' -- compare
main_job 2 'A\.\.B' -- compare --tags one
main_job 2 'nosuch' -- compare --tags one..nosuch
main_job 2 'cannot be read' -- compare --list /nonexistent
main_job 2 'leave it out' -- compare one three --scenario netns-scaling,interfaces --metric add
main_job 2 'named twice' -- compare one three --scenario interfaces,interfaces
main_job 2 'below --boots' -- compare one three --boots 5 --most-boots 3
main_job 2 'nosuch' -- plan nosuch three
main_job 2 'unknown option --budgt; did you mean --budget\?' -- one three --budgt 3h
main_job 2 'unknown option --cc' 'compare --help' -- compare one three --cc gcc-11

# C9: ends swapped or not related, also among further good ends.
main_job 2 'swapped' -- one two --good three
main_job 2 'same commit' -- one three --good three
main_job 2 'part at' -- one three --good side
main_job 2 'nosuch' -- one three --good nosuch

# What narrows a search.
main_job 2 '6h' -- one three --budget 6
main_job 2 'between 50' -- one three --confidence 0.3
main_job 2 'min-effect' -- one three --min-effect 0
main_job 2 "no commit between GOOD and BAD touches 'mm'" -- one three --paths kernel mm
main_job 2 '--paths takes the words' -- --paths kernel one three
main_job 2 'posterior' -- one three --strategy three-way --paths kernel
main_job 2 'no command .*plan' -- plam one three --budget 1m
main_job 2 'no command .*show' -- shw
main_job 2 'no command .*resume' -- resum 20261130-101010-abcd
main_job 0 'a change of' 'assumed' 'cannot suffice' -- plan one three --budget 1m --variant off
main_job 0 'commits   1' -- plan one three --good two --paths kernel/fork.c --variant off

# A bisect log of somebody.
main_job 2 'line 1 is no line' -- --import "$repo/Makefile"
main_job 2 'nosuch.log' 'read' -- --import "$work/nosuch.log"
printf 'git bisect start\ngit bisect bad %s\n' "$(git rev-parse three)" > "$work/half.log"
main_job 2 'no good commit' 'half.log' -- --import "$work/half.log"
printf 'git bisect start\ngit bisect bad three\ngit bisect good side\ngit bisect good one\n' > "$work/whole.log"
main_job 2 'leave GOOD and BAD out' -- one three --import "$work/whole.log"
main_job 0 'commits   2' 'whole.log' -- plan --import "$work/whole.log" --variant off

# For git bisect run nothing that is wrong may be a vote: 128 or more.
main_job 128 'nosuch.json' 'calibrate' -- scenario netns-scaling two --judge "$work/nosuch.json"
main_job 128 'calibrate again' -- scenario netns-scaling two --judge "$repo/Makefile"
main_job 128 'nonsense' -- scenario netns-scaling two --judge x --nonsense
main_job 128 'SPEC' -- scenario netns-scaling --judge=x
main_job 2 'directory' -- calibrate one three --out "$work/nosuch/file" --variant off
main_job 2 'out' -- calibrate one three

# Repositories that cannot be bisected.
git_ clone -q --depth 1 "file://$repo" "$work/shallow"
expect 2 'shallow' 'unshallow' -- HEAD~1 HEAD --repo "$work/shallow" --results "$results"
git_ clone -q "$repo" "$work/partial"
git -C "$work/partial" config extensions.partialClone origin
git -C "$work/partial" config remote.origin.promisor true
expect 2 'partial' -- one three --repo "$work/partial" --results "$results"
mkdir "$work/empty"
expect 2 'repository' "$work/empty" -- one three --repo "$work/empty" --results "$results"
git_ init -q "$work/nokernel"; (cd "$work/nokernel" && git_ commit -q --allow-empty -m a &&
  git_ tag a && git_ commit -q --allow-empty -m b && git_ tag b)
expect 2 'kernel' -- a b --repo "$work/nokernel" --results "$results"
if [ "$(id -u)" -eq 0 ]; then
  cp -r "$repo" "$work/foreign"; chown -R 12345 "$work/foreign"
  expect 2 'own' 'safe.directory' -- one three --repo "$work/foreign" --results "$results"
fi
(cd "$work/empty" && expect 2 '--repo' -- one three --results "$results")

# Named kernels: what is wrong with one is said with its name; clocks are never mixed.
{ cat "$top/kernels.yaml"; printf '%s\n' 'kernels:' '  gone: {revision: v99}' \
    '  slow: {revision: one, machine: counted}' '  fine: {revision: three}'; } |
  sed 's/^machines:/&\n  counted: {cpus: 1, clock: virtual}/' > "$work/named.yaml"
main_job 2 'the kernel gone of' 'v99' -- compare gone one --kernels "$work/named.yaml"
main_job 2 'slow' 'virtual clock' 'never compared' -- compare slow fine --kernels "$work/named.yaml"
main_job 2 'different machines' -- slow fine --kernels "$work/named.yaml"

# kernels.yaml with faults: file:line:column and what would be right.
yaml() { printf '%b' "$1" > "$work/kernels.yaml"; }
yaml 'variants: 7\n'
expect 2 'kernels.yaml:1:' -- one three --repo "$repo" --results "$results" --kernels "$work/kernels.yaml"
sed 's/^machines:/machinez:/' "$top/kernels.yaml" > "$work/kernels.yaml"
expect 2 'kernels.yaml:[0-9]+:' 'machinez' -- one three --repo "$repo" --results "$results" --kernels "$work/kernels.yaml"
yaml ': : :\n  - ][\n'
expect 2 'kernels.yaml' -- one three --repo "$repo" --results "$results" --kernels "$work/kernels.yaml"
expect 2 'nosuch.yaml' -- one three --repo "$repo" --results "$results" --kernels "$work/nosuch.yaml"
[ ! -e "$results/results.db" ] || { echo "FAILED: wrong input left a results file"; faults=$((faults + 1)); }

# The machine's faults: exit 3, and the run can be resumed. Both in a mount namespace of their own.
if [ "$(id -u)" -eq 0 ] && unshare -m true 2> /dev/null; then
  machine_fault() {  # machine_fault PATTERN SETUP
    local out status=0
    cases=$((cases + 1))
    out=$(unshare -m bash -c "$2; exec $program one three --repo $repo --variant off --results $work/faults" 2>&1) ||
      status=$?
    [ "$status" -eq 3 ] && grep -qiE -- "$1" <<< "$out" && grep -q 'resume' <<< "$out" ||
      { echo "FAILED: $2: exit $status: $out"; faults=$((faults + 1)); }
  }
  machine_fault 'qemu-system-x86' "mount --bind /dev/null $(command -v qemu-system-x86_64)"
  mkdir "$work/small"
  machine_fault 'left on the disk' "mount -t tmpfs -o size=16m none $work/small; export XDG_CACHE_HOME=$work/small"
fi

# Results that are not ours, or from a newer version: untouched.
mkdir -p "$work/foreign-results"
python3 - "$work/foreign-results/results.db" << 'PY'
import sqlite3, sys
db = sqlite3.connect(sys.argv[1]); db.execute("create table t(x)"); db.commit()
PY
sum=$(sha256sum < "$work/foreign-results/results.db")
expect 2 'results.db' -- one three --repo "$repo" --results "$work/foreign-results"
expect 2 'results.db' -- runs --results "$work/foreign-results"
[ "$sum" = "$(sha256sum < "$work/foreign-results/results.db")" ] || { echo "FAILED: a foreign file was changed"; faults=$((faults + 1)); }
mkdir "$work/text-results"; echo "not a database at all, only text" > "$work/text-results/results.db"
expect 2 'results.db' -- runs --results "$work/text-results"
expect 2 'no run|no results' -- show --results "$work/none"
expect 2 'no run|no results' -- report --results "$work/none"
expect 2 'no run|no results' -- resume --results "$work/none"

[ "$faults" -eq 0 ] || { echo "$faults of $cases cases failed"; exit 1; }
echo "bad input: $cases cases"
