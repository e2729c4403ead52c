# SPDX-License-Identifier: GPL-3.0-or-later
"""Which source files are worth learning from, and how they are cleaned. Standard library only."""

import hashlib
import os
import re

LANGUAGES = {
    ".c": "c",
    ".h": "cpp", ".hh": "cpp", ".hpp": "cpp", ".hxx": "cpp", ".ipp": "cpp", ".inl": "cpp",
    ".cc": "cpp", ".cpp": "cpp", ".cxx": "cpp",
    ".go": "go",
    ".java": "java",
    ".js": "javascript", ".mjs": "javascript", ".cjs": "javascript", ".jsx": "javascript",
    ".py": "python",
    ".rs": "rust",
    ".ts": "typescript", ".tsx": "typescript",
}  # fmt: skip

SKIPPED_PATH = re.compile(
    r"(?:^|/)(?:vendor|_vendor|node_modules|third_party|third-party|3rdparty|"
    r"thirdparty|testdata|fixtures|baselines|dist|umd|bundles?|min|generated|"
    r"__pycache__|locales?|\.pc)(?:/|$)"
    r"|\.min\.|-min\.js|\.bundle\.|\.pb\.|_pb2|zz_generated|bindata|\.generated\.|\.d\.ts$"
)
GENERATED = re.compile(
    rb"do not edit|@generated|auto-?generated|automatically generated|generated (?:by|from) |"
    rb"machine generated|sourceMappingURL",
    re.IGNORECASE,
)
SMALLEST, LARGEST = 200, 200_000
LONGEST_LINE, LONGEST_MEAN_LINE = 1000, 100
MOST_DIGITS, FEWEST_LETTERS = 0.15, 0.30
DIGITS = b"0123456789"
LETTERS = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

LEADING_COMMENT = re.compile(
    r"\s*(?:/\*(?:[^*]|\*(?!/))*\*/[ \t]*\n|(?://[^\n]*\n)+|(?:#[^!\n][^\n]*\n|#\n)+)"
)
LICENCE_WORDS = re.compile(r"copyright|licen[cs]e|spdx|\(c\)", re.IGNORECASE)


def language_of(path: str):
    """The corpus language of a path, or None."""
    return LANGUAGES.get(os.path.splitext(path)[1].lower())


def reason_to_skip(path: str, data: bytes):
    """Why a file is not learnt from ("path", "size" ...), or None when it is good."""
    if SKIPPED_PATH.search(path):
        return "path"
    if not SMALLEST <= len(data) <= LARGEST:
        return "size"
    if GENERATED.search(data[:2000]):
        return "generated"
    lines = data.split(b"\n")
    if max(map(len, lines)) > LONGEST_LINE or len(data) > LONGEST_MEAN_LINE * len(lines):
        return "minified"
    sample = data[:20_000]
    digits = len(sample) - len(sample.translate(None, DIGITS))
    letters = len(sample) - len(sample.translate(None, LETTERS))
    if digits > MOST_DIGITS * len(sample) or letters < FEWEST_LETTERS * len(sample):
        return "not code"
    return None


def fingerprint(data: bytes) -> bytes:
    """Equal for files that differ in white space only."""
    return hashlib.sha256(re.sub(rb"\s+", b"", data)).digest()


def clean(text: str) -> str:
    """Unix line ends, no byte order mark, no licence comment at the top."""
    text = text.lstrip("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    for _ in range(3):
        comment = LEADING_COMMENT.match(text)
        if comment is None or not LICENCE_WORDS.search(comment[0]):
            break
        text = text[comment.end() :]
    return text.lstrip("\n")
