// SPDX-License-Identifier: GPL-3.0-or-later
// The lines before a change that may belong to it: the file's name and an opening fence, in either
// order, with blank lines between. They are held back until the next line tells.
#pragma once

#include <QByteArray>
#include <QString>
#include <QVector>
#include <optional>

#include "pairing/answers/code_fence.h"

namespace waferpair::pairing {

class Preamble {
 public:
  // Takes the line if it may belong to a change that follows, and returns what is no longer held
  // back. Otherwise returns all that was held and the line itself. In order: all of it is prose.
  QVector<QByteArray> take(const QByteArray& line);
  // The change begins: what is held belongs to it. The nearest name counts.
  QString takeFileName();
  // The fence that is held last, if any.
  std::optional<CodeFence> fence() const;
  QVector<QByteArray> release();

 private:
  QVector<QByteArray> held_;
};

}  // namespace waferpair::pairing
