// SPDX-License-Identifier: GPL-3.0-or-later
// A settings file with any bytes in it: it is read, or its mistake is named; and what was read can
// have one value set and taken out again with all others as they were.
#include <QJsonObject>
#include <cstdint>
#include <cstdlib>

#include "gui/store/json_text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using waferpair::gui::JsonText;
  JsonText text(QByteArray(reinterpret_cast<const char*>(data), static_cast<qsizetype>(size)));
  if (text.mistake()) {
    if (text.mistake()->line < 1 || text.mistake()->column < 1) std::abort();
    return 0;
  }
  const QString name = QStringLiteral("fuzz");
  QJsonObject expected = text.values();
  for (const QString& one : text.names())
    if (text.lineOf(one) < 1) std::abort();
  text.set(name, 7);
  expected.insert(name, 7);
  if (text.mistake() || text.values() != expected) std::abort();
  text.remove(name);
  expected.remove(name);
  if (text.mistake() || text.values() != expected) std::abort();
  return 0;
}
