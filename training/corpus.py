# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds the training corpus from the Debian packages that packages.txt lists.

  python3 corpus.py --cache DIR --output DIR [--manifest FILE] [--pinned FILE]

Packages are fetched with apt from whatever mirror the machine is set up with, into --cache; nothing
is installed and the machine's own package lists stay untouched. --output receives
{train,held_out}/<language>.jsonl, one {"project", "path", "text"} a line. --manifest records what
was used; --pinned takes such a manifest and refuses any package whose SHA-256 differs from it.
Standard library only; needs apt and dpkg-deb.
"""

import argparse
import collections
import hashlib
import io
import json
import os
import re
import subprocess
import tarfile

import filters
import licences

DEFAULT_CAP_MB = 4
LARGEST_ARCHIVE_MEMBER = 3_000_000

# Folders that hold a package's own tree; what lies below them is the path inside the project.
INSTALL_PREFIX = re.compile(
    r"(?:usr/share/gocode/src/[^/]+/[^/]+/[^/]+/|usr/share/go-[\d.]+/"
    r"|usr/share/cargo/registry/[^/]+/|usr/src/rustc-[\d.]+/"
    r"|usr/lib/python3/dist-packages/|usr/lib/python3[.\d]*/"
    r"|usr/share/nodejs/(?:@[^/]+/)?[^/]+/|usr/include/|usr/src/)"
)


class Package:
    """One line of packages.txt."""

    def __init__(self, kind, name, held_out, cap_mb):
        self.kind = kind
        self.name = name
        self.held_out = held_out
        self.cap_mb = cap_mb


def read_packages(path):
    """The packages listed in `path`; raises ValueError naming the line that is not understood."""
    packages = []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            fields = line.split("#")[0].split()
            if not fields:
                continue
            if len(fields) < 2 or fields[0] not in ("binary", "source"):
                raise ValueError(f"{path}:{number}: expected 'binary NAME' or 'source NAME'")
            cap_mb = float(DEFAULT_CAP_MB)
            for option in fields[2:]:
                if option.startswith("cap="):
                    cap_mb = float(option[4:])
                elif option != "held-out":
                    raise ValueError(f"{path}:{number}: unknown option '{option}'")
            packages.append(Package(fields[0], fields[1], "held-out" in fields, cap_mb))
    return packages


class Fetcher:
    """Downloads packages into a cache folder; asks for none that is already there."""

    def __init__(self, cache):
        self.folders = {kind: os.path.join(cache, kind) for kind in ("binary", "source")}
        for folder in self.folders.values():
            os.makedirs(folder, exist_ok=True)
        self.apt = os.path.join(cache, "apt")

    def archives(self, package, version=None):
        """Paths of the package's files: [deb], or the upstream and debian tar files of a source."""
        found = self._cached(package)
        if not found:
            wanted = package.name + (f"={version}" if version else "")
            if package.kind == "binary":
                command = ["apt-get", "download", wanted]
            else:
                command = ["apt-get", *self._source_options(), "source", "--download-only"]
                command += ["--only-source", wanted]
            subprocess.run(
                command, cwd=self.folders[package.kind], check=True, stdout=subprocess.DEVNULL
            )
            found = self._cached(package)
        return found

    def _cached(self, package):
        suffix = r"\.deb" if package.kind == "binary" else r"\.(?:orig|debian|tar).*"
        architecture = "_.*" if package.kind == "binary" else ""
        pattern = re.compile(re.escape(package.name) + "_[^_]*" + architecture + suffix)
        folder = self.folders[package.kind]
        names = [name for name in sorted(os.listdir(folder)) if pattern.fullmatch(name)]
        return [os.path.join(folder, name) for name in names if not name.endswith(".asc")]

    def _source_options(self):
        """apt options: the machine's own mirrors as deb-src, lists and cache in private folders."""
        options = []
        for key, folder in (("Dir::State::lists", "lists"), ("Dir::Cache", "cache")):
            path = os.path.join(self.apt, folder)
            os.makedirs(os.path.join(path, "partial"), exist_ok=True)
            options += ["-o", f"{key}={path}"]
        parts = os.path.join(self.apt, "sources.list.d")
        options += ["-o", "Dir::Etc::sourcelist=/dev/null", "-o", f"Dir::Etc::sourceparts={parts}"]
        if not os.path.isdir(parts):
            os.makedirs(parts)
            machine = "/etc/apt/sources.list.d"
            files = [os.path.join(machine, name) for name in os.listdir(machine)]
            files.append("/etc/apt/sources.list")
            for path in files:
                if path.endswith((".list", ".sources")) and os.path.exists(path):
                    with open(path, encoding="utf-8") as file:
                        text = file.read()
                    text = re.sub(r"(?m)^Types:.*$", "Types: deb-src", text)
                    text = re.sub(r"(?m)^deb ", "deb-src ", text)
                    private = os.path.join(parts, os.path.basename(path))
                    with open(private, "w", encoding="utf-8") as file:
                        file.write(text)
            subprocess.run(["apt-get", *options, "update"], check=True, stdout=subprocess.DEVNULL)
        return options


def version_of(archives):
    """The Debian version that the file names tell."""
    for path in archives:
        fields = os.path.basename(path).split("_")
        if path.endswith(".deb"):
            return fields[1].replace("%3a", ":")
        if ".debian.tar" in path:
            return fields[1].split(".debian.tar")[0]
    return os.path.basename(archives[0]).split("_")[1].split(".tar")[0]


def digest(path):
    """SHA-256 of a file, in hexadecimal."""
    with open(path, "rb") as file:
        return hashlib.sha256(file.read()).hexdigest()


def members(archive, keep):
    """Yields (path, bytes) for the plain files of a tar archive that `keep` accepts."""
    for member in archive:
        if member.isfile() and member.size <= LARGEST_ARCHIVE_MEMBER and keep(member.name):
            yield member.name, archive.extractfile(member).read()


def open_binary(path):
    """The files of a .deb as a tar archive."""
    data = subprocess.run(["dpkg-deb", "--fsys-tarfile", path], check=True, capture_output=True)
    return tarfile.open(fileobj=io.BytesIO(data.stdout))


def is_wanted(name):
    """Whether a path is source code or the copyright file."""
    return filters.language_of(name) or name.endswith("/copyright")


def read_package(package, archives):
    """Returns ([(path, bytes)], text of debian/copyright or None)."""
    files = []
    copyright_text = None
    for path in archives:
        binary = package.kind == "binary"
        component = re.search(r"\.orig-([a-zA-Z0-9-]+)\.tar", path)
        with open_binary(path) if binary else tarfile.open(path) as archive:
            for name, data in members(archive, is_wanted):
                name = re.sub(r"^\./", "", name)
                if name.endswith("/copyright"):
                    if copyright_text is None and (binary or name.endswith("debian/copyright")):
                        copyright_text = data.decode("utf-8", "replace")
                    continue
                if binary:
                    name = INSTALL_PREFIX.sub("", name, count=1)
                else:
                    name = name.split("/", 1)[-1]
                    if component:
                        name = component[1] + "/" + name
                files.append((name, data))
    return files, copyright_text


class Builder:
    """Applies licence gate, filters, exact dedup and caps, and writes the two splits."""

    def __init__(self, output):
        self.output = output
        self.seen = set()
        self.writers = {}
        self.lost = collections.Counter()  # bytes dropped, by reason
        self.kept = collections.Counter()  # bytes kept, by (split, language)

    def add(self, package, archives):
        """Adds one package; returns its manifest entry."""
        files, copyright_text = read_package(package, archives)
        copyright_file = licences.Copyright.parse(copyright_text or "")
        if package.name in licences.REVIEWED:
            copyright_file = licences.Copyright.single(licences.REVIEWED[package.name])
        split = "held_out" if package.held_out else "train"
        # A fixed shuffle, so that a cap takes a sample of the project and not its first folders.
        files.sort(key=lambda item: hashlib.sha256(item[0].encode("utf-8", "replace")).digest())
        per_licence = collections.Counter()
        per_language = collections.Counter()
        total = 0
        limit = package.cap_mb * 1e6
        for path, data in files:
            if total + len(data) > limit:
                self.lost["cap"] += len(data)
                continue
            licence = copyright_file.licence_of(path) if copyright_file else ""
            text = self._accept(path, data, licence)
            if text is None:
                continue
            size = len(text.encode("utf-8"))
            total += size
            language = filters.language_of(path)
            per_licence[licence] += size
            per_language[language] += size
            self.kept[split, language] += size
            record = {"project": package.name, "path": path, "text": text}
            self._writer(split, language).write(json.dumps(record, ensure_ascii=False) + "\n")
        return {
            "package": package.name,
            "kind": package.kind,
            "version": version_of(archives),
            "sha256": {os.path.basename(path): digest(path) for path in archives},
            "split": split,
            "licences": dict(sorted(per_licence.items())),
            "bytes": dict(sorted(per_language.items())),
        }

    def _accept(self, path, data, licence):
        """The cleaned text, or None when the file must not or should not be used."""
        reason = filters.reason_to_skip(path, data)
        if reason is None and not (licence and licences.is_permissive(licence)):
            reason = "licence"
        if reason is None and licences.names_copyleft(data):
            reason = "copyleft notice"
        if reason is None:
            mark = filters.fingerprint(data)
            if mark in self.seen:
                reason = "duplicate"
            self.seen.add(mark)
        if reason is None:
            try:
                text = filters.clean(data.decode("utf-8"))
                if len(text) >= filters.SMALLEST:
                    return text
                reason = "size"
            except UnicodeDecodeError:
                reason = "encoding"
        self.lost[reason] += len(data)
        return None

    def _writer(self, split, language):
        if (split, language) not in self.writers:
            folder = os.path.join(self.output, split)
            os.makedirs(folder, exist_ok=True)
            path = os.path.join(folder, language + ".jsonl")
            self.writers[split, language] = open(path, "w", encoding="utf-8")
        return self.writers[split, language]

    def close(self):
        for writer in self.writers.values():
            writer.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    here = os.path.dirname(os.path.abspath(__file__))
    parser.add_argument("--packages", default=os.path.join(here, "packages.txt"))
    parser.add_argument("--cache", required=True, help="folder for the downloaded packages")
    parser.add_argument("--output", required=True, help="folder for the corpus")
    parser.add_argument("--manifest", help="write what was used to this file")
    parser.add_argument("--pinned", help="use exactly the versions and hashes of this manifest")
    options = parser.parse_args()

    pinned = {}
    if options.pinned:
        with open(options.pinned, encoding="utf-8") as file:
            pinned = {entry["package"]: entry for entry in json.load(file)["packages"]}
    packages = read_packages(options.packages)
    # Held-out projects first: a file that is also elsewhere is then dropped from training, not
    # here.
    packages.sort(key=lambda package: not package.held_out)
    fetcher = Fetcher(options.cache)
    builder = Builder(options.output)
    entries = []
    for package in packages:
        pin = pinned.get(package.name)
        archives = fetcher.archives(package, pin["version"] if pin else None)
        if not archives:
            raise SystemExit(f"{package.name}: apt delivered no archive; check its name and kind")
        entry = builder.add(package, archives)
        if pin and pin["sha256"] != entry["sha256"]:
            message = f"not the pinned files; empty {options.cache} and retry"
            raise SystemExit(f"{package.name}: {message}")
        print(package.name, entry["version"], entry["split"], entry["bytes"], flush=True)
        if entry["bytes"]:
            entries.append(entry)
    builder.close()

    totals = {"train": {}, "held_out": {}}
    for (split, language), size in sorted(builder.kept.items()):
        totals[split][language] = size
    print("kept", json.dumps(totals), "lost", json.dumps(dict(builder.lost)))
    if options.manifest:
        with open(options.manifest, "w", encoding="utf-8") as file:
            json.dump({"totals": totals, "packages": entries}, file, indent=1)
            file.write("\n")


if __name__ == "__main__":
    main()
