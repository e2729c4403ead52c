#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# What setup.sh, run.sh and test.sh share; to be sourced.

# follow NAME: copies its input, but of lines "[done/total] what", as ninja writes them, a terminal
# shows the last alone, and a file gets one at each tenth and whenever 30 seconds went by.
follow() {
  local name=$1 line="" piece status done=0 total=0 told=-1 since=$SECONDS shown=false width
  width=$(tput cols 2>/dev/null || echo 80)
  while true; do
    status=0
    IFS= read -r -t 5 piece || status=$?
    line+=$piece
    if [ "$status" -gt 128 ]; then  # nothing came: what came of a line waits for its end
      if [ ! -t 1 ] && [ "$total" -gt 0 ] && [ $((SECONDS - since)) -ge 30 ]; then
        echo "$name: still at $done of $total"
        since=$SECONDS
      fi
      continue
    fi
    if [ "$status" != 0 ] && [ -z "$line" ]; then break; fi
    if [[ $line =~ ^\[([0-9]+)/([0-9]+)\]\ (.*)$ ]]; then
      [ "${BASH_REMATCH[1]}" -ge "$done" ] || told=-1  # another run begins
      done=${BASH_REMATCH[1]} total=${BASH_REMATCH[2]}
      [ "$total" -gt 0 ] || total=1
      if [ -t 1 ]; then
        line="$name: $line"
        printf '\r\033[K%s' "${line:0:$((width - 1))}"
        shown=true
      elif [ $((done * 10 / total)) -gt "$told" ] || [ $((SECONDS - since)) -ge 30 ]; then
        echo "$name: $line"
        told=$((done * 10 / total)) since=$SECONDS
      fi
    else
      if $shown; then printf '\r\033[K'; fi
      shown=false
      printf '%s\n' "$line"
    fi
    line=""
    [ "$status" = 0 ] || break
  done
  if $shown; then printf '\r\033[K'; fi
}

# need_space NAME FOLDER MIB PURPOSE: fails with a message unless the disk under FOLDER has that much
# room. FOLDER need not exist yet.
need_space() {
  local name=$1 folder=$2 wanted=$3 purpose=$4 free
  while [ ! -d "$folder" ]; do folder=$(dirname "$folder"); done
  free=$(df -Pm "$folder" | awk 'NR == 2 {print $4}')
  [ "$free" -lt "$wanted" ] || return 0
  echo "$name: $purpose needs some $wanted MB, but the disk of $(realpath "$folder") has $free MB left." >&2
  echo "$name: free some room there and run this again; it goes on where it stopped." >&2
  return 1
}

# How many compilers to run at once: one a core, and each has 1.3 GB of memory.
compile_jobs() {
  awk -v cores="$(nproc)" '/^MemAvailable:/ {
    jobs = int($2 / 1310720); if (jobs > cores) jobs = cores; print jobs < 1 ? 1 : jobs }' /proc/meminfo
}

# build NAME PRESET [TARGET...]: configures where that was not done yet, and builds, telling how far it is.
build() {
  local name=$1 preset=$2 jobs planned steps batches minutes
  shift 2
  jobs=$(compile_jobs)
  if [ ! -f "build/$preset/build.ninja" ]; then
    if ! cmake --preset "$preset" >"build/$preset.log" 2>&1; then
      cat "build/$preset.log" >&2
      return 1
    fi
  fi
  # By another name: a dry run of build.ninja ends where CMake would look for new files.
  ln -sf build.ninja "build/$preset/steps.ninja"
  planned=$(ninja -C "build/$preset" -f steps.ninja -n "$@" 2>/dev/null || true)
  steps=$(sed -nE '$s/^\[[0-9]+\/([0-9]+)\].*/\1/p' <<<"$planned")
  batches=$(grep -c '/Unity/' <<<"$planned" || true)
  if [ "${steps:-0}" -gt 20 ]; then
    # Measured: 12 seconds of a core for a batch of files, and 2 for any other step, under sanitizers, too.
    minutes=$((((batches * 12 + (steps - batches) * 2) / jobs + 59) / 60))
    echo "$name: $steps steps to compile, $jobs at a time: some $minutes minutes on a usual computer." \
      "Ctrl+C interrupts; the next run goes on from there."
  fi
  NINJA_STATUS="[%f/%t] %p, %e s: " ninja -C "build/$preset" -j "$jobs" "$@" 2>&1 |
    sed -u -E '/^ninja: (Entering directory|no work to do)/d' | follow "$name"
}

# install_from_npm NAME WHAT PACKAGE...: installs these into build/NAME, unless that is done. Where npm is
# missing or cannot be reached, it says that WHAT are not tested, and succeeds.
install_from_npm() {
  local name=$1 what=$2 stamp=build/$1/stamp
  shift 2
  if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$*" ]; then return 0; fi
  if ! command -v npm >/dev/null; then
    echo "$name: npm is missing: $what are not tested"
    return 0
  fi
  mkdir -p "build/$name"
  if ! timeout 300 npm install --prefix "build/$name" --no-audit --no-fund --loglevel=error "$@"; then
    echo "$name: npm cannot install them: $what are not tested"
    return 0
  fi
  printf '%s' "$*" >"$stamp"
}
