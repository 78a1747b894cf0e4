#!/usr/bin/env bash
# Every format of the program's own output: JSON against its schema, CSV as one sample a line,
# mails that fit a list, pages that hold no foreign markup, runs filtered, nothing but the report on
# stdout.
set -euo pipefail
top=$1 build=$2
program=$build/harness/bisect-run
export BISECT_RUN_HOME=$top
work=$(mktemp -d "${TMPDIR:-/tmp}/br-formats-XXXXXX")
trap 'rm -rf "$work"' EXIT
die() { echo "FAILED: $*"; exit 1; }
[ -x "$program" ] && [ -x "$build/tests/bench/make_results" ] || { echo "not built"; exit 77; }
python3 -c 'import jsonschema' 2> /dev/null || { echo "python3-jsonschema is not installed"; exit 77; }

"$build/tests/bench/make_results" "$work" 6000 4 kinds > "$work/ids"
bisect=$(awk '$1 == "bisect" {print $2}' "$work/ids")
compare=$(awk '$1 == "compare" {print $2}' "$work/ids")
full=$(awk '$1 == "full" {print $2}' "$work/ids")
report() { "$program" report "$@" --results "$work"; }

for format in text mail html json csv; do
  for run in "$bisect" "$compare"; do
    report "$run" --format "$format" > "$work/$run.$format" 2> "$work/err" || die "$format of $run"
    [ ! -s "$work/err" ] || die "$format of $run said: $(cat "$work/err")"
    [ -s "$work/$run.$format" ] || die "$format of $run is empty"
  done
done
for format in text mail html; do report "$full" --format "$format" > "$work/$full.$format"; done
while read -r kind run; do
  report "$run" --format json > "$work/$run.json" || die "json of the run $kind"
done < "$work/ids"
here=
if [ "$(id -u)" -eq 0 ]; then  # a run that really measures, and its end
  "$program" scenario interfaces --here --marks 4 --boots 1 --json --quiet --results "$work" \
    --on-end 'cat > "$BISECT_RUN_JSON.copy"; echo "$BISECT_RUN_STATUS $BISECT_RUN_EXIT" > "$BISECT_RUN_JSON.end"' \
    > "$work/here.json" 2> "$work/err" && here=$(ls "$work"/runs/*/answer.json) ||
    { grep -q 'not available' "$work/err" || die "scenario --here: $(cat "$work/err")"; }
fi
if [ -n "$here" ]; then
  cmp "$here" "$here.copy" && [ "$(cat "$here.end")" = 'answered 0' ] || die "--on-end of --here"
  echo "here $(basename "$(dirname "$here")")" >> "$work/ids"
  cp "$here" "$work/$(basename "$(dirname "$here")").json"
fi
"$program" runs --json --results "$work" > "$work/runs.json"
# What was measured is read where nothing can be measured: the agent is not built.
mkdir "$work/lone" && ln "$program" "$work/lone/bisect-run" 2> /dev/null || cp "$program" "$work/lone/"
for read in runs "show $bisect" "report $bisect"; do
  # shellcheck disable=SC2086  # words
  "$work/lone/bisect-run" $read --results "$work" > /dev/null || die "$read without an agent"
done

python3 - "$top/schemas" "$work" "$bisect" "$compare" << 'PY'
import csv, json, jsonschema, os, sqlite3, sys
schemas, work, bisect, compare = sys.argv[1:]
def load(file):
    with open(file) as f: return json.load(f)
def closed(schema):
    """Files may gain fields, so the schemas are open; here each field has to be described."""
    if isinstance(schema, dict):
        if "properties" in schema:
            schema["additionalProperties"] = False
            missing = set(schema["properties"]) - set(schema["required"])
            assert not missing, f"always written, but not required: {missing}"
        for part in schema.values(): closed(part)
    elif isinstance(schema, list):
        for part in schema: closed(part)
    return schema
def valid(name, file):
    schema, value = load(f"{schemas}/{name}.schema.json"), load(f"{work}/{file}")
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(value, closed(schema))
    return value
ids = [line.split() for line in open(f"{work}/ids")]
of = {kind: run for kind, run in ids}
bisects = {kind: valid("bisect", f"{of[kind]}.json")
           for kind in ("bisect", "full", "set", "refused", "failed", "running", "small")}
for kind in "compare", "scenario", "calibrate", "judge", "here":
    if kind in of: valid("compare", f"{of[kind]}.json")
answer = bisects["bisect"]["answer"]
assert answer["kind"] == "commit" and answer["effect"] == -0.928, answer
full = bisects["full"]["answer"]
assert full["revert"]["recovered"] == 0.6 and full["further"][0]["before"], full
assert full["config_induced"] and full["config_change"]["cause"] == "both", full
assert bisects["set"]["answer"]["effect"] is None and len(bisects["set"]["answer"]["commits"]) == 2
assert bisects["refused"]["status"] == "refused" and bisects["running"]["answer"]["kind"] == "none"
kernels = bisects["full"]["kernels"]
assert len(kernels) == 14 and kernels[0]["remedies"][0]["name"] == "compiler-header", kernels
assert kernels[3]["failure"] and kernels[3]["release"] is None, kernels[3]
assert kernels[0]["not_kept"] == [{"symbol": "RCU_LAZY", "asked": "n", "got": "n", "fate": "unknown"}]
listed = {run["run"]: run["kind"] for run in valid("runs", "runs.json")["runs"]}
assert {listed[of[kind]] for kind in ("full", "compare", "scenario", "calibrate", "judge")} == \
    {"bisect", "compare", "scenario", "calibrate", "judge"}, listed
# A schema that accepts everything would prove nothing.
for broken in ({"runs": [{}]}, {}, []):
    try: jsonschema.validate(broken, json.load(open(f"{schemas}/runs.schema.json")))
    except jsonschema.ValidationError: continue
    raise AssertionError(f"valid: {broken}")
db = sqlite3.connect(f"file:{work}/results.db?mode=ro", uri=True)
for run in bisect, compare:
    with open(f"{work}/{run}.csv", newline="") as f:
        rows = list(csv.DictReader(f))
    stored = db.execute("""select count(*), sum(s.wall_ns) from sample s join boot b on s.boot = b.id
                           join run r on b.run = r.number where r.id = ?""", (run,)).fetchone()
    assert (len(rows), sum(int(r["wall_ns"]) for r in rows)) == stored, (len(rows), stored)
    for r in rows:
        assert r["run"] == run and None not in r and None not in r.values()
        assert abs(float(r["value"]) - int(r["items"]) * 1e9 / int(r["wall_ns"])) < 1e-6 * float(r["value"])
PY

for run in "$bisect" "$compare" "$full"; do
  ! grep -v -e '^Fixes: ' -e 'subject' "$work/$run.mail" | grep -nE '.{79}' || die "a mail is too wide"
  ! LC_ALL=C grep -nP '[^\x20-\x7e]' "$work/$run.mail" || die "a mail is not ASCII"
  ! grep -n 'example\.org' "$work/$run.mail" || die "a mail has an address"
  ! grep -niE '<(script|img|i>|b>)|</pre><h1>' "$work/$run.html" || die "foreign markup in a page"
  ! grep -nE '(src|href)="?(http|//|file)' "$work/$run.html" || die "a page needs other files"
  grep -q '<svg' "$work/$run.html" || die "a page has no plot"
done

# Every format says what stands behind an answer.
for format in text mail html; do
  for part in partial '60 %' 'further change' 'config-induced' 'RCU_NOCB_CPU_ALL' '120.50'; do
    grep -q -- "$part" "$work/$full.$format" || die "$format says nothing of: $part"
  done
done
report "$(awk '$1 == "set" {print $2}' "$work/ids")" | grep -q 'effect *not known' || die "no word of the effect"

lines() { "$program" runs "$@" --results "$work" | wc -l; }
made=$(($(grep -vc '^here' "$work/ids") + 1))  # one is not named
all=$((made + $(grep -c '^here' "$work/ids" || true)))
[ "$(lines)" = $all ] || die "runs lists $(lines), not $all"
[ "$(lines --scenario netns-scaling)" = $made ] && [ "$(lines --scenario other)" = 0 ] || die "--scenario"
[ "$(lines --kernel v6.13)" = 8 ] || die "--kernel found $(lines --kernel v6.13)"
[ "$(lines --since 2000-01-01)" = $all ] && [ "$(lines --until 2000-01-01)" = 0 ] || die "dates"
! "$program" runs --since tomorrow --results "$work" 2> /dev/null || die "a date that is none"
"$program" show "$bisect" --follow --results "$work" > "$work/show" || die "show --follow of a finished run"
head -n 1 "$work/show" | grep -q "^run $bisect: answered" || die "show begins with $(head -n 1 "$work/show")"
echo "formats: all of them, of a bisect and a comparison"
