// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/store/file_position.h"

#include <QRegularExpression>

#include "editor/text/path_on_disk.h"

namespace waferpair::gui {

std::optional<LineColumn> parseLineColumn(const QString& text) {
  static const QRegularExpression shape(
      QStringLiteral("^\\s*(\\d{1,9})(?:\\s*[:,]\\s*(\\d{1,9})?)?\\s*$"));
  const QRegularExpressionMatch match = shape.match(text);
  if (!match.hasMatch()) return std::nullopt;
  const int line = match.capturedView(1).toInt();
  const int column = match.capturedView(2).isEmpty() ? 1 : match.capturedView(2).toInt();
  if (line < 1 || column < 1) return std::nullopt;
  return LineColumn{line, column};
}

FilePosition parseFilePosition(const QString& text) {
  static const QRegularExpression shape(QStringLiteral("^(.+?):(\\d{1,9}(?::\\d{1,9})?):?$"),
                                        QRegularExpression::DotMatchesEverythingOption);
  if (!editor::isThere(text)) {
    const QRegularExpressionMatch match = shape.match(text);
    if (match.hasMatch()) return {match.captured(1), parseLineColumn(match.captured(2))};
  }
  return {text, std::nullopt};
}

}  // namespace waferpair::gui
