// SPDX-License-Identifier: GPL-3.0-or-later
// A document as the editor tells it: UTF-8, edited by positions of lines and characters.
// Lines end with LF, CR LF or CR. Source: LSP 3.17, "Text Documents".
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace waferpair::lsp {

// What a position's `character` counts.
enum class PositionUnit { kUtf8, kUtf16 };

struct Position {
  std::int64_t line = 0;       // from 0
  std::int64_t character = 0;  // units from the line's start
  bool operator==(const Position&) const = default;
};

class Text {
 public:
  // `utf8` is well-formed.
  explicit Text(std::string utf8);

  const std::string& utf8() const { return utf8_; }

  // The byte of a position. A character beyond the line's end is that end, as LSP has it; nothing
  // where the line is not there, or where the position lies within a character.
  std::optional<std::size_t> offsetOf(Position position, PositionUnit unit) const;
  // `offset` lies between characters.
  Position positionOf(std::size_t offset, PositionUnit unit) const;

  // Replaces bytes [start, end), which lie between characters, by well-formed UTF-8.
  void replace(std::size_t start, std::size_t end, std::string_view with);

  // The bytes of the line that holds `offset`, up to it.
  std::string_view linePrefix(std::size_t offset) const;

 private:
  std::size_t lineAt(std::size_t offset) const;
  std::size_t lineEnd(std::size_t line) const;  // in front of its line break

  std::string utf8_;
  std::vector<std::size_t> starts_;  // of lines; the first is 0
};

}  // namespace waferpair::lsp
