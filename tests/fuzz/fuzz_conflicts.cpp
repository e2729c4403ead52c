// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a text with conflicts of a merge.
#include <cstdlib>

#include "editor/text/conflicts.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace waferpair::editor;
  const QByteArray text(reinterpret_cast<const char*>(data), static_cast<qsizetype>(size));
  const Snapshot snapshot(text);
  qint64 end = 0;
  for (const Conflict& conflict : conflictsIn(text)) {
    // In order, each part inside the whole.
    if (conflict.whole.start < end || conflict.ours.start > conflict.ours.end ||
        conflict.ours.end > conflict.theirs.start || conflict.theirs.start > conflict.theirs.end ||
        conflict.theirs.end > conflict.whole.end || conflict.whole.end > text.size())
      std::abort();
    end = conflict.whole.end;
    for (const Resolution side : {Resolution::kOurs, Resolution::kTheirs, Resolution::kBoth})
      snapshot.edited(resolve(conflict, side, snapshot));
  }
  return 0;
}
