#!/usr/bin/env bash
# Builds, boots and measures commits spread evenly over a range, one after the other, and prints a
# row of a table for each: for histories that no test may depend on.
#
#   tests/bench/points.sh PROGRAM REPO GOOD BAD RESULTS POSITION…
#
# POSITION is a percentage of the range's topological order, oldest first. Kernels are cached as
# usual, and the numbers lie in RESULTS: a second call goes on where the first one stopped.
set -eu
program=$1 repo=$2 good=$3 bad=$4 results=$5
shift 5
mkdir -p "$results"
order=$results/order
git -C "$repo" rev-list --topo-order --reverse "$good..$bad" > "$order"
commits=$(wc -l < "$order")

ask() { sqlite3 "$results/results.db" "$1"; }

echo '| position | commit | line | remedies | build, s | boot | veth.delete/s | what failed |'
echo '|---|---|---|---|---|---|---|---|'
for position in "$@"; do
  commit=$(sed -n "$((commits * position / 100))p" "$order")
  line=side
  # One grep reads to the end, so that git is not cut off by a closed pipe.
  [ "$(git -C "$repo" rev-list --first-parent "$good..$bad" | grep -c "^$commit")" -eq 0 ] ||
    line=first-parent
  log=$results/$position.log
  "$program" scenario interfaces "$commit" --variant off --marks 50 --boots 1 \
    --repo "$repo" --results "$results" > "$log" 2>&1 || true
  run=$(ask "SELECT max(number) FROM run")
  build=$(ask "SELECT printf('%.0f', max(build_seconds)) FROM build WHERE run = $run")
  remedies=$(ask "SELECT count(*) FROM remedy JOIN build ON build.id = remedy.build WHERE run = $run")
  boot=$(ask "SELECT outcome FROM boot WHERE run = $run ORDER BY id DESC LIMIT 1")
  rate=$(ask "SELECT CASE count(*) WHEN 0 THEN '–' ELSE
              printf('%.1f', avg(1e9 * items / wall_ns)) END FROM sample JOIN boot ON
              boot.id = sample.boot JOIN metric ON metric.id = sample.metric
              WHERE run = $run AND metric.name = 'veth.delete'")
  failed=$(ask "SELECT coalesce(error_message, '') FROM build WHERE id =
                  (SELECT max(id) FROM build WHERE run = $run)
                UNION ALL SELECT reason FROM boot WHERE run = $run AND reason <> ''" | tr '\n' ' ')
  echo "| $position % | ${commit:0:12} | $line | $remedies | $build | $boot | $rate | $failed |"
done
