// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/agents/agent_session.h"

#include <QCoreApplication>
#include <QDir>
#include <QJsonArray>
#include <QPointer>
#include <QThreadPool>
#include <QUrl>

#include "editor/text/translate.h"

namespace waferpair::pairing {

using programs::ChildProcess;
using programs::JsonRpc;
using programs::RpcFailure;

namespace {

constexpr int kRequestCanceled = -32800;

AgentOption::Kind optionKindOf(const QString& name) {
  using Kind = AgentOption::Kind;
  if (name == u"allow_once") return Kind::kAllowOnce;
  if (name == u"allow_always") return Kind::kAllowAlways;
  if (name == u"reject_once") return Kind::kRejectOnce;
  if (name == u"reject_always") return Kind::kRejectAlways;
  return Kind::kOther;
}

QJsonObject permissionCanceled() {
  return {{QStringLiteral("outcome"),
           QJsonObject{{QStringLiteral("outcome"), QStringLiteral("cancelled")}}}};
}

QJsonObject permissionSelected(const QString& optionId) {
  return {{QStringLiteral("outcome"),
           QJsonObject{{QStringLiteral("outcome"), QStringLiteral("selected")},
                       {QStringLiteral("optionId"), optionId}}}};
}

QJsonObject textBlock(const QString& text) {
  return {{QStringLiteral("type"), QStringLiteral("text")}, {QStringLiteral("text"), text}};
}

QJsonObject resourceBlock(const AgentText& text) {
  const QString uri = text.path.isEmpty() ? QStringLiteral("untitled:") + text.name
                                          : QUrl::fromLocalFile(text.path).toString();
  return {{QStringLiteral("type"), QStringLiteral("resource")},
          {QStringLiteral("resource"),
           QJsonObject{{QStringLiteral("uri"), uri}, {QStringLiteral("text"), text.text}}}};
}

QJsonArray promptBlocks(const ShownPrompt& prompt, const QString& before, bool takesTexts) {
  QJsonArray blocks;
  if (!before.isEmpty())
    blocks.append(textBlock(
        QStringLiteral("Earlier in this conversation, with another model:\n\n%1\n\nThe question:")
            .arg(before)));
  blocks.append(textBlock(prompt->text));
  for (const AgentText& text : prompt->texts) {
    if (takesTexts) {
      blocks.append(resourceBlock(text));
    } else {
      blocks.append(textBlock(QStringLiteral("%1:\n\n%2").arg(text.name, text.text)));
    }
  }
  return blocks;
}

TokenUsage usageOf(const QJsonObject& usage) {
  TokenUsage tokens;
  tokens.input = usage[u"inputTokens"].toInteger(-1);
  tokens.cachedInput = usage[u"cachedReadTokens"].toInteger(-1);
  // Tokens that are not sent anew count apart there.
  if (tokens.input >= 0 && tokens.cachedInput > 0) tokens.input += tokens.cachedInput;
  tokens.output = usage[u"outputTokens"].toInteger(-1);
  tokens.reasoning = usage[u"thoughtTokens"].toInteger(-1);
  return tokens;
}

ReplyDone::Reason reasonOf(const QString& stopReason) {
  using Reason = ReplyDone::Reason;
  if (stopReason == u"max_tokens" || stopReason == u"max_turn_requests") return Reason::kLength;
  if (stopReason == u"refusal") return Reason::kFiltered;
  if (stopReason == u"cancelled") return Reason::kCanceled;
  return Reason::kComplete;
}

}  // namespace

QStringList textsOf(const AgentPrompt& prompt) {
  QStringList texts{prompt.earlier, prompt.since, prompt.text};
  for (const AgentText& text : prompt.texts) texts << text.name << text.text;
  return texts;
}

AgentSession::AgentSession(std::shared_ptr<AgentConnection> connection, AgentProject project,
                           QObject* parent)
    : QObject(parent),
      connection_(std::move(connection)),
      project_(std::move(project)),
      files_(project_.folder, project_.texts) {
  stopping_.setSingleShot(true);
  connect(&stopping_, &QTimer::timeout, this, [this] {
    connection_->giveUp(translate("It did not stop when it was told to, and was ended."));
  });
  connect(&connection_->rpc(), &JsonRpc::notified, this, &AgentSession::notified);
}

AgentSession::~AgentSession() {
  if (turn_) turn_->owner_ = nullptr;
}

// -- From a question to its prompt

std::unique_ptr<AgentTurn> AgentSession::ask(const ShownPrompt& prompt) {
  Q_ASSERT(!turn_);
  std::unique_ptr<AgentTurn> turn(new AgentTurn(this));
  turn_ = turn.get();
  turn_->session_ = id_;
  prompt_ = prompt;
  // Else once the end of the turn before is done with.
  if (!isPrompting_ && !isSettling_) begin();
  return turn;
}

void AgentSession::begin() {
  connection_->whenReady(this, [this, number = turn_->number()] {
    if (!isCurrent(number)) return;
    if (connection_->isDead()) return fail(connection_->problem());
    if (id_.isEmpty()) {
      openSession();
    } else {
      readBefore();
    }
  });
}

void AgentSession::openSession() {
  if ((*prompt_)->session.isEmpty() || !connection_->loadsSessions()) return newSession();
  // It tells all that was said; that is known here.
  isReplaying_ = true;
  id_ = (*prompt_)->session;
  connection_->rpc().request(QStringLiteral("session/load"),
                             {{QStringLiteral("sessionId"), (*prompt_)->session},
                              {QStringLiteral("cwd"), project_.folder},
                              {QStringLiteral("mcpServers"), QJsonArray()}},
                             [this, guard = QPointer(this), number = turn_->number()](
                                 const QJsonValue&, const std::optional<RpcFailure>& error) {
                               if (!guard) return;
                               isReplaying_ = false;
                               if (error) id_.clear();
                               if (!isCurrent(number)) return;
                               if (error) return newSession();
                               takeSession(id_);
                             });
}

void AgentSession::newSession() {
  connection_->rpc().request(
      QStringLiteral("session/new"),
      {{QStringLiteral("cwd"), project_.folder}, {QStringLiteral("mcpServers"), QJsonArray()}},
      [this, guard = QPointer(this), number = turn_->number()](
          const QJsonValue& result, const std::optional<RpcFailure>& error) {
        if (!guard || !isCurrent(number)) return;
        if (connection_->isDead()) return fail(connection_->problem());
        const QString id = result[u"sessionId"].toString();
        if (error && error->code == RpcFailure::kLoginWanted) return askForLogin(error->message);
        if (error || id.isEmpty())
          return fail(
              {translate("%1 began no session: %2")
                   .arg(connection_->name(), error ? error->message : translate("it named none")),
               translate("Try it in a terminal, or choose another model.")});
        isNew_ = true;
        takeSession(id);
      });
}

// The ways to log in are the options of a question.
void AgentSession::askForLogin(const QString& problem) {
  if (connection_->logins().isEmpty())
    return fail({translate("%1 wants a login: %2").arg(connection_->name(), problem),
                 translate("Log in with it in a terminal, then ask again.")});
  AgentQuestion question;
  question.number = ++questions_;
  question.text =
      translate("%1 wants a login before it answers (%2).").arg(connection_->name(), problem);
  for (const AgentLogin& login : connection_->logins())
    question.options.append({login.id, login.name, AgentOption::Kind::kOther});
  turn_->questions_.append(question);
  Q_EMIT turn_->progressed();
}

void AgentSession::takeSession(const QString& id) {
  id_ = id;
  turn_->session_ = id;
  Q_EMIT turn_->progressed();
  readBefore();
}

// The state of the files is known before the agent can touch one.
void AgentSession::readBefore() {
  struct Read {
    std::shared_ptr<ProjectState> state;
    QVector<ChildProcess::Started> processes;
  };
  QThreadPool::globalInstance()->start([this, guard = QPointer(this), number = turn_->number(),
                                        project = project_, earlier = before_,
                                        marks = connection_->process().marks()] {
    const ProjectState none;
    Read read{std::make_shared<ProjectState>(ProjectState::read(
                  project.folder, project.listFiles(project.folder), earlier ? *earlier : none)),
              ChildProcess::processesOf(marks)};
    QMetaObject::invokeMethod(
        QCoreApplication::instance(),
        [this, guard, number, read = std::move(read)] {
          if (!guard) return;
          before_ = read.state;
          processesBefore_ = read.processes;
          if (isCurrent(number)) sendPrompt();
        },
        Qt::QueuedConnection);
  });
}

void AgentSession::sendPrompt() {
  const QString& before = std::exchange(isNew_, false) ? (*prompt_)->earlier : (*prompt_)->since;
  const QJsonArray blocks = promptBlocks(*prompt_, before, connection_->takesTexts());
  isPrompting_ = true;
  wasCanceled_ = false;
  promptedTurn_ = turn_->number();
  turn_->isPrompted_ = true;
  files_.beginTurn([before = before_](const QString& path) { return before->textOf(path); });
  Q_EMIT turn_->progressed();
  connection_->rpc().request(
      QStringLiteral("session/prompt"),
      {{QStringLiteral("sessionId"), id_}, {QStringLiteral("prompt"), blocks}},
      [this, guard = QPointer(this)](const QJsonValue& result,
                                     const std::optional<RpcFailure>& error) {
        if (guard) promptAnswered(result, error);
      });
}

// -- The end of a turn

void AgentSession::promptAnswered(const QJsonValue& result,
                                  const std::optional<RpcFailure>& error) {
  isPrompting_ = false;
  stopping_.stop();
  if (connection_->isDead()) id_.clear();
  dropQuestions();
  // Where it was canceled the turn is over, and the next one may be waiting.
  if (isCurrent(promptedTurn_)) {
    if (!error) {
      const QJsonObject usage = result[u"usage"].toObject();
      QVector<ReplyEvent> events;
      if (!usage.isEmpty()) events.append(usageOf(usage));
      events.append(ReplyDone{reasonOf(result[u"stopReason"].toString())});
      endTurn(events);
    } else if (connection_->isDead()) {
      fail(connection_->problem());
    } else {
      fail({translate("%1 could not answer: %2").arg(connection_->name(), error->message),
            translate("Ask again, or choose another model.")});
    }
  }
  settle();
}

void AgentSession::fail(const editor::Error& why) {
  ReplyFailure failure;
  failure.what = why.what;
  failure.remedy = why.remedy;
  endTurn({failure});
}

void AgentSession::endTurn(const QVector<ReplyEvent>& events) {
  AgentTurn* turn = std::exchange(turn_, nullptr);
  if (!turn) return;
  turn->owner_ = nullptr;
  turn->take(events);
}

void AgentSession::settle() {
  isSettling_ = true;
  QThreadPool::globalInstance()->start([this, guard = QPointer(this), project = project_,
                                        number = promptedTurn_, before = before_,
                                        marks = connection_->process().marks()] {
    auto now = std::make_shared<ProjectState>(
        ProjectState::read(project.folder, project.listFiles(project.folder), *before));
    QVector<ChildProcess::Started> left = ChildProcess::processesOf(marks);
    QMetaObject::invokeMethod(
        QCoreApplication::instance(),
        [this, guard, number, before, now, left = std::move(left)]() mutable {
          if (!guard) return;
          // Processes that a canceled turn has begun end with it.
          if (wasCanceled_ && !connection_->isDead()) {
            left.removeIf([this](const auto& each) { return processesBefore_.contains(each); });
            connection_->process().end(left);
          }
          isSettling_ = false;
          const QVector<DiskChange> changes = before->changesTo(*now);
          before_ = now;
          Q_EMIT settled(number, changes);
          if (turn_) begin();
        },
        Qt::QueuedConnection);
  });
}

void AgentSession::noteSaved(const QString& path) {
  const QString root = project_.folder + u'/';
  if (isPrompting_ && before_ && path.startsWith(root))
    before_->take(project_.folder, path.mid(root.size()));
}

// The user stopped it, or nobody wants it any more.
void AgentSession::turnEnded(AgentTurn* turn) {
  if (turn_ != turn) return;
  turn_ = nullptr;
  dropQuestions();
  if (!isPrompting_ || promptedTurn_ != turn->number()) return;
  wasCanceled_ = true;
  connection_->rpc().notify(QStringLiteral("session/cancel"), {{QStringLiteral("sessionId"), id_}});
  stopping_.start(connection_->patience().stop);
}

void AgentSession::dropQuestions() {
  const auto open = std::exchange(permissions_, {});
  for (const QJsonValue& id : open) connection_->rpc().respond(id, permissionCanceled());
  if (isCurrent(promptedTurn_)) turn_->questions_.clear();
}

void AgentSession::steer(const ShownText& text) {
  connection_->rpc().request(QStringLiteral("_session/steering"),
                             {{QStringLiteral("sessionId"), id_},
                              {QStringLiteral("prompt"), QJsonArray{textBlock(*text)}}},
                             [](const QJsonValue&, const std::optional<RpcFailure>&) {});
}

// -- What the agent asks and tells

void AgentSession::takeRequest(const QJsonValue& id, const QString& method,
                               const QJsonObject& params) {
  if (method == u"session/request_permission") return askPermission(id, params);
  if (method == u"fs/read_text_file") return readFile(id, params);
  if (method == u"fs/write_text_file") return writeFile(id, params);
  connection_->rpc().respond(id, RpcFailure{RpcFailure::kMethodNotFound, method});
}

void AgentSession::askPermission(const QJsonValue& id, const QJsonObject& params) {
  if (!isPrompting_ || !isCurrent(promptedTurn_))
    return connection_->rpc().respond(id, permissionCanceled());
  const auto step = turn_->activity_.takeStep(params[u"toolCall"].toObject());
  AgentQuestion question;
  question.number = ++questions_;
  if (step) question.step = *step;
  for (const QJsonValue option : params[u"options"].toArray())
    question.options.append({option[u"optionId"].toString(), option[u"name"].toString(),
                             optionKindOf(option[u"kind"].toString())});
  permissions_.insert(question.number, id);
  turn_->questions_.append(question);
  Q_EMIT turn_->progressed();
}

void AgentSession::answered(AgentTurn* turn, const AgentQuestion& question,
                            const QString& optionId) {
  if (permissions_.contains(question.number)) {
    const QJsonValue id = permissions_.take(question.number);
    connection_->rpc().respond(
        id, optionId.isEmpty() ? permissionCanceled() : permissionSelected(optionId));
    return;
  }
  // A login.
  if (optionId.isEmpty())
    return fail({translate("%1 answers nobody who is not logged in.").arg(connection_->name()),
                 translate("Log in, or choose another model.")});
  connection_->rpc().request(QStringLiteral("authenticate"),
                             {{QStringLiteral("methodId"), optionId}},
                             [this, guard = QPointer(this), number = turn->number()](
                                 const QJsonValue&, const std::optional<RpcFailure>& error) {
                               if (!guard || !isCurrent(number)) return;
                               if (error) return askForLogin(error->message);
                               newSession();
                             });
}

void AgentSession::readFile(const QJsonValue& id, const QJsonObject& params) {
  const QString path = params[u"path"].toString();
  const auto text = files_.read(path);
  if (!text)
    return connection_->rpc().respond(id,
                                      RpcFailure{RpcFailure::kInternal, text.error().message()});
  // Gemini makes no new file unless it can read it as an empty one.
  if (!text->exists && !connection_->isGemini())
    return connection_->rpc().respond(
        id, RpcFailure{RpcFailure::kNotFound, QStringLiteral("Resource not found: ") + path});
  const auto shown =
      ShownText::of(linesOf(*text, params[u"line"].toInteger(-1), params[u"limit"].toInteger(-1)));
  if (!shown)
    return connection_->rpc().respond(id,
                                      RpcFailure{RpcFailure::kInternal, shown.error().message()});
  connection_->rpc().respond(id, QJsonObject{{QStringLiteral("content"), **shown}});
}

void AgentSession::writeFile(const QJsonValue& id, const QJsonObject& params) {
  // A turn that was stopped writes no more.
  if (!isPrompting_ || wasCanceled_)
    return connection_->rpc().respond(
        id, RpcFailure{RpcFailure::kInternal, translate("No question is being answered.")});
  const auto written = files_.write(params[u"path"].toString(), params[u"content"].toString());
  if (written) return connection_->rpc().respond(id, QJsonValue());
  connection_->rpc().respond(id, RpcFailure{RpcFailure::kInternal, written.error().message()});
}

void AgentSession::notified(const QString& method, const QJsonObject& params) {
  if (method == u"$/cancel_request") return withdraw(params[u"requestId"]);
  if (method != u"session/update" || isReplaying_) return;
  if (!isPrompting_ || !isCurrent(promptedTurn_)) return;
  if (params[u"sessionId"].toString() != id_) return;
  const AgentActivity::News news = turn_->activity_.take(params[u"update"].toObject());
  QVector<ReplyEvent> events;
  if (!news.text.isEmpty()) events.append(TextDelta{news.text});
  if (!news.thought.isEmpty()) events.append(ReasoningDelta{news.thought});
  // Taking them may end it.
  const QPointer<AgentTurn> turn = turn_;
  turn->take(events);
  if (turn && news.isState) Q_EMIT turn->progressed();
}

void AgentSession::withdraw(const QJsonValue& id) {
  for (auto it = permissions_.begin(); it != permissions_.end(); ++it) {
    if (it.value() != id) continue;
    const int number = it.key();
    permissions_.erase(it);
    connection_->rpc().respond(id, RpcFailure{kRequestCanceled, QStringLiteral("Withdrawn")});
    if (!turn_) return;
    turn_->questions_.removeIf([number](const auto& each) { return each.number == number; });
    Q_EMIT turn_->progressed();
    return;
  }
}

}  // namespace waferpair::pairing
