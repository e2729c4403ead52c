// SPDX-License-Identifier: GPL-3.0-or-later
// Takes bytes apart into lines, however they are cut on their way. A line has a bound, so that a
// peer that never ends one costs no more than that.
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QVector>

namespace waferpair::pairing {

class LineReader {
 public:
  // A change that an agent tells of carries whole files.
  static constexpr qsizetype kMostBytes = 32 << 20;

  // Returns the lines that end in these bytes, without their ends. None once isTooLong().
  QVector<QByteArray> take(QByteArrayView bytes);
  // A line was longer than the bound: nothing more can be read.
  bool isTooLong() const { return tooLong_; }

 private:
  QByteArray begun_;  // a line whose end has not come; at most kMostBytes
  bool tooLong_ = false;
};

}  // namespace waferpair::pairing
