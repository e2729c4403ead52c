// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/next_edit/definition.h"

#include <algorithm>

namespace waferpair::pairing {

namespace {

template <std::size_t size>
bool isOneOf(const char* const (&words)[size], QByteArrayView word) {
  return std::any_of(std::begin(words), std::end(words),
                     [word](const char* known) { return word == known; });
}

// Words that stand before a name where it is defined.
constexpr const char* kDefining[] = {
    "def",   "class",  "func",   "function", "fn",     "let",       "const", "var",   "val",
    "type",  "struct", "enum",   "trait",    "impl",   "interface", "mod",   "macro", "define",
    "int",   "char",   "bool",   "auto",     "double", "float",     "void",  "long",  "string",
    "using", "static", "size_t", "fun",      "export", "module",    "mut",   "String"};

// Of these, those that define what a whole file may use.
constexpr const char* kDeclaring[] = {"def",    "class", "func",  "function",  "fn",  "type",
                                      "struct", "enum",  "trait", "interface", "mod", "macro",
                                      "define", "using", "fun",   "module"};

// Words that have a value behind them rather than a new name.
constexpr const char* kBeforeValues[] = {
    "return", "new",       "in",     "not",      "and",        "or",      "if",
    "else",   "import",    "from",   "await",    "is",         "case",    "yield",
    "throw",  "raise",     "delete", "del",      "assert",     "print",   "while",
    "elif",   "switch",    "match",  "typeof",   "sizeof",     "goto",    "with",
    "go",     "defer",     "echo",   "co_await", "instanceof", "extends", "implements",
    "global", "nonlocal",  "export", "then",     "do",         "when",    "until",
    "unless", "co_return", "of",     "where",    "impl",       "package", "namespace"};

bool isMark(const CodeText& text, std::span<const Token> tokens, std::size_t index, char mark) {
  return index < tokens.size() && tokens[index].size == 1 &&
         text.bytes()[tokens[index].start] == mark;
}

bool hasMark(const CodeText& text, std::span<const Token> tokens, char mark) {
  for (std::size_t i = 0; i < tokens.size(); ++i)
    if (isMark(text, tokens, i, mark)) return true;
  return false;
}

// "=", but not "==".
bool assigns(const CodeText& text, std::span<const Token> tokens, std::size_t index) {
  return isMark(text, tokens, index, '=') && !isMark(text, tokens, index + 1, '=');
}

}  // namespace

bool isDefinition(const CodeText& text, std::span<const Token> tokens, std::size_t index) {
  if (index > 0) {
    const Token& before = tokens[index - 1];
    if (isOneOf(kDefining, text.view(before))) return true;
    const QByteArrayView mark = text.view(before);
    // "Type name", "Type& name", "Type *name" in a declaration that goes on with = ; , ) or (.
    const bool type = before.kind == TokenKind::kWord && before.region == Region::kCode &&
                      mark != "return" && mark != "new" && mark != "in" && mark != "not" &&
                      mark != "and" && mark != "or" && mark != "if" && mark != "else" &&
                      mark != "import" && mark != "from" && mark != "await" && mark != "is";
    if (type) return true;
  }
  if (index + 1 >= tokens.size()) return false;
  const QByteArrayView next = text.view(tokens[index + 1]);
  const bool doubled = index + 2 < tokens.size() && text.view(tokens[index + 2]) == "=";
  return index == 0 && ((next == "=" && !doubled) || (next == ":" && doubled));
}

Defined definedAt(const CodeText& text, int line, std::size_t index) {
  const std::span<const Token> tokens = text.tokens(line);
  const Token& name = tokens[index];
  if (name.kind != TokenKind::kWord || name.region != Region::kCode) return Defined::kNothing;
  const bool isIndented = text.family().indented;
  const bool beginsFunction = text.functionAt(line) == line;
  if (index == 0) {
    // "name = ..." makes a name known in Python, "name := ..." in Go. One that is made of itself
    // was known before.
    const bool walrus = isMark(text, tokens, 1, ':') && isMark(text, tokens, 2, '=');
    const bool annotated = isMark(text, tokens, 1, ':') && hasMark(text, tokens.subspan(1), '=');
    if (!(isIndented && (assigns(text, tokens, 1) || annotated)) && !walrus)
      return Defined::kNothing;
    const bool ofItself = std::any_of(tokens.begin() + 2, tokens.end(), [&](const Token& token) {
      return text.is(token, text.view(name), name.hash);
    });
    return ofItself ? Defined::kNothing : Defined::kVariable;
  }
  const Token& before = tokens[index - 1];
  if (before.region != Region::kCode) return Defined::kNothing;
  const QByteArrayView word = text.view(before);
  if (before.kind == TokenKind::kWord) {
    if (isOneOf(kBeforeValues, word)) return Defined::kNothing;
    if (isOneOf(kDeclaring, word)) return Defined::kDeclaration;
    // "Type name(" declares a function where no function is around, and calls a constructor in one.
    const bool isCalled = isMark(text, tokens, index + 1, '(');
    if (isCalled && (beginsFunction || text.functionAt(line) < 0)) return Defined::kDeclaration;
    // A word behind a word is a parameter's name where a function's head stands.
    return beginsFunction ? Defined::kParameter : Defined::kVariable;
  }
  const bool isListed = word == "(" || word == ",";
  // Go's: "w http.ResponseWriter, r *http.Request", in a literal, too.
  if (isListed && !isIndented && index + 1 < tokens.size()) {
    const Token& next = tokens[index + 1];
    const bool isPointer = isMark(text, tokens, index + 1, '*') && next.start > name.end() &&
                           index + 2 < tokens.size() && tokens[index + 2].start == next.end();
    if (next.kind == TokenKind::kWord || isPointer) return Defined::kParameter;
  }
  // C's: "const Options& options, Batch* updates".
  const bool isIndirect =
      (word == "*" || word == "&") && index >= 2 && tokens[index - 2].kind == TokenKind::kWord;
  if (beginsFunction && isIndirect &&
      (isMark(text, tokens, index + 1, ',') || isMark(text, tokens, index + 1, ')')))
    return Defined::kParameter;
  // The parameters of languages that name no type, or name it behind.
  if (beginsFunction && isListed) {
    const bool goesOn = index + 1 < tokens.size();
    const bool isTyped = goesOn && (isMark(text, tokens, index + 1, ':') ||
                                    tokens[index + 1].kind == TokenKind::kWord);
    const bool isAlone =
        goesOn && (isMark(text, tokens, index + 1, ',') || isMark(text, tokens, index + 1, ')'));
    if (isTyped || isAlone || assigns(text, tokens, index + 1)) return Defined::kParameter;
  }
  // "Type* name = ...", "Type<Other> name;": a declaration begins the line.
  const std::span<const Token> left = tokens.first(index);
  const bool isType = (word == "*" || word == "&" || word == ">") && index >= 2 &&
                      left.front().kind == TokenKind::kWord &&
                      !isOneOf(kBeforeValues, text.view(left.front())) &&
                      !hasMark(text, left, '=') && !hasMark(text, left, '(');
  const bool isDeclared = assigns(text, tokens, index + 1) ||
                          isMark(text, tokens, index + 1, ';') ||
                          isMark(text, tokens, index + 1, '{');
  if (!isIndented && isType && isDeclared) return Defined::kVariable;
  return Defined::kNothing;
}

}  // namespace waferpair::pairing
