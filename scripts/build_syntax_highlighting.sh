#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds KSyntaxHighlighting against Qt 6 from the distribution's own source package, for releases
# that package it for Qt 5 only (Debian 12, whose successor's source is recent enough).
#   scripts/build_syntax_highlighting.sh PREFIX
# The package lists it needs live in a folder of their own: the system's stay untouched.
set -euo pipefail
prefix=$(realpath -m "${1:?usage: $0 PREFIX}")
if ls "$prefix"/lib/*/cmake/KF5SyntaxHighlighting/*Config.cmake >/dev/null 2>&1; then exit 0; fi
command -v apt-get >/dev/null || { echo "$0: apt-get not found" >&2; exit 1; }

. /etc/os-release
suite=${VERSION_CODENAME:?}
[ "$suite" = bookworm ] && suite=trixie
# The mirror and key that this machine already trusts for its own release.
read -r mirror component < <(apt-get indextargets --format '$(SITE) $(COMPONENT) $(RELEASE)' \
  'Created-By: Packages' | awk -v r="$VERSION_CODENAME" '$3 == r {print $1, $2; exit}')
: "${mirror:?no mirror configured for $VERSION_CODENAME}"
[ "$ID" = ubuntu ] && component=universe
keyring=/usr/share/keyrings/$ID-archive-keyring.gpg

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work"/{etc/preferences.d,lists/partial,cache/archives/partial,source}
echo "deb-src [signed-by=$keyring] $mirror $suite $component" > "$work/etc/sources.list"
options=(-q -o "Dir::Etc::SourceList=$work/etc/sources.list" -o Dir::Etc::SourceParts=/dev/null
  -o "Dir::Etc::PreferencesParts=$work/etc/preferences.d" -o "Dir::State::Lists=$work/lists"
  -o "Dir::Cache=$work/cache" -o APT::Sandbox::User=root)
[ "$(id -u)" = 0 ] || options+=(-o Debug::NoLocking=1)

echo "setup: building KSyntaxHighlighting for Qt 6 (about a minute)"
(
  cd "$work/source"
  apt-get "${options[@]}" update >/dev/null
  apt-get "${options[@]}" source --tar-only --download-only ksyntax-highlighting >/dev/null
  tar xf ksyntax-highlighting_*.orig.tar.xz --strip-components=1
  # Its sources build with the older extra-cmake-modules too; only the version check stands in the way.
  sed -i -E 's/find_package\(ECM [0-9.]+/find_package(ECM 5.103.0/' CMakeLists.txt
  cmake -S . -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DBUILD_WITH_QT6=ON \
    -DBUILD_TESTING=OFF -DCMAKE_INSTALL_PREFIX="$prefix" -DKDE_INSTALL_USE_QT_SYS_PATHS=OFF
  cmake --build "$work/build"
  cmake --install "$work/build"
) > "$work/log" 2>&1 || { tail -n 40 "$work/log" >&2; echo "setup: building KSyntaxHighlighting failed" >&2; exit 1; }
