#!/usr/bin/env bash
# tally.sh start|print FILE: run by ctest before and after its tests. Tests that inject faults add
# lines "TEST INJECTED SURVIVED RESUMED" to the file; their sum is what the README quotes.
set -euo pipefail
case $1 in
  start) rm -f "$2" ;;
  print)
    [ -e "$2" ] || exit 0
    awk '{ injected += $2; survived += $3; resumed += $4; tests[$1] = 1 }
         END { printf "faults: %d injected by %d tests, %d survived, %d of them by resuming\n",
                      injected, length(tests), survived, resumed }' "$2" ;;
esac
