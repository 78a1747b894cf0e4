#!/bin/bash
# Every shipped scenario on this machine's own kernel, with few items: it ends well, says what this
# kernel does not have, and leaves the machine as it was.
set -u
source_tree=$1 build=$2
program=$build/harness/bisect-run
[ -x "$program" ] || { echo "bisect-run is not built"; exit 77; }
[ "$(id -u)" = 0 ] || { echo "making namespaces needs root"; exit 77; }
command -v ip >/dev/null || { echo "needs ip, to look from outside"; exit 77; }

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export BISECT_RUN_HOME=$source_tree XDG_CACHE_HOME=$work/cache
failures=0

fault() {
  echo "FAIL: $*"
  failures=$((failures + 1))
}

# The counters that move by themselves are left out.
machine() {
  ip -o link | sed -E 's/^[0-9]+: //; s/ (qlen|state) [^ ]*//g'
  ip -o -4 addr | awk '{print $2, $4}'
  sort /proc/self/mounts
  ls -A /run/netns 2>/dev/null
}

# Processes of our agent hold its namespaces; without one there is none.
held() {
  for exe in /proc/[0-9]*/exe; do
    case $(readlink "$exe" 2>/dev/null) in "$build"/*agent*) echo "$exe" ;; esac
  done
}

here() {
  local name=$1 expected=$2
  shift 2
  "$program" scenario "$name" --here --results "$work/results" "$@" >"$work/out" 2>"$work/err"
  local status=$?
  [ $status = 0 ] || { fault "$name: exit $status"; cat "$work/out" "$work/err"; }
  grep -q -- "$expected" "$work/out" || { fault "$name: no '$expected'"; cat "$work/out"; }
  [ "$(machine)" = "$before" ] || { fault "$name left the machine changed"; diff <(echo "$before") <(machine); }
  [ -z "$(held)" ] || fault "$name left a process: $(held)"
  if awk 'length > 78' "$work/out" | grep -q .; then
    fault "$name: lines longer than 78"
    awk 'length > 78' "$work/out"
  fi
}

before=$(machine)
here netns-scaling 'add+2exec+2link' --marks 10,20
here netns-scaling 'add+2exec+2link' --marks 10 --mode process --style tinoco
here interfaces 'Created 9 veth in' --marks 9 --style greear
here interface-scaling 'real ' --metric veth.create.100 --style bligh
here netns-churn 'turnover.drain' --marks 10
here atomic-contention 'Performance counter stats' --metric atomic.2 --style dumazet
here team-vs-bond 'veth.2.packets'
[ $failures = 0 ]
