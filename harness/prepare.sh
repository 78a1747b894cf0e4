# Sourced by the launcher and by tests/run: packages, the user that libvirt wants, and the build.
# Expects $top, the source tree. Prints only when there is something to do.

say() { printf 'bisect-run: %s\n' "$*" >&2; }

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"
  elif command -v sudo > /dev/null; then sudo "$@"
  else say "this needs root: $*"; exit 3
  fi
}

# install_packages LIST…: whatever of the lists is not installed yet.
install_packages() {
  local missing=() package
  command -v dpkg-query > /dev/null || {
    say "packages are installed on Debian only; elsewhere install what harness/packages.txt names"
    return 0
  }
  while read -r package; do
    [ "$(dpkg-query -W -f '${db:Status-Abbrev}' "$package" 2> /dev/null)" = 'ii ' ] || missing+=("$package")
  done < <(cat "$@")
  [ ${#missing[@]} -gt 0 ] || return 0
  say "installing ${#missing[@]} Debian packages: ${missing[*]}"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq >&2 &&
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
      "${missing[@]}" > /dev/null || { say "the packages could not be installed"; exit 3; }
}

# As root, libvirt's embedded driver looks up this user before it reads any configuration.
make_libvirt_user() {
  [ "$(id -u)" -eq 0 ] || return 0
  getent passwd libvirt-qemu > /dev/null && getent group libvirt-qemu > /dev/null && return 0
  say "creating the system user libvirt-qemu, which libvirt's embedded driver wants"
  useradd --system --user-group --no-create-home --shell /usr/sbin/nologin libvirt-qemu
}

# build_dir: where the program is built; outside the tree when that is not ours to write.
build_dir() {
  if [ -w "$top" ]; then echo "$top/build/release"
  else echo "${XDG_CACHE_HOME:-$HOME/.cache}/bisect-run/build"
  fi
}

# build TARGET…: with the log shown only when it fails.
build() {
  local dir log
  dir=$(build_dir)
  mkdir -p "$dir"
  log=$dir/build.log
  # Clones in different places share what the compiler has made of the same sources.
  export CCACHE_BASEDIR=$top CCACHE_NOHASHDIR=1
  { [ -f "$dir/build.ninja" ] ||
      cmake -S "$top" -B "$dir" -G Ninja -DCMAKE_BUILD_TYPE=Release \
        -DCMAKE_CXX_COMPILER_LAUNCHER=ccache; } > "$log" 2>&1 &&
    cmake --build "$dir" --target "$@" >> "$log" 2>&1 ||
    { tail -n 40 "$log" >&2; say "the build failed; the whole log is $log"; exit 3; }
}
