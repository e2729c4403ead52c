# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds the training corpus from the packages that packages/*.txt list.

  python3 corpus.py --cache DIR --output DIR [--manifest FILE] [--pinned FILE]

Packages are fetched with apt and npm from whatever mirrors the machine is set up with, into
--cache; nothing is installed and the machine's own package lists stay untouched. --output receives
{train,held_out}/<language>.jsonl, one {"project", "path", "text"} a line. --manifest records what
was used; --pinned takes such a manifest, asks for exactly those versions and refuses any file whose
SHA-256 differs. Needs apt, dpkg-deb, npm and numpy.
"""

import argparse
import collections
import hashlib
import json
import math
import multiprocessing
import os
import shutil

import archives
import fetching
import filters
import licenses
import near_duplicates
import package_lists

MINOR_CAP_MB = 0.1  # of a project, for each of filters.MINOR
# A package for training is prepared before it is known which of its files others have, too:
# this much for each byte that its cap lets through.
SPARE = 1.4

# A file that may be used. size: bytes of the cleaned text. raw_size: of the file. mark: equal for
# files that differ in white space only. line: where it stands in the package's staged file.
Candidate = collections.namedtuple(
    "Candidate", "language license size raw_size mark signature line"
)


def licenses_of(package, notices):
    """What tells the license of each file, or None when nothing does."""
    if package.kind == "npm":
        return licenses.PackageJson.parse(notices)
    if package.name in licenses.REVIEWED:
        return licenses.Copyright.single(licenses.REVIEWED[package.name])
    text = notices[0][1].decode("utf-8", "replace") if notices else ""
    return licenses.Copyright.parse(text)


def accept(path, data, license):
    """(cleaned text, None), or (None, why the file must not or should not be used)."""
    reason = filters.reason_to_skip(path, data)
    if reason is None and not (license and licenses.is_permissive(license)):
        reason = "license"
    if reason is None and licenses.names_copyleft(data):
        reason = "copyleft notice"
    if reason is None:
        try:
            text = filters.clean(data.decode("utf-8"))
            if len(text) >= filters.SMALLEST:
                return text, None
            reason = "size"
        except UnicodeDecodeError:
            reason = "encoding"
    return None, reason


def check_files(package, paths, digests, wanted):
    """Raises ValueError when a package's files are not those of its list or of the manifest."""
    if wanted is not None and wanted != digests:
        raise ValueError(f"{package.name}: not the files that the manifest names")
    if package.kind == "npm" and fetching.integrity(paths[0]) != package.integrity:
        raise ValueError(f"{package.name} {package.version}: its integrity is not the listed one")


def cap_of(package, language):
    """(what the language shares its cap with, how many bytes of that the corpus takes)"""
    if language in filters.MINOR:
        return language, MINOR_CAP_MB * 1e6
    return "", package.cap_mb * 1e6


def stage(job):
    """Prepares one package: writes its usable files, one a line, to a file of its own.

    Returns ([Candidate], {reason: bytes lost}, {file name of an archive: SHA-256}). Runs in a
    process of its own.
    """
    package, paths, wanted, staged_path = job
    digests = {os.path.basename(path): fetching.digest(path) for path in paths}
    check_files(package, paths, digests, wanted)
    files, notices, lost = archives.read(package, paths)
    known = licenses_of(package, notices)
    lost = collections.Counter(lost)
    # A fixed shuffle, so that a cap takes a sample of the project and not its first folders.
    files.sort(key=lambda item: hashlib.sha256(item[0].encode("utf-8", "replace")).digest())
    candidates = []
    totals = collections.Counter()
    spare = math.inf if package.held_out else SPARE
    with open(staged_path, "wb") as staged:
        for path, data in files:
            language = filters.language_of(path)
            if language in filters.MINOR and package.held_out:
                continue
            cap, limit = cap_of(package, language)
            if totals[cap] > spare * limit:
                lost["cap"] += len(data)
                continue
            license = known.license_of(path) if known else ""
            text, reason = accept(path, data, license)
            if text is None:
                lost[reason] += len(data)
                continue
            record = {"project": package.name, "path": path, "text": text}
            line = json.dumps(record, ensure_ascii=False).encode("utf-8") + b"\n"
            place = staged.tell(), len(line)
            staged.write(line)
            text = text.encode("utf-8")
            totals[cap] += len(text)
            mark, signature = filters.fingerprint(data), near_duplicates.signature(text)
            candidates.append(
                Candidate(language, license, len(text), len(data), mark, signature, place)
            )
    return candidates, dict(lost), digests


class Builder:
    """Drops duplicates, applies the caps and writes the two splits."""

    def __init__(self, output):
        self.output = output
        self.seen = set()
        self.index = near_duplicates.Index()
        self.writers = {}
        self.lost = collections.Counter()  # bytes dropped, by reason
        self.kept = collections.Counter()  # bytes kept, by (split, language)

    def add(self, package, candidates, staged_path):
        """Takes of a package's candidates what is new; returns the bytes kept by license and by
        language."""
        split = "held_out" if package.held_out else "train"
        per_license = collections.Counter()
        per_language = collections.Counter()
        per_cap = collections.Counter()
        with open(staged_path, "rb") as staged:
            for candidate in candidates:
                cap, limit = cap_of(package, candidate.language)
                reason = None
                if per_cap[cap] + candidate.raw_size > limit:
                    reason = "cap"
                elif candidate.mark in self.seen:
                    reason = "duplicate"
                elif not package.held_out and self.index.holds_like(candidate.signature):
                    reason = "near duplicate"
                if reason:
                    self.lost[reason] += candidate.raw_size
                    continue
                self.seen.add(candidate.mark)
                self.index.add(candidate.signature)
                per_cap[cap] += candidate.size
                per_license[candidate.license] += candidate.size
                per_language[candidate.language] += candidate.size
                self.kept[split, candidate.language] += candidate.size
                start, length = candidate.line
                staged.seek(start)
                self._writer(split, candidate.language).write(staged.read(length))
        return dict(sorted(per_license.items())), dict(sorted(per_language.items()))

    def _writer(self, split, language):
        if (split, language) not in self.writers:
            folder = os.path.join(self.output, split)
            os.makedirs(folder, exist_ok=True)
            path = os.path.join(folder, language + ".jsonl")
            self.writers[split, language] = open(path, "wb")
        return self.writers[split, language]

    def close(self):
        for writer in self.writers.values():
            writer.close()


def pin(packages, manifest):
    """The packages of a manifest, with its versions; what it does not name gave nothing then."""
    entries = {entry["package"]: entry for entry in manifest["packages"]}
    unknown = entries.keys() - {package.name for package in packages}
    if unknown:
        names = ", ".join(sorted(unknown))
        raise ValueError(f"the manifest names what is not in the lists: {names}")
    pinned = []
    for package in packages:
        entry = entries.get(package.name)
        if entry:
            integrity = entry.get("integrity", "")
            pinned.append(package._replace(version=entry["version"], integrity=integrity))
    return pinned, {name: entry["sha256"] for name, entry in entries.items()}


def build(packages, pinned, fetcher, output):
    """Writes the corpus; returns (manifest, bytes lost by reason)."""
    # Held-out projects first: a file that is also elsewhere is then dropped from training, not
    # here.
    packages = sorted(packages, key=lambda package: not package.held_out)
    unavailable = fetcher.fetch(packages)
    for package in unavailable:
        print(f"{package.name}: left out, no mirror has it", flush=True)
    packages = [package for package in packages if package not in unavailable]
    staging = os.path.join(output, "staging")
    os.makedirs(staging, exist_ok=True)
    jobs = []
    versions = []
    for number, package in enumerate(packages):
        version, paths = fetcher.archives(package)
        versions.append(version)
        staged = os.path.join(staging, str(number))
        jobs.append((package, paths, pinned.get(package.name), staged))
    builder = Builder(output)
    entries = []
    with multiprocessing.Pool() as pool:
        results = pool.imap(stage, jobs)
        for (package, _, _, staged), version, result in zip(jobs, versions, results):
            candidates, lost, digests = result
            builder.lost.update(lost)
            of_license, of_language = builder.add(package, candidates, staged)
            os.remove(staged)
            print(package.name, version, of_language, "lost", lost, flush=True)
            if not of_language:
                continue
            entry = {"package": package.name, "kind": package.kind, "version": version}
            if package.integrity:
                entry["integrity"] = package.integrity
            entry["sha256"] = digests
            entry["split"] = "held_out" if package.held_out else "train"
            entries.append({**entry, "licenses": of_license, "bytes": of_language})
    builder.close()
    shutil.rmtree(staging)
    totals = {"train": {}, "held_out": {}}
    for (split, language), size in sorted(builder.kept.items()):
        totals[split][language] = size
    return {"totals": totals, "packages": entries}, dict(builder.lost)


def write_manifest(path, manifest):
    """One package a line, so that a difference reads well."""
    compact = lambda value: json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    entries = ",\n".join(compact(entry) for entry in manifest["packages"])
    with open(path, "w", encoding="utf-8") as file:
        file.write(f'{{"totals":{compact(manifest["totals"])},\n"packages":[\n{entries}\n]}}\n')


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    here = os.path.dirname(os.path.abspath(__file__))
    lists = os.path.join(here, "packages")
    parser.add_argument("--packages", default=lists, help="folder of package lists")
    parser.add_argument("--cache", required=True, help="folder for the downloaded packages")
    parser.add_argument("--output", required=True, help="folder for the corpus")
    parser.add_argument("--manifest", help="write what was used to this file")
    parser.add_argument("--pinned", help="use exactly the versions and hashes of this manifest")
    options = parser.parse_args()
    try:
        packages = package_lists.read(options.packages)
        pinned = {}
        if options.pinned:
            with open(options.pinned, encoding="utf-8") as file:
                packages, pinned = pin(packages, json.load(file))
        fetcher = fetching.Fetcher(options.cache)
        manifest, lost = build(packages, pinned, fetcher, options.output)
    except ValueError as error:
        raise SystemExit(str(error)) from error
    print("kept", json.dumps(manifest["totals"]), "lost", json.dumps(lost))
    if options.manifest:
        write_manifest(options.manifest, manifest)


if __name__ == "__main__":
    main()
