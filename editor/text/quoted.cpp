// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/quoted.h"

#include <QDir>

namespace waferpair::editor {

QString quotedText(const QByteArray& utf8, qsizetype mostBytes) {
  QByteArray shown = utf8.simplified();
  const bool cut = shown.size() > mostBytes;
  if (cut) {
    // A character is shown whole or not at all.
    const auto continues = [&shown](qsizetype at) { return (shown[at] & 0xc0) == 0x80; };
    qsizetype end = mostBytes;
    while (end > 0 && continues(end)) --end;
    shown.truncate(end);
  }
  return u'“' + QString::fromUtf8(shown) + (cut ? QStringLiteral("…”") : QStringLiteral("”"));
}

QString quotedPath(const QString& path) { return u'“' + QDir::toNativeSeparators(path) + u'”'; }

}  // namespace waferpair::editor
