#!/usr/bin/env bash
# Cases C16, C17 and C23 at the program's door: every kind of repository that a person may stand in
# is taken, gives the same plan, and is the same bytes afterwards.
set -eu
top=$1
program=$2/harness/bisect-run
work=$(mktemp -d "${TMPDIR:-/tmp}/br-repos-XXXXXX")
trap 'rm -rf "$work"' EXIT
export BISECT_RUN_HOME=$top XDG_CACHE_HOME=$work/cache HOME=$work
faults=0
fault() { echo "FAILED: $*"; faults=$((faults + 1)); }
git_() { git -c user.name=t -c user.email=t@invalid -c init.defaultBranch=main "$@"; }

# Eight commits on the mainline, a branch of three from the second, merged by the sixth. The
# directory drivers/ comes in the middle.
repo=$work/linux
mkdir -p "$repo"/{kernel,arch/x86}
cd "$repo"
git_ init -q .
printf 'VERSION = 6\nPATCHLEVEL = 1\n' > Makefile
echo 'config A' > Kconfig; echo > kernel/fork.c; echo > arch/x86/Kconfig
git_ add -A; git_ commit -qm c1; git_ tag c1
for i in 2 3 4 5; do
  mkdir -p drivers; echo "$i" >> "$([ $i -gt 3 ] && echo drivers/d.c || echo kernel/fork.c)"
  git_ add -A; git_ commit -qm "c$i"; git_ tag "c$i"
done
git_ checkout -qb side c2
for i in 1 2 3; do echo "$i" >> Kconfig; git_ commit -qam "s$i"; git_ tag "s$i"; done
git_ checkout -q main
git_ merge -q --no-ff -m c6 side; git_ tag c6
for i in 7 8; do echo "$i" >> kernel/fork.c; git_ commit -qam "c$i"; git_ tag "c$i"; done
mkdir -p drivers/deep

git clone -q --mirror "$repo" "$work/bare.git"
git_ worktree add -q "$work/linked" c8
echo changed >> Kconfig; echo staged > staged; git_ add staged; echo untracked > untracked

# state: every file below, with time and content; reading times may change.
state() { (cd "$1" && find . -printf '%p %T@ %s %m\n' | sort | sha256sum && find . -type f -exec sha256sum {} + | sort | sha256sum); }
before=$(state "$repo"; state "$work/bare.git"; state "$work/linked")

# plan DIRECTORY ARGUMENTS…: number of commits in the plan.
plan() {
  local where=$1; shift
  (cd "$where" && "$program" plan "$@" --results "$work/results" --variant off 2>&1) > "$work/out" ||
    fault "plan in $where: $(cat "$work/out")"
  sed -nE 's/^  commits +([0-9]+),.*/\1/p' "$work/out"
}
want() { [ "$1" = "$2" ] || fault "$3: $1 commits, not $2"; }
for where in "$repo" "$repo/drivers/deep" "$work/bare.git" "$work/linked"; do
  want "$(plan "$where" c1 c8)" "$(git -C "$repo" rev-list --count c1..c8)" "C17 $where"
done
want "$(plan "$work" c1 c8 --repo "$work/bare.git")" 10 "C17 --repo of a bare mirror"
want "$(plan "$repo" c1 c8 --first-parent)" "$(git rev-list --count --first-parent c1..c8)" "C23 first parents"
want "$(plan "$repo" c1 c8 --good s3 --good c5)" "$(git rev-list --count c8 ^c1 ^s3 ^c5)" "further good ends"
plan "$repo" c1 c8 --paths drivers > /dev/null
grep -q 'suspects  2 ' "$work/out" || fault "paths: $(cat "$work/out")"

[ "$before" = "$(state "$repo"; state "$work/bare.git"; state "$work/linked")" ] ||
  fault "C16: a repository is not what it was"
[ ! -e "$work/results/results.db" ] || fault "plan wrote results"
[ "$faults" -eq 0 ] || exit 1
echo "repositories: all kinds taken, all untouched"
