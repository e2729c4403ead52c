#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Tries the Debian package of scripts/release.sh: lintian; then, in a bare root of this machine's own
# release (debootstrap's minbase), apt installs it, a plain user starts the programs without a display,
# and apt removes it again, with nothing left behind. Takes root's rights, debootstrap and lintian.
#   scripts/try_package.sh [FILE.deb] [--recommends]
#     --recommends   also installs what the package recommends, as apt does by default
#     --keep         leaves the root where it is, and says where
set -euo pipefail
{
fail() {
  echo "try_package: $*" >&2
  exit 1
}
package="" recommends=--no-install-recommends keep=false
for argument in "$@"; do
  case $argument in
    --recommends) recommends=--install-recommends ;;
    --keep) keep=true ;;
    -*) fail "unknown option $argument" ;;
    *) package=$argument ;;
  esac
done
cd "$(dirname "$0")/.."
package=$(realpath "${package:-$(ls build/packages/waferpair_*.deb)}")
[ "$(id -u)" = 0 ] || fail "needs root's rights: call it with sudo"
for tool in debootstrap lintian; do
  command -v "$tool" >/dev/null || fail "$tool is missing: apt-get install $tool"
done

echo "== lintian"
lintian --fail-on error --allow-root --tag-display-limit 0 "$package" || fail "lintian found errors"

. /etc/os-release
mirror=$(apt-get indextargets --format '$(RELEASE) $(SITE)' 'Created-By: Packages' |
  awk -v r="$VERSION_CODENAME" '$1 == r {print $2; exit}')
[ -n "$mirror" ] || fail "apt's sources name no mirror"
components=main
[ "$ID" = ubuntu ] && components=main,universe
root=$(mktemp -d /var/tmp/try_package.XXXXXX)
trap '$keep && echo "try_package: kept in $root" || rm -rf --one-file-system "$root"' EXIT
chmod 755 "$root"

inside() {
  set -euo pipefail
  echo "== a bare root of $VERSION_CODENAME"
  debootstrap --variant=minbase --components="$components" "$VERSION_CODENAME" "$root" "$mirror" >"$root.log" 2>&1 ||
    { tail -n 20 "$root.log"; exit 2; }
  rm -f "$root.log"
  mount -t proc proc "$root/proc"
  mount -t tmpfs -o mode=755 tmpfs "$root/dev"
  mkdir "$root/dev/pts" "$root/dev/shm"
  mount -t devpts -o newinstance,ptmxmode=666 devpts "$root/dev/pts"
  mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
  for node in null zero full random urandom tty; do
    touch "$root/dev/$node"
    mount --bind "/dev/$node" "$root/dev/$node"
  done
  ln -s pts/ptmx "$root/dev/ptmx"
  ln -s /proc/self/fd "$root/dev/fd"
  cp -L /etc/resolv.conf "$root/etc/resolv.conf"
  apt-config dump | grep -E '^Acquire::https?::Proxy' >"$root/etc/apt/apt.conf.d/90proxy" || true
  cp "$package" "$root/var/tmp/waferpair.deb"
  chroot "$root" useradd --create-home --shell /bin/bash tester
  local before=$(du -xsm "$root" | cut -f1)
  echo "== apt installs it"
  chroot "$root" env DEBIAN_FRONTEND=noninteractive apt-get -qq update
  chroot "$root" env DEBIAN_FRONTEND=noninteractive apt-get -qq -y "$recommends" install /var/tmp/waferpair.deb >"$root/var/tmp/apt.log" 2>&1 ||
    { tail -n 20 "$root/var/tmp/apt.log"; exit 1; }
  echo "== $(chroot "$root" dpkg-query -W -f '${Package} ${Version}' waferpair) and what it asks for: $(($(du -xsm "$root" | cut -f1) - before)) MB"
  echo "== a plain user starts it"
  as_user() { chroot --userspec=tester "$root" env -i HOME=/home/tester PATH=/usr/bin:/bin LANG=C.UTF-8 QT_QPA_PLATFORM=offscreen "$@"; }
  as_user waferpair --version
  as_user waferctl generate 'int main(' --max-tokens 4 --json | head -c 300
  echo
  # A window with its model: it opens a file, takes a suggestion, saves.
  as_user bash -euc '
    cd; mkdir -p project; printf "int add(int a, int b) {\n" >project/sum.cpp
    waferpair --automation project >window.log 2>&1 &
    for try in $(seq 300); do grep -q automation window.log && break; sleep 0.2; done
    waferctl ide wait /model/state --equals ready --timeout 120
    waferctl ide open "$PWD/project/sum.cpp"
    waferctl ide key Ctrl+End
    waferctl ide type "  return "
    waferctl ide key "Alt+\\"
    waferctl ide wait idle --timeout 120
    waferctl ide state /document/ghost
    waferctl ide key Tab
    waferctl ide run file.save
    waferctl ide wait idle --timeout 120
    waferctl ide screenshot "$PWD/window.png"
    waferctl ide quit
    wait
    cat project/sum.cpp'
  [ -s "$root/home/tester/window.png" ]
  grep -q "return ." "$root/home/tester/project/sum.cpp"
  chroot "$root" test -s /usr/share/waferpair/guide/index.md
  echo "== apt removes it"
  chroot "$root" env DEBIAN_FRONTEND=noninteractive apt-get -qq -y purge waferpair >/dev/null 2>&1
  local left
  left=$(cd "$root" && find usr etc var/lib -path var/lib/dpkg -prune -o -iname '*waferpair*' -print)
  [ -z "$left" ] || { echo "left behind: $left"; exit 1; }
}
export -f inside fail
export root package mirror components recommends VERSION_CODENAME
unshare --mount --propagation private --uts --pid --fork --kill-child bash -c inside || fail "it does not work in a bare root"
echo "pass: $(basename "$package")"
exit
}
