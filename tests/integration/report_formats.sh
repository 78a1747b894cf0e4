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

"$build/tests/bench/make_results" "$work" 6000 4 > "$work/ids"
bisect=$(awk '$1 == "bisect" {print $2}' "$work/ids")
compare=$(awk '$1 == "compare" {print $2}' "$work/ids")
report() { "$program" report "$@" --results "$work"; }

for format in text mail html json csv; do
  for run in "$bisect" "$compare"; do
    report "$run" --format "$format" > "$work/$run.$format" 2> "$work/err" || die "$format of $run"
    [ ! -s "$work/err" ] || die "$format of $run said: $(cat "$work/err")"
    [ -s "$work/$run.$format" ] || die "$format of $run is empty"
  done
done
"$program" runs --json --results "$work" > "$work/runs.json"

python3 - "$top/schemas" "$work" "$bisect" "$compare" << 'PY'
import csv, json, jsonschema, os, sqlite3, sys
schemas, work, bisect, compare = sys.argv[1:]
def valid(schema, file):
    with open(f"{schemas}/{schema}.schema.json") as s, open(f"{work}/{file}") as f:
        schema, value = json.load(s), json.load(f)
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(value, schema)
    return value
answer = valid("bisect", f"{bisect}.json")["answer"]
assert answer["kind"] == "commit" and answer["effect"] == -0.928, answer
valid("compare", f"{compare}.json")
assert len(valid("runs", "runs.json")["runs"]) == 4
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

for run in "$bisect" "$compare"; do
  ! grep -v -e '^Fixes: ' -e 'subject' "$work/$run.mail" | grep -nE '.{79}' || die "a mail is too wide"
  ! LC_ALL=C grep -nP '[^\x20-\x7e]' "$work/$run.mail" || die "a mail is not ASCII"
  ! grep -n 'example\.org' "$work/$run.mail" || die "a mail has an address"
  ! grep -niE '<(script|img|i>|b>)|</pre><h1>' "$work/$run.html" || die "foreign markup in a page"
  ! grep -nE '(src|href)="?(http|//|file)' "$work/$run.html" || die "a page needs other files"
  grep -q '<svg' "$work/$run.html" || die "a page has no plot"
done

lines() { "$program" runs "$@" --results "$work" | wc -l; }
[ "$(lines)" = 4 ] || die "runs lists $(lines)"
[ "$(lines --scenario netns-scaling)" = 4 ] && [ "$(lines --scenario other)" = 0 ] || die "--scenario"
[ "$(lines --kernel v6.13)" = 3 ] || die "--kernel found $(lines --kernel v6.13)"
[ "$(lines --since 2000-01-01)" = 4 ] && [ "$(lines --until 2000-01-01)" = 0 ] || die "dates"
! "$program" runs --since tomorrow --results "$work" 2> /dev/null || die "a date that is none"
"$program" show "$bisect" --follow --results "$work" > "$work/show" || die "show --follow of a finished run"
head -n 1 "$work/show" | grep -q "^run $bisect: answered" || die "show begins with $(head -n 1 "$work/show")"
echo "formats: all of them, of a bisect and a comparison"
