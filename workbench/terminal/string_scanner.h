// SPDX-License-Identifier: GPL-3.0-or-later
// Takes the operating system commands (OSC: titles, folders, links, marks) out of what a program
// writes to its terminal, wherever the bytes were cut. What nobody here reads (APC, PM, SOS) is
// taken out, too, lest it show as text.
#pragma once

#include <QByteArray>
#include <functional>

namespace waferpair::workbench {

class StringScanner {
 public:
  // Of a longer command nothing is told.
  static constexpr qsizetype kLongest = 64 << 10;

  // Bytes of anything else, in order; never empty.
  using Text = std::function<void(const char* bytes, qsizetype size)>;
  // "133;A"; `isBell`: it ended with BEL and not with ST.
  using Command = std::function<void(const QByteArray& command, bool isBell)>;

  void feed(const QByteArray& bytes, const Text& text, const Command& command);

 private:
  enum class State { kGround, kEscape, kString, kStringEscape };

  void finish(const Command& command, bool isBell);
  void begin(bool isCommand);

  State state_ = State::kGround;
  QByteArray string_;
  bool isCommand_ = false;  // and not one that nobody reads
  bool isTooLong_ = false;
};

}  // namespace waferpair::workbench
