// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/shell/option_table.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "gui/shell/options.h"

namespace waferpair::gui {

QByteArray optionTable() {
  QJsonArray options;
  for (const QCommandLineOption& option : programOptions()) {
    QJsonArray names;
    for (const QString& name : option.names())
      names.append((name.size() == 1 ? QStringLiteral("-") : QStringLiteral("--")) + name);
    options.append(QJsonObject{{QStringLiteral("names"), names},
                               {QStringLiteral("value"), option.valueName()},
                               {QStringLiteral("choices"), QJsonArray()},
                               {QStringLiteral("help"), option.description()}});
  }
  const QJsonObject target{{QStringLiteral("name"), targetSyntax()},
                           {QStringLiteral("help"), QString()}};
  const QJsonObject table{{QStringLiteral("name"), QCoreApplication::applicationName()},
                          {QStringLiteral("version"), QCoreApplication::applicationVersion()},
                          {QStringLiteral("description"), programDescription()},
                          {QStringLiteral("footer"), QString()},
                          {QStringLiteral("positionals"), QJsonArray{target}},
                          {QStringLiteral("options"), options},
                          {QStringLiteral("commands"), QJsonArray()}};
  return QJsonDocument(table).toJson(QJsonDocument::Indented);
}

}  // namespace waferpair::gui
