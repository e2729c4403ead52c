// SPDX-License-Identifier: GPL-3.0-or-later
// A text in UTF-8 that knows of each of its bytes whether the template wrote it or it came from
// outside, in a message or a tool. Whatever is done to it keeps that: so a reader of what a
// template renders can tell the template's control tokens from text that merely looks like them.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace waferpair::jinja {

enum class Origin : char { kTemplate, kMessage };

class Text {
 public:
  Text() = default;
  explicit Text(std::string bytes, Origin origin = Origin::kTemplate);

  const std::string& bytes() const { return bytes_; }
  std::size_t size() const { return bytes_.size(); }
  bool empty() const { return bytes_.empty(); }
  Origin originAt(std::size_t at) const { return marks_.empty() ? Origin::kTemplate : marks_[at]; }
  // Some of the bytes of this part came from outside.
  bool isForeign(std::size_t from, std::size_t count) const;
  bool isForeign() const { return isForeign(0, size()); }

  Text& append(const Text& other) { return append(other, 0, other.size()); }
  Text& append(const Text& other, std::size_t from, std::size_t count);
  Text& append(std::string_view bytes, Origin origin = Origin::kTemplate);
  Text part(std::size_t from, std::size_t count = std::string::npos) const;

  // The text as runs of one origin.
  struct Run {
    std::string_view bytes;
    Origin origin;
  };
  std::vector<Run> runs() const;

 private:
  std::string bytes_;
  std::vector<Origin> marks_;  // of each byte; empty: all are the template's
};

// As Python counts: the bytes of the character that begins at `at` (< text.size()). Each byte that
// begins none is a character of its own.
std::size_t characterBytes(std::string_view text, std::size_t at);
std::size_t characterCount(std::string_view text);
// The offsets of all characters, and the end of the text.
std::vector<std::size_t> characterStarts(std::string_view text);
char32_t codePointAt(std::string_view text, std::size_t at);
void appendCodePoint(std::string& text, char32_t point);
// What str.isspace() is true of.
bool isPythonSpace(char32_t point);

}  // namespace waferpair::jinja
