// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/text/path_bytes.h"

#include <QRegularExpression>
#include <QUtf8StringView>
#include <algorithm>

#include "editor/text/unseen.h"

namespace waferpair::editor {
namespace {

constexpr char16_t kByteMark = 0xDC00;  // and the byte, 0x80 to 0xFF

// UTF-8 has no lone surrogates, so these stand for bytes alone.
bool isByteMarkAt(const QString& path, qsizetype at) {
  return isByteMark(path[at].unicode()) && (at == 0 || !path[at - 1].isHighSurrogate());
}

}  // namespace

QString pathText(QByteArrayView bytes) {
  const auto isUtf8 = [&](qsizetype from, qsizetype count) {
    return QUtf8StringView(bytes.data() + from, count).isValidUtf8();
  };
  if (isUtf8(0, bytes.size())) return QString::fromUtf8(bytes);
  QString path;
  for (qsizetype at = 0; at < bytes.size();) {
    constexpr qsizetype kLongest = 4;
    const qsizetype most = std::min(kLongest, bytes.size() - at);
    qsizetype count = 1;
    while (count <= most && !isUtf8(at, count)) ++count;
    if (count <= most) {
      path += QString::fromUtf8(bytes.data() + at, count);
      at += count;
    } else {
      path += QChar(static_cast<char16_t>(kByteMark + static_cast<unsigned char>(bytes[at++])));
    }
  }
  return path;
}

QByteArray pathBytes(const QString& path) {
  QByteArray bytes;
  qsizetype from = 0;
  for (qsizetype at = 0; at < path.size(); ++at) {
    if (!isByteMarkAt(path, at)) continue;
    bytes += QStringView(path).sliced(from, at - from).toUtf8();
    bytes += static_cast<char>(path[at].unicode() - kByteMark);
    from = at + 1;
  }
  return bytes + QStringView(path).sliced(from).toUtf8();
}

std::string nativePath(const QString& path) { return pathBytes(path).toStdString(); }

bool isUtf8Path(const QString& path) {
  for (qsizetype at = 0; at < path.size(); ++at)
    if (isByteMarkAt(path, at)) return false;
  return true;
}

bool isByteMark(char32_t character) {
  return character >= kByteMark + 0x80 && character <= kByteMark + 0xFF;
}

QString shownByte(char32_t mark) {
  return QStringLiteral("\\x%1").arg(static_cast<uint>(mark - kByteMark), 2, 16, QLatin1Char('0'));
}

QString shownPath(const QString& path) {
  QString shown = shownForm(path, OtherBlanks::kKept);
  if (!shown.contains(u'\n') && !shown.contains(u'\r')) return shown;
  // A name is one line.
  static const QRegularExpression ends(QStringLiteral("[\r\n]+"));
  for (auto match = ends.match(shown); match.hasMatch(); match = ends.match(shown))
    shown.replace(match.capturedStart(), match.capturedLength(), oneLineForm(match.captured()));
  return shown;
}

}  // namespace waferpair::editor
