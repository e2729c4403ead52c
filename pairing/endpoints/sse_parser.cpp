// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/endpoints/sse_parser.h"

#include <algorithm>
#include <utility>

namespace waferpair::pairing {

QVector<SseEvent> SseParser::feed(QByteArrayView bytes) {
  while (!bytes.isEmpty() && !broken_) {
    if (afterCr_) {
      afterCr_ = false;
      if (bytes[0] == '\n') {
        bytes = bytes.sliced(1);
        continue;
      }
    }
    const auto* end =
        std::find_if(bytes.begin(), bytes.end(), [](char c) { return c == '\n' || c == '\r'; });
    const qsizetype size = end - bytes.begin();
    if (line_.size() + size + event_.data.size() > kMostEventBytes) {
      broken_ = true;
      line_.clear();
      event_ = {};
      break;
    }
    line_.append(bytes.data(), size);
    if (end == bytes.end()) break;
    afterCr_ = *end == '\r';
    bytes = bytes.sliced(size + 1);
    takeLine(line_);
    line_.clear();
  }
  return std::exchange(ready_, {});
}

QVector<SseEvent> SseParser::finish() {
  if (!broken_) dispatch();
  return std::exchange(ready_, {});
}

void SseParser::takeLine(QByteArrayView line) {
  if (std::exchange(first_, false) && line.startsWith("\xEF\xBB\xBF")) line = line.sliced(3);
  if (line.isEmpty()) {
    dispatch();
    return;
  }
  const qsizetype colon = line.indexOf(':');
  const QByteArrayView field = colon < 0 ? line : line.first(colon);
  QByteArrayView value = colon < 0 ? QByteArrayView() : line.sliced(colon + 1);
  if (value.startsWith(' ')) value = value.sliced(1);
  if (field == "data") {
    if (hasData_) event_.data += '\n';
    event_.data.append(value.data(), value.size());
    hasData_ = true;
  } else if (field == "event") {
    event_.type = value.toByteArray();
  }
  // A comment, an id or a time to wait before connecting again says nothing to this program.
}

void SseParser::dispatch() {
  if (hasData_) ready_.append(std::exchange(event_, {}));
  event_ = {};
  hasData_ = false;
}

}  // namespace waferpair::pairing
