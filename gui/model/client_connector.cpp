// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/model/client_connector.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace waferpair::gui {
namespace {

constexpr qsizetype kMostAnswer = 1 << 20;  // bytes
constexpr int kEndPatienceMs = 1000;

QJsonObject answerIn(const QByteArray& json) {
  if (json.size() > kMostAnswer) return {};
  return QJsonDocument::fromJson(json).object();
}

}  // namespace

std::optional<QVector<OtherClient>> readOtherClients(const QByteArray& json) {
  QVector<OtherClient> clients;
  for (const QJsonValue& each : answerIn(json).value(QLatin1String("clients")).toArray()) {
    const OtherClient client{each[QLatin1String("name")].toString(),
                             each[QLatin1String("title")].toString()};
    if (client.name.isEmpty() || client.title.isEmpty()) return std::nullopt;
    clients.append(client);
  }
  if (clients.isEmpty()) return std::nullopt;
  return clients;
}

std::optional<ClientSettings> readClientSettings(const QByteArray& json) {
  const QJsonObject answer = answerIn(json);
  const auto text = [&answer](const char* name) {
    return answer.value(QLatin1String(name)).toString();
  };
  ClientSettings settings;
  settings.client = text("client");
  settings.file = text("file");
  settings.text = text("text");
  settings.use = text("use");
  settings.check = text("check");
  settings.replaces = answer.value(QLatin1String("replaces")).toBool();
  if (settings.client.isEmpty() || settings.file.isEmpty() || settings.text.isEmpty())
    return std::nullopt;
  if (const QJsonValue written = answer.value(QLatin1String("written")); written.isBool())
    settings.written = written.toBool();
  const QJsonObject problem = answer.value(QLatin1String("problem")).toObject();
  settings.problem = {problem.value(QLatin1String("message")).toString(),
                      problem.value(QLatin1String("remedy")).toString()};
  return settings;
}

ClientConnector::ClientConnector(const QString& program, QObject* parent)
    : QObject(parent), program_(program) {
  connect(&process_, &QProcess::finished, this, &ClientConnector::ended);
  connect(&process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error != QProcess::FailedToStart) return;  // finished() follows
    isBusy_ = false;
    Q_EMIT failed({tr("%1 could not be started: %2").arg(program_, process_.errorString()),
                   tr("Install Waferpair anew.")});
  });
}

ClientConnector::~ClientConnector() { cancel(); }

void ClientConnector::list() { start({QStringLiteral("connect"), QStringLiteral("--json")}, true); }

void ClientConnector::ask(const QString& client, Wish wish) {
  QStringList arguments = {QStringLiteral("connect"), client, QStringLiteral("--json")};
  if (wish == Wish::kWrite) arguments += QStringLiteral("--write");
  if (wish != Wish::kCheck) arguments += QStringLiteral("--no-check");
  start(arguments, false);
}

void ClientConnector::cancel() {
  if (process_.state() == QProcess::NotRunning) return;
  const QSignalBlocker quiet(&process_);
  process_.kill();
  process_.waitForFinished(kEndPatienceMs);
  isBusy_ = false;
}

void ClientConnector::start(const QStringList& arguments, bool isList) {
  cancel();
  isBusy_ = true;
  isList_ = isList;
  process_.start(program_, arguments);
  process_.closeWriteChannel();
}

void ClientConnector::ended() {
  isBusy_ = false;
  const QByteArray answer = process_.readAllStandardOutput();
  if (isList_) {
    if (const auto clients = readOtherClients(answer)) return Q_EMIT listed(*clients);
  } else if (const auto settings = readClientSettings(answer)) {
    return Q_EMIT told(*settings);
  }
  // What it could not even begin with stands in its own words.
  const QString said = QString::fromUtf8(process_.readAllStandardError().left(kMostAnswer));
  Q_EMIT failed({said.isEmpty() ? tr("waferctl gave no answer.") : said.trimmed(),
                 tr("See what it says in a terminal: waferctl connect")});
}

}  // namespace waferpair::gui
