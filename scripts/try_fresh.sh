#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Tries the README's commands on a fresh system: a bare root of a release (debootstrap's minbase), in
# it a plain user who may call sudo and nothing else, and a clean clone of this checkout's HEAD. Ends
# with "pass" or "fail". Takes root's rights, debootstrap, 8 GB of disk, and the time of a first build.
#   scripts/try_fresh.sh debian-12|debian-13|ubuntu-24.04 [run|test|setup] [OPTION...]
#     run, test     which command: scripts/run.sh (without a display, so a tour) or scripts/test.sh
#     setup         only scripts/setup.sh, and what CMake says to what it installed
#     --mirror URL  of the release's packages; without, the one that this machine's apt is configured
#                   with for the same distribution
#     --keyring F   with that mirror's keys, where /usr/share/keyrings has none of the distribution
#                   (they are in the package debian-archive-keyring or ubuntu-keyring)
#     --ccache DIR  a compiler's cache to begin with; a copy of it, the original stays as it is
#     --before CMD  run as root in the new system first: to break something on purpose
#     --keep        leaves the new system where it is, and says where
set -euo pipefail
{  # read as a whole, as it runs for so long that it may be edited meanwhile

usage() {
  sed -nE 's/^#   ( *(scripts|run,|setup|--|with|\(they).*)/\1/p' "$0" >&2
  exit 2
}
fail() {
  echo "try_fresh: $*" >&2
  exit 2
}

release=${1:-} command=run mirror="" keyring="" cache="" before="" keep=false
[ $# = 0 ] || shift
while [ $# -gt 0 ]; do
  case $1 in
    run | test | setup) command=$1 ;;
    --mirror) mirror=${2:?} && shift ;;
    --keyring) keyring=$(realpath "${2:?}") && shift ;;
    --ccache) cache=$(realpath "${2:?}") && shift ;;
    --before) before=${2:?} && shift ;;
    --keep) keep=true ;;
    *) usage ;;
  esac
  shift
done
case $release in
  debian-12) distribution=debian suite=bookworm components=main recipe=sid ;;
  debian-13) distribution=debian suite=trixie components=main recipe=sid ;;
  ubuntu-24.04) distribution=ubuntu suite=noble components=main,universe recipe=gutsy ;;
  *) usage ;;
esac
[ "$(id -u)" = 0 ] || fail "needs root's rights: call it with sudo"
command -v debootstrap >/dev/null || fail "debootstrap is missing: apt-get install debootstrap"

checkout=$(realpath "$(dirname "$0")/..")
keyring=${keyring:-/usr/share/keyrings/$distribution-archive-keyring.gpg}
[ -r "$keyring" ] || fail "no keys at $keyring: install $distribution-keyring or debian-archive-keyring, or give --keyring"
if [ -z "$mirror" ]; then
  own=$(. /etc/os-release && echo "$ID ${VERSION_CODENAME:-}")
  [ "${own% *}" = "$distribution" ] || fail "this machine's mirror has no $release: give --mirror URL"
  mirror=$(apt-get indextargets --format '$(RELEASE) $(SITE)' 'Created-By: Packages' |
    awk -v r="${own#* }" '$1 == r {print $2; exit}')
  [ -n "$mirror" ] || fail "apt's sources name no mirror: give --mirror URL"
fi

root=$(mktemp -d /var/tmp/try_fresh.XXXXXX)
# All mounts are in a namespace that has ended by then.
trap '$keep && echo "try_fresh: kept in $root" || rm -rf --one-file-system "$root"' EXIT
chmod 755 "$root"
home=/home/tester
# A blank in the path, as in many a home.
clone="$home/my code/waferpair"

# In namespaces of its own, so that no mount and no process outlives it.
inside() {
  set -euo pipefail
  echo "== $release from $mirror"
  debootstrap --variant=minbase --include=sudo --components="$components" --keyring="$keyring" \
    "$suite" "$root" "$mirror" "$recipe" >"$root.log" 2>&1 ||
    { tail -n 20 "$root.log"; rm -f "$root.log"; exit 2; }
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
  hostname fresh
  echo "127.0.0.1 localhost fresh" >"$root/etc/hosts"
  cp -L /etc/resolv.conf "$root/etc/resolv.conf"
  apt-config dump | grep -E '^Acquire::https?::Proxy' >"$root/etc/apt/apt.conf.d/90proxy" || true

  chroot "$root" useradd --create-home --shell /bin/bash tester
  echo "tester ALL=(ALL) NOPASSWD: ALL" >"$root/etc/sudoers.d/tester"
  git clone --quiet --no-local "$checkout" "$root$clone"
  local variables=("HOME=$home" USER=tester LOGNAME=tester PATH=/usr/local/bin:/usr/bin:/bin)
  if [ -n "$cache" ]; then
    mkdir -p "$root$home/.cache"
    cp -r "$cache" "$root$home/.cache/ccache"
    # Objects are found again whatever folder they were built in.
    variables+=("CCACHE_BASEDIR=$clone" CCACHE_NOHASHDIR=1)
  fi
  chroot "$root" chown -R tester: "$home"
  [ -z "$before" ] || chroot "$root" bash -c "$before"

  local begun=$SECONDS status=0
  echo "== scripts/$command.sh as a plain user, at $(git -C "$checkout" log -1 --format='%h %s')"
  chroot --userspec=tester "$root" env -i "${variables[@]}" \
    bash -c 'cd "$1" && "scripts/$2.sh" && if [ "$2" = setup ]; then cmake --preset release; fi' \
    bash "$clone" "$command" </dev/null || status=$?
  echo "== exit code $status after $(((SECONDS - begun) / 60)) minutes;" \
    "$(du -xsm "$root" | cut -f1) MB of disk, $(du -sm "$root$clone/build" | cut -f1) of them under build/"
  exit "$status"
}

export -f inside
export release command mirror keyring cache before distribution suite components recipe checkout root home clone
status=0
unshare --mount --propagation private --uts --pid --fork --kill-child bash -c inside || status=$?
if [ "$status" = 0 ]; then echo "pass: $release, scripts/$command.sh"; else echo "fail: $release, scripts/$command.sh"; fi
[ "$status" = 0 ]
exit
}
