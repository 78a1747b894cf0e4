#!/usr/bin/env bash
# Dependencies point one way: a room includes only what harness/CMakeLists.txt names for it, all of
# that on lower floors; foreign headers stay in their one room; the agent includes only wire/.
set -eu
top=$1
cd "$top"
faults=0
fault() { echo "$1"; faults=$((faults + 1)); }

# wire and model share the ground floor; model alone may use wire.
declare -A floor=([wire]=0 [model]=0.5 [stats]=1 [bisect]=1.5 [git]=1 [vm]=1 [store]=1 [config]=1
  [process]=1 [kernel]=2 [lab]=2 [report]=2 [engine]=2 [demo]=2 [cli]=3)

# Each room's own list, read from the build.
declare -A rooms
while read -r name list; do rooms[$name]=" $list "; done < <(
  tr '\n' ' ' < harness/CMakeLists.txt | grep -oE 'room\([^)]*\)' |
    sed -E 's/^room\(//; s/\)$//; s/ LIBS .*//; s/ ROOMS / /' | tr -s ' ')

for room in "${!floor[@]}"; do
  [ -n "${rooms[$room]+x}" ] || fault "room $room is not declared in harness/CMakeLists.txt"
  for lower in ${rooms[$room]:-}; do
    awk -v a="${floor[$lower]:-9}" -v b="${floor[$room]}" 'BEGIN { exit !(a < b) }' ||
      fault "room $room uses $lower, which is not on a lower floor"
  done
  while IFS=: read -r file line text; do
    used=$(sed -E 's/.*"([a-z]+)\/.*/\1/' <<< "$text")
    [ "$used" = "$room" ] && continue
    case "${rooms[$room]:-}" in *" $used "*) ;; *) fault "$file:$line includes $used/, which $room may not use" ;; esac
  done < <(grep -rnE '^#include "[a-z]+/' "harness/$room" || true)
done

# One room a foreign library.
only() {  # only REGEX room…
  local regex=$1 file; shift
  while IFS=: read -r file _; do
    case " $* " in *" $(cut -d/ -f2 <<< "$file") "*) ;; *) fault "$file includes a header of another room's library ($regex)" ;; esac
  done < <(grep -rnE "^#include <($regex)" harness || true)
}
only 'git2' git
only 'libvirt/' vm
only 'sqlite3|SQLiteCpp/' store
only 'yaml-cpp/' config
only 'uv\.h' process
only 'archive' lab demo
only 'CLI/' cli
# A header that includes a foreign one is for its own room alone.
while IFS=: read -r header _; do
  room=$(cut -d/ -f2 <<< "$header")
  while IFS=: read -r file line _; do
    [ "$(cut -d/ -f2 <<< "$file")" = "$room" ] ||
      fault "$file:$line includes ${header#harness/}, which is private to $room: it includes a foreign header"
  done < <(grep -rnF "#include \"${header#harness/}\"" harness || true)
done < <(grep -rnE '^#include <(git2|libvirt/|sqlite3|SQLiteCpp/|yaml-cpp/|uv\.h|archive|CLI/|nlohmann/)' harness --include='*.h' || true)

while IFS=: read -r file line text; do
  fault "$file:$line: the agent includes more than wire/"
done < <(grep -rnE '^#include "(model|stats|bisect|git|vm|store|config|process|kernel|lab|report|engine|cli|demo)/' guest-agent || true)
while IFS=: read -r file line text; do
  fault "$file:$line: the harness includes the agent"
done < <(grep -rnE '^#include "(ops|guest-agent)/' harness || true)

[ "$faults" -eq 0 ] || { echo "$faults faults"; exit 1; }
echo "floors: all includes point down"
