// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/written_text.h"

namespace waferpair::editor {

bool isWrittenText(const QByteArray& bytes, qsizetype longestLine) {
  if (bytes.contains('\0') || !bytes.isValidUtf8()) return false;
  for (qsizetype start = 0; start < bytes.size();) {
    qsizetype end = bytes.indexOf('\n', start);
    if (end < 0) end = bytes.size();
    if (end - start > longestLine) return false;
    start = end + 1;
  }
  return true;
}

}  // namespace waferpair::editor
