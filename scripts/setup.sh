#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what the build needs (Debian 12 or later, Ubuntu 24.04 or later). Safe to run again: it
# ends at once when this script and the system have not changed since it last succeeded.
#   scripts/setup.sh          for building and running
#   scripts/setup.sh --tests  also what the tests drive the program with
set -euo pipefail
cd "$(dirname "$0")/.."

packages=(
  ccache cmake g++ ninja-build pkg-config perl
  extra-cmake-modules qt6-base-dev qt6-base-dev-tools qt6-websockets-dev qt6-svg-dev
  qt6-tools-dev qt6-tools-dev-tools qt6-l10n-tools libgl-dev libvulkan-dev
  libqscintilla2-qt6-dev libeigen3-dev libboost-dev nlohmann-json3-dev libcli11-dev
  libexpected-dev libicu-dev
  fonts-inter fonts-jetbrains-mono xvfb xauth
)
# Small fonts of scripts that the editor's own lacks.
test_fonts=(fonts-dejavu-core fonts-lohit-deva fonts-tlwg-mono fonts-wqy-microhei)
test_packages=("${test_fonts[@]}" clang-format git xdotool python3 python3-websockets at-spi2-core dbus python3-pyatspi gir1.2-atspi-2.0)
# For tests of the kernels of another processor.
[ "$(uname -m)" = aarch64 ] || test_packages+=(g++-aarch64-linux-gnu qemu-user)
mode=${1:-}
[ "$mode" = --tests ] && packages+=("${test_packages[@]}")

stamp=build/setup${mode}.stamp
fingerprint=$(cat scripts/setup.sh /etc/os-release | sha256sum)
if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$fingerprint" ]; then exit 0; fi

if ! command -v apt-get >/dev/null; then
  echo "setup: apt-get not found. This script knows Debian and Ubuntu; elsewhere install by hand:" >&2
  printf '  %s\n' "${packages[@]}" >&2
  exit 1
fi
root=()
[ "$(id -u)" = 0 ] || root=(sudo)
have() { dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null | grep -qx installed; }
packaged() { apt-cache show "$1" >/dev/null 2>&1; }

missing=()
for package in "${packages[@]}"; do have "$package" || missing+=("$package"); done
highlighting=libkf6syntaxhighlighting-dev
if [ ${#missing[@]} -gt 0 ] || ! have "$highlighting"; then
  echo "setup: refreshing the package lists"
  "${root[@]}" apt-get update -qq
  if packaged "$highlighting" && ! have "$highlighting"; then missing+=("$highlighting"); fi
fi
if [ ${#missing[@]} -gt 0 ]; then
  echo "setup: installing ${missing[*]}"
  "${root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
fi
have "$highlighting" || scripts/build_syntax_highlighting.sh build/deps

mkdir -p build
echo "$fingerprint" > "$stamp"
echo "setup: done"
