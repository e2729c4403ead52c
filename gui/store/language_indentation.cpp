// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/store/language_indentation.h"

#include <QRegularExpression>

#include "editor/text/next_line.h"
#include "gui/translate.h"

namespace waferpair::gui {

std::optional<LanguageIndentation> LanguageIndentation::read(const QString& text) {
  static const QRegularExpression form(
      QStringLiteral("^\\s*(\\S.*?)\\s*=\\s*(spaces|tabs)\\s*:?\\s*(\\d{1,2})?\\s*$"),
      QRegularExpression::CaseInsensitiveOption);
  const QRegularExpressionMatch match = form.match(text);
  if (!match.hasMatch()) return {};
  LanguageIndentation read{
      match.captured(1), match.captured(2).toLower() == QLatin1String("tabs"), {}};
  if (match.capturedLength(3) > 0) read.width = match.captured(3).toInt();
  if (read.width && (*read.width < 1 || *read.width > kWidestTab)) return {};
  return read;
}

editor::Indentation preferredIndentation(const Preferences& preferences, const QString& language) {
  editor::Indentation preferred = editor::indentationFor(
      language, editor::Indentation{!preferences.insertSpaces, preferences.tabSize});
  for (const QString& each : preferences.languageIndentations) {
    const auto read = LanguageIndentation::read(each);
    // As the status bar names them.
    const QString named = language.isEmpty() ? tr("Plain Text") : language;
    if (read && read->language.compare(named, Qt::CaseInsensitive) == 0)
      preferred = {read->tabs, read->width.value_or(preferences.tabSize)};
  }
  return preferred;
}

}  // namespace waferpair::gui
