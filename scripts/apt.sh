#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Packages of Debian and Ubuntu, told in few lines and with what to do when it fails; to be sourced
# behind common.sh. PRETTY_NAME is the system's.

have() { dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null | grep -qx installed; }
packaged() { apt-cache show "$1" >/dev/null 2>&1; }

# become_root PACKAGE...: finds out how to call apt-get for installing these, for apt_get.
become_root() {
  as_root=()
  [ "$(id -u)" != 0 ] || return 0
  if ! command -v sudo >/dev/null; then
    echo "setup: packages are missing, and there is no sudo to install them with. As root, call" >&2
    echo "  apt-get install $*" >&2
    echo "setup: then run this again." >&2
    return 1
  fi
  as_root=(sudo)
  sudo -n true 2>/dev/null || echo "setup: packages are missing; sudo may ask for your password to install them."
  if ! sudo env apt-get --version >/dev/null; then
    echo "setup: sudo does not let $(id -un) install packages. Have someone who may call" >&2
    echo "  apt-get install $*" >&2
    echo "setup: then run this again." >&2
    return 1
  fi
}

# apt_get NAME LOG ARGUMENT...: apt-get's progress as NAME, all that it said in LOG. While another
# program installs, it waits for that one's end.
apt_get() {
  local name=$1 log=$2 begun=$SECONDS waited=false status
  shift 2
  while true; do
    status=0
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 \
      apt-get -q -y -o Acquire::Retries=3 -o APT::Status-Fd=1 "$@" 2>&1 | tee "$log" |
      sed -u -nE 's/^(dl|pm)status:.*:([0-9]+)[0-9.]*:(.*)/[\2\/100] \3/p' | follow "$name" || status=$?
    if ! grep -qE '^E: (Could not get lock|Unable to (lock|acquire))' "$log"; then return "$status"; fi
    if ! $waited; then
      waited=true
      echo "setup: another program is installing packages ($(
        sed -nE 's/.*It is held by (process .*)/\1/p' "$log" | head -n 1)); waiting for its end"
    elif [ $((SECONDS - begun)) -gt 900 ]; then
      return "$status"
    fi
    sleep 5
  done
}

# explain_apt LOGS PACKAGE...: by the files in the folder LOGS, why apt-get failed and what to do about it.
explain_apt() {
  local log=$1/all remedy
  cat "$1"/* >"$log"
  shift
  grep -E '^(E|W|Err|dpkg): ?' "$log" | sort -u | tail -n 6 | sed 's/^/  /' >&2
  if grep -qE '^E: (Could not get lock|Unable to (lock|acquire))' "$log"; then
    remedy="another program has been installing for 15 minutes. Let it end, or end it, and run this again."
  elif grep -qE "No space left|have enough free space" "$log"; then
    remedy="the disk is full. Free some room ('sudo apt-get clean' helps), then run this again."
  elif grep -qE 'Temporary failure resolving|Could not (connect|resolve)|Connection (failed|timed out|refused)|Network is unreachable' "$log"; then
    remedy="the package mirror is out of reach. Check the network (and apt's proxy, where one is needed), then run this again; what is installed stays."
  elif grep -qE 'Unable to locate package|no installation candidate' "$log"; then
    remedy="${PRETTY_NAME:-this system} does not offer all that is needed. On Ubuntu, 'sudo add-apt-repository universe' may help; releases before Debian 12 and Ubuntu 24.04 are too old."
  else
    remedy="apt-get failed. Try 'apt-get install $*' by hand: it says more."
  fi
  echo "setup: $remedy" >&2
}
