// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/terminal/string_scanner.h"

#include <cstring>
#include <utility>

namespace waferpair::workbench {
namespace {

constexpr char kEsc = '\x1b';
constexpr char kBel = '\a';
constexpr char kCancel = '\x18';
constexpr char kSubstitute = '\x1a';

}  // namespace

void StringScanner::begin(Reader reader) {
  state_ = State::kString;
  string_.clear();
  reader_ = reader;
  isTooLong_ = false;
}

void StringScanner::finish(const Command& command, bool isBell) {
  state_ = State::kGround;
  if (reader_ != Reader::kNobody && !isTooLong_)
    command(string_, reader_ == Reader::kControl ? Kind::kControl
                     : isBell                    ? Kind::kCommandWithBell
                                                 : Kind::kCommand);
  string_.clear();
}

void StringScanner::feed(const QByteArray& bytes, const Text& text, const Command& command) {
  const char* at = bytes.constData();
  const char* const end = at + bytes.size();
  while (at < end) {
    switch (state_) {
      case State::kGround: {
        const auto* escape =
            static_cast<const char*>(std::memchr(at, kEsc, static_cast<size_t>(end - at)));
        const char* stop = escape ? escape : end;
        if (stop > at) text(at, stop - at);
        at = stop;
        if (escape) {
          ++at;
          state_ = State::kEscape;
        }
        break;
      }
      case State::kEscape:
        if (*at == ']') {
          begin(Reader::kCommand);
          ++at;
        } else if (*at == 'P') {
          begin(Reader::kControl);
          ++at;
        } else if (*at == '[') {
          begin(Reader::kNobody);
          state_ = State::kSequence;
          ++at;
        } else if (*at == '%') {
          state_ = State::kPercent;
          ++at;
        } else if (*at == '_' || *at == '^' || *at == 'X') {
          begin(Reader::kNobody);
          ++at;
        } else if (*at == kEsc) {
          ++at;  // the sequence that had begun is none
        } else if (const auto byte = static_cast<unsigned char>(*at); byte < 0x20 || byte == 0x7f) {
          // Control characters do their work within a sequence, which goes on; two of them end it.
          if (*at == kCancel || *at == kSubstitute) state_ = State::kGround;
          text(at, 1);
          ++at;
        } else if (byte >= 0x80) {
          state_ = State::kGround;
        } else {
          text(&kEsc, 1);
          state_ = State::kGround;
        }
        break;
      case State::kSequence: {
        const auto byte = static_cast<unsigned char>(*at);
        if (*at == kEsc) {
          state_ = State::kEscape;
        } else if (byte < 0x20) {
          if (*at == kCancel || *at == kSubstitute) state_ = State::kGround;
          text(at, 1);
        } else if (byte >= 0x80) {
          state_ = State::kGround;
          break;
        } else if (byte != 0x7f) {
          if (string_.size() < kLongestSequence) {
            string_.append(*at);
          } else {
            isTooLong_ = true;
          }
          if (byte >= 0x40) {
            state_ = State::kGround;
            if (!isTooLong_) command(std::exchange(string_, {}), Kind::kSequence);
          }
        }
        ++at;
        break;
      }
      case State::kPercent:
        if (*at != kEsc) ++at;
        state_ = State::kGround;
        break;
      case State::kString:
        if (*at == kBel && reader_ == Reader::kCommand) {
          finish(command, true);
        } else if (*at == kEsc) {
          state_ = State::kStringEscape;
        } else if (*at == kCancel || *at == kSubstitute) {
          state_ = State::kGround;
        } else if (string_.size() < kLongest) {
          string_.append(*at);
        } else {
          isTooLong_ = true;
        }
        ++at;
        break;
      case State::kStringEscape:
        if (*at == '\\') {
          finish(command, false);
          ++at;
        } else {
          state_ = State::kEscape;  // another sequence cuts it off
        }
        break;
    }
  }
}

}  // namespace waferpair::workbench
