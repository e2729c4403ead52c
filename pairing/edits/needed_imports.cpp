// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/edits/needed_imports.h"

#include <QRegularExpression>
#include <QSet>

#include "editor/text/text_codec.h"
#include "pairing/placing/import_lines.h"
#include "pairing/placing/text_lines.h"

namespace waferpair::pairing {
namespace {

// Modules of Python's own library that are used by their name: "logging.debug".
const QSet<QByteArray>& pythonModules() {
  static const QSet<QByteArray> modules = {
      "abc",       "argparse", "array",      "ast",         "asyncio",     "base64",
      "bisect",    "calendar", "cmath",      "codecs",      "collections", "contextlib",
      "copy",      "csv",      "ctypes",     "dataclasses", "datetime",    "decimal",
      "difflib",   "enum",     "errno",      "fnmatch",     "fractions",   "functools",
      "gc",        "getpass",  "glob",       "gzip",        "hashlib",     "heapq",
      "hmac",      "html",     "http",       "inspect",     "io",          "itertools",
      "json",      "locale",   "logging",    "math",        "mimetypes",   "operator",
      "os",        "pathlib",  "pickle",     "platform",    "pprint",      "queue",
      "random",    "re",       "secrets",    "select",      "shlex",       "shutil",
      "signal",    "socket",   "sqlite3",    "ssl",         "stat",        "statistics",
      "string",    "struct",   "subprocess", "sys",         "tempfile",    "textwrap",
      "threading", "time",     "traceback",  "types",       "typing",      "unicodedata",
      "urllib",    "uuid",     "warnings",   "weakref",     "zipfile",     "zlib"};
  return modules;
}

QSet<QByteArray> namesIn(const CodeText& text) {
  QSet<QByteArray> names;
  for (const Token& token : text.tokens())
    if (token.kind == TokenKind::kWord && token.region == Region::kCode)
      names.insert(text.view(token).toByteArray());
  return names;
}

// Words in front of a dot that follow none: what a module is used by.
QSet<QByteArray> basesIn(const CodeText& text) {
  QSet<QByteArray> bases;
  const auto tokens = text.tokens();
  for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
    const bool isWord = tokens[i].kind == TokenKind::kWord && tokens[i].region == Region::kCode;
    const bool isBase =
        isWord && text.view(tokens[i + 1]) == "." && (i == 0 || text.view(tokens[i - 1]) != ".");
    if (isBase) bases.insert(text.view(tokens[i]).toByteArray());
  }
  return bases;
}

}  // namespace

QByteArrayList neededImports(const CodeText& text, const Rewriting& code,
                             const QByteArrayList& told) {
  const LanguageFamily& family = text.family();
  const CodeText& fresh = code.after.text;
  const QSet<QByteArray> known = namesIn(text);
  QSet<QByteArray> added = namesIn(fresh);
  added.subtract(namesIn(code.before.text));
  QByteArrayList needed;
  static const QRegularExpression word(QStringLiteral(R"([A-Za-z_$][\w$]*)"));
  for (const QByteArray& import : told) {
    bool isUsed = import.startsWith('#') && !(added - known).isEmpty();
    for (auto each = word.globalMatch(QString::fromUtf8(import)); !isUsed && each.hasNext();)
      isUsed = added.contains(each.next().captured().toUtf8());
    if (isUsed) needed.append(import);
  }
  const bool isPython = family.indented && family.tripleQuotes;
  const QByteArray all = needed.join('\n');
  if (isPython) {
    for (const QByteArray& base : basesIn(fresh))
      if (added.contains(base) && !known.contains(base) && pythonModules().contains(base) &&
          !all.contains(base) && fresh.count("import") == 0)
        needed.append("import " + base);
  }
  const bool includes = text.bytes().contains("#include");
  if (includes && added.contains("assert") && !known.contains("assert") && !all.contains("assert"))
    needed.append(text.bytes().contains("std::") ? "#include <cassert>" : "#include <assert.h>");
  return needed;
}

QByteArray withImport(const QByteArray& text, const QByteArray& import,
                      const LanguageFamily& family, const QByteArray& lineEnd) {
  const CodeText code(editor::withLf(text), family);
  const auto plan = planImport(code, import);
  if (!plan || plan->isThere) return text;
  const TextLines lines(text);
  const QByteArray line = QByteArray(import).replace("\n", lineEnd) + lineEnd;
  const qint64 at = plan->instead >= 0 ? plan->instead : importPlace(code);
  const qint64 behind = plan->instead >= 0 ? plan->behind : at;
  return lines.slice(0, at) + line + lines.slice(behind, lines.count());
}

}  // namespace waferpair::pairing
