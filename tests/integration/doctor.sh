#!/usr/bin/env bash
# What `doctor` says of a machine that can do the main job, and of one that lacks something.
set -eu
top=$1
program=$2/harness/bisect-run
command -v qemu-system-x86_64 > /dev/null || { echo "QEMU is not installed"; exit 77; }
work=$(mktemp -d "${TMPDIR:-/tmp}/br-doctor-XXXXXX")
trap 'rm -rf "$work"' EXIT
export BISECT_RUN_HOME=$top XDG_CACHE_HOME=$work/cache HOME=$work
faults=0

# expect CODE PATTERN… -- ARGUMENTS…
expect() {
  local code=$1 patterns=() out status=0 pattern; shift
  while [ "$1" != -- ]; do patterns+=("$1"); shift; done; shift
  out=$("$program" doctor "$@" 2>&1) || status=$?
  [ "$status" -eq "$code" ] ||
    { echo "FAILED: doctor $*: exit $status, not $code: $out"; faults=$((faults + 1)); }
  for pattern in "${patterns[@]}"; do
    grep -qE -- "$pattern" <<< "$out" ||
      { echo "FAILED: doctor $*: no \"$pattern\" in: $out"; faults=$((faults + 1)); }
  done
}

expect 0 '^ok +compilers +default: .*[0-9]+\.[0-9]+' '^ok +disk ' '^ok +QEMU ' \
  '^note +accelerator +not proven' 'noise' '^kernels can be built and measured here$' --

# A compiler that is missing: of the list, only worth a note; the one for every tree, the end.
sed 's/^toolchains: \[\]/toolchains:\n  - {name: older, cc: gcc-none, era: before 4.2, when: [{exists: x}]}/' \
  "$top/kernels.yaml" > "$work/others.yaml"
expect 0 '^note +compilers +older: `gcc-none` is not installed, for trees before' \
  -- --kernels "$work/others.yaml"
sed 's/^  cc: gcc .*/  cc: gcc-none/' "$top/kernels.yaml" > "$work/none.yaml"
expect 3 '^FAILS +compilers +default: `gcc-none` is not installed' '1 thing to mend' \
  -- --quiet --kernels "$work/none.yaml"

# Builds are isolated where bwrap is there and works; elsewhere that is said.
if command -v bwrap > /dev/null && bwrap --ro-bind / / --unshare-user --disable-userns true; then
  expect 0 '^ok +isolation +builds have no network' --
fi
mkdir "$work/bin"
for tool in /usr/local/bin/* /usr/bin/* /usr/sbin/*; do
  [ "${tool##*/}" = bwrap ] || ln -sf "$tool" "$work/bin/"
done
PATH=$work/bin expect 0 '^note +isolation +builds run with all your rights: bwrap is not installed' --
sed 's/^isolate-builds: .*/isolate-builds: always/' "$top/kernels.yaml" > "$work/always.yaml"
PATH=$work/bin expect 3 '^FAILS +isolation +builds cannot be isolated.*' 'package bubblewrap' \
  -- --quiet --kernels "$work/always.yaml"
sed 's/^isolate-builds: .*/isolate-builds: never/' "$top/kernels.yaml" > "$work/never.yaml"
expect 0 '^note +isolation +builds run with all your rights, as' -- --kernels "$work/never.yaml"

# A flag that the compiler does not know, as a remedy for old trees.
sed 's/\[-fno-pie\]/[-fno-such-flag]/' "$top/kernels.yaml" > "$work/flag.yaml"
expect 0 '^note +compilers' 'old trees are not covered: a flag that remedies' -- --kernels "$work/flag.yaml"

[ "$faults" -eq 0 ]
