# SPDX-License-Identifier: GPL-3.0-or-later
"""The licence gate: which file of a Debian package may be trained on.

A file passes when the package's machine-readable debian/copyright (DEP-5) puts it under a
permissive licence (every AND term, at least one OR alternative) and its own first lines name no
copyleft licence. Standard library only.
"""

import fnmatch
import re

# Spellings found in debian/copyright files. A term is permissive when it is one of these, or one of
# these followed by a version or variant ("bsd-3-clause", "apache-2.0 with llvm-exception",
# "mit-1").
PERMISSIVE = (
    "expat", "mit", "x11", "isc", "bsd", "apache", "asl", "zlib", "libpng", "bsl", "boost",
    "psf", "python", "cnri", "cc0", "unlicense", "0bsd", "public-domain", "curl", "ncsa",
    "unicode", "hpnd", "postgresql", "blueoak", "icu", "wtfpl", "bzip2", "upl",
    "go",  # golang-1.19: its paragraph text is BSD-3-Clause
)  # fmt: skip

# A term that mentions one of these is refused whatever it starts with.
REFUSED = (
    "gpl", "mpl", "epl", "cddl", "eupl", "osl", "cpl", "by-sa", "by-nc", "-nc", "gfdl", "ofl",
    "sleepycat", "proprietary", "unknown",
)  # fmt: skip

# Packages without a machine-readable copyright file whose licence was read by hand.
REVIEWED = {
    "libpython3.11-stdlib": "PSF-2.0",
    "python3-jinja2": "BSD-3-clause",
    "python3-setuptools": "Expat",
}

COPYLEFT_NOTICE = re.compile(
    rb"GNU (?:Lesser |Library |Affero )?General Public|\b[AL]?GPL|Mozilla Public Licen|"
    rb"Eclipse Public Licen|GNU Free Documentation|\bMPL[- ]?[12]|\bEPL[- ]?[12]"
)
NOTICE_BYTES = 4096


def term_is_permissive(term: str) -> bool:
    """Whether one licence name, free of "and" and "or", is permissive."""
    term = term.strip().lower()
    if not term or any(word in term for word in REFUSED):
        return False
    for name in PERMISSIVE:
        if term == name or re.match(re.escape(name) + r"[-_.+~/ 0-9]", term):
            return True
    return False


def is_permissive(expression: str) -> bool:
    """Whether a DEP-5 licence expression leaves a permissive choice."""
    expression = re.sub(r"\s+", " ", expression.strip())
    for alternative in re.split(r",? or |\|", expression, flags=re.IGNORECASE):
        terms = re.split(r",? and |, ?|&", alternative, flags=re.IGNORECASE)
        if all(term_is_permissive(term) for term in terms):
            return True
    return False


def names_copyleft(data: bytes) -> bool:
    """Whether the beginning of a file names a copyleft licence, whatever debian/copyright says."""
    return COPYLEFT_NOTICE.search(data[:NOTICE_BYTES]) is not None


class Copyright:
    """The `Files:` paragraphs of a debian/copyright; the last one that matches a path decides."""

    def __init__(self, paragraphs):
        """`paragraphs` is a list of (list of glob patterns, licence expression)."""
        self.rules = []
        for patterns, licence in paragraphs:
            # "*" crosses "/" in DEP-5, as in fnmatch. Installed files lie under another prefix than
            # in the source tree, so a pattern may also match below any folder.
            globs = ["(?:.*/)?" + fnmatch.translate(pattern) for pattern in patterns]
            self.rules.append((re.compile("|".join(globs)), licence))

    @classmethod
    def parse(cls, text: str):
        """None when `text` is not in the machine-readable format."""
        if "Format:" not in text[:2000]:
            return None
        paragraphs = []
        for paragraph in re.split(r"\n[ \t]*\n", text):
            files = re.search(r"^Files:((?:.*\n?)(?:[ \t]+.*\n?)*)", paragraph, re.MULTILINE)
            licence = re.search(r"^License:[ \t]*(.*)", paragraph, re.MULTILINE)
            if files and licence and licence[1].strip():
                paragraphs.append((re.split(r"[\s,]+", files[1].strip()), licence[1].strip()))
        return cls(paragraphs) if paragraphs else None

    @classmethod
    def single(cls, licence: str):
        """One licence for every file."""
        return cls([(["*"], licence)])

    def licence_of(self, path: str) -> str:
        """The licence expression for `path`, or "" when no paragraph covers it."""
        found = ""
        for pattern, licence in self.rules:
            if pattern.match(path):
                found = licence
        return found
