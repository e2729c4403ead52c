// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/retrieval/definitions.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace waferpair::pairing {
namespace {

using Word = std::string_view;

constexpr std::array<Word, 12> kTypeWords = {"class",     "struct", "enum",      "union",
                                             "interface", "trait",  "namespace", "module",
                                             "protocol",  "record", "mod",       "type"};
constexpr std::array<Word, 7> kFunctionWords = {"def", "fn",  "func", "function",
                                                "sub", "fun", "proc"};
// Words that begin a line which defines nothing, though it may look like a function.
constexpr std::array<Word, 26> kStatementWords = {
    "return", "if",    "else",   "for",    "while",  "switch", "case",      "new",   "delete",
    "throw",  "await", "yield",  "in",     "not",    "and",    "or",        "goto",  "catch",
    "elif",   "until", "unless", "import", "except", "with",   "co_return", "assert"};

template <std::size_t N>
bool isOneOf(QByteArrayView word, const std::array<Word, N>& words) {
  return std::find(words.begin(), words.end(),
                   Word(word.data(), static_cast<std::size_t>(word.size()))) != words.end();
}

bool isNameLetter(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$' || static_cast<unsigned char>(c) >= 0x80;
}

// The names with which a line begins, up to what is no name, and where that is. Blanks, signs of
// references, qualifications and what stands in angle brackets are passed over.
struct Beginning {
  QVector<QByteArrayView> words;
  bool qualified = false;  // the last one is, as in "Parser::line"
  qsizetype end = 0;
};

qsizetype afterAngles(QByteArrayView line, qsizetype at) {
  int depth = 0;
  for (; at < line.size(); ++at) {
    if (line[at] == '<') ++depth;
    if (line[at] == '>' && --depth == 0) return at + 1;
  }
  return -1;
}

Beginning beginningOf(QByteArrayView line) {
  Beginning found;
  qsizetype at = 0;
  bool joined = false;  // a "::" stands before the next name
  while (at < line.size()) {
    const char c = line[at];
    if (isNameLetter(c)) {
      qsizetype end = at + 1;
      while (end < line.size() && isNameLetter(line[end])) ++end;
      const QByteArrayView word = line.sliced(at, end - at);
      if (joined) found.words.removeLast();
      found.words.append(word);
      found.qualified = joined;
      joined = false;
      at = end;
    } else if (line.sliced(at).startsWith("::") && !found.words.isEmpty()) {
      joined = true;
      at += 2;
    } else if (c == '<' && !found.words.isEmpty()) {
      at = afterAngles(line, at);
      if (at < 0) at = line.size();
    } else if (c == ' ' || c == '\t' || c == '*' || c == '&' || c == '~') {
      ++at;
    } else {
      break;
    }
  }
  found.end = at;
  return found;
}

qsizetype indexOfType(const QVector<QByteArrayView>& words) {
  for (qsizetype i = 0; i < std::min<qsizetype>(words.size(), 4); ++i)
    if (isOneOf(words[i], kTypeWords)) return i;
  return -1;
}

// "func (r *Reader) Next(": the receiver stands before the name.
std::optional<QByteArray> afterReceiver(QByteArrayView line, qsizetype at) {
  const qsizetype close = line.indexOf(')', at);
  if (close < 0) return std::nullopt;
  const Beginning rest = beginningOf(line.sliced(close + 1));
  if (rest.words.isEmpty()) return std::nullopt;
  return rest.words.constFirst().toByteArray();
}

bool isConstantName(QByteArrayView word) {
  return word.size() > 1 && std::all_of(word.begin(), word.end(), [](char c) {
           return (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
         });
}

// Behind the parameters a body begins, and ends with the line: "{ return a; }".
bool hasWholeBody(QByteArrayView rest) {
  if (!rest.endsWith('}')) return false;
  int depth = 0;
  for (const char c : rest) {
    if (c == '(') ++depth;
    if (c == ')') --depth;
    if (depth == 0 && c == '{') return true;
    if (depth < 0 || (depth == 0 && (c == ';' || c == '='))) return false;
  }
  return false;
}

// `rest` begins with the bracket behind the name.
std::optional<QByteArray> functionLikeC(const Beginning& begin, QByteArrayView rest,
                                        bool indented) {
  const char last = rest.back();
  const QByteArrayView name = begin.words.constLast();
  if (isOneOf(name, kStatementWords)) return std::nullopt;
  // A name alone is a call, unless a body follows it.
  const bool hasType = begin.words.size() > 1 || begin.qualified;
  const bool hasBody = last == '{' || hasWholeBody(rest);
  const bool goesOn = last == ',' || last == ')' || last == '(';
  if (hasBody || (hasType && !indented && goesOn)) return name.toByteArray();
  return std::nullopt;
}

}  // namespace

bool isCommentLine(QByteArrayView line) {
  const QByteArrayView text = line.trimmed();
  for (const char* sign : {"//", "/*", "*", "--", "\"\"\"", "<!--", ";;"})
    if (text.startsWith(sign)) return true;
  // Not a directive of the C preprocessor.
  return text.startsWith("# ") || text == "#";
}

std::optional<QByteArray> definedIn(QByteArrayView line) {
  const QByteArrayView text = line.trimmed();
  if (text.isEmpty() || isCommentLine(text)) return std::nullopt;
  if (text.startsWith("#define ")) {
    const Beginning macro = beginningOf(text.sliced(8));
    if (macro.words.isEmpty()) return std::nullopt;
    return macro.words.constFirst().toByteArray();
  }
  const bool indented = line[0] == ' ' || line[0] == '\t';
  const char last = text.back();
  const Beginning begin = beginningOf(text);
  const QVector<QByteArrayView>& words = begin.words;
  if (words.isEmpty() || isOneOf(words[0], kStatementWords)) return std::nullopt;
  const char next = begin.end < text.size() ? text[begin.end] : '\0';

  for (qsizetype i = 0; i < words.size(); ++i) {
    if (!isOneOf(words[i], kFunctionWords)) continue;
    if (i + 1 < words.size()) return words[i + 1].toByteArray();
    if (next == '(' && words[i] == QByteArrayView("func")) return afterReceiver(text, begin.end);
  }
  if (words[0] == QByteArrayView("using")) {
    if (words.size() == 2 && next == '=') return words[1].toByteArray();
    return std::nullopt;
  }
  if (words[0] == QByteArrayView("typedef")) {
    if (words.size() > 2 && next == ';') return words.constLast().toByteArray();
    return std::nullopt;
  }
  const qsizetype type = indexOfType(words);
  const bool isType = type >= 0 && type + 1 < words.size() && (next != '(' || last == ':');
  if (isType) {
    if (last == ';' && next == ';') return std::nullopt;  // only named here
    // Behind the keyword may stand another and an attribute: the name comes last, but for what a
    // class is derived from.
    qsizetype name = words.size() - 1;
    for (qsizetype i = type + 1; i < words.size(); ++i)
      if (words[i] == QByteArrayView("final") || words[i] == QByteArrayView("extends") ||
          words[i] == QByteArrayView("implements") || words[i] == QByteArrayView("for"))
        return i > type + 1 ? std::optional(words[i - 1].toByteArray()) : std::nullopt;
    return words[name].toByteArray();
  }
  if (next == '(') return functionLikeC(begin, text.sliced(begin.end), indented);
  const bool assigns = next == '=' && !text.sliced(begin.end).startsWith("==");
  if (assigns && !indented && (words.size() > 1 || isConstantName(words[0])))
    return words.constLast().toByteArray();
  return std::nullopt;
}

QVector<Definition> definitionsIn(QByteArrayView utf8) {
  QVector<Definition> found;
  int number = 1;
  for (qsizetype at = 0; at < utf8.size(); ++number) {
    qsizetype end = utf8.indexOf('\n', at);
    if (end < 0) end = utf8.size();
    if (const auto name = definedIn(utf8.sliced(at, end - at))) found.append({*name, number});
    at = end + 1;
  }
  return found;
}

}  // namespace waferpair::pairing
