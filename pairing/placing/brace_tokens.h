// SPDX-License-Identifier: GPL-3.0-or-later
// The tokens of a text in a language of braces, without its comments: which
// bracket closes which, and which words mean something.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>
#include <vector>

#include "pairing/next_edit/code_text.h"

namespace waferpair::pairing {

class BraceTokens {
 public:
  explicit BraceTokens(const CodeText& text);

  const CodeText& text() const { return text_; }
  int count() const { return static_cast<int>(tokens_.size()); }
  // Of a token that there is not, or that is none of code, nothing.
  bool isCode(int i) const {
    return i >= 0 && i < count() && tokens_[static_cast<std::size_t>(i)]->region == Region::kCode;
  }
  QByteArrayView view(int i) const {
    return isCode(i) ? text_.view(*tokens_[static_cast<std::size_t>(i)]) : QByteArrayView();
  }
  int line(int i) const { return lines_[static_cast<std::size_t>(i)]; }
  char mark(int i) const {
    if (!isCode(i)) return '\0';
    const Token& token = *tokens_[static_cast<std::size_t>(i)];
    if (token.kind != TokenKind::kMark || token.size != 1) return '\0';
    return text_.bytes()[token.start];
  }
  bool isWord(int i) const {
    return isCode(i) && tokens_[static_cast<std::size_t>(i)]->kind == TokenKind::kWord;
  }
  int partner(int i) const { return isCode(i) ? pairs_[static_cast<std::size_t>(i)] : -1; }
  bool beginsLine(int i) const { return i == 0 || line(i) != line(i - 1); }
  QByteArray textOf(int begin, int end) const {
    QByteArray all;
    for (int i = begin; i < std::min(end, count()); ++i)
      all += text_.view(*tokens_[static_cast<std::size_t>(i)]).toByteArray() + ' ';
    return all.trimmed();
  }

 protected:
  using Word = std::string_view;

  static constexpr std::array<Word, 17> kTypes = {
      "class",     "struct", "enum",     "union",   "interface", "trait",
      "namespace", "module", "protocol", "record",  "object",    "extension",
      "impl",      "mod",    "type",     "concept", "actor"};
  static constexpr std::array<Word, 5> kFunctions = {"function", "func", "fn", "fun", "def"};
  static constexpr std::array<Word, 5> kValues = {"const", "let", "var", "val", "static"};
  static constexpr std::array<Word, 29> kModifiers = {
      "export",    "default",   "async",     "public",   "private",    "protected",
      "internal",  "final",     "abstract",  "override", "virtual",    "inline",
      "constexpr", "extern",    "unsafe",    "pub",      "open",       "data",
      "sealed",    "suspend",   "declare",   "friend",   "explicit",   "mutable",
      "readonly",  "companion", "consteval", "static",   "fileprivate"};
  // Words before a parenthesis that make no function of it.
  static constexpr std::array<Word, 25> kControl = {
      "if",     "for",   "while", "switch",       "catch",   "return", "match",
      "when",   "else",  "do",    "try",          "foreach", "loop",   "select",
      "with",   "using", "lock",  "synchronized", "unless",  "until",  "decltype",
      "sizeof", "await", "new",   "noexcept"};
  // Words that begin a statement of their own where they begin a line.
  static constexpr std::array<Word, 31> kBeginners = {
      "fun",      "func",     "fn",      "class",  "struct",    "interface", "object",  "trait",
      "enum",     "impl",     "val",     "var",    "let",       "private",   "public",  "protected",
      "override", "import",   "package", "export", "namespace", "using",     "data",    "sealed",
      "abstract", "internal", "suspend", "final",  "static",    "extension", "protocol"};

  template <std::size_t N>
  static bool isAmongWords(QByteArrayView word, const std::array<Word, N>& words) {
    return std::find(words.begin(), words.end(),
                     Word(word.data(), static_cast<std::size_t>(word.size()))) != words.end();
  }

 private:
  void pair();

  const CodeText& text_;
  std::vector<const Token*> tokens_;
  std::vector<int> lines_;
  std::vector<int> pairs_;
};

}  // namespace waferpair::pairing
