// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/debug/dap_connection.h"

#include <QJsonDocument>
#include <utility>

#include "editor/text/translate.h"

namespace waferpair::workbench {
namespace {

constexpr qsizetype kMostOfProblem = 2000;  // UTF-16 units

// Returns why a request was refused, as the adapter tells it: a text for people with {variables},
// else a word for programs.
QString refusalIn(const QJsonObject& message, const QString& command) {
  const QJsonObject error = message.value(u"body")[u"error"].toObject();
  QString text = error.value(u"format").toString();
  const QJsonObject variables = error.value(u"variables").toObject();
  for (auto each = variables.begin(); each != variables.end(); ++each)
    text.replace(u'{' + each.key() + u'}', each.value().toVariant().toString());
  if (text.isEmpty()) text = message.value(u"message").toString();
  if (text.trimmed().isEmpty())
    text = translate("The debug adapter refused “%1” and did not say why.").arg(command);
  return text.trimmed().left(kMostOfProblem);
}

}  // namespace

DapConnection::DapConnection(QObject* parent)
    : QObject(parent), messages_(programs::Framing::kHeaders) {
  connect(&messages_, &programs::JsonMessages::message, this, &DapConnection::takeMessage);
  connect(&messages_, &programs::JsonMessages::broken, this, &DapConnection::broken);
}

qint64 DapConnection::request(const QString& command, const QJsonObject& arguments,
                              const Answer& answer) {
  const qint64 number = last_ + 1;
  if (closed_) {
    last_ = number;
    answer({{}, translate("The debug adapter has ended.")});
    return number;
  }
  open_.insert(number, {command, answer});
  send({{QStringLiteral("type"), QStringLiteral("request")},
        {QStringLiteral("command"), command},
        {QStringLiteral("arguments"), arguments}});
  return number;
}

void DapConnection::respond(qint64 request, const QString& command, const QJsonObject& body) {
  send({{QStringLiteral("type"), QStringLiteral("response")},
        {QStringLiteral("request_seq"), request},
        {QStringLiteral("command"), command},
        {QStringLiteral("success"), true},
        {QStringLiteral("body"), body}});
}

void DapConnection::refuse(qint64 request, const QString& command, const QString& why) {
  send({{QStringLiteral("type"), QStringLiteral("response")},
        {QStringLiteral("request_seq"), request},
        {QStringLiteral("command"), command},
        {QStringLiteral("success"), false},
        {QStringLiteral("message"), why}});
}

void DapConnection::send(QJsonObject message) {
  if (closed_) return;
  message.insert(QStringLiteral("seq"), ++last_);
  Q_EMIT sent(programs::framed(QJsonDocument(message).toJson(QJsonDocument::Compact),
                               programs::Framing::kHeaders));
}

void DapConnection::takeMessage(const QJsonObject& message) {
  if (closed_) return;
  const QString type = message.value(u"type").toString();
  if (type == QLatin1String("event")) {
    wrong_ = 0;
    Q_EMIT told(message.value(u"event").toString(), message.value(u"body").toObject());
  } else if (type == QLatin1String("response")) {
    wrong_ = 0;
    takeAnswer(message);
  } else if (type == QLatin1String("request")) {
    wrong_ = 0;
    Q_EMIT requested(message.value(u"seq").toInteger(), message.value(u"command").toString(),
                     message.value(u"arguments").toObject());
  } else if (++wrong_ >= kMostWrong) {
    Q_EMIT broken(translate("What it sends is not of the Debug Adapter Protocol."));
  }
}

void DapConnection::takeAnswer(const QJsonObject& message) {
  const auto at = open_.constFind(message.value(u"request_seq").toInteger(-1));
  if (at == open_.cend()) return;  // nobody asked
  const Open open = *at;
  open_.erase(at);
  // One that does not say that it is done is not.
  if (message.value(u"success").toBool())
    return open.answer({message.value(u"body").toObject(), {}});
  open.answer({message.value(u"body").toObject(), refusalIn(message, open.command)});
}

void DapConnection::close(const QString& why) {
  if (closed_) return;
  closed_ = true;
  messages_.close();
  const auto open = std::exchange(open_, {});
  for (const Open& each : open) each.answer({{}, why});
}

}  // namespace waferpair::workbench
