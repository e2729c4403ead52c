# SPDX-License-Identifier: GPL-3.0-or-later
"""Brings packages into a cache folder, with apt and npm from whatever mirrors they are set up with.

Nothing is installed or run from a package, and the machine's own package lists stay untouched.
Standard library only.
"""

import base64
import hashlib
import os
import re
import subprocess

import package_lists

BATCH = 500  # packages a command: apt takes seconds to start


def digest(path):
    """SHA-256 of a file, in hexadecimal."""
    with open(path, "rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def integrity(path):
    """SHA-512 of a file, as npm spells it."""
    with open(path, "rb") as file:
        return "sha512-" + base64.b64encode(hashlib.file_digest(file, "sha512").digest()).decode()


class Fetcher:
    """Downloads packages into a cache folder; asks for none that is already there."""

    def __init__(self, cache):
        self.apt = os.path.join(cache, "apt")
        self.folders = {kind: os.path.join(cache, kind) for kind in package_lists.KINDS}
        for folder in self.folders.values():
            os.makedirs(folder, exist_ok=True)
        self._known = {}

    def fetch(self, packages):
        """Makes sure that all packages are in the cache. Without a version, the newest is taken.

        Returns those that no mirror has, which only packages without a version may be: a list of
        packages and a mirror are never of quite the same day.
        """
        unavailable = []
        for kind in package_lists.KINDS:
            self._known[kind] = self._look(kind)
            wanted = [package for package in packages if package.kind == kind]
            missing = [package for package in wanted if not self._found(package)]
            for start in range(0, len(missing), BATCH):
                print(f"{kind}: fetching {len(missing) - start} packages", flush=True)
                batch = missing[start : start + BATCH]
                if not self._download(kind, batch):
                    # One that is gone stops apt before it has fetched the others.
                    self._known[kind] = self._look(kind)
                    batch = [package for package in batch if not self._found(package)]
                    failed = [package for package in batch if not self._download(kind, [package])]
                    if any(package.version for package in failed):
                        names = ", ".join(f"{package.name} {package.version}" for package in failed if package.version)
                        raise SystemExit(f"no mirror has {kind} {names}. Distributions keep the newest of a package "
                                         "only: leave --pinned out to take that, or let apt ask an archive of the "
                                         "manifest's day, such as snapshot.debian.org.")
                    unavailable += failed
            self._known[kind] = self._look(kind)
        return unavailable

    def _download(self, kind, packages):
        command = self._command(kind) + [
            package.name + (_separator(kind) + package.version if package.version else "")
            for package in packages
        ]
        done = subprocess.run(command, cwd=self.folders[kind], stdout=subprocess.DEVNULL)
        return done.returncode == 0

    def archives(self, package):
        """(version, paths) of a fetched package: its .deb, the tar files of a source, its .tgz."""
        found = self._found(package)
        if len(found) != 1:
            versions = ", ".join(sorted(found)) or "no version"
            folder = self.folders[package.kind]
            raise SystemExit(f"{package.name}: {versions} in {folder} where one is expected")
        ((version, names),) = found.items()
        return version, [os.path.join(self.folders[package.kind], name) for name in names]

    def _found(self, package):
        """{version: names of the files in the cache}"""
        if package.kind == "npm":
            name = f"{package.name.lstrip('@').replace('/', '-')}-{package.version}.tgz"
            return {package.version: [name]} if name in self._known["npm"] else {}
        found = self._known[package.kind].get(package.name, {})
        if not package.version:
            return found
        # An epoch ("1:") stands in no source's file names, nor in older manifests.
        wanted = _without_epoch(package.version)
        return {version: found[version] for version in found if _without_epoch(version) == wanted}

    def _look(self, kind):
        """{package: {version: names of its files}} of what the cache has; for npm the names."""
        folder = self.folders[kind]
        present = set(os.listdir(folder))
        if kind == "npm":
            return present
        known = {}
        for name in sorted(present):
            if kind == "binary" and name.endswith(".deb"):
                package, version, _ = name.split("_", 2)
                known.setdefault(package, {})[version.replace("%3a", ":")] = [name]
            if kind == "source" and name.endswith(".dsc"):
                with open(os.path.join(folder, name), encoding="utf-8") as file:
                    text = file.read()
                version = re.search(r"^Version: (\S+)", text, re.MULTILINE)[1]
                listed = sorted(set(re.findall(r"^ [0-9a-f]{64} \d+ (\S+)", text, re.MULTILINE)))
                if present.issuperset(listed):
                    archives = [part for part in listed if re.search(r"\.tar\.\w+$", part)]
                    known.setdefault(name.split("_")[0], {})[version] = archives
        return known

    def _command(self, kind):
        if kind == "npm":
            return ["npm", "pack", "--ignore-scripts", "--loglevel=error"]
        if kind == "binary":
            return ["apt-get", "-o", "Acquire::Retries=3", "download"]
        options = self._source_options()
        return ["apt-get", *options, "source", "--download-only", "--only-source"]

    def _source_options(self):
        """apt options: the machine's own mirrors as deb-src, lists and cache in private folders."""
        options = ["-o", "Acquire::Retries=3"]
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


def _separator(kind):
    return "@" if kind == "npm" else "="


def _without_epoch(version):
    return version.split(":", 1)[-1]
