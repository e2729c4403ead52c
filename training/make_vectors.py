# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the tokenizer test vectors that the runtime's tests read.

  python3 make_vectors.py --pre ../tests/runtime/tokenizer/data/waferpair_pre.json
  python3 make_vectors.py --vocabulary vocabulary.json \\
      --ids ../tests/runtime/tokenizer/data/waferpair_ids.json
"""

import argparse
import json

import tokenizer

SAMPLES = [
    "",
    " ",
    "\n",
    "\r\n",
    "a",
    "return x;",
    "hello world",
    "  two spaces",
    "trailing   ",
    "trailing   \nnext",
    "a\t\tb",
    "\t\tindented by tabs\n\t\tagain",
    "a \tb",
    "def f(self):\n    return self.value\n",
    "if (x) {\r\n\tcall();\r\n}\r\n",
    "\n\n\n    after blank lines",
    "line\n   \n\t mixed indent",
    "snake_case_name",
    "camelCaseName",
    "PascalCaseName",
    "HTTPServerError",
    "XMLHttpRequest2",
    "MAX_BUFFER_SIZE",
    "kMaxSize_",
    "__init__",
    "_private __dunder__ a__b",
    "x_1 _1 1_000_000",
    "A",
    "aB",
    "AB",
    "ABc",
    "AbC",
    " Ab AB ABc",
    "3.14159e-10 0xFF 1234",
    "a1b2C3",
    "x+=1;y->z::w<=>v",
    "!=========================",
    " (  [ {  }",
    "// ---- comment ----",
    "\"quoted\" 'single' `back`",
    "#include <vector>\n",
    "std::vector<std::unique_ptr<T>> v{};",
    "caf\u00e9 na\u00efve \u00dcBER \u00fcber",
    "\u4f60\u597d\uff0c\u4e16\u754c",
    "\u041f\u0440\u0438\u0432\u0435\u0442 \u043c\u0438\u0440",
    "emoji \U0001f600\U0001f680 end",
    "\U0001f469\u200d\U0001f4bb family",
    "non\u00a0breaking \u2003em",
    "tab\tthen space \t x",
    "null\u0000byte\u007fdel\u000b",
    "x" * 100,
    "X" * 40 + "y",
    "X" * 31 + "y",
    "X" * 32 + "y",
    "_" * 17 + "a",
    "_" * 16 + "Ab",
    " " * 63 + "x",
    " " * 64 + "x",
    " " * 65 + "x",
    " " * 130,
    "\n" * 20 + " " * 70 + "x",
    "-" * 20,
    "\u20ac" * 12,
    "<|eot|><|pre|>is plain text",
    "a\rb\n\rc",
    "\n x\n  y\n\tz",
    " \n  \n",
    "f(a , b)  ;",
    "SELECT * FROM `t` WHERE id=?",
    "for i in range(10):\n        print(i)  # done",
    "fn main() -> Result<(), Box<dyn Error>> {",
    "go func() { ch <- <-other }()",
    "const f = async ({ a, b }) => `${a}-${b}`;",
]


def write(path, notes, vectors):
    """One vector a line, so that a difference reads well."""
    lines = ",\n".join("  " + json.dumps(vector) for vector in vectors)
    with open(path, "w", encoding="utf-8") as file:
        file.write('{\n "notes": %s,\n "vectors": [\n%s\n ]\n}\n' % (json.dumps(notes), lines))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pre", help="write the pre-token vectors to this file")
    parser.add_argument("--ids", help="write the token id vectors to this file")
    parser.add_argument("--vocabulary", help="vocabulary file, for --ids")
    options = parser.parse_args()
    if options.pre:
        vectors = []
        for sample in SAMPLES:
            pieces = tokenizer.pre_tokenize(sample.encode("utf-8"))
            vectors.append({"text": sample, "lengths": [len(piece) for piece in pieces]})
        notes = "Pre-tokens of tokenizer.ggml.pre = waferpair; lengths count UTF-8 bytes."
        write(options.pre, notes, vectors)
    if options.ids:
        vocabulary = tokenizer.Vocabulary.load(options.vocabulary)
        vectors = []
        for sample in SAMPLES:
            vectors.append({"text": sample, "ids": vocabulary.encode(sample.encode("utf-8"))})
        notes = f"Token ids under a vocabulary of {vocabulary.size}."
        write(options.ids, notes, vectors)


if __name__ == "__main__":
    main()
