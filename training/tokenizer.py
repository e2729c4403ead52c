# SPDX-License-Identifier: GPL-3.0-or-later
"""The byte-level BPE tokenizer of waferpair-mini: pre-tokenizer, encoder, vocabulary files.

PRETOKENIZER.md defines the pre-tokenizer; `PRE_TOKEN` is that definition as one expression.
Standard library only.
"""

import json
import re

PRE_TOKEN = re.compile(
    rb"[\n\r]{1,16}[ \t]{0,64}"
    rb"| ?_{0,16}[A-Z]?[a-z\x80-\xff]{1,32}"
    rb"| ?_{0,16}[A-Z]{1,32}(?![a-z\x80-\xff])"
    rb"| ?_{1,16}"
    rb"| ?[0-9]"
    rb"| ?[^\n\r \tA-Za-z0-9_\x80-\xff]{1,8}"
    rb"|[ \t]{1,63}(?= [^\n\r \t])"
    rb"|[ \t]{1,64}"
)

# The last ids of the vocabulary, in this order (README.md says what each is for). Names beyond
# these are reserved (see `Vocabulary.special_tokens`).
LANGUAGES = ("c", "cpp", "go", "java", "javascript", "python", "rust", "typescript")
SPECIAL_NAMES = [
    "<|eot|>", "<|pre|>", "<|suf|>", "<|mid|>", "<|file|>",
    "<|edit|>", "<|original|>", "<|updated|>", "<|history|>", "<|cursor|>", "<|keep|>",
    "<|replace|>", "<|no_edit|>",
    *(f"<|lang_{language}|>" for language in LANGUAGES),
]  # fmt: skip
SPECIAL_COUNT = 32
BYTE_COUNT = 256


def pre_tokenize(text: bytes) -> list:
    """Splits `text` into pre-tokens whose concatenation is `text`."""
    return PRE_TOKEN.findall(text)


def byte_alphabet() -> list:
    """GPT-2's printable character for each byte value, as GGUF files spell tokens."""
    printable = set(range(0x21, 0x7F)) | set(range(0xA1, 0xAD)) | set(range(0xAE, 0x100))
    characters = []
    shifted = 0
    for value in range(BYTE_COUNT):
        if value in printable:
            characters.append(chr(value))
        else:
            characters.append(chr(0x100 + shifted))
            shifted += 1
    return characters


class Vocabulary:
    """Ids: the 256 bytes in order, then one token a merge, then the special tokens."""

    def __init__(self, merges):
        """`merges` is the list of (left id, right id) pairs, best rank first."""
        self.merges = [tuple(pair) for pair in merges]
        self.token_bytes = [bytes([value]) for value in range(BYTE_COUNT)]
        self.rank = {}
        for left, right in self.merges:
            self.rank[left, right] = len(self.token_bytes)
            self.token_bytes.append(self.token_bytes[left] + self.token_bytes[right])
        self.first_special = len(self.token_bytes)
        self.size = self.first_special + SPECIAL_COUNT
        # {spelling: id}; the fill-in-the-middle tokens by attributes as well
        self.special = {name: self.first_special + i for i, name in enumerate(SPECIAL_NAMES)}
        names = ("eot", "pre", "suf", "mid", "file")
        self.eot, self.pre, self.suf, self.mid, self.file = (
            self.special[f"<|{name}|>"] for name in names
        )
        self._cache = {}

    @classmethod
    def load(cls, path):
        with open(path, encoding="utf-8") as file:
            return cls(json.load(file)["merges"])

    @classmethod
    def of_model(cls, metadata):
        """The vocabulary in the metadata of a GGUF file that export_gguf.py wrote."""
        byte_of = {character: value for value, character in enumerate(byte_alphabet())}
        unspell = lambda text: bytes(byte_of[character] for character in text)
        tokens = metadata["tokenizer.ggml.tokens"][:-SPECIAL_COUNT]
        id_of = {unspell(token): i for i, token in enumerate(tokens)}
        merges = []
        for merge in metadata["tokenizer.ggml.merges"]:
            left, right = merge.split(" ")
            merges.append((id_of[unspell(left)], id_of[unspell(right)]))
        return cls(merges)

    def save(self, path):
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"merges": self.merges}, file, separators=(",", ":"))

    def special_tokens(self) -> list:
        """The spelling of the special tokens in id order, reserved ones included."""
        reserved = range(len(SPECIAL_NAMES), SPECIAL_COUNT)
        return SPECIAL_NAMES + [f"<|reserved_{number}|>" for number in reserved]

    def encode(self, text: bytes) -> list:
        """Token ids of `text`; never a special token."""
        ids = []
        for piece in PRE_TOKEN.findall(text):
            known = self._cache.get(piece)
            if known is None:
                known = self._merge(piece)
                self._cache[piece] = known
            ids += known
        return ids

    def decode(self, ids) -> bytes:
        """The bytes of `ids`; special tokens stand for nothing."""
        return b"".join(self.token_bytes[i] for i in ids if i < self.first_special)

    def _merge(self, piece: bytes) -> tuple:
        ids = list(piece)
        while len(ids) > 1:
            pairs = zip(ids, ids[1:])
            best = min((self.rank.get(pair, self.size) for pair in pairs), default=self.size)
            if best == self.size:
                break
            left, right = self.merges[best - BYTE_COUNT]
            merged = []
            position = 0
            while position < len(ids):
                if ids[position : position + 2] == [left, right]:
                    merged.append(best)
                    position += 2
                else:
                    merged.append(ids[position])
                    position += 1
            ids = merged
        return tuple(ids)
