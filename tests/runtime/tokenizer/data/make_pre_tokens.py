#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes pre_tokens.json: how published pre-tokenizers cut texts, by an implementation that has
nothing in common with ours: the regular expressions themselves, run by Python's `regex` (Debian:
python3-regex).

    tests/runtime/tokenizer/data/make_pre_tokens.py

The expressions are those of the models' tokenizer.json; each is applied to the pieces that the one
before it left, matches and what lies between them becoming pieces ("Isolated").
"""

import json
import pathlib
import random

import regex

GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
CONTRACTION = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
SPACES = r"\s*[\r\n]+|\s+(?!\S)|\s+"
CAPITALS = r"\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}"
SMALL = r"\p{Ll}\p{Lm}\p{Lo}\p{M}"


def cl100k(digits: str, symbols: str = r" ?[^\s\p{L}\p{N}]+[\r\n]*", letters: str = r"\p{L}") -> str:
    return rf"{CONTRACTION}|[^\r\n\p{{L}}\p{{N}}]?{letters}+|{digits}|{symbols}|{SPACES}"


def o200k(digits: str, contraction: str) -> str:
    front = r"[^\r\n\p{L}\p{N}]?"
    return (rf"{front}[{CAPITALS}]*[{SMALL}]+{contraction}|{front}[{CAPITALS}]+[{SMALL}]*{contraction}"
            rf"|{digits}| ?[^\s\p{{L}}\p{{N}}]+[\r\n/]*|{SPACES}")


def kimi() -> str:
    front, contraction = r"[^\r\n\p{L}\p{N}]?", CONTRACTION + "?"
    capitals, small = (rf"(?:(?!\p{{Han}})[{classes}])" for classes in (CAPITALS, SMALL))
    return (rf"{front}{capitals}*{small}+{contraction}|{front}{capitals}+{small}*{contraction}"
            rf"|\p{{N}}{{1,3}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n]*|{SPACES}")


# The letters as deepseek-llm-7b-base has them, with code points for the characters.
DEEPSEEK_LETTERS = (
    "A-Za-z\u00b5\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u01ba\u01bc-\u01bf\u01c4-\u0293\u0295-\u02af\u0370-\u0373"
    "\u0376\u0377\u037b-\u037d\u037f\u0386\u0388-\u038a\u038c\u038e-\u03a1\u03a3-\u03f5\u03f7-\u0481"
    "\u048a-\u052f\u0531-\u0556\u10a0-\u10c5\u13a0-\u13f5\u13f8-\u13fd\u1c90-\u1cba\u1cbd-\u1cbf\u1d00-\u1d2b"
    "\u1d6b-\u1d77\u1d79-\u1d9a\u1e00-\u1f15\u1f18-\u1f1d\u1f20-\u1f45\u1f48-\u1f4d\u1f50-\u1f57\u1f59\u1f5b"
    "\u1f5d\u1f5f-\u1f7d\u1f80-\u1fb4\u1fb6-\u1fbc\u1fbe\u1fc2-\u1fc4\u1fc6-\u1fcc\u1fd0-\u1fd3\u1fd6-\u1fdb"
    "\u1fe0-\u1fec\u1ff2-\u1ff4\u1ff6-\u1ffc\u2102\u2107\u210a-\u2113\u2115\u2119-\u211d\u2124\u2126\u2128"
    "\u212a-\u212d\u212f-\u2134\u2139\u213c-\u213f\u2145-\u2149\u214e\u2183\u2184\u2c00-\u2c7b\u2c7e-\u2ce4"
    "\u2ceb-\u2cee\u2cf2\u2cf3\ua640-\ua66d\ua680-\ua69b\ua722-\ua76f\ua771-\ua787\ua78b-\ua78e\uab70-\uabbf"
    "\ufb00-\ufb06\ufb13-\ufb17\uff21-\uff3a\uff41-\uff5a\U00010400-\U0001044f\U000104b0-\U000104d3"
    "\U000104d8-\U000104fb\U00010c80-\U00010cb2\U00010cc0-\U00010cf2\U000118a0-\U000118df"
    "\U0001e900-\U0001e943")

SCHEMES = {
    "gpt-2": [GPT2],
    "starcoder": [r"\p{N}", GPT2],
    "deepseek-coder": [r"[\r\n]", r"\s?\p{L}+", r"\s?\p{P}+", "[\u4e00-\u9fa5\u0800-\u4e00\uac00-\ud7ff]+",
                       r"\p{N}"],
    "deepseek-llm": [r"[\r\n]", rf"\s?[{DEEPSEEK_LETTERS}]+",
                     r"\s?[!-/:-~" "\uff01-\uff0f\uff1a-\uff5e\u2018-\u201f\u3000-\u3002]+", r"\s+$",
                     "[\u4e00-\u9fa5\u0800-\u4e00\uac00-\ud7ff]+", r"\p{N}"],
    "deepseek-v3": [r"\p{N}{1,3}", "[\u4e00-\u9fa5\u3040-\u309f\u30a0-\u30ff]+",
                    r"[!\"#$%&'()*+,\-./:;<=>?@\[\\\]^_`{|}~][A-Za-z]+|[^\r\n\p{L}\p{P}\p{S}]?[\p{L}\p{M}]+"
                    r"| ?[\p{P}\p{S}]+[\r\n]*|" + SPACES],
    "llama-bpe": [cl100k(r"\p{N}{1,3}")],
    "qwen2": [cl100k(r"\p{N}")],
    "qwen35": [cl100k(r"\p{N}", r" ?[^\s\p{L}\p{M}\p{N}]+[\r\n]*", r"[\p{L}\p{M}]")],
    "bailingmoe": [r"'(?i:[sdmt]|ll|ve|re)|[^\r\n\p{L}\p{N}]?+\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]++[\r\n]*"
                   r"|\s*[\r\n]|\s+(?!\S)|\s+"],
    "seed-coder": [cl100k(r"\p{N}{1}", r" ?[^\s\p{L}\p{N}\r\n]+")],
    "minicpm5": [r"\p{N}{1,3}", cl100k(r"\p{N}+")],
    "gpt-4o": [o200k(r"\p{N}{1,3}", CONTRACTION + "?")],
    "tekken": [o200k(r"\p{N}", "")],
    "kimi-k2": [r"\p{Han}+|" + kimi()],
}

# Characters whose classes have been the same in all releases of Unicode that libraries have today.
PIECES = ["a", "Z", "the", "HTTP", "Server", "camelCase", " ", "  ", "   ", "\t", "\n", "\r\n", "\n\n", "7", "42",
          "1234567", "'", "'s", "'S", "'re", "'LL", "'\u017f", "_", "__", "+=", "//", "/", "*/", "#", "$", "<",
          "\u00e9", "e\u0301", "\u0301", "\u0938\u094d", "\u00a0", "\u2003", "\u3000", "\u3002", "\u4e2d", "\u6587",
          "\u3042", "\u30ab", "\ud55c", "\u042f", "\u0436", "\u01c5", "\u02b0", "\u00aa", "\u0661", "\u00bd",
          "\u2167", "\U0001f999", "\U0001f469\u200d\U0001f4bb", "\u200b", "\x00", "\x07", "\x1c", "\u0085", "\u2028",
          "\uff01", "\u201c", "\u00ac", "\u0e01\u0e33", "\u05d0", "\U0001d400", "\U00010400"]
TEXTS = [
    "", " ", "  ", "\n", " \n", "\n ", "\n\n  \n x", "   x", "\t\tx", "x   ", "x \n", "a\r\nb\r\n\r\nc",
    "def f(x):\n    return x + 1\n\n\nclass A:\n\tpass\n",
    "#include <stdio.h>\nint main(void) { printf(\"%d\\n\", 0x1F); }  // don't\n",
    "I'm you're he's WE'LL THEY'VE I'D it'S 'tis 'll 've '' '",
    "it'\u017f", "getHTTPResponseCode2XML URLParser ABC aBC AbC", "x=1234567890; y=3.14159e-10",
    "\u0661\u0662\u0663\u0664 \u00bd\u2153 \u2160\u2167", "na\u00efve caf\u00e9 cafe\u0301 Stra\u00dfe \u01c5emal",
    "\u0939\u093f\u0928\u094d\u0926\u0940 \u092d\u093e\u0937\u093e \u0e20\u0e32\u0e29\u0e32\u0e44\u0e17\u0e22",
    "\u4f60\u597d\uff0c\u4e16\u754c\u3002\u3053\u3093\u306b\u3061\u306f\u30ab\u30bf \ud55c\uad6d\uc5b4 123\u5e74",
    "\u041f\u0440\u0438\u0432\u0435\u0442, \u041c\u0418\u0420! \u0395\u03bb\u03bb\u03ac\u03b4\u03b1",
    "\u0645\u0631\u062d\u0628\u0627 \u0634\u0644\u05d5\u05dd",
    "\U0001f600\U0001f1e9\U0001f1ea \U0001f469\u200d\U0001f4bb!\U0001f44d\U0001f3fd\n\n",
    "a/b//c///d\n/e*/\n//f", "...!!!\n\n???\r\n/x", "$var @dec #tag -flag --long _id __init__ ~x ^y `z`",
    "\u3000\u5168\u89d2 \u3000\u3000 x\u3000", "tab\tthen\u00a0nbsp\u2003em", "\x00\x01a\x07 \x7f\u200bb",
    "A\u0301B\u0301C a\u0301\u0301 \u0301x \u0301X \u0301ABC", "\u4e2dABC \u4e2dAbc ABC\u4e2d \u02b0ABC",
    "\u0085\u2028x\u2029 y\x0b\x0cz", "     \n     \n     x", "1 22 333 4444 55555 666666 7777777",
    "  \u4e2d\u6587 \u4e2d  English\u6df7\u5408 x\u4e2d's \u3005\u3007 1\u3007\u4e2d !\u2e80 \u2e80! \u3042\u4e2d\u30ab",
    "\U0001d400\U0001d41a \U00010400\U00010428 \ua7c2\uab53", "\u00b5m \u212b \u2126 \u1fbe \u1fd3",
]


def compiled(expression: str):
    # Elsewhere \s is the property White_Space; here it would be the same but for \x1c to \x1f.
    expression = expression.replace(r"\S", r"\P{White_Space}").replace(r"\s", r"\p{White_Space}")
    return regex.compile(expression)


def cut(text: str, expressions) -> list[str]:
    pieces = [text] if text else []
    for expression in expressions:
        after = []
        for piece in pieces:
            start = 0
            for match in expression.finditer(piece):
                if match.start() > start:
                    after.append(piece[start:match.start()])
                if match.group():
                    after.append(match.group())
                start = match.end()
            if start < len(piece):
                after.append(piece[start:])
        pieces = after
    return pieces


def main() -> None:
    dice = random.Random(20240229)
    texts = TEXTS + ["".join(dice.choice(PIECES) for _ in range(dice.randint(2, 14))) for _ in range(160)]
    schemes = {name: [compiled(e) for e in expressions] for name, expressions in SCHEMES.items()}
    lines = []
    for text in texts:
        lengths = {name: [len(piece.encode()) for piece in cut(text, expressions)]
                   for name, expressions in schemes.items()}
        lines.append(json.dumps({"text": text, "lengths": lengths}, separators=(",", ":")))
    path = pathlib.Path(__file__).with_name("pre_tokens.json")
    path.write_text('{"about":"Written by make_pre_tokens.py: lengths of words in bytes, by scheme.",\n"vectors":[\n'
                    + ",\n".join(lines) + "\n]}\n")


if __name__ == "__main__":
    main()
