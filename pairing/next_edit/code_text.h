// SPDX-License-Identifier: GPL-3.0-or-later
// A text as words, numbers and marks, each in code, in a string or in a comment. A value that never
// changes; any number of threads may read it. Lines count from 0, as those of editor::Snapshot do.
//
// Words inside strings and comments are tokens, too, so that a name is found wherever it stands.
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <span>
#include <vector>

#include "pairing/next_edit/language_family.h"

namespace waferpair::pairing {

enum class TokenKind : quint8 { kWord, kNumber, kMark };
enum class Region : quint8 { kCode, kString, kComment };

struct Token {
  quint32 start = 0;  // byte of the text
  quint32 size = 0;
  quint32 hash = 0;  // of its bytes
  TokenKind kind = TokenKind::kMark;
  Region region = Region::kCode;

  quint32 end() const { return start + size; }
};

// The hash that a token of these bytes has.
quint32 tokenHash(QByteArrayView bytes);

class CodeText {
 public:
  CodeText() : CodeText({}, languageFamily({})) {}
  // At most 4 GiB.
  CodeText(QByteArray utf8, const LanguageFamily& family);

  const LanguageFamily& family() const { return *family_; }
  const QByteArray& bytes() const { return bytes_; }
  QByteArrayView view(const Token& token) const {
    return QByteArrayView(bytes_).sliced(token.start, token.size);
  }

  int lineCount() const { return static_cast<int>(lines_.size()); }
  qint64 lineStart(int line) const { return lines_[line].start; }
  qint64 lineEnd(int line) const { return lines_[line].end; }  // before its line end characters
  QByteArrayView line(int line) const {
    return QByteArrayView(bytes_).sliced(lineStart(line), lineEnd(line) - lineStart(line));
  }
  std::span<const Token> tokens() const { return tokens_; }
  std::span<const Token> tokens(int line) const {
    return {tokens_.data() + lines_[line].firstToken, tokens_.data() + firstTokenAfter(line)};
  }
  int lineOf(const Token& token) const;

  // The line in which the function around `line` begins, the line itself where it begins one; -1:
  // there is none. Told by braces behind a parenthesis, or by indentation below a `def`.
  int functionAt(int line) const { return lines_[line].function; }

  // Counts the tokens that are this word.
  int count(QByteArrayView word) const;
  bool is(const Token& token, QByteArrayView word, quint32 hash) const {
    return token.hash == hash && view(token) == word;
  }

 private:
  struct Line {
    quint32 start = 0;
    quint32 end = 0;
    quint32 firstToken = 0;
    int function = -1;
  };

  quint32 firstTokenAfter(int line) const {
    return static_cast<std::size_t>(line) + 1 < lines_.size()
               ? lines_[line + 1].firstToken
               : static_cast<quint32>(tokens_.size());
  }
  void scan();
  void findFunctionsByBraces();
  void findFunctionsByIndentation();

  QByteArray bytes_;
  const LanguageFamily* family_;
  std::vector<Line> lines_;  // at least one
  std::vector<Token> tokens_;
};

}  // namespace waferpair::pairing
