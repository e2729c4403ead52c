# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the files of a package out of its archives. Standard library only; needs dpkg-deb.

Nothing is unpacked to disk. An archive with a path that leads out of it is refused all the same: it
is not what its package claims to be.
"""

import bz2
import contextlib
import gzip
import lzma
import os
import re
import subprocess
import tarfile

import filters

# The files that tell the license of a package.
NOTICES = {
    "binary": re.compile(r"/copyright$"),
    "source": re.compile(r"debian/copyright$"),
    "npm": re.compile(r"/package\.json$|^[^/]+/(?:LICEN[CS]E|COPYING)[^/]*$"),
}
LARGEST_NOTICE = 3_000_000  # bytes of a license file

OPENERS = {".gz": gzip.open, ".tgz": gzip.open, ".xz": lzma.open, ".bz2": bz2.open}

# Folders that hold a package's own tree; what lies below them is the path inside the project.
INSTALL_PREFIX = re.compile(
    r"(?:usr/share/gocode/src/[^/]+/[^/]+/[^/]+/|usr/share/go-[\d.]+/"
    r"|usr/share/cargo/registry/[^/]+/|usr/src/rustc-[\d.]+/"
    r"|usr/lib/python3/dist-packages/|usr/lib/python3[.\d]*/"
    r"|usr/share/nodejs/(?:@[^/]+/)?[^/]+/|usr/include/|usr/src/)"
)


def checked(path):
    """The path of an archive member without "./" in front; raises ValueError when it leads out."""
    path = re.sub(r"^(?:\./)+", "", path)
    if path.startswith("/") or ".." in path.split("/"):
        raise ValueError(f"the path '{path}' leads out of the archive")
    return path


@contextlib.contextmanager
def opened(path):
    """The plain files of an archive: yields an iterator over (path, size, what reads it)."""
    process = None
    with contextlib.ExitStack() as stack:
        if path.endswith(".deb"):
            command = ["dpkg-deb", "--fsys-tarfile", path]
            process = stack.enter_context(subprocess.Popen(command, stdout=subprocess.PIPE))
            archive = stack.enter_context(tarfile.open(fileobj=process.stdout, mode="r|"))
        elif opener := OPENERS.get(os.path.splitext(path)[1]):
            # Not by tarfile's own stream: it stumbles over extra fields in the header of gzip, and copies all
            # that one block of xz gives at every read, which takes many minutes where a file is mostly zeros.
            plain = stack.enter_context(opener(path))
            archive = stack.enter_context(tarfile.open(fileobj=plain, mode="r|"))
        else:
            archive = stack.enter_context(tarfile.open(path, mode="r|*"))
        yield (
            (checked(member.name), member.size, lambda: archive.extractfile(member).read())
            for member in archive
            if member.isfile()
        )
        if process:
            while process.stdout.read(1 << 20):
                pass  # what follows the end of the archive: padding
            if process.wait():
                raise ValueError(f"{path}: dpkg-deb cannot read it")


def read(package, paths):
    """(files, notices, lost): two lists of (path inside the project, bytes), {reason: bytes left
    out}.

    Files are those of a language that is wanted, neither in a folder nor of a size that is skipped.
    """
    files, notices, lost = [], [], {}
    is_notice = NOTICES[package.kind].search
    for archive_path in paths:
        component = re.search(r"\.orig-([a-zA-Z0-9-]+)\.tar", os.path.basename(archive_path))
        with opened(archive_path) as members:
            for name, size, data in members:
                language = filters.language_of(name)
                notice = is_notice(name)
                if not notice and (not language or package.only and language not in package.only):
                    continue
                if package.kind == "binary":
                    path = INSTALL_PREFIX.sub("", name, count=1)
                else:
                    path = name.split("/", 1)[-1]  # without the folder of the archive itself
                    if component:
                        path = component[1] + "/" + path
                if notice:
                    if size <= LARGEST_NOTICE:
                        notices.append((path, data()))
                    continue
                reason = filters.reason_to_skip_unread(path, size)
                if reason:
                    lost[reason] = lost.get(reason, 0) + size
                else:
                    files.append((path, data()))
    return files, notices, lost
