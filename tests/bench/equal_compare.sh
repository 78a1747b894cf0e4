#!/usr/bin/env bash
# How often a comparison of two kernels that do the same calls a cell faster or slower, in real VMs:
#
#   tests/bench/equal_compare.sh PROGRAM REPO REV N RESULTS [OPTION…]
#
# The second kernel is REV with one word of a message that is never printed changed, at the same
# length: every instruction and address stays as it was, but the machine code is not equal, so both
# are built and booted. OPTIONs go to `compare` (--scenario, --marks, --boots …). Comparisons lie in
# RESULTS; the last line sums up.
set -euo pipefail
program=$1 repo=$2 rev=$3 count=$4 results=$5
shift 5
mkdir -p "$results"

# The patch is made on the spot, so that it fits REV.
file=kernel/reboot.c
[ -n "$(git -C "$repo" ls-tree "$rev" "$file")" ] || file=kernel/sys.c  # before 3.11
work=$(mktemp -d "${TMPDIR:-/tmp}/br-equal-XXXXXX")
trap 'rm -rf "$work"' EXIT
for side in a b; do
  mkdir -p "$work/$side/kernel"
  git -C "$repo" show "$rev:$file" > "$work/$side/$file"
done
sed -i 's/System halted/SYSTEM HALTED/' "$work/b/$file"
patch=$results/equal.patch
(cd "$work" && git diff --no-index --no-prefix "a/$file" "b/$file" || true) > "$patch"
grep -q '^+.*SYSTEM HALTED' "$patch" || { echo "$file of $rev has no such message"; exit 1; }

for ((i = 1; i <= count; i++)); do
  "$program" compare "$rev" "$rev+$patch" --repo "$repo" --results "$results" --json --quiet "$@" \
    > "$results/$i.json" 2> "$results/$i.log" || { cat "$results/$i.log"; exit 1; }
  echo "comparison $i after $SECONDS s, load $(cut -d ' ' -f 1 /proc/loadavg)" >&2
done
python3 - "$results" "$count" << 'PY'
import collections, json, math, sys
results, count = sys.argv[1], int(sys.argv[2])
called, wrong, boots, changes = collections.Counter(), 0, 0, []
for i in range(1, count + 1):
    with open(f"{results}/{i}.json") as f: answer = json.load(f)
    assert answer["columns"][1]["same_as"] is None, "the two are the same machine code"
    cells = [row["cells"][1] for series in answer["series"] for row in series["rows"]]
    verdicts = [cell["verdict"] for cell in cells]
    called.update(verdicts)
    changes += [abs(math.log(cell["ratio"])) for cell in cells if cell["ratio"]]
    wrong += any(verdict in ("faster", "slower") for verdict in verdicts)
    boots += answer["cost"]["boots"]
cells = sum(called.values())
print(f"{count} comparisons, {boots} boots, {cells} cells: {called['faster'] + called['slower']} called "
      f"faster or slower, in {wrong} comparisons; {called['same']} the same, "
      f"{called['undecided']} undecided; median difference {100 * math.expm1(sorted(changes)[cells // 2]):.1f} %")
PY
