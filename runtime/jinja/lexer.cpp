// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/jinja/lexer.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <utility>

#include "runtime/jinja/failure.h"
#include "runtime/jinja/text.h"

namespace waferpair::jinja {
namespace {

using TokenKind = Token::Kind;

// One kind of line end, and none behind the last line.
std::string normalized(std::string_view source) {
  std::string text;
  text.reserve(source.size());
  for (std::size_t i = 0; i < source.size(); ++i) {
    if (source[i] == '\r') {
      text += '\n';
      if (i + 1 < source.size() && source[i + 1] == '\n') ++i;
    } else {
      text += source[i];
    }
  }
  if (text.ends_with('\n')) text.pop_back();
  return text;
}

bool isNameByte(char c, bool first) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || c == '_' || std::isalpha(byte) != 0 || (!first && std::isdigit(byte) != 0);
}

bool isDigit(char c) { return c >= '0' && c <= '9'; }

// Longer ones first.
constexpr std::array<std::string_view, 28> kOperators = {
    "//", "**", "==", "!=", ">=", "<=", "+", "-", "/", "*", "%", "~", "[", "]",
    "(",  ")",  "{",  "}",  ">",  "<",  "=", ".", ":", "|", ",", ";", "!", "&"};

class Lexer {
 public:
  explicit Lexer(std::string source) : source_(std::move(source)) {}

  std::vector<Token> tokens() {
    while (at_ < source_.size()) readText();
    add(TokenKind::kEnd);
    return std::move(tokens_);
  }

 private:
  std::string_view rest() const { return std::string_view(source_).substr(at_); }
  char peek(std::size_t ahead = 0) const {
    return at_ + ahead < source_.size() ? source_[at_ + ahead] : '\0';
  }
  void move(std::size_t bytes) {
    const std::string_view passed = rest().substr(0, bytes);
    line_ += static_cast<int>(std::count(passed.begin(), passed.end(), '\n'));
    at_ += passed.size();
    if (!passed.empty()) lineStarting_ = passed.back() == '\n';
  }
  Token& add(TokenKind kind, std::string text = {}) {
    tokens_.push_back({.kind = kind, .text = std::move(text), .line = line_});
    return tokens_.back();
  }
  std::size_t spacesAt(std::size_t at) const {
    std::size_t end = at;
    while (end < source_.size() && isPythonSpace(codePointAt(source_, end)))
      end += characterBytes(source_, end);
    return end - at;
  }

  // Text up to the next tag, and that tag.
  void readText() {
    std::size_t tag = at_;
    while ((tag = source_.find('{', tag)) != std::string::npos) {
      const char next = tag + 1 < source_.size() ? source_[tag + 1] : '\0';
      if (next == '{' || next == '%' || next == '#') break;
      ++tag;
    }
    if (tag == std::string::npos) {
      add(TokenKind::kText, std::string(rest()));
      return move(source_.size() - at_);
    }
    const char kind = source_[tag + 1];
    const char sign = tag + 2 < source_.size() ? source_[tag + 2] : '\0';
    addStripped(rest().substr(0, tag - at_), sign, kind != '{');
    move(tag - at_ + 2);
    if (sign == '-' || sign == '+') move(1);
    if (kind == '#') return readComment();
    if (kind == '%' && readRaw()) return;
    add(kind == '{' ? TokenKind::kOutput : TokenKind::kBlock);
    readTag(kind == '{');
  }

  // What is left of a text in front of a tag.
  void addStripped(std::string_view text, char sign, bool isBlock) {
    if (sign == '-') {
      std::size_t end = 0;
      for (std::size_t at = 0; at < text.size();) {
        const std::size_t length = characterBytes(text, at);
        if (!isPythonSpace(codePointAt(text, at))) end = at + length;
        at += length;
      }
      text = text.substr(0, end);
    } else if (sign != '+' && isBlock) {
      const std::size_t newLine = text.rfind('\n');
      const std::size_t lineFrom = newLine == std::string_view::npos ? 0 : newLine + 1;
      if (lineFrom > 0 || lineStarting_) {
        std::size_t at = lineFrom;
        while (at < text.size() && isPythonSpace(codePointAt(text, at)))
          at += characterBytes(text, at);
        if (at >= text.size()) text = text.substr(0, lineFrom);
      }
    }
    if (!text.empty()) add(TokenKind::kText, std::string(text));
  }

  // Passes the end of a tag, and what it takes along.
  void passEnd(char sign, std::size_t bytes, bool trims) {
    move(bytes + (sign == '-' || sign == '+' ? 1 : 0));
    std::size_t more = 0;
    if (sign == '-')
      more = spacesAt(at_);
    else if (sign != '+' && trims && peek() == '\n')
      more = 1;
    if (more > 0) move(more);
  }

  void readComment() {
    const std::size_t end = source_.find("#}", at_);
    if (end == std::string::npos) stop("a comment is not closed with #}", line_);
    const char before = end > at_ ? source_[end - 1] : '\0';
    const char sign = before == '-' || before == '+' ? before : '\0';
    move(end - at_ - (sign == '\0' ? 0 : 1));
    passEnd(sign, 2, /*trims=*/true);
  }

  // {% raw %} up to {% endraw %}: all text. Returns false where that is no such tag.
  bool readRaw() {
    std::size_t end = at_ + spacesAt(at_);
    if (source_.compare(end, 3, "raw") != 0) return false;
    end += 3;
    end += spacesAt(end);
    const bool strips = source_.compare(end, 3, "-%}") == 0;
    if (!strips && source_.compare(end, 2, "%}") != 0) return false;
    move(end - at_);
    passEnd(strips ? '-' : '\0', 2, /*trims=*/false);
    for (std::size_t tag = at_; (tag = source_.find("{%", tag)) != std::string::npos; tag += 2) {
      std::size_t at = tag + 2;
      const char sign = at < source_.size() ? source_[at] : '\0';
      if (sign == '-' || sign == '+') ++at;
      at += spacesAt(at);
      if (source_.compare(at, 6, "endraw") != 0) continue;
      at += 6;
      at += spacesAt(at);
      char endSign = at < source_.size() ? source_[at] : '\0';
      if (endSign != '-' && endSign != '+') endSign = '\0';
      if (source_.compare(at + (endSign == '\0' ? 0 : 1), 2, "%}") != 0) continue;
      addStripped(rest().substr(0, tag - at_), sign, /*isBlock=*/true);
      move(at - at_);
      passEnd(endSign, 2, /*trims=*/true);
      return true;
    }
    stop("{% raw %} is not closed with {% endraw %}", line_);
  }

  void readTag(bool isOutput) {
    const std::string_view close = isOutput ? "}}" : "%}";
    const int from = line_;
    while (at_ < source_.size()) {
      if (const std::size_t spaces = spacesAt(at_); spaces > 0) {
        move(spaces);
        continue;
      }
      if (open_.empty()) {
        const char sign = peek();
        const bool hasSign = sign == '-' || (sign == '+' && !isOutput);
        if (rest().substr(hasSign ? 1 : 0).starts_with(close)) {
          add(isOutput ? TokenKind::kOutputEnd : TokenKind::kBlockEnd);
          return passEnd(hasSign ? sign : '\0', 2, /*trims=*/!isOutput);
        }
      }
      readToken();
    }
    stop("a tag is not closed with " + std::string(close), from);
  }

  void readToken() {
    const char c = peek();
    if (isNameByte(c, true)) {
      std::size_t length = 1;
      while (isNameByte(peek(length), false) && at_ + length < source_.size()) ++length;
      add(TokenKind::kName, std::string(rest().substr(0, length)));
      return move(length);
    }
    if (isDigit(c)) return readNumber();
    if (c == '\'' || c == '"') return readString(c);
    for (const std::string_view spelled : kOperators) {
      if (!rest().starts_with(spelled)) continue;
      balance(spelled);
      add(TokenKind::kOperator, std::string(spelled));
      return move(spelled.size());
    }
    stop("unexpected character '" + std::string(rest().substr(0, characterBytes(source_, at_))) +
             "'",
         line_);
  }

  void balance(std::string_view spelled) {
    if (spelled == "(" || spelled == "[" || spelled == "{") {
      open_ += spelled == "(" ? ')' : (spelled == "[" ? ']' : '}');
    } else if (spelled == ")" || spelled == "]" || spelled == "}") {
      if (open_.empty() || open_.back() != spelled[0])
        stop("unexpected '" + std::string(spelled) + "'", line_);
      open_.pop_back();
    }
  }

  void readNumber() {
    std::size_t length = 0;
    bool isReal = false;
    const auto digits = [&] {
      while (isDigit(peek(length)) || (peek(length) == '_' && isDigit(peek(length + 1)))) ++length;
    };
    if (peek() == '0' && (peek(1) == 'x' || peek(1) == 'X')) {
      length = 2;
      while (std::isxdigit(static_cast<unsigned char>(peek(length))) != 0) ++length;
      Token& token = add(TokenKind::kInteger, std::string(rest().substr(0, length)));
      std::from_chars(token.text.data() + 2, token.text.data() + length, token.integer, 16);
      return move(length);
    }
    digits();
    // "1.0", but not the index in "x.1.0".
    const bool isIndex = !tokens_.empty() && tokens_.back().is(TokenKind::kOperator, ".");
    if (!isIndex && peek(length) == '.' && isDigit(peek(length + 1))) {
      isReal = true;
      ++length;
      digits();
    }
    if (!isIndex && (peek(length) == 'e' || peek(length) == 'E')) {
      const std::size_t sign = peek(length + 1) == '+' || peek(length + 1) == '-' ? 1 : 0;
      if (isDigit(peek(length + 1 + sign))) {
        isReal = true;
        length += 1 + sign;
        digits();
      }
    }
    std::string spelled(rest().substr(0, length));
    std::erase(spelled, '_');
    Token& token = add(isReal ? TokenKind::kReal : TokenKind::kInteger, spelled);
    if (isReal) {
      token.real = std::strtod(spelled.c_str(), nullptr);
    } else {
      const auto read =
          std::from_chars(spelled.data(), spelled.data() + spelled.size(), token.integer);
      if (read.ec != std::errc()) stop("the number " + spelled + " is too large", line_);
    }
    move(length);
  }

  void readString(char quote) {
    std::size_t end = at_ + 1;
    while (end < source_.size() && source_[end] != quote) end += source_[end] == '\\' ? 2 : 1;
    if (end >= source_.size()) stop("a string is not closed", line_);
    add(TokenKind::kString, unescaped(std::string_view(source_).substr(at_ + 1, end - at_ - 1)));
    move(end + 1 - at_);
  }

  std::string unescaped(std::string_view raw) const {
    std::string text;
    for (std::size_t i = 0; i < raw.size(); ++i) {
      if (raw[i] != '\\' || i + 1 >= raw.size()) {
        text += raw[i];
        continue;
      }
      const char c = raw[++i];
      constexpr std::string_view kFrom = "\\'\"abfnrtv", kTo = "\\'\"\a\b\f\n\r\t\v";
      if (const std::size_t known = kFrom.find(c); known != std::string_view::npos) {
        text += kTo[known];
      } else if (c == '\n') {
        continue;
      } else if (c == 'x' || c == 'u' || c == 'U') {
        i += appendHexEscape(text, raw.substr(i + 1), c == 'x' ? 2 : (c == 'u' ? 4 : 8));
      } else if (c >= '0' && c <= '7') {
        char32_t point = 0;
        std::size_t digits = 0;
        for (; digits < 3 && i + digits < raw.size() && raw[i + digits] >= '0' &&
               raw[i + digits] <= '7';
             ++digits)
          point = point * 8 + static_cast<char32_t>(raw[i + digits] - '0');
        appendCodePoint(text, point);
        i += digits - 1;
      } else {
        text += '\\';
        text += c;
      }
    }
    return text;
  }

  std::size_t appendHexEscape(std::string& text, std::string_view raw, std::size_t digits) const {
    std::uint32_t point = 0;
    const std::string_view spelled = raw.substr(0, digits);
    const auto read = std::from_chars(spelled.data(), spelled.data() + spelled.size(), point, 16);
    constexpr std::uint32_t kLast = 0x10FFFF;
    if (read.ec != std::errc() || read.ptr != spelled.data() + digits || point > kLast)
      stop("a string has an escape that is no character", line_);
    appendCodePoint(text, point);
    return digits;
  }

  std::string source_;
  std::size_t at_ = 0;
  int line_ = 1;
  bool lineStarting_ = true;  // a line begins at at_
  std::string open_;          // brackets of the tag that are to be closed
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> tokensOf(std::string_view source) { return Lexer(normalized(source)).tokens(); }

}  // namespace waferpair::jinja
