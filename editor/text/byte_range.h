// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

namespace waferpair::editor {

// Bytes [start, end) of a text.
struct ByteRange {
  qint64 start = 0;
  qint64 end = 0;

  bool operator==(const ByteRange&) const = default;
};

}  // namespace waferpair::editor
