// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/quoted.h"

#include <QDir>

#include "editor/text/path_bytes.h"
#include "editor/text/text_codec.h"
#include "editor/text/translate.h"
#include "editor/text/unseen.h"

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
  return u'“' + shownForm(exactUtf8(shown)) + (cut ? QStringLiteral("…”") : QStringLiteral("”"));
}

QString quotedPath(const QString& path) {
  return u'“' + shownForm(QDir::toNativeSeparators(path)) + u'”';
}

QString describedPath(const QString& path) {
  const QString shown = shownPath(QDir::toNativeSeparators(path));
  return isUtf8Path(path) ? shown : translate("%1 (not UTF-8)").arg(shown);
}

}  // namespace waferpair::editor
