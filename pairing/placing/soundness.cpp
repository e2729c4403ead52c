// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/placing/soundness.h"

#include <QVector>

#include "editor/text/indentation.h"
#include "editor/text/translate.h"
#include "pairing/next_edit/code_text.h"

namespace waferpair::pairing {
namespace {

constexpr int kTabColumns = 8;  // as Python counts them

struct OpenBracket {
  char sign;
  int line;
};

// Quotes and blanks as printed texts have them, which no language takes for its own.
bool isTypographic(QByteArrayView word) {
  for (const char* sign : {"\u2018", "\u2019", "\u201c", "\u201d", "\u00a0", "\u202f"})
    if (word.contains(QByteArrayView(sign))) return true;
  return false;
}

// "&lt;" as words and marks of code.
bool isEntity(const QByteArray& bytes, const Token& word) {
  const QByteArrayView name = QByteArrayView(bytes).sliced(word.start, word.size);
  if (name != "lt" && name != "gt" && name != "amp" && name != "quot") return false;
  return word.start > 0 && bytes[word.start - 1] == '&' && word.end() < bytes.size() &&
         bytes[word.end()] == ';';
}

char closerOf(char opener) { return opener == '(' ? ')' : opener == '[' ? ']' : '}'; }

// Reads a text's brackets line by line.
class Brackets {
 public:
  explicit Brackets(const CodeText& text) : text_(text) {}

  std::optional<Fault> read(int line) {
    for (const Token& token : text_.tokens(line)) {
      if (token.region != Region::kCode) continue;
      if (token.kind == TokenKind::kWord && isEntity(text_.bytes(), token))
        return Fault{line, translate("an entity of HTML stands in code")};
      if (token.kind == TokenKind::kWord && isTypographic(text_.view(token)))
        return Fault{line, translate("a typographic sign stands in code")};
      if (token.kind != TokenKind::kMark) continue;
      const char sign = text_.bytes()[token.start];
      if (sign == '\\' && token.size == 1 && text_.bytes().sliced(token.start).startsWith("\\\\"))
        return Fault{line, translate("a backslash stands twice in code")};
      if (sign == '(' || sign == '[' || sign == '{') open_.append({sign, line});
      if (sign != ')' && sign != ']' && sign != '}') continue;
      if (open_.isEmpty()) return Fault{line, translate("“%1” closes nothing").arg(QChar(sign))};
      if (closerOf(open_.last().sign) != sign)
        return Fault{
            line, translate("“%1” closes a “%2”").arg(QChar(sign)).arg(QChar(open_.last().sign))};
      open_.removeLast();
    }
    return {};
  }
  std::optional<Fault> end() const {
    if (open_.isEmpty()) return {};
    return Fault{open_.last().line, translate("“%1” is not closed").arg(QChar(open_.last().sign))};
  }
  bool isInside() const { return !open_.isEmpty(); }

 private:
  const CodeText& text_;
  QVector<OpenBracket> open_;
};

// Python's blocks: a line may be deeper than the one before it only behind a colon, and may go back
// only to where a block around it stands.
class Blocks {
 public:
  explicit Blocks(const CodeText& text) : text_(text) {}

  // Of a line that begins a statement.
  std::optional<Fault> read(int line, bool opens) {
    const std::span<const Token> tokens = text_.tokens(line);
    const QByteArray blanks = editor::leadingBlanks(text_.line(line).toByteArray());
    const int columns = editor::columnsOf(blanks, kTabColumns);
    if (columns > levels_.last()) {
      if (!opens_) return Fault{line, translate("a line is indented without a reason")};
      levels_.append(columns);
    } else {
      if (opens_) return Fault{line, translate("a block has no line")};
      while (columns < levels_.last()) levels_.removeLast();
      if (columns != levels_.last())
        return Fault{line, translate("a line is indented as no block around it is")};
    }
    Q_ASSERT(!tokens.empty());
    opens_ = opens;
    return {};
  }
  void opensAt(bool opens) { opens_ = opens; }

 private:
  const CodeText& text_;
  QVector<int> levels_{0};
  bool opens_ = false;  // the statement read last ends with a colon
};

bool isCode(const Token& token) { return token.region == Region::kCode; }

// The line's last token in code ends it with this mark; blanks and comments aside.
bool endsWith(const CodeText& text, int line, char mark) {
  char last = '\0';
  for (const Token& token : text.tokens(line)) {
    if (token.region == Region::kComment) break;
    last = isCode(token) && token.size == 1 ? text.bytes()[token.start] : '\0';
  }
  return last == mark;
}

std::optional<Fault> faultOf(const CodeText& text) {
  Brackets brackets(text);
  Blocks blocks(text);
  bool goesOn = false;  // the statement of the line before
  bool inString = false;
  for (int line = 0; line < text.lineCount(); ++line) {
    const std::span<const Token> tokens = text.tokens(line);
    const bool begins = !goesOn && !inString;
    if (auto fault = brackets.read(line)) return fault;
    if (tokens.empty()) continue;
    if (!text.family().indented) continue;
    const bool comment = begins && tokens.front().region == Region::kComment;
    if (comment) continue;
    // A string that goes on over the line's end is one in triple quotes.
    const Token& last = tokens.back();
    const QByteArrayView mark = text.view(last);
    const bool closes = last.region == Region::kString && (mark == "\"\"\"" || mark == "'''");
    if (last.region == Region::kString) {
      qsizetype marks = 0;
      for (const Token& token : tokens)
        marks += token.region == Region::kString &&
                 (text.view(token) == "\"\"\"" || text.view(token) == "'''");
      if (marks % 2 == 1) inString = !inString;
      if (closes && marks % 2 == 0) inString = false;
    } else if (last.region == Region::kCode) {
      inString = false;
    } else if (inString) {
      inString = false;  // the string ends here, and a comment stands behind it
    }
    goesOn = brackets.isInside() || inString || endsWith(text, line, '\\');
    const bool opens = !goesOn && endsWith(text, line, ':');
    if (begins) {
      if (auto fault = blocks.read(line, opens)) return fault;
    } else if (!goesOn) {
      blocks.opensAt(opens);
    }
  }
  return brackets.end();
}

}  // namespace

std::optional<Fault> faultIn(const QByteArray& text, const LanguageFamily& family) {
  if (!family.pairs) return {};
  return faultOf(CodeText(text, family));
}

std::optional<Fault> faultInBrackets(const QByteArray& text, const LanguageFamily& family) {
  if (!family.pairs) return {};
  const CodeText code(text, family);
  Brackets brackets(code);
  for (int line = 0; line < code.lineCount(); ++line) {
    if (auto fault = brackets.read(line)) return fault;
    // The end of a comment that the piece does not begin.
    const auto tokens = code.tokens(line);
    if (!tokens.empty() && isCode(tokens.front()) && *family.blockClose != '\0' &&
        code.line(line).trimmed().startsWith(QByteArrayView(family.blockClose)))
      return Fault{line, translate("a comment ends that does not begin")};
  }
  return brackets.end();
}

std::optional<Fault> faultMade(const QByteArray& before, const QByteArray& after,
                               const LanguageFamily& family) {
  const auto fault = faultIn(after, family);
  if (!fault || faultIn(before, family)) return {};
  return fault;
}

}  // namespace waferpair::pairing
