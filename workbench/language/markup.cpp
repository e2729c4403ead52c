// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/language/markup.h"

#include <QJsonArray>
#include <QRegularExpression>
#include <QStringList>

namespace waferpair::workbench {

QString asMarkdown(const QString& plain) {
  static const QRegularExpression special(QStringLiteral(R"(([\\`*_{}\[\]()#+\-.!<>|~]))"));
  QString text = plain;
  text.replace(special, QStringLiteral("\\\\1"));
  return text.replace(u'\n', QStringLiteral("  \n"));
}

QString codeBlock(const QString& code, const QString& language) {
  return QStringLiteral("```%1\n%2\n```").arg(language, code);
}

QString markdownOf(const QJsonValue& markup) {
  if (markup.isString()) return markup.toString();
  if (markup.isArray()) {
    QStringList parts;
    for (const QJsonValue part : markup.toArray())
      if (const QString text = markdownOf(part); !text.isEmpty()) parts.append(text);
    return parts.join(QStringLiteral("\n\n"));
  }
  const QString value = markup[u"value"].toString().trimmed();
  if (value.isEmpty()) return {};
  if (markup[u"language"].isString()) return codeBlock(value, markup[u"language"].toString());
  return markup[u"kind"].toString() == QLatin1String("plaintext") ? asMarkdown(value) : value;
}

}  // namespace waferpair::workbench
