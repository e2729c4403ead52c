// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/next_edit/code_text.h"

#include <algorithm>
#include <cstring>

#include "editor/text/word_byte.h"

namespace waferpair::pairing {

namespace {

using editor::isBlankByte;
using editor::isDigitByte;
using editor::isWordByte;

bool isEnd(char c) { return c == '\n' || c == '\r'; }

bool isCharacterOf(const char* characters, char c) {
  return c != '\0' && std::strchr(characters, c) != nullptr;
}

bool startsWith(QByteArrayView text, const char* what) {
  return *what != '\0' && text.startsWith(QByteArrayView(what));
}

// The end of a regular expression of JavaScript that begins at `at`, whose line has it; 0: there is
// none, as what stands before it makes a division of it. `before`: the last token of code.
quint32 endOfRegex(QByteArrayView text, quint32 at, QByteArrayView before) {
  static constexpr const char* kWords[] = {"return", "typeof", "case", "in",    "of",   "delete",
                                           "void",   "throw",  "new",  "yield", "await"};
  const bool isWord = !before.isEmpty() && isWordByte(before.front());
  const bool mayBegin = before.isEmpty() ||
                        (isWord ? std::any_of(std::begin(kWords), std::end(kWords),
                                              [before](const char* word) { return before == word; })
                                : isCharacterOf("(,=:[!&|?{;+*%~^", before.front()));
  if (!mayBegin) return 0;
  bool inClass = false;
  for (auto end = static_cast<qsizetype>(at) + 1; end < text.size() && !isEnd(text[end]); ++end) {
    if (text[end] == '\\') {
      ++end;
    } else if (text[end] == '/' && !inClass) {
      return static_cast<quint32>(end + 1);
    } else {
      inClass = text[end] == '[' || (inClass && text[end] != ']');
    }
  }
  return 0;
}

// The string or comment that the scanner is in, as it may go on over a line end.
struct Inside {
  Region region = Region::kCode;
  QByteArray close;         // what ends it; empty: the line end does
  bool endsAtLine = false;  // a string in single quotes is over at the line end at the latest
};

}  // namespace

quint32 tokenHash(QByteArrayView bytes) {
  quint32 hash = 2166136261U;  // FNV-1a
  for (const char c : bytes) hash = (hash ^ static_cast<quint8>(c)) * 16777619U;
  return hash;
}

CodeText::CodeText(QByteArray utf8, const LanguageFamily& family)
    : bytes_(std::move(utf8)), family_(&family) {
  scan();
  if (family_->indented) {
    findFunctionsByIndentation();
  } else {
    findFunctionsByBraces();
  }
}

void CodeText::scan() {
  const QByteArrayView text(bytes_);
  const auto size = static_cast<quint32>(text.size());
  Inside inside;
  lines_.push_back({});
  const auto open = [&](Region region, QByteArray close, bool endsAtLine) {
    inside = {region, std::move(close), endsAtLine};
  };
  const auto add = [&](quint32 start, quint32 end, TokenKind kind) {
    tokens_.push_back(
        {start, end - start, tokenHash(text.sliced(start, end - start)), kind, inside.region});
  };
  const auto lastCode = [&] {
    const auto last = std::find_if(tokens_.rbegin(), tokens_.rend(), [](const Token& token) {
      return token.region != Region::kComment;
    });
    return last == tokens_.rend() ? QByteArrayView() : view(*last);
  };
  quint32 at = 0;
  while (at < size) {
    const char c = text[at];
    if (isEnd(c)) {
      lines_.back().end = at;
      at += c == '\r' && at + 1 < size && text[at + 1] == '\n' ? 2 : 1;
      lines_.push_back({at, at, static_cast<quint32>(tokens_.size())});
      const bool goesOn = at >= 2 && text[at - 2] == '\\' && inside.region == Region::kString;
      if (inside.region != Region::kCode && (inside.close.isEmpty() || inside.endsAtLine) &&
          !goesOn)
        inside = {};
      continue;
    }
    if (isBlankByte(c)) {
      ++at;
      continue;
    }
    const QByteArrayView rest = text.sliced(at);
    if (isWordByte(c) || (c == '$' && family_->dollars)) {
      quint32 end = at + 1;
      const bool number = isDigitByte(c);
      while (end < size &&
             (isWordByte(text[end]) ||
              (number && text[end] == '.' && end + 1 < size && isDigitByte(text[end + 1]))))
        ++end;
      add(at, end, number ? TokenKind::kNumber : TokenKind::kWord);
      at = end;
      continue;
    }
    quint32 length = 1;
    if (inside.region != Region::kCode) {
      if (c == '\\' && inside.region == Region::kString && at + 1 < size && !isEnd(text[at + 1])) {
        add(at, at + 2, TokenKind::kMark);
        at += 2;
        continue;
      }
      if (!inside.close.isEmpty() && rest.startsWith(inside.close)) {
        length = static_cast<quint32>(inside.close.size());
        add(at, at + length, TokenKind::kMark);
        inside = {};
        at += length;
        continue;
      }
    } else {
      const bool comment = std::any_of(family_->lineComments.begin(), family_->lineComments.end(),
                                       [&](const char* mark) { return startsWith(rest, mark); });
      if (comment) {
        open(Region::kComment, {}, true);
      } else if (startsWith(rest, family_->blockOpen)) {
        open(Region::kComment, family_->blockClose, false);
        length = static_cast<quint32>(qstrlen(family_->blockOpen));
      } else if (const quint32 end =
                     c == '/' && family_->dollars ? endOfRegex(text, at, lastCode()) : 0;
                 end > 0) {
        inside.region = Region::kString;
        add(at, end, TokenKind::kMark);
        inside = {};
        at = end;
        continue;
      } else if (family_->tripleQuotes && (rest.startsWith("\"\"\"") || rest.startsWith("'''"))) {
        open(Region::kString, rest.first(3).toByteArray(), false);
        length = 3;
      } else if (isCharacterOf(family_->rawQuotes, c)) {
        open(Region::kString, QByteArray(1, c), false);
      } else if (isCharacterOf(family_->quotes, c)) {
        const bool lifetime = family_->lifetimes && c == '\'' &&
                              !(rest.size() > 2 && (rest[2] == '\'' || rest[1] == '\\'));
        if (!lifetime) open(Region::kString, QByteArray(1, c), true);
      }
    }
    add(at, at + length, TokenKind::kMark);
    at += length;
  }
  lines_.back().end = size;
}

int CodeText::lineOf(const Token& token) const {
  const auto after =
      std::upper_bound(lines_.begin(), lines_.end(), token.start,
                       [](quint32 start, const Line& line) { return start < line.start; });
  return static_cast<int>(after - lines_.begin()) - 1;
}

int CodeText::count(QByteArrayView word) const {
  const quint32 hash = tokenHash(word);
  return static_cast<int>(std::count_if(tokens_.begin(), tokens_.end(),
                                        [&](const Token& token) { return is(token, word, hash); }));
}

// A function's block is the outermost one that has a parenthesis between it and the statement
// before: namespaces and classes have none.
void CodeText::findFunctionsByBraces() {
  std::vector<int> functions;  // by open brace: the line of its function's head, or -1
  int head = -1;               // the line of the first token behind the last ; { or }
  bool parenthesis = false;
  for (int line = 0; line < lineCount(); ++line) {
    int function = functions.empty() ? -1 : functions.back();
    for (const Token& token : tokens(line)) {
      if (token.region != Region::kCode) continue;
      const char c = token.size == 1 ? bytes_[token.start] : '\0';
      if (c == '{') {
        const int outer = functions.empty() ? -1 : functions.back();
        const int mine = outer >= 0 ? outer : (parenthesis ? (head < 0 ? line : head) : -1);
        functions.push_back(mine);
        if (function < 0) function = mine;
        if (mine >= 0 && outer < 0) {
          for (int l = mine; l < line; ++l) lines_[l].function = mine;
        }
      } else if (c == '}') {
        if (!functions.empty()) functions.pop_back();
      } else if (c == '(') {
        parenthesis = true;
      }
      if (c == '{' || c == '}' || c == ';') {
        head = -1;
        parenthesis = false;
      } else if (head < 0) {
        head = line;
      }
    }
    lines_[line].function = function;
  }
}

void CodeText::findFunctionsByIndentation() {
  struct Open {
    qint64 indent;
    int line;
  };
  std::vector<Open> open;  // `def`s around, the outermost first
  for (int line = 0; line < lineCount(); ++line) {
    const std::span<const Token> tokens = this->tokens(line);
    if (tokens.empty()) {
      lines_[line].function = open.empty() ? -1 : open.front().line;
      continue;
    }
    const qint64 indent = tokens.front().start - lines_[line].start;
    const bool closes =
        tokens.front().size == 1 && isCharacterOf(")]}", bytes_[tokens.front().start]);
    if (!closes && tokens.front().region == Region::kCode)
      while (!open.empty() && open.back().indent >= indent) open.pop_back();
    const QByteArrayView first = view(tokens.front());
    const bool defines =
        first == "def" || (first == "async" && tokens.size() > 1 && view(tokens[1]) == "def");
    if (defines && tokens.front().region == Region::kCode) open.push_back({indent, line});
    lines_[line].function = open.empty() ? -1 : open.front().line;
  }
}

}  // namespace waferpair::pairing
