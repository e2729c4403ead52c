// SPDX-License-Identifier: GPL-3.0-or-later
#include "programs/given_start.h"

#include <QCryptographicHash>
#include <QJsonArray>
#include <QJsonDocument>

#include "editor/text/unseen.h"

namespace waferpair::programs {
namespace {

// A text that could be taken for another value stands in quotes.
QString shownValue(const QJsonValue& value) {
  if (!value.isString()) {
    const QByteArray json = QJsonDocument(QJsonArray{value}).toJson(QJsonDocument::Compact);
    return QString::fromUtf8(json.sliced(1, json.size() - 2));
  }
  const QString text = value.toString();
  const bool isPlain = !text.isEmpty() && text == text.trimmed() && !text.startsWith(u'"') &&
                       QJsonDocument::fromJson('[' + text.toUtf8() + ']').isNull();
  return isPlain ? editor::oneLineForm(text) : u'"' + editor::oneLineForm(text) + u'"';
}

void addLines(const QString& name, const QJsonValue& value, QStringList* lines) {
  const auto inner = [&](const QString& key) { return name.isEmpty() ? key : name + u'.' + key; };
  if (value.isObject() && !value.toObject().isEmpty()) {
    const QJsonObject object = value.toObject();
    for (auto each = object.begin(); each != object.end(); ++each)
      addLines(inner(editor::oneLineForm(each.key())), each.value(), lines);
  } else if (value.isArray() && !value.toArray().isEmpty()) {
    int at = 0;
    for (const QJsonValue each : value.toArray())
      addLines(name + u'[' + QString::number(++at) + u']', each, lines);
  } else {
    lines->append(name + QStringLiteral(" = ") + shownValue(value));
  }
}

}  // namespace

QString GivenStart::key() const {
  // Objects are sorted by their keys.
  const QJsonObject all{{QStringLiteral("folder"), folder},
                        {QStringLiteral("kind"), static_cast<int>(kind)},
                        {QStringLiteral("given"), given}};
  const QByteArray json = QJsonDocument(all).toJson(QJsonDocument::Compact);
  return QString::fromLatin1(QCryptographicHash::hash(json, QCryptographicHash::Sha256).toHex());
}

QStringList GivenStart::shown() const {
  QStringList lines;
  QJsonObject rest = given;
  // As it would be typed.
  if (rest.value(u"program").isString() && rest.value(u"arguments").isArray()) {
    ProgramCommand command{rest.take(QStringLiteral("program")).toString(), {}, {}};
    for (const QJsonValue each : rest.take(QStringLiteral("arguments")).toArray())
      command.arguments.append(each.toString());
    lines.append(QStringLiteral("command = ") + editor::oneLineForm(command.text()));
  }
  if (!rest.isEmpty()) addLines({}, rest, &lines);
  return lines;
}

QJsonObject givenCommand(const ProgramCommand& command) {
  QJsonObject given{{QStringLiteral("program"), command.program},
                    {QStringLiteral("arguments"), QJsonArray::fromStringList(command.arguments)}};
  if (!command.environment.isEmpty())
    given.insert(QStringLiteral("environment"), QJsonArray::fromStringList(command.environment));
  return given;
}

}  // namespace waferpair::programs
