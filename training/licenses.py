# SPDX-License-Identifier: GPL-3.0-or-later
"""The license gate: which file of a package may be trained on.

A file passes when the package puts it under a permissive license (every AND term, at least one OR
alternative) and its own first lines name no copyleft license. A Debian package says so in its
machine-readable debian/copyright (DEP-5), an npm package in package.json. Standard library only.
"""

import fnmatch
import json
import posixpath
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
    "-and-",  # a name of its own for two licenses: "Expat-and-Amazon-License"
)  # fmt: skip

# Packages without a machine-readable copyright file whose license was read by hand.
REVIEWED = {
    "libpython3.11-stdlib": "PSF-2.0",
    "python3-jinja2": "BSD-3-clause",
    "python3-setuptools": "Expat",
}

COPYLEFT_NOTICE = re.compile(
    rb"GNU (?:Lesser |Library |Affero )?General Public|\b[AL]?GPL|Mozilla Public Licen|"
    rb"Eclipse Public Licen|GNU Free Documentation|\bMPL[- ]?[12]|\bEPL[- ]?[12]"
)
COPYLEFT_PARTS = (b"GPL", b"MPL", b"EPL", b"Public", b"GNU")  # one of them is in each such notice
NOTICE_BYTES = 4096


def term_is_permissive(term: str) -> bool:
    """Whether one license name, free of "and" and "or", is permissive."""
    term = term.strip().lower()
    if not term or any(word in term for word in REFUSED):
        return False
    for name in PERMISSIVE:
        if term == name or re.match(re.escape(name) + r"[-_.+~/ 0-9]", term):
            return True
    return False


def is_permissive(expression: str) -> bool:
    """Whether a DEP-5 license expression leaves a permissive choice."""
    expression = re.sub(r"\s+", " ", expression.strip())
    # "and" binds tighter than "or", but behind a comma it does not: "A or B, and C".
    first, *others = re.split(r", and ", expression, flags=re.IGNORECASE)
    if others:
        return all(is_permissive(part) for part in (first, *others))
    for alternative in re.split(r",? or |\|", expression, flags=re.IGNORECASE):
        terms = re.split(r",? and |, ?|&", alternative, flags=re.IGNORECASE)
        if all(term_is_permissive(term) for term in terms):
            return True
    return False


def names_copyleft(data: bytes) -> bool:
    """Whether the beginning of a file names a copyleft license, whatever debian/copyright says."""
    head = data[:NOTICE_BYTES]
    # The plain search is quick and most files hold none.
    return any(part in head for part in COPYLEFT_PARTS) and bool(COPYLEFT_NOTICE.search(head))


class Copyright:
    """The `Files:` paragraphs of a debian/copyright; the last one that matches a path decides."""

    def __init__(self, paragraphs):
        """`paragraphs` is a list of (list of glob patterns, license expression)."""
        # "*" crosses "/" in DEP-5, as in fnmatch. Installed files lie under another prefix than in
        # the source tree, so a pattern may also match below any folder. Some packages have
        # thousands of patterns: most are plain paths or folders, which need no regular expression.
        self.licenses = [license for _, license in paragraphs]
        self.of_name = {}  # last part of a plain path -> [(paragraph, "/" + path)]
        self.others = []  # (paragraph, what must be in "/" + path, or the expression it must match)
        for number, (patterns, _) in enumerate(paragraphs):
            for pattern in filter(None, patterns):
                if not re.search(r"[*?[]", pattern):
                    name = pattern.rsplit("/", 1)[-1]
                    self.of_name.setdefault(name, []).append((number, "/" + pattern))
                elif pattern.endswith("*") and not re.search(r"[*?[]", pattern[:-1]):
                    self.others.append((number, "/" + pattern[:-1], None))
                else:
                    expression = re.compile("(?:.*/)?" + fnmatch.translate(pattern))
                    self.others.append((number, "", expression))
        self.others.reverse()

    @classmethod
    def parse(cls, text: str):
        """None when `text` is not in the machine-readable format."""
        if "Format:" not in text[:2000]:
            return None
        paragraphs = []
        for paragraph in re.split(r"\n[ \t]*\n", text):
            files = re.search(r"^Files:((?:.*\n?)(?:[ \t]+.*\n?)*)", paragraph, re.MULTILINE)
            license = re.search(r"^License:[ \t]*(.*)", paragraph, re.MULTILINE)
            if files and license and license[1].strip():
                paragraphs.append((re.split(r"[\s,]+", files[1].strip()), license[1].strip()))
        return cls(paragraphs) if paragraphs else None

    @classmethod
    def single(cls, license: str):
        """One license for every file."""
        return cls([(["*"], license)])

    def license_of(self, path: str) -> str:
        """The license expression for `path`, or "" when no paragraph covers it."""
        rooted = "/" + path
        plain = self.of_name.get(path.rsplit("/", 1)[-1], ())
        found = max((number for number, end in plain if rooted.endswith(end)), default=-1)
        for number, part, expression in self.others:
            if number < found:
                break
            if part in rooted and (expression is None or expression.match(path)):
                found = number
                break
        return self.licenses[found] if found >= 0 else ""


class PackageJson:
    """The licenses that the package.json files of an npm package name; the nearest one decides."""

    def __init__(self, license_of_folder):
        """`license_of_folder` is {folder: license expression}; the package's root is ""."""
        self._license_of_folder = license_of_folder

    @classmethod
    def parse(cls, notices):
        """`notices` is a list of (path, bytes): package.json files and the package's license texts.

        None when the package itself names no license, or comes with the text of a copyleft one.
        """
        found = {}
        for path, data in notices:
            folder, name = posixpath.split(path)
            if name == "package.json":
                license = _license_in_package_json(data)
                # A file without one ("type": "module" and such) leaves that to the folder above.
                if license is not None or not folder:
                    found[folder] = license or ""
            elif names_copyleft(data):
                return None
        return cls(found) if found.get("") else None

    def license_of(self, path: str) -> str:
        """The license expression for `path`, in the words of DEP-5."""
        folder = posixpath.dirname(path)
        while folder not in self._license_of_folder:
            folder = posixpath.dirname(folder)
        return self._license_of_folder[folder]


def _license_in_package_json(data: bytes):
    """The license expression, "" for one that cannot be understood, None when there is none."""
    try:
        document = json.loads(data)
    except ValueError:
        return ""
    if not isinstance(document, dict):
        return ""
    stated = document.get("license", document.get("licenses"))
    if stated is None:
        return None
    # Before SPDX: {"type": "MIT"}, or a list of those, of which one may choose.
    choices = stated if isinstance(stated, list) else [stated]
    names = [choice.get("type") if isinstance(choice, dict) else choice for choice in choices]
    if not names or not all(isinstance(name, str) for name in names):
        return ""
    names = [re.sub(r"^\((.*)\)$", r"\1", name.strip()) for name in names]
    # Parentheses within would need a parser; none of those packages is worth one.
    return "" if any(re.search("[()]", name) for name in names) else " or ".join(names)
