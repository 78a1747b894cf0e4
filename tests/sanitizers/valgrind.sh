#!/usr/bin/env bash
# valgrind.sh TREE BUILD: a short bisect on fakes and the commands that read, under memcheck.
# Exit 0: no definite leak and no wrong access in the controller.
set -euo pipefail
top=$1 build=$2
export BISECT_RUN_HOME=$top
command -v valgrind > /dev/null || { echo "valgrind is not installed (package valgrind)" >&2; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export XDG_CACHE_HOME=$work/cache XDG_STATE_HOME=$work/state

# checked NAME COMMAND…: what it prints goes to NAME, what is wrong with it to the screen.
checked() {
  local name=$1 code=0
  shift
  valgrind --quiet --error-exitcode=99 --leak-check=full --show-leak-kinds=definite \
    --errors-for-leak-kinds=definite --suppressions="$top/tests/sanitizers/valgrind.supp" \
    --child-silent-after-fork=yes "$@" > "$work/$name" 2> "$work/$name.log" || code=$?
  echo "$name: exit $code"
  [ "$code" -eq 0 ] || { cat "$work/$name" "$work/$name.log"; exit 1; }
}

mkdir -p "$work/run" "$work/linux"
cd "$work/linux"
git init -q -b main .
printf 'VERSION = 6\nPATCHLEVEL = 1\nSUBLEVEL = 0\nEXTRAVERSION =\n' > Makefile
mkdir -p kernel arch/x86
touch Kconfig kernel/Makefile arch/x86/Makefile
for number in 1 2 3 4; do
  echo "$number" > "file$number"
  git add -A
  git -c user.name=T -c user.email=t@t commit -q -m "change $number"
  git tag "v$number"
done
cd "$work"

program=$build/harness/bisect-run
checked bisect "$build/tests/faults_controller" "$work/run"
checked plan "$program" plan v1 v4 --repo "$work/linux" --results "$work/run"
checked runs "$program" runs --results "$work/run"
checked runs-json "$program" runs --json --results "$work/run"
for format in text mail json csv bisect-log; do
  checked "report-$format" "$program" report --format "$format" --results "$work/run"
done
checked show "$program" show --results "$work/run"
