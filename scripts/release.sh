#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Makes a release of HEAD in build/packages: the source archive, the Debian package for this release of
# Debian or Ubuntu, CHANGELOG.md and SHA256SUMS. The commit's time is that of all files in them, so the
# same commit, built in the same place with the same packages, gives the same bytes.
#   scripts/release.sh [OPTION...]
#     --check      makes archive and package a second time, and fails unless the bytes are the same
#     --source     the source archive alone
#     --dirty      even if files differ from HEAD: what is packed is the build tree's, for a trial
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/common.sh

check=false package=true dirty=false
for option in "$@"; do
  case $option in
    --check) check=true ;;
    --source) package=false ;;
    --dirty) dirty=true ;;
    *) sed -nE 's/^#   ( *(scripts|--).*)/\1/p' "$0" >&2; exit 2 ;;
  esac
done
fail() {
  echo "release: $*" >&2
  exit 1
}

version=$(sed -nE 's/^project\(Waferpair VERSION ([0-9.]+) .*/\1/p' CMakeLists.txt)
[ -n "$version" ] || fail "CMakeLists.txt names no version"
grep -qE "^## ${version//./\\.}( |\$)" CHANGELOG.md || fail "CHANGELOG.md has no part for $version"
[ "$dirty" = true ] || [ -z "$(git status --porcelain --untracked-files=no)" ] ||
  fail "files differ from HEAD: commit them, or give --dirty for a trial"
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH LC_ALL=C TZ=UTC
out=build/packages
need_space release build 400 "packing"
rm -rf "$out"
mkdir -p "$out"

# make_source FILE
make_source() {
  git archive --format=tar --prefix="waferpair-$version/" HEAD | gzip -9n >"$1"
}
# make_package FOLDER: packs what is built.
make_package() {
  mkdir -p "$1"
  cpack -G DEB --config build/release/CPackConfig.cmake -B "$PWD/$1" >"$1/cpack.log" 2>&1 ||
    { cat "$1/cpack.log" >&2; fail "CPack failed"; }
}

make_source "$out/waferpair-$version.tar.gz"
if $package; then
  for tool in dpkg-shlibdeps fakeroot; do
    [ "$tool" = fakeroot ] || command -v "$tool" >/dev/null || fail "$tool is missing: install dpkg-dev"
  done
  build release release waferpair waferd waferctl
  make_package build/packing
  cp build/packing/*.deb "$out"
fi
cp CHANGELOG.md "$out"
if $check; then
  make_source build/packing.tar.gz
  cmp build/packing.tar.gz "$out/waferpair-$version.tar.gz" || fail "two source archives differ"
  rm build/packing.tar.gz
  if $package; then
    make_package build/packing-again
    for file in build/packing-again/*.deb; do
      cmp "$file" "$out/$(basename "$file")" || fail "two packages of one build tree differ"
    done
    rm -rf build/packing-again
  fi
  echo "release: made twice, the same bytes"
fi
rm -rf build/packing
(cd "$out" && sha256sum -- * >../SHA256SUMS && mv ../SHA256SUMS .)
echo "release: $version in $out"
cat "$out/SHA256SUMS"
