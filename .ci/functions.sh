# What the repository's scripts share: installing what is missing, private X servers, ending what was started.
# Sourced by the scripts in Demos and Tests; does nothing by itself.
# shellcheck shell=bash

say() { printf '%s\n' "$*" >&2; }
fail() { say "error: $*"; exit 1; }

# as_root COMMAND...: runs it as root, with sudo only if it must.
as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"
  elif command -v sudo >/dev/null; then
    # Without a terminal no password can be typed: fail instead of waiting.
    if [ -t 0 ]; then sudo -- "$@"; else sudo -n -- "$@"; fi
  else
    say "This needs root, and there is no sudo: $*"
    return 1
  fi
}

has_package() { [[ $(dpkg-query -W -f '<${db:Status-Status}>' "$1" 2>/dev/null) == *'<installed>'* ]]; }

apt_install() {
  as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 \
    install --yes --no-install-recommends "$@"
}

# need PACKAGE...: installs those of the Debian packages that are missing. Elsewhere it names them and goes on:
# what is really missing shows itself by name when it is used.
need() {
  local package missing=() log
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    say "Not a Debian: make sure that what these Debian packages contain is installed: $*"
    return 0
  fi
  for package in "$@"; do has_package "$package" || missing+=("$package"); done
  [ ${#missing[@]} -gt 0 ] || return 0
  say "Installing ${missing[*]} ..."
  log=$(mktemp)
  # The lists of packages are fetched only if the lists at hand are missing or too old to install from.
  if apt_install "${missing[@]}" >"$log" 2>&1 \
    || { as_root apt-get -qq -o DPkg::Lock::Timeout=300 update && apt_install "${missing[@]}"; } >>"$log" 2>&1
  then
    rm -f "$log"
  else
    cat "$log" >&2
    rm -f "$log"
    fail "could not install these packages; install them and try again: ${missing[*]}"
  fi
}

need_swift() {
  command -v swift >/dev/null || fail "Swift is not installed or not in PATH (6.3 or later): https://swift.org/install"
}

# For builds that nobody debugs: of the debugger's information only the lines, which is less to compile and to link.
lean=(-Xswiftc -gline-tables-only)
# And for those of which nothing is built a second time: whole modules at once, which is a fifth less work.
once=("${lean[@]}" -Xswiftc -wmo -Xswiftc -num-threads -Xswiftc 2)

# static_build REPOSITORY: the command of a release build with static libraries, in an array; one for all that build in
# .build/demos, so that none undoes another's work. The C++ library is linked in too where its archive is found: most of
# the loader's work is its symbols. Its folder has nothing else, because a shared library beside it would be preferred.
# No library is beside the program, where the loader would look for each of them 20 times.
static_build() {
  local folder=$1/.build/c++ archive
  static_build=(swift build --package-path "$1" --scratch-path "$1/.build/demos" --manifest-cache none
    -c release --static-swift-stdlib --disable-local-rpath -Xlinker --no-export-dynamic -Xswiftc "-L$folder")
  archive=$(clang -print-file-name=libstdc++.a 2>/dev/null) || return 0
  mkdir -p "$folder"
  [ ! -e "$archive" ] || ln -sf "$archive" "$folder/libstdc++.a"
}

# has_run FILE: whether Swift Testing's summary in the file says that a test has run.
has_run() { grep -aqE 'Test run with [1-9]' "$1"; }

# wait_until SECONDS COMMAND...: until the command succeeds; fails when the time is over.
wait_until() {
  local end=$((SECONDS + $1))
  shift
  until "$@"; do
    [ $SECONDS -lt $end ] || return 1
    sleep 0.05
  done
}

# start_server DIRECTORY: a private Xvfb on a free display. Sets DISPLAY and server_pid; logs go to the directory.
start_server() {
  local directory=$1
  command -v Xvfb >/dev/null || fail "Xvfb is not installed (Debian package xvfb)"
  : >"$directory/display"
  Xvfb -displayfd 9 -screen 0 1280x960x24 -nolisten tcp -noreset \
    9>"$directory/display" >"$directory/Xvfb.log" 2>&1 </dev/null &
  server_pid=$!
  if ! wait_until 20 grep -q '^[0-9]' "$directory/display"; then
    cat "$directory/Xvfb.log" >&2
    fail "Xvfb did not start"
  fi
  DISPLAY=:$(head -n 1 "$directory/display")
  export DISPLAY
}

# end_processes PID...: asks them to end, insists after a while. Unset and ended ones are no trouble.
end_processes() {
  local pid
  for pid in "$@"; do kill "$pid" 2>/dev/null || continue; done
  for pid in "$@"; do
    wait_until 5 has_ended "$pid" || kill -KILL "$pid" 2>/dev/null || true
  done
}
# A process that has ended stays in the table as a zombie until its parent waits for it.
has_ended() { ! grep -qs '^State:[[:space:]]*[^ZX[:space:]]' "/proc/$1/status"; }
