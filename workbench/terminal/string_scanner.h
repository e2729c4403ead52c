// SPDX-License-Identifier: GPL-3.0-or-later
// Takes the strings out of what a program writes to its terminal, wherever the bytes were cut:
// operating system commands (OSC: titles, folders, links, marks) and device control strings (DCS),
// and control sequences (CSI) as a whole.
// What nobody here reads (APC, PM, SOS) is taken out, too, lest it show as text, as is what would
// switch UTF-8 off.
#pragma once

#include <QByteArray>
#include <functional>

namespace waferpair::workbench {

class StringScanner {
 public:
  // Of a longer command nothing is told.
  static constexpr qsizetype kLongest = 64 << 10;
  static constexpr qsizetype kLongestSequence = 256;

  // Bytes of anything else, in order; never empty.
  using Text = std::function<void(const char* bytes, qsizetype size)>;
  // What a string is, and with what it ended: OSC with BEL or ST, DCS with ST, CSI with its last
  // byte.
  enum class Kind { kCommand, kCommandWithBell, kControl, kSequence };
  // "133;A", "$qm" or "1;31m".
  using Command = std::function<void(const QByteArray& command, Kind kind)>;

  void feed(const QByteArray& bytes, const Text& text, const Command& command);

 private:
  enum class State { kGround, kEscape, kPercent, kSequence, kString, kStringEscape };
  enum class Reader { kNobody, kCommand, kControl };

  void finish(const Command& command, bool isBell);
  void begin(Reader reader);

  State state_ = State::kGround;
  QByteArray string_;
  Reader reader_ = Reader::kNobody;
  bool isTooLong_ = false;
};

}  // namespace waferpair::workbench
