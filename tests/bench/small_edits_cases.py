# SPDX-License-Identifier: GPL-3.0-or-later
"""Small edits of real functions, each with what makes its outcome right.

A case: project and file, the line that the caret is on (the first that holds `at`), what is planted there
first, the instruction as one types it, and a check. Checks of Python and JavaScript are programs that run
beside the edited file; those of C++ are programs that include it. `function` is a pattern that must be found
in what the function has become, `gone` one that must not.
"""

import dataclasses


@dataclasses.dataclass
class Case:
    name: str
    file: str
    at: str
    instruction: str
    check: str = ""
    plant: tuple = ()
    function: str = ""
    gone: str = ""


CASES = [
    Case("posixify", "click/src/click/utils.py", "def _posixify(", "rename the parameter name to text", """
import inspect, click.utils as u
assert list(inspect.signature(u._posixify).parameters) == ["text"]
assert u._posixify("Foo  Bar") == "foo-bar"
"""),
    Case("expand_args", "click/src/click/utils.py", "def _expand_args(",
         "log arg and matches with logging.debug after the glob", """
import logging, os, click.utils as u
said = []
logging.debug = lambda *a, **k: said.append(a[0] % a[1:] if len(a) > 1 else a[0])
assert u._expand_args(["no-such-*", "plain"]) == ["no-such-*", "plain"]
assert any("no-such-" in s and "[]" in s for s in said), said
assert u._expand_args(["$HOME"]) == [os.environ["HOME"]]
open("a1.tmp", "w"); open("a2.tmp", "w")
assert sorted(u._expand_args(["a*.tmp"])) == ["a1.tmp", "a2.tmp"]
"""),
    Case("push_context", "click/src/click/globals.py", "def push_context(",
         "raise a TypeError if ctx is None", """
import click.globals as g
try:
    g.push_context(None)
    raise SystemExit("no TypeError")
except TypeError:
    pass
g.push_context(5)
assert g._local.stack == [5]
"""),
    Case("resolve_color_default", "click/src/click/globals.py", "def resolve_color_default(",
         "simplify the end of this function to a single return", """
import ast, inspect, click.globals as g
tree = ast.parse(inspect.getsource(g.resolve_color_default))
assert sum(isinstance(n, ast.Return) for n in ast.walk(tree)) <= 2
assert g.resolve_color_default(True) is True and g.resolve_color_default(False) is False
assert g.resolve_color_default() is None
class C: color = True
g._local.stack = [C()]
assert g.resolve_color_default() is True and g.resolve_color_default(False) is False
C.color = None
assert g.resolve_color_default() is None
C.color = False
assert g.resolve_color_default() is False
"""),
    Case("iter_rows", "click/src/click/formatting.py", "def iter_rows(", "skip empty rows", """
import click.formatting as f
assert list(f.iter_rows([(), ("a",), ("b", "c")], 2)) == [("a", ""), ("b", "c")]
"""),
    Case("dedent", "click/src/click/formatting.py", "def dedent(", "current_indent must never become negative", """
import click.formatting as f
h = f.HelpFormatter(indent_increment=2)
h.current_indent = 6; h.dedent(); assert h.current_indent == 4
h.current_indent = 1; h.dedent(); assert h.current_indent >= 0
h.current_indent = 2; h.dedent(); assert h.current_indent == 0
"""),
    Case("indent_only", "click/src/click/_textwrap.py", "def indent_only(",
         "replace the loop by a list comprehension", """
import ast, inspect, textwrap, click._textwrap as w
tree = ast.parse(textwrap.dedent(inspect.getsource(w.TextWrapper.indent_only)))
assert any(isinstance(n, (ast.ListComp, ast.GeneratorExp)) for n in ast.walk(tree))
assert not any(isinstance(n, ast.For) for n in ast.walk(tree))
t = w.TextWrapper(initial_indent="> ", subsequent_indent=". ")
assert t.indent_only("a\\nb\\nc") == "> a\\n. b\\n. c"
assert t.indent_only("a") == "> a"
"""),
    Case("term_len", "click/src/click/_compat.py", "def term_len(", "write the body", """
import click._compat as c
assert c.term_len("\\033[31mab\\033[0m") == 2 and c.term_len("abc") == 3
""", plant=("    return len(strip_ansi(x))\n",
            '    """Returns the number of visible characters of x: ANSI codes do not count."""\n    pass\n')),
    Case("VarintLength_rename", "leveldb/util/coding.cc", "int VarintLength(", "rename len to length", """
#include "util/coding.cc"
#include <cstdlib>
int main() { using namespace leveldb;
  return VarintLength(1) == 1 && VarintLength(128) == 2 && VarintLength(1 << 14) == 3 ? 0 : 1; }
""", gone=r"\blen\b"),
    Case("VarintLength_fix", "leveldb/util/coding.cc", "int VarintLength(",
         "fix the off-by-one: VarintLength(128) must be 2", """
#include "util/coding.cc"
int main() { using namespace leveldb;
  return VarintLength(127) == 1 && VarintLength(128) == 2 && VarintLength(16383) == 2 &&
         VarintLength(16384) == 3 ? 0 : 1; }
""", plant=("  while (v >= 128) {\n    v >>= 7;\n    len++;", "  while (v > 128) {\n    v >>= 7;\n    len++;")),
    Case("AppendEscapedStringTo", "leveldb/util/logging.cc", "void AppendEscapedStringTo(",
         "convert the for loop to a while loop", """
#include "util/logging.cc"
#include "leveldb/env.h"
#include <iostream>
int main() { std::string s; leveldb::AppendEscapedStringTo(&s, leveldb::Slice("a~\\n \\xff\\0b", 7));
  std::cout << s; return s == "a~\\\\x0a \\\\xff\\\\x00b" ? 0 : 1; }
""", gone=r"\bfor\b", function=r"\bwhile\b"),
    Case("Arena", "leveldb/util/arena.cc", "Arena::~Arena()", "use a range-based for loop", """
#include <cstdlib>
#include <new>
static int deletes = 0;
void operator delete[](void* p) noexcept { if (p) ++deletes; std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { if (p) ++deletes; std::free(p); }
void* operator new[](std::size_t n) { return std::malloc(n); }
#include "util/arena.cc"
int main() { { leveldb::Arena a; a.Allocate(10); a.Allocate(5000); a.Allocate(5000); deletes = 0; }
  return deletes == 3 ? 0 : 1; }
""", function=r"for\s*\([^;)]*:[^;]*\)"),
    Case("Average", "leveldb/util/histogram.cc", "double Histogram::Average(", "return 0 if num_ is negative, too", """
#define private public
#include "util/histogram.h"
#undef private
#include "util/histogram.cc"
int main() { leveldb::Histogram h; h.Clear(); if (h.Average() != 0) return 1;
  h.num_ = -1; h.sum_ = 8; if (h.Average() != 0) return 2;
  h.num_ = 4; return h.Average() == 2 ? 0 : 3; }
"""),
    Case("CurrentFileName", "leveldb/db/filename.cc", "std::string CurrentFileName(",
         "assert that dbname is not empty", """
#include "db/filename.cc"
int main() { return leveldb::CurrentFileName("x") == "x/CURRENT" ? 0 : 1; }
""", function=r"(?s)assert\s*\(.*dbname.*\).*return dbname \+ \"/CURRENT\";"),
    Case("Reset", "leveldb/table/block_builder.cc", "void BlockBuilder::Reset(",
         "also reserve 4096 bytes in buffer_", """
#include "table/block_builder.cc"
int main() { return 0; }
""", function=r"(?s)buffer_\.clear\(\);.*buffer_\.reserve\(4096\)"),
    Case("normalizeTypes", "express/lib/utils.js", "exports.normalizeTypes = ", "make it an arrow function", """
const u = require("./utils"), assert = require("assert");
assert.deepEqual(u.normalizeTypes(["html", "text/plain"]).map(t => t.value), ["text/html", "text/plain"]);
assert(!/^\\s*function/.test(u.normalizeTypes.toString()) && /=>/.test(u.normalizeTypes.toString()));
"""),
    Case("setCharset", "express/lib/utils.js", "exports.setCharset = ",
         "throw a TypeError if charset is given and is not a string", """
const u = require("./utils"), assert = require("assert");
assert.throws(() => u.setCharset("text/html", 5), TypeError);
assert.equal(u.setCharset("text/html", "utf-8"), "text/html; charset=utf-8");
assert.equal(u.setCharset("text/html"), "text/html");
assert.equal(u.setCharset(undefined, "utf-8"), undefined);
"""),
    Case("tryStat", "express/lib/view.js", "function tryStat(", "log the error with debug before returning undefined", """
const fs = require("fs"), assert = require("assert");
const said = []; require.cache[require.resolve("debug")] =
  {exports: () => (...a) => said.push(a)};
const View = require("./view");
fs.mkdirSync("/tmp/views-of-a-bench", {recursive: true});
new View("no-such", {root: "/tmp/views-of-a-bench", defaultEngine: "x", engines: {".x": () => 0}});
assert(said.some(a => a.some(x => x instanceof Error || /ENOENT/.test(String(x)))), JSON.stringify(said));
""", function=r"return undefined"),
    Case("resolve", "express/lib/view.js", "View.prototype.resolve = ",
         "fix: a folder of that name is returned as if it was a file", """
const fs = require("fs"), assert = require("assert"), path = require("path"), os = require("os");
const View = require("./view");
const d = fs.mkdtempSync(path.join(os.tmpdir(), "views-"));
fs.mkdirSync(path.join(d, "a", "index.x"), {recursive: true}); fs.writeFileSync(path.join(d, "b.x"), "");
fs.mkdirSync(path.join(d, "c")); fs.writeFileSync(path.join(d, "c", "index.x"), "");
fs.mkdirSync(path.join(d, "e.x"));
const resolve = View.prototype.resolve.bind({ext: ".x"});
assert.equal(resolve(d, "a.x"), undefined); assert.equal(resolve(d, "e.x"), undefined);
assert.equal(resolve(d, "b.x"), path.join(d, "b.x"));
assert.equal(resolve(d, "c.x"), path.join(d, "c", "index.x"));
""", plant=("'index' + ext);\n  stat = tryStat(path);\n\n  if (stat && stat.isFile()) {",
            "'index' + ext);\n  stat = tryStat(path);\n\n  if (stat) {")),
    Case("protocol", "express/lib/request.js", "defineGetter(req, 'protocol'", "use const instead of var", """
const req = require("./request"), assert = require("assert");
const of = (encrypted, trust, header) => Object.getOwnPropertyDescriptor(req, "protocol").get.call(
  {socket: {encrypted, remoteAddress: "x"}, app: {get: () => () => trust}, get: () => header});
assert.equal(of(true, false), "https"); assert.equal(of(false, false, "https"), "http");
assert.equal(of(false, true, "https, http"), "https"); assert.equal(of(false, true), "http");
""", gone=r"\bvar\b", function=r"(?s)(const\b.*){4}"),
    Case("sendStatus", "express/lib/response.js", "res.sendStatus = ",
         "throw a TypeError if statusCode is not an integer", """
const res = require("./response"), assert = require("assert");
const one = () => ({status(s) { this.s = s; return this; }, type(t) { this.t = t; return this; }, send(b) { return [this.s, this.t, b]; }});
const send = res.sendStatus;
assert.throws(() => send.call(one(), "x"), TypeError); assert.throws(() => send.call(one(), 1.5), TypeError);
assert.deepEqual(send.call(one(), 200), [200, "txt", "OK"]);
"""),
]
