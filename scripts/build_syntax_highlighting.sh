#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds KSyntaxHighlighting against Qt 6 from the distribution's own source package, for releases
# that package it for Qt 5 only (Debian 12, whose successor's source is recent enough; Ubuntu 24.04).
#   scripts/build_syntax_highlighting.sh PREFIX
# The package lists it needs live in a folder of their own: the system's stay untouched.
set -euo pipefail
. "$(dirname "$0")/common.sh"
prefix=$(realpath -m "${1:?usage: $0 PREFIX}")
if compgen -G "$prefix/lib/*/cmake/KF5SyntaxHighlighting/*Config.cmake" >/dev/null; then exit 0; fi

. /etc/os-release
# A derivative says which release of Ubuntu it is made of.
own=${UBUNTU_CODENAME:-${VERSION_CODENAME:?}}
suite=$own
[ "$suite" = bookworm ] && suite=trixie
# The mirror and key that this machine already trusts for its own release.
read -r mirror component < <(apt-get indextargets --format '$(SITE) $(COMPONENT) $(RELEASE)' \
  'Created-By: Packages' | awk -v r="$own" '$3 == r {print $1, $2; exit}') || true
if [ -z "${mirror:-}" ]; then
  echo "setup: apt's sources name no mirror of $own, which is where KSyntaxHighlighting's source comes from." >&2
  echo "setup: add one (/etc/apt/sources.list.d) and run this again, or install KSyntaxHighlighting for Qt 6 yourself." >&2
  exit 1
fi
distribution=debian
if [ "$own" = "${UBUNTU_CODENAME:-}" ]; then distribution=ubuntu component=universe; fi
keyring=/usr/share/keyrings/$distribution-archive-keyring.gpg

mkdir -p "$(dirname "$prefix")"
work=$(mktemp -d)
trap 'rm -rf "$work" "$prefix.part"' EXIT
mkdir -p "$work"/{etc/preferences.d,lists/partial,cache/archives/partial,source}
echo "deb-src [signed-by=$keyring] $mirror $suite $component" > "$work/etc/sources.list"
options=(-q -o "Dir::Etc::SourceList=$work/etc/sources.list" -o Dir::Etc::SourceParts=/dev/null
  -o "Dir::Etc::PreferencesParts=$work/etc/preferences.d" -o "Dir::State::Lists=$work/lists"
  -o "Dir::Cache=$work/cache" -o APT::Sandbox::User=root -o Acquire::Retries=3)
[ "$(id -u)" = 0 ] || options+=(-o Debug::NoLocking=1)

# try WHAT COMMAND...: its output goes to the log, whose end is shown when it fails.
try() {
  local what=$1
  shift
  if "$@" >"$work/log" 2>&1; then return 0; fi
  tail -n 40 "$work/log" >&2
  echo "setup: $what failed; the reason is above." >&2
  exit 1
}
echo "setup: building KSyntaxHighlighting for Qt 6, from the source package of $suite"
try "fetching the list of source packages from $mirror" \
  apt-get "${options[@]}" -o APT::Update::Error-Mode=any update
cd "$work/source"
try "fetching KSyntaxHighlighting's source" \
  apt-get "${options[@]}" source --tar-only --download-only ksyntax-highlighting
try "unpacking KSyntaxHighlighting's source" tar xf ksyntax-highlighting_*.orig.tar.xz --strip-components=1
# Its sources build with the older extra-cmake-modules too; only the version check stands in the way.
sed -i -E 's/find_package\(ECM [0-9.]+/find_package(ECM 5.103.0/' CMakeLists.txt
try "configuring KSyntaxHighlighting" cmake -S . -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
  -DBUILD_WITH_QT6=ON -DBUILD_TESTING=OFF -DCMAKE_INSTALL_PREFIX="$prefix" -DKDE_INSTALL_USE_QT_SYS_PATHS=OFF
NINJA_STATUS="[%f/%t] " ninja -C "$work/build" -j "$(compile_jobs)" 2>&1 | tee "$work/log" |
  sed -u -nE '/^\[[0-9]+\/[0-9]+\] /p' | follow "setup: KSyntaxHighlighting" ||
  try "building KSyntaxHighlighting" sh -c "cat $work/log; false"
# Whole or not at all: an interrupted installation would look like a finished one.
try "installing KSyntaxHighlighting" env DESTDIR="$work/root" cmake --install "$work/build"
cp -r "$work/root$prefix" "$prefix.part"
rm -rf "$prefix"
mv "$prefix.part" "$prefix"
