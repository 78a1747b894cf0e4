#!/usr/bin/env bash
# The page in a real browser: no error on its console, nothing fetched, nothing wider than the
# window at 400 and 1400 pixels, foreign markup shown as text, light and dark as the reader wants it.
# The pictures stay in the build directory, to be looked at.
set -euo pipefail
top=$1 build=$2
program=$build/harness/bisect-run
export BISECT_RUN_HOME=$top
browser=$(command -v chromium || true)
[ -n "$browser" ] || { echo "chromium is not installed"; exit 77; }
work=$(mktemp -d "${TMPDIR:-/tmp}/br-page-XXXXXX")
trap 'rm -rf "$work"' EXIT
pictures=$build/page; mkdir -p "$pictures"
die() { echo "FAILED: $*"; exit 1; }
"$build/tests/bench/make_results" "$work" 8000 3 kinds > "$work/ids"

# The page in a frame of the wanted width, and a script around it that reports what it finds: the
# page itself may hold no script.
browse() {  # browse KIND WIDTH light|dark
  local file=$work/$1.html frame=$work/$1-$2.html name=$1-$2 scheme=1
  [ "$3" = light ] || { name+=-dark; scheme=0; }
  cat > "$frame" << HTML
<!DOCTYPE html><meta charset=utf-8><style>body{margin:0}iframe{border:0;display:block}</style>
<iframe id=f width=$2 height=6000 src="$1.html"></iframe>
<script>
addEventListener('load', () => {
  const d = document.getElementById('f').contentDocument, e = d.documentElement;
  const seen = {
    wide: e.scrollWidth, height: e.scrollHeight, title: d.title, scripts: d.scripts.length,
    images: d.images.length, svgs: [...d.querySelectorAll('svg')].filter(s => s.getBoundingClientRect().height > 100).length,
    outside: performance.getEntriesByType('resource').map(r => r.name).filter(n => !n.endsWith('$1.html')),
    background: getComputedStyle(d.body).backgroundColor, colour: getComputedStyle(d.body).color,
    subject: d.body.innerText.includes("<scr" + "ipt>alert('x')</scr" + "ipt>"),
  };
  document.body.insertAdjacentHTML('beforeend', '<pre id=seen></pre>');
  document.getElementById('seen').textContent = JSON.stringify(seen);
});
</script>
HTML
  local -a common=(--headless --no-sandbox --disable-gpu --allow-file-access-from-files
    --user-data-dir="$work/profile" --enable-logging=stderr --hide-scrollbars
    --blink-settings=preferredColorScheme=$scheme)
  timeout 120 "$browser" "${common[@]}" --dump-dom "file://$frame" > "$work/dom" 2> "$work/log" ||
    die "$1 at $2: the browser failed: $(tail -n 3 "$work/log")"
  ! grep -E 'CONSOLE' "$work/log" || die "$1 at $2: the console has messages"
  local seen; seen=$(grep -oP '(?<=<pre id="seen">).*(?=</pre>)' "$work/dom" || true)
  [ -n "$seen" ] || die "$1 at $2: nothing was seen: $(tail -n 3 "$work/log")"
  python3 - "$1" "$2" "$seen" "$3" << 'PY' || die "$1 at $2: $seen"
import html, json, sys
kind, width, seen = sys.argv[1], int(sys.argv[2]), json.loads(html.unescape(sys.argv[3]))
assert seen["wide"] <= width, "wider than the window"
assert seen["scripts"] == 0 and seen["images"] == 0 and seen["outside"] == []
assert seen["svgs"] >= 2, "plots are missing"
assert kind == "compare" or seen["subject"], "the subject is not shown as text"
def light(colour):  # relative luminance, roughly
    return sum(w * int(c) for w, c in zip((.2126, .7152, .0722), colour[4:-1].split(","))) / 255
paper, ink = light(seen["background"]), light(seen["colour"])
assert (paper > ink) == (sys.argv[4] == "light") and abs(paper - ink) > 0.7, (paper, ink)
PY
  local height; height=$(python3 -c 'import html,json,sys; print(min(6000, json.loads(html.unescape(sys.argv[1]))["height"]))' "$seen")
  timeout 120 "$browser" "${common[@]}" --screenshot="$pictures/$name.png" \
    --window-size="$2,$height" "file://$frame" > /dev/null 2>&1 || die "no picture of $name"
}

for kind in bisect compare full; do
  run=$(awk -v kind=$kind '$1 == kind {print $2}' "$work/ids")
  "$program" report "$run" --format html --results "$work" > "$work/$kind.html"
  for width in 400 1400; do
    for scheme in light dark; do browse $kind $width $scheme; done
  done
done
echo "page: seen at 400 and 1400 pixels, light and dark, no message on the console; pictures in $pictures"
