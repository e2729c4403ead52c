// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtime/inference/engine/block_end.h"

#include <algorithm>
#include <utility>

namespace waferpair::inference {
namespace {

bool isSpace(char byte) { return byte == ' ' || byte == '\t' || byte == '\r'; }

bool opensIndented(std::string_view prompt) {
  const std::size_t end = prompt.find_last_not_of(" \t\r\n");
  return end != std::string_view::npos && prompt[end] == ':';
}

}  // namespace

BlockEnd::BlockEnd(std::string_view prompt)
    : BlockEnd(prompt, opensIndented(prompt) ? BracketReader::Family::kPython
                                             : BracketReader::Family::kC) {}

BlockEnd::BlockEnd(std::string_view prompt, BracketReader::Family family) : reader_(family, false) {
  for (const char byte : prompt) {
    read(byte);
    if (inLine_) outer_ = indentation_;
  }
  indented_ = family == BracketReader::Family::kPython && reader_.open().empty();
  if (indented_ && !opensIndented(prompt)) {
    // At the file's left edge nothing is less deep.
    indented_ = indentation_ > 0;
    outer_ = indentation_ - 1;
  }
  opened_ = !reader_.open().empty();
  open_ = opened_ ? reader_.open().size() - 1 : 0;
  closed_ = false;
}

void BlockEnd::read(char byte) {
  if (byte == '\n') {
    indentation_ = 0;
    inLine_ = false;
  } else if (!inLine_ && isSpace(byte)) {
    ++indentation_;
  } else {
    inLine_ = true;
  }
  const std::size_t before = reader_.open().size();
  reader_.read({&byte, 1});
  const std::size_t depth = reader_.open().size();
  if (depth > open_) {
    opened_ = opened_ || reader_.open().back() == '{';
    closed_ = false;  // "} else {"
  } else if (opened_ && depth < before) {
    closed_ = true;
  }
}

bool BlockEnd::endsInFrontOf(char byte) const {
  // The rest of the line of the brace belongs to the block: "};", "})".
  if (!indented_) return closed_ && byte == '\n';
  return !inLine_ && byte != '\n' && !isSpace(byte) && indentation_ <= outer_;
}

std::string BlockEnd::push(std::string text, double) {
  std::string shown;
  for (const char byte : text) {
    ended_ = ended_ || endsInFrontOf(byte);
    if (ended_) break;
    read(byte);
    if (byte == '\n' || isSpace(byte)) {
      held_ += byte;
    } else {
      shown += std::exchange(held_, {}) + byte;
    }
  }
  return shown;
}

std::string BlockEnd::finish(std::string text, TextEnd, double probability) {
  std::string shown = push(std::move(text), probability);
  return ended_ ? shown : shown + std::exchange(held_, {});
}

}  // namespace waferpair::inference
