// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/store/settings_reference.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include "gui/store/json_text.h"
#include "gui/store/settings_table.h"
#include "gui/translate.h"

namespace waferpair::gui {
namespace {

// For a cell of a table.
QString cell(QString text) { return text.replace(u'|', QStringLiteral("\\|")); }

QString mayText(ProjectMay may) {
  switch (may) {
    case ProjectMay::kSet:
      return tr("yes");
    case ProjectMay::kSwitchOff:
      return tr("only off");
    case ProjectMay::kNothing:
      return tr("no");
  }
  return {};
}

QJsonObject schemaOf(const SettingRow& row) {
  QJsonObject schema{
      {"title", row.title}, {"description", row.help}, {"default", row.defaultValue()}};
  if (!row.choices.isEmpty()) {
    QJsonArray values;
    QJsonArray titles;
    for (const SettingChoice& choice : row.choices) {
      values.append(choice.value);
      titles.append(choice.title);
    }
    schema["enum"] = values;
    schema["enumDescriptions"] = titles;
  } else if (row.isFlag()) {
    schema["type"] = "boolean";
  } else if (row.isNumber()) {
    schema["type"] = row.isWhole() ? "integer" : "number";
    schema["minimum"] = row.least;
    schema["maximum"] = row.most;
  } else if (row.isList()) {
    schema["type"] = "array";
    schema["items"] = QJsonObject{{"type", "string"}};
  } else {
    schema["type"] = "string";
  }
  return schema;
}

}  // namespace

QString settingsPage() {
  QString page;
  QString category;
  for (const SettingRow& row : settingsTable()) {
    if (row.category != category) {
      category = row.category;
      page += QStringLiteral(
                  "%1## %2\n\n| setting | what it does | value | default | a project "
                  "may set it |\n|---|---|---|---|---|\n")
                  .arg(page.isEmpty() ? QString() : QStringLiteral("\n"), category);
    }
    const QString what = QStringLiteral("**%1.** %2").arg(row.title, row.help);
    page += QStringLiteral("| `%1` | %2 | %3 | `%4` | %5 |\n")
                .arg(row.id, cell(what), cell(row.expected()),
                     QString::fromUtf8(jsonLine(row.defaultValue())), mayText(row.project));
  }
  return page;
}

QByteArray settingsSchema() {
  QJsonObject properties{{"$schema", QJsonObject{{"type", "string"}}}};
  for (const SettingRow& row : settingsTable()) properties[row.id] = schemaOf(row);
  const QJsonObject schema{{"$schema", "http://json-schema.org/draft-07/schema#"},
                           {"title", tr("The settings of Waferpair")},
                           {"type", "object"},
                           {"properties", properties},
                           {"additionalProperties", false},
                           {"allowComments", true},
                           {"allowTrailingCommas", true}};
  return QJsonDocument(schema).toJson(QJsonDocument::Indented);
}

}  // namespace waferpair::gui
