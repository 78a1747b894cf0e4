#!/usr/bin/env bash
# `cmake --install` into an empty root, and the .deb: every part where the file system standard
# wants it, and a program that works where there is no source tree. The installed program runs in a
# mount namespace of its own in which the source and build directories are empty.
set -euo pipefail
top=$1 build=$2
work=$(mktemp -d "${TMPDIR:-/tmp}/br-install-XXXXXX")
trap 'rm -rf "$work"' EXIT
die() { echo "FAILED: $*"; exit 1; }
[ -x "$build/harness/bisect-run" ] && [ -x "$build/guest-agent/bisect-agent" ] || { echo "not built"; exit 77; }
cmake --build "$build" --target packaging > "$work/log" 2>&1 || die "packaging: $(tail "$work/log")"
DESTDIR=$work/root cmake --install "$build" --prefix /usr/local > "$work/log" || die "$(tail "$work/log")"
prefix=$work/root/usr/local
for part in bin/bisect-run libexec/bisect-run/bisect-agent share/bisect-run/kernels.yaml \
    share/bisect-run/scenarios/netns-scaling.yaml \
    share/bisect-run/scenarios/patches/nsproxy-task-lock.patch share/bisect-run/reference/tinoco-2014.csv \
    share/bisect-run/demo/recipe.txt share/bisect-run/schemas/bisect.schema.json \
    share/man/man1/bisect-run.1 share/bash-completion/completions/bisect-run; do
  [ -s "$prefix/$part" ] || die "$part is missing"
done
! grep -rlF "$top" "$prefix" | grep -v '/bin/' || die "a part names the source tree"

# The manual page and the completion say what --help says.
for command in '' compare scenario plan report runs show resume demo; do
  "$build/harness/bisect-run" $command --help | grep -oE -e '--[a-z][a-z-]+' | sort -u |
    while read -r option; do
      grep -qF -- "${option//-/\\-}" "$prefix/share/man/man1/bisect-run.1" || die "no $option in the manual page"
      grep -qF -- "$option" "$prefix/share/bash-completion/completions/bisect-run" || die "no $option in the completion"
    done
done
if command -v man > /dev/null; then
  man -l --warnings -E UTF-8 "$prefix/share/man/man1/bisect-run.1" 2>&1 > /dev/null | grep -v 'cannot set' |
    grep . && die "the manual page has faults"
fi
complete_() {  # the words that bash offers after these
  bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _bisect_run; echo "${COMPREPLY[*]}"' \
    - "$prefix/share/bash-completion/completions/bisect-run" "$@"
}
[ "$(complete_ bisect-run compa)" = compare ] || die "completion of compa: $(complete_ bisect-run compa)"
[ "$(complete_ bisect-run report --form)" = --format ] || die "completion of --form"

[ "$(id -u)" -eq 0 ] && unshare --mount true 2> /dev/null || { echo "installed; not run: needs root"; exit 77; }
git init -q "$work/linux" && cd "$work/linux"
mkdir -p kernel arch/x86 init scripts
echo 'VERSION = 6' > Makefile; echo > Kbuild; echo > kernel/Makefile; echo > arch/x86/Makefile
echo 'config RCU_NOCB_CPU' > init/Kconfig; echo 'mainmenu "Linux"' > Kconfig; echo > MAINTAINERS
git add -A
commit() { git -c user.name=t -c user.email=t@localhost commit -q "$@"; }
commit -m one; git tag good; echo >> Makefile; commit -am two; git tag bad
cat > "$work/inside" << 'SH'
set -eu
work=$1 top=$2 build=$3
mount --bind "$work/root/usr/local" /usr/local
mkdir -p "$work/empty"
for place in "$build" "$top"; do mount --bind "$work/empty" "$place"; done
[ -z "$(ls "$top")" ] || { echo "the source tree is still there"; exit 1; }
cd /
export HOME=$work/home XDG_CACHE_HOME=$work/cache PATH=/usr/local/bin:/usr/bin:/bin
unset BISECT_RUN_HOME XDG_STATE_HOME
mkdir -p "$HOME"
bisect-run --version
bisect-run plan good bad --repo "$work/linux"
bisect-run compare good bad --scenario nonsense --repo "$work/linux" 2> "$work/err" && exit 1
grep -q netns-scaling "$work/err" || { cat "$work/err"; exit 1; }
bisect-run scenario interfaces --here --marks 4 --boots 1 --quiet > "$work/here" 2>&1 || { cat "$work/here"; exit 1; }
bisect-run runs | grep -q interfaces
[ -e "$HOME/.local/state/bisect-run/results.db" ] || { echo "results are elsewhere"; exit 1; }
bisect-run report --against tinoco-2014 | grep -q 'as published'
# What is missing here is the machine's; that it looks, and finds its own files, is the program's.
status=0; bisect-run doctor > "$work/doctor" 2>&1 || status=$?
{ [ $status -eq 0 ] && grep -q 'kernels can be built and measured here$' "$work/doctor"; } ||
  { [ $status -eq 3 ] && grep -q '^FAILS' "$work/doctor"; } || { cat "$work/doctor"; exit 1; }
grep -qE '^(ok|FAILS) +compilers' "$work/doctor" && grep -qE '^(ok|note|FAILS) +disk' "$work/doctor" ||
  { cat "$work/doctor"; exit 1; }
! grep -q 'internal error' "$work/doctor" || { cat "$work/doctor"; exit 1; }
SH
unshare --mount --propagation private bash "$work/inside" "$work" "$top" "$build" > "$work/out" 2>&1 ||
  die "the installed program: $(cat "$work/out")"
cat "$work/out"

cd "$build"
if command -v dpkg-deb > /dev/null; then
  cpack -G DEB -B "$work/deb" > "$work/log" 2>&1 || die "cpack: $(tail "$work/log")"
  dpkg-deb --contents "$work"/deb/*.deb > "$work/contents"
  for part in ./usr/bin/bisect-run ./usr/libexec/bisect-run/bisect-agent \
      ./usr/share/bisect-run/kernels.yaml ./usr/share/man/man1/bisect-run.1 \
      ./usr/share/bash-completion/completions/bisect-run; do
    grep -q " $part" "$work/contents" || die "$part is not in the .deb"
  done
  dpkg-deb --field "$work"/deb/*.deb Depends | grep -q 'libgit2' || die "the .deb has no dependencies"
fi
echo "installed: works without the source tree, and the .deb holds it all"
