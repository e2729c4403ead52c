// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/agents/line_reader.h"

namespace waferpair::pairing {

QVector<QByteArray> LineReader::take(QByteArrayView bytes) {
  QVector<QByteArray> lines;
  while (!tooLong_ && !bytes.isEmpty()) {
    const qsizetype end = bytes.indexOf('\n');
    const QByteArrayView part = end < 0 ? bytes : bytes.first(end);
    if (begun_.size() + part.size() > kMostBytes) {
      tooLong_ = true;
      begun_ = {};
      break;
    }
    begun_.append(part);
    if (end < 0) break;
    if (begun_.endsWith('\r')) begun_.chop(1);
    lines.append(std::exchange(begun_, {}));
    bytes = bytes.sliced(end + 1);
  }
  return lines;
}

}  // namespace waferpair::pairing
