#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Installs what the build needs (Debian 12 or later, Ubuntu 24.04 or later). Safe to run again: it
# ends at once when this script and the system have not changed since it last succeeded.
#   scripts/setup.sh          for building and running
#   scripts/setup.sh --tests  also what the tests drive the program with
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/common.sh
. scripts/apt.sh

packages=(
  ccache cmake g++ ninja-build pkg-config perl
  extra-cmake-modules qt6-base-dev qt6-base-dev-tools qt6-websockets-dev qt6-svg-dev
  qt6-tools-dev qt6-tools-dev-tools qt6-l10n-tools libgl-dev libvulkan-dev
  libqscintilla2-qt6-dev libeigen3-dev libboost-dev nlohmann-json3-dev libcli11-dev
  libexpected-dev libicu-dev libgit2-dev libeditorconfig-dev libsecret-1-dev libvterm-dev libhunspell-dev zlib1g-dev
  fonts-inter fonts-jetbrains-mono xvfb xauth
)
# Small fonts of scripts that the editor's own lacks.
test_fonts=(fonts-dejavu-core fonts-lohit-deva fonts-tlwg-mono fonts-wqy-microhei)
test_packages=("${test_fonts[@]}" clang-format clang-tidy git xdotool desktop-file-utils appstream python3 python3-websockets neovim vim vim-ale at-spi2-core dbus python3-pyatspi gir1.2-atspi-2.0 gnome-keyring)
# For tests of the kernels of another processor.
[ "$(uname -m)" = aarch64 ] || test_packages+=(g++-aarch64-linux-gnu qemu-user)
# Language servers that tests ask.
test_packages+=(clangd python3-pylsp python3-pyflakes shellcheck)
# What texts declare that no server knows.
test_packages+=(universal-ctags)
# Debug adapters that tests debug programs with.
test_packages+=(python3-debugpy lldb delve)
# Programs that run tests.
test_packages+=(python3-pytest libgtest-dev cargo golang-go)
# Shells and programs that tests run in the terminal.
test_packages+=(zsh fish vttest)
# What looks at packages and what is installed.
test_packages+=(groff-base shared-mime-info lintian)
# A dictionary that tests look words up in.
test_packages+=(hunspell-en-us)
# For fuzzing, and for its analysis of locks. (git also tells lint.sh which files there are.)
test_packages+=(clang libclang-rt-dev)
# Installed where the release has them: elsewhere the pictures' plugin is part of another package, mold is done without, and
# KSyntaxHighlighting is built from source with the packages in the line below.
where_packaged=(libkf6syntaxhighlighting-dev qt6-svg-plugins mold)
source_packages=(ca-certificates xz-utils)
mode=${1:-}
[ "$mode" = --tests ] && packages+=("${test_packages[@]}")

stamp=build/setup${mode}.stamp
fingerprint=$(cat scripts/setup.sh scripts/build_syntax_highlighting.sh /etc/os-release | sha256sum)
if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$fingerprint" ]; then exit 0; fi

. /etc/os-release
if ! command -v apt-get >/dev/null; then
  echo "setup: ${PRETTY_NAME:-this system} has no apt-get, and this script knows Debian and Ubuntu only." >&2
  echo "setup: install what these packages hold (Qt is to be 6.4 or later) and KSyntaxHighlighting 6, then" >&2
  echo "setup: call 'cmake --preset release && cmake --build --preset release':" >&2
  printf '  %s\n' "${packages[@]}" >&2
  exit 1
fi

missing=()
for package in "${packages[@]}"; do have "$package" || missing+=("$package"); done
# Fills `wanted`: what is to be installed, as far as is known without fresh lists.
want() {
  wanted=("${missing[@]}")
  for package in "${where_packaged[@]}"; do
    if ! have "$package" && packaged "$package"; then wanted+=("$package"); fi
  done
  to_build=false
  if ! have libkf6syntaxhighlighting-dev && ! packaged libkf6syntaxhighlighting-dev; then
    to_build=true
    for package in "${source_packages[@]}"; do have "$package" || wanted+=("$package"); done
  fi
}
want
if [ ${#wanted[@]} -gt 0 ]; then
  logs=$(mktemp -d)
  trap 'rm -rf "$logs"' EXIT
  become_root "${wanted[@]}"
  # What an interrupted installation left half done stands in the way of the next.
  [ -z "$(dpkg --audit 2>&1)" ] || "${as_root[@]}" dpkg --configure -a
  echo "setup: refreshing the package lists"
  # A list that can't be had matters only if a package is missing then.
  apt_get "setup: lists" "$logs/update" update || true
  want
  # On bare systems those for running (28 named) took 1.6 GB, what is fetched for them included.
  need_space setup /usr $((${#wanted[@]} * 60 + 100)) "installing ${#wanted[@]} packages and what they ask for"
  echo "setup: installing ${wanted[*]}"
  if ! apt_get "setup: packages" "$logs/install" install --no-install-recommends "${wanted[@]}"; then
    explain_apt "$logs" "${wanted[@]}"
    exit 1
  fi
fi
if $to_build; then scripts/build_syntax_highlighting.sh build/deps; fi

mkdir -p build
echo "$fingerprint" > "$stamp"
echo "setup: done"
