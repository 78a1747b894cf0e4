#!/usr/bin/env bash
# What a run was asked for is kept by `resume`, and can be said anew: of its host, shown by what the
# machine is made to lack, and of its budget.
set -eu
top=$1 build=$2
program=$build/harness/bisect-run
work=$(mktemp -d "${TMPDIR:-/tmp}/br-resume-XXXXXX")
trap 'rm -rf "$work"' EXIT
export BISECT_RUN_HOME=$top XDG_CACHE_HOME=$work/cache HOME=$work

repo=$work/linux
mkdir -p "$repo"/{kernel,arch/x86}
cd "$repo"
git init -q -b main .
printf 'VERSION = 6\nPATCHLEVEL = 1\n' > Makefile
touch Kconfig kernel/Makefile arch/x86/Makefile
for number in 1 2 3; do
  echo "$number" > kernel/file
  git add -A
  git -c user.name=t -c user.email=t@invalid commit -qm "change $number"
  git tag "v$number"
done

# Here nothing can be isolated, and libvirt knows no such URI: builds come first.
mkdir "$work/bin"
printf '#!/bin/sh\necho "no namespaces today" >&2\nexit 1\n' > "$work/bin/bwrap"
chmod +x "$work/bin/bwrap"
export PATH=$work/bin:$PATH

# fails PATTERN ARGUMENTS…: exit 3, resumable, for that reason.
fails() {
  local pattern=$1 out status=0
  shift
  out=$("$program" "$@" --results "$work/results" 2>&1) || status=$?
  [ "$status" -eq 3 ] && grep -q -- "$pattern" <<< "$out" && grep -q 'bisect-run resume' <<< "$out" ||
    { echo "FAILED: $*: exit $status, wanted \"$pattern\": $out"; exit 1; }
}

fails 'builds cannot be isolated' v1 v3 --repo "$repo" --variant off \
  --isolate-builds always --connect qemu:///asked
fails 'builds cannot be isolated' resume
fails "qemu:///asked" resume --isolate-builds never
fails "qemu:///asked" resume
fails "qemu:///anew" resume --connect qemu:///anew
fails "qemu:///anew" resume
fails 'builds cannot be isolated' resume --isolate-builds always

# A budget that is spent: the report with the best answer so far; one that is smaller is refused.
mkdir "$work/spent"
says() {  # says CODE PATTERN COMMAND…
  local code=$1 pattern=$2 out status=0
  shift 2
  out=$("$@" 2>&1) || status=$?
  [ "$status" -eq "$code" ] && grep -q -- "$pattern" <<< "$out" ||
    { echo "FAILED: $*: exit $status, not $code, wanted \"$pattern\": $out"; exit 1; }
}
# A millisecond is too short for the quickest machine, and no run is over in a tenth of a microsecond.
says 1 '' "$build/tests/faults_controller" "$work/spent" 0.001
says 1 'when the budget of' "$program" resume 20 --results "$work/spent"
says 2 'has spent .* already' "$program" resume --budget 0.0000001s --results "$work/spent"
