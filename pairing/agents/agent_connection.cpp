// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/agents/agent_connection.h"

#include <QJsonArray>

#include "editor/text/translate.h"

namespace waferpair::pairing {

using programs::ChildProcess;
using programs::JsonRpc;
using programs::RpcFailure;

namespace {

constexpr int kAgentProtocol = 1;
constexpr qsizetype kShownWords = 600;  // of what it wrote last, letters

// A capability is an object, or true.
bool isOffered(const QJsonValue& capability) {
  return capability.isObject() || capability.toBool();
}

QJsonObject initializeParams() {
  const QJsonObject files{{QStringLiteral("readTextFile"), true},
                          {QStringLiteral("writeTextFile"), true}};
  return {{QStringLiteral("protocolVersion"), kAgentProtocol},
          {QStringLiteral("clientCapabilities"),
           QJsonObject{{QStringLiteral("fs"), files}, {QStringLiteral("terminal"), false}}},
          {QStringLiteral("clientInfo"),
           QJsonObject{{QStringLiteral("name"), QStringLiteral("waferpair")},
                       {QStringLiteral("title"), QStringLiteral("Waferpair")},
                       {QStringLiteral("version"), QCoreApplication::applicationVersion()}}}};
}

}  // namespace

AgentConnection::AgentConnection(const AgentCommand& command, QString name, const QString& folder,
                                 AgentPatience patience, QObject* parent)
    : QObject(parent),
      name_(std::move(name)),
      patience_(patience),
      process_(command, folder),
      rpc_(programs::Framing::kLines, QStringLiteral("Agent Client Protocol")) {
  deadline_.setSingleShot(true);
  connect(&rpc_, &JsonRpc::sent, &process_, &ChildProcess::write);
  connect(&process_, &ChildProcess::received, &rpc_, &JsonRpc::take);
  connect(&process_, &ChildProcess::ended, this, &AgentConnection::die);
  connect(&rpc_, &JsonRpc::broken, this, &AgentConnection::giveUp);
  connect(&deadline_, &QTimer::timeout, this, [this] {
    giveUp(translate("It has not answered for %1 s.")
               .arg(QString::number(static_cast<double>(patience_.start.count()) / 1000)));
  });
}

AgentConnection::~AgentConnection() {
  process_.disconnect(this);
  rpc_.disconnect(this);
}

void AgentConnection::whenReady(QObject* context, const std::function<void()>& ready) {
  if (ready_ || isDead()) {
    QMetaObject::invokeMethod(context, ready, Qt::QueuedConnection);
    return;
  }
  connect(this, &AgentConnection::settled, context, ready, Qt::SingleShotConnection);
  if (std::exchange(started_, true)) return;
  deadline_.start(patience_.start);
  process_.start();
  rpc_.request(QStringLiteral("initialize"), initializeParams(),
               [this](const QJsonValue& result, const std::optional<RpcFailure>& error) {
                 if (isDead()) return;
                 if (error) return giveUp(error->message);
                 takeAbilities(result.toObject());
               });
}

void AgentConnection::takeAbilities(const QJsonObject& result) {
  deadline_.stop();
  const int version = result[u"protocolVersion"].toInt(-1);
  if (version != kAgentProtocol)
    return giveUp(translate("It speaks version %1 of the Agent Client Protocol, not %2.")
                      .arg(version)
                      .arg(kAgentProtocol));
  const QJsonObject can = result[u"agentCapabilities"].toObject();
  loads_ = isOffered(can[u"loadSession"]);
  takesTexts_ = isOffered(can[u"promptCapabilities"][u"embeddedContext"]);
  steers_ = result[u"_meta"][u"steering"][u"supported"].toBool();
  product_ = result[u"agentInfo"][u"name"].toString();
  for (const QJsonValue method : result[u"authMethods"].toArray())
    logins_.append({method[u"id"].toString(), method[u"name"].toString()});
  ready_ = true;
  Q_EMIT settled();
}

void AgentConnection::giveUp(const QString& why) {
  if (isDead()) return;
  process_.end(ChildProcess::processesOf(process_.marks()));
  die(why);
}

void AgentConnection::die(const QString& how) {
  if (isDead()) return;
  deadline_.stop();
  problem_.what = translate("%1 is no longer there. %2").arg(name_, how);
  const QString words = process_.lastWords().right(kShownWords);
  if (!words.isEmpty()) problem_.what += translate(" It wrote: %1").arg(words);
  problem_.remedy = translate("Ask again to start it anew, or choose another model.");
  rpc_.close(problem_.what);
  Q_EMIT settled();
}

}  // namespace waferpair::pairing
