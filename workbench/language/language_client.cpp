// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/language/language_client.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QFileInfo>
#include <QJsonDocument>
#include <QPointer>
#include <algorithm>
#include <utility>

#include "editor/text/translate.h"
#include "workbench/language/client_abilities.h"

namespace waferpair::workbench {

using editor::DocumentId;
using editor::SyncedDocument;

namespace {

// Keys that follow one another are told together.
constexpr std::chrono::milliseconds kFlushDelay(40);
// What a server is asked for by itself waits for a pause in typing.
constexpr std::chrono::milliseconds kPullDelay(400);
// Bytes that wait for a server which reads slower than it is told. With the first it is told of no
// more changes, which become one; with the second it is given up.
constexpr qint64 kMostBehind = qint64{16} << 20, kMostUnread = qint64{64} << 20;
// Until a server that is behind may have read on.
constexpr std::chrono::milliseconds kBehindDelay(200);
// Larger texts are not told to servers: nobody writes them by hand.
constexpr qint64 kLargestToldText = qint64{8} << 20;
constexpr qsizetype kMostShownWords = 600;  // of what it wrote last, UTF-16 units
constexpr qsizetype kMostUserQuestions = 5;
constexpr qsizetype kMostChoices = 6;
constexpr qsizetype kMostOfChoice = 60;  // UTF-16 units
constexpr qsizetype kMostToldFiles = 2000;
constexpr int kFullChanges = 1, kEditChanges = 2;

QJsonObject documentOf(const QString& path) { return {{QStringLiteral("uri"), uriOf(path)}}; }

QJsonObject versionedDocumentOf(const MirroredText& text) {
  QJsonObject document = documentOf(text.path());
  document.insert(QStringLiteral("version"), text.version());
  return document;
}

}  // namespace

LanguageClient::LanguageClient(LanguageServer server, programs::ProgramCommand command,
                               QString root, LanguagePatience patience, QObject* parent)
    : QObject(parent),
      server_(std::move(server)),
      command_(std::move(command)),
      root_(std::move(root)),
      patience_(patience) {
  for (QTimer* timer : {&deadline_, &again_, &flushSoon_, &pullSoon_, &stuck_})
    timer->setSingleShot(true);
  connect(&deadline_, &QTimer::timeout, this, [this] {
    giveUp(translate("It has not answered for %1 s.")
               .arg(QString::number(static_cast<double>(patience_.start.count()) / 1000)));
  });
  connect(&again_, &QTimer::timeout, this, &LanguageClient::launch);
  connect(&flushSoon_, &QTimer::timeout, this, qOverload<>(&LanguageClient::flush));
  connect(&pullSoon_, &QTimer::timeout, this, &LanguageClient::pull);
  connect(&stuck_, &QTimer::timeout, this, [this] {
    if (isBehind() && process_->unread() >= unreadThen_)
      giveUp(translate("It does not read what it is told."));
  });
}

LanguageClient::~LanguageClient() {
  if (process_) process_->disconnect(this);
  if (rpc_) rpc_->disconnect(this);
}

// -- Its life

void LanguageClient::start() {
  if (state_ == State::kStopped) launch();
}

void LanguageClient::restart() {
  deaths_.clear();
  again_.stop();
  if (process_) process_->disconnect(this);
  if (rpc_) rpc_->disconnect(this);
  failAll(translate("%1 was started anew.").arg(server_.id));
  launch();
}

// Whoever asked may ask again: it is not ready from here on.
void LanguageClient::failAll(const QString& why) {
  state_ = State::kStopped;
  for (QTimer* timer : {&deadline_, &flushSoon_, &pullSoon_, &stuck_}) timer->stop();
  if (rpc_) rpc_->failAll({programs::RpcFailure::kInternal, why});
}

void LanguageClient::launch() {
  problem_ = {};
  abilities_ = {};
  works_.clear();
  userQuestions_.clear();
  process_ = std::make_unique<programs::ChildProcess>(command_, root_);
  rpc_ = std::make_unique<programs::JsonRpc>(programs::Framing::kHeaders,
                                             QStringLiteral("Language Server Protocol"));
  connect(rpc_.get(), &programs::JsonRpc::sent, process_.get(), &programs::ChildProcess::write);
  connect(process_.get(), &programs::ChildProcess::received, rpc_.get(), &programs::JsonRpc::take);
  connect(process_.get(), &programs::ChildProcess::ended, this, &LanguageClient::die);
  connect(rpc_.get(), &programs::JsonRpc::broken, this, &LanguageClient::giveUp);
  connect(rpc_.get(), &programs::JsonRpc::requested, this, &LanguageClient::requested);
  connect(rpc_.get(), &programs::JsonRpc::notified, this, &LanguageClient::notified);
  setState(State::kStarting);
  deadline_.start(patience_.start);
  process_->start();
  if (state_ == State::kStarting) initialize();
}

void LanguageClient::initialize() {
  QJsonObject params = initializeParams(root_);
  if (!server_.initialization.isEmpty())
    params.insert(QStringLiteral("initializationOptions"), server_.initialization);
  rpc_->request(QStringLiteral("initialize"), params,
                [this](const QJsonValue& result, const std::optional<programs::RpcFailure>& error) {
                  if (state_ != State::kStarting) return;
                  if (error) return giveUp(error->message);
                  takeAbilities(result.toObject());
                });
}

void LanguageClient::takeAbilities(const QJsonObject& result) {
  deadline_.stop();
  abilities_ = ServerAbilities(result[u"capabilities"].toObject());
  name_ = result[u"serverInfo"][u"name"].toString(server_.id);
  // clangd has said it at the top of the result since before the protocol had a place for it.
  const QString unit =
      abilities()[u"positionEncoding"].toString(result[u"offsetEncoding"].toString());
  unit_ = unit == QLatin1String("utf-8") ? ColumnUnit::kUtf8 : ColumnUnit::kUtf16;
  const QJsonValue sync = abilities()[u"textDocumentSync"];
  changeKind_ = sync.isDouble() ? sync.toInt() : sync[u"change"].toInt();
  tellsOpen_ = sync.isDouble() ? changeKind_ != 0 : sync[u"openClose"].toBool();
  const QJsonValue save = sync[u"save"];
  tellsSaves_ = save.isObject() || save.toBool();
  savesWithText_ = save[u"includeText"].toBool();
  notify(QStringLiteral("initialized"), {});
  if (!server_.settings.isEmpty())
    notify(QStringLiteral("workspace/didChangeConfiguration"),
           {{QStringLiteral("settings"), server_.settings}});
  state_ = State::kReady;
  for (MirroredText& text : texts_) {
    text.takeChanges();  // they are in the text that it is told
    tellOpen(text);
  }
  Q_EMIT stateChanged();
}

void LanguageClient::stop() {
  again_.stop();
  const bool isReady = state_ == State::kReady;
  failAll(translate("%1 was ended.").arg(server_.id));
  if (!isReady) {
    if (process_) process_->end(programs::ChildProcess::processesOf(process_->marks()));
  } else {
    rpc_->request(QStringLiteral("shutdown"), {},
                  [this](const QJsonValue&, const std::optional<programs::RpcFailure>&) {
                    rpc_->notify(QStringLiteral("exit"), {});
                    process_->stop();
                  });
    QTimer::singleShot(patience_.answer, process_.get(),
                       [process = process_.get()] { process->stop(); });
  }
  setState(State::kStopped);
}

void LanguageClient::giveUp(const QString& why) {
  if (state_ != State::kStarting && state_ != State::kReady) return;
  process_->end(programs::ChildProcess::processesOf(process_->marks()));
  die(why);
}

void LanguageClient::die(const QString& how) {
  if (state_ != State::kStarting && state_ != State::kReady) return;
  deadline_.stop();
  for (QTimer* timer : {&flushSoon_, &pullSoon_, &stuck_}) timer->stop();
  // Lest its end be told again.
  process_->disconnect(this);
  rpc_->disconnect(this);
  const qint64 now = QDateTime::currentMSecsSinceEpoch();
  deaths_.append(now);
  deaths_.removeIf([&](qint64 then) { return now - then > patience_.memory.count(); });
  const bool isForGood = deaths_.size() > patience_.restarts;
  problem_.what = translate("The language server %1 is no longer there. %2").arg(server_.id, how);
  const QString words = process_->lastWords().right(kMostShownWords);
  if (!words.isEmpty()) problem_.what += translate(" It wrote: %1").arg(words);
  problem_.remedy = isForGood ? translate(
                                    "It died %1 times and is not started again by itself; the "
                                    "command Restart Language Servers does that.")
                                    .arg(deaths_.size())
                              : translate("It is started again by itself.");
  if (!isForGood) again_.start(patience_.again * (1 << std::min<qsizetype>(deaths_.size() - 1, 6)));
  setState(State::kDead);
  rpc_->close(problem_.what);
}

void LanguageClient::setState(State state) {
  state_ = state;
  Q_EMIT stateChanged();
}

// -- Texts

bool LanguageClient::offers(const QString& provider) const {
  const QJsonValue value = abilities().value(provider);
  return state_ == State::kReady && (value.isObject() || value.toBool());
}

const MirroredText* LanguageClient::text(const DocumentId& id) const {
  const auto found = texts_.constFind(id);
  return found == texts_.cend() ? nullptr : &*found;
}

void LanguageClient::open(const SyncedDocument& document) {
  if (document.text.size() > kLargestToldText) return;
  const QString language = server_.languages.value(document.language);
  const auto text = texts_.insert(document.id, MirroredText(document, language));
  if (state_ == State::kReady) tellOpen(*text);
}

void LanguageClient::tellOpen(const MirroredText& text) {
  if (tellsOpen_) {
    QJsonObject document = versionedDocumentOf(text);
    document.insert(QStringLiteral("languageId"), text.languageId());
    document.insert(QStringLiteral("text"), QString::fromUtf8(text.text().toByteArray()));
    notify(QStringLiteral("textDocument/didOpen"), {{QStringLiteral("textDocument"), document}});
  }
  pullLater(text.path());
}

void LanguageClient::change(const SyncedDocument& document,
                            const QVector<editor::TextEdit>& edits) {
  const auto text = texts_.find(document.id);
  if (text == texts_.end()) return;
  if (document.text.size() > kLargestToldText) return close(document.id);
  if (state_ != State::kReady) return text->follow(document);
  text->follow(document, edits, unit_);
  if (!flushSoon_.isActive()) flushSoon_.start(kFlushDelay);
}

bool LanguageClient::isBehind() {
  const qint64 unread = process_->unread();
  if (unread <= kMostBehind) {
    stuck_.stop();
    return false;
  }
  if (!stuck_.isActive()) {
    unreadThen_ = unread;
    stuck_.start(patience_.reading);
  }
  if (!flushSoon_.isActive()) flushSoon_.start(kBehindDelay);
  return true;
}

void LanguageClient::flush() {
  for (auto text = texts_.cbegin(); text != texts_.cend(); ++text)
    if (text->hasChanges()) flush(text.key());
}

void LanguageClient::flush(const DocumentId& id) {
  const auto text = texts_.find(id);
  if (state_ != State::kReady || text == texts_.end() || !text->hasChanges()) return;
  if (isBehind()) return;
  QJsonArray changes = text->takeChanges();
  if (changeKind_ == kFullChanges)
    changes = {
        QJsonObject{{QStringLiteral("text"), QString::fromUtf8(text->text().toByteArray())}}};
  if (changeKind_ == kFullChanges || changeKind_ == kEditChanges)
    notify(QStringLiteral("textDocument/didChange"),
           {{QStringLiteral("textDocument"), versionedDocumentOf(*text)},
            {QStringLiteral("contentChanges"), changes}});
  pullLater(id);
}

void LanguageClient::close(const DocumentId& id) {
  if (!texts_.remove(id)) return;
  toPull_.remove(id);
  if (state_ == State::kReady && tellsOpen_)
    notify(QStringLiteral("textDocument/didClose"),
           {{QStringLiteral("textDocument"), documentOf(id)}});
}

void LanguageClient::saved(const DocumentId& id) {
  const auto text = texts_.constFind(id);
  if (state_ != State::kReady || text == texts_.cend()) return;
  flush(id);
  if (!tellsSaves_ || text->hasChanges()) return;
  QJsonObject params{{QStringLiteral("textDocument"), documentOf(id)}};
  if (savesWithText_)
    params.insert(QStringLiteral("text"), QString::fromUtf8(text->text().toByteArray()));
  notify(QStringLiteral("textDocument/didSave"), params);
  pullLater(id);
}

// -- Questions

void LanguageClient::notify(const QString& method, const QJsonObject& params) {
  rpc_->notify(method, params);
  if (process_->unread() > kMostUnread) giveUp(translate("It does not read what it is told."));
}

qint64 LanguageClient::ask(const QString& method, const DocumentId& id, QJsonObject params,
                           const Answered& answered) {
  flush();  // an answer may be of other texts, too
  const auto text = texts_.constFind(id);
  if (state_ != State::kReady || text == texts_.cend() || isBehind()) return 0;
  params.insert(QStringLiteral("textDocument"), documentOf(id));
  return send(method, params, {{}, text->text(), text->version(), false, unit_, {}}, id, answered);
}

qint64 LanguageClient::askAt(const QString& method, const DocumentId& id, qint64 offset,
                             QJsonObject params, const Answered& answered) {
  const MirroredText* about = text(id);
  if (!about) return 0;
  params.insert(QStringLiteral("position"), protocolPlace(about->text(), offset, unit_));
  return ask(method, id, params, answered);
}

qint64 LanguageClient::ask(const QString& method, const QJsonObject& params,
                           const Answered& answered) {
  flush();
  if (state_ != State::kReady || isBehind()) return 0;
  LanguageAnswer shape;
  shape.unit = unit_;
  return send(method, params, shape, {}, answered);
}

qint64 LanguageClient::send(const QString& method, const QJsonObject& params, LanguageAnswer shape,
                            const DocumentId& id, const Answered& answered) {
  const auto take = [this, shape, id, answered](const QJsonValue& result,
                                                const std::optional<programs::RpcFailure>& error) {
    LanguageAnswer answer = shape;
    const MirroredText* now = text(id);
    answer.isLate = !id.isEmpty() && (!now || now->version() != shape.version);
    answer.result = error ? QJsonValue(QJsonValue::Undefined) : result;
    if (error) answer.problem = error->message;
    answered(answer);
  };
  const qint64 question = rpc_->request(method, params, take);
  // What awaits the answer is kept by the question alone, and ends with it.
  QTimer::singleShot(patience_.answer, rpc_.get(), [this, question] {
    if (!rpc_->isOpen(question)) return;
    if (state_ == State::kReady)
      notify(QStringLiteral("$/cancelRequest"), {{QStringLiteral("id"), question}});
    rpc_->fail(question, {programs::RpcFailure::kInternal,
                          translate("%1 has not answered.").arg(server_.id)});
  });
  return question;
}

qint64 LanguageClient::execute(const QJsonValue& command, const ApplyEdit& apply,
                               const Answered& answered) {
  QJsonObject params{{QStringLiteral("command"), command[u"command"]}};
  if (command[u"arguments"].isArray())
    params.insert(QStringLiteral("arguments"), command[u"arguments"]);
  if (!permission_.expired()) withdraw(commandQuestion_);
  auto permission = std::make_shared<const ApplyEdit>(apply);
  permission_ = permission;
  commandQuestion_ = ask(QStringLiteral("workspace/executeCommand"), params,
                         [answered, permission](const LanguageAnswer& answer) mutable {
                           permission.reset();
                           answered(answer);
                         });
  return commandQuestion_;
}

void LanguageClient::withdraw(qint64 question) {
  if (state_ != State::kReady || !rpc_->isOpen(question)) return;
  rpc_->forget(question);
  notify(QStringLiteral("$/cancelRequest"), {{QStringLiteral("id"), question}});
}

// -- What it tells

void LanguageClient::notified(const QString& method, const QJsonObject& params) {
  if (method == QLatin1String("textDocument/publishDiagnostics")) {
    const QJsonValue version = params[u"version"];
    takeDiagnostics(pathOf(params[u"uri"].toString()),
                    version.isDouble() ? std::optional(version.toInteger()) : std::nullopt,
                    params[u"diagnostics"]);
  } else if (method == QLatin1String("window/showMessage")) {
    constexpr int kErrorMessage = 1, kWarningMessage = 2;
    const int type = params[u"type"].toInt();
    if (type <= kWarningMessage)
      Q_EMIT said(params[u"message"].toString().left(kMostShownWords), type == kErrorMessage);
  } else if (method == QLatin1String("$/progress")) {
    works_.take(params);
    const QString index = QLatin1String(kClangdIndexWork);
    if (params[u"token"].toString() == index && works_.wasDone(index)) hideClangdIndex(root_);
    Q_EMIT progressChanged();
  }
}

void LanguageClient::cancelWork() {
  if (const auto token = works_.cancellable(); token && state_ == State::kReady)
    notify(QStringLiteral("window/workDoneProgress/cancel"), {{QStringLiteral("token"), *token}});
}

void LanguageClient::filesChanged(const QHash<QString, FileChange>& changes) {
  if (!watchesFiles()) return;
  QJsonArray told;
  for (auto change = changes.begin(); change != changes.end(); ++change) {
    if (told.size() == kMostToldFiles) break;
    if (abilities_.wantsFile(change.key(), *change, root_))
      told.append(QJsonObject{{QStringLiteral("uri"), uriOf(change.key())},
                              {QStringLiteral("type"), static_cast<int>(*change)}});
  }
  if (!told.isEmpty())
    notify(QStringLiteral("workspace/didChangeWatchedFiles"), {{QStringLiteral("changes"), told}});
}

void LanguageClient::takeDiagnostics(const QString& path, std::optional<qint64> version,
                                     const QJsonValue& list) {
  if (path.isEmpty()) return;
  QVector<Diagnostic> diagnostics = readDiagnostics(list);
  const auto found = texts_.find(path);
  if (found != texts_.end()) {
    // Without a version they are of what it was told last.
    const qint64 of = version.value_or(found->lastTold());
    const editor::Snapshot text = found->textOf(of).value_or(found->text());
    for (Diagnostic& one : diagnostics)
      one.range = found->now(byteRangeOf(text, one.told[u"range"], unit_), of);
  }
  Q_EMIT diagnosed(path, diagnostics);
}

void LanguageClient::requested(const QJsonValue& id, const QString& method,
                               const QJsonObject& params) {
  if (method == QLatin1String("workspace/configuration")) {
    rpc_->respond(id, settingsFor(params));
  } else if (method == QLatin1String("workspace/workspaceFolders")) {
    rpc_->respond(id, QJsonArray{folderObject(root_)});
  } else if (method.startsWith(QLatin1String("workspace/")) &&
             method.endsWith(QLatin1String("/refresh"))) {
    rpc_->respond(id, QJsonValue());
    const QString kind = method.section(u'/', 1, 1);
    if (kind == QLatin1String("diagnostic"))
      for (const MirroredText& text : std::as_const(texts_)) pullLater(text.path());
    Q_EMIT refreshWanted(kind);
  } else if (method == QLatin1String("workspace/applyEdit")) {
    // Only what the user asked for changes texts.
    const auto permission = permission_.lock();
    const QString why =
        permission ? (*permission)(params[u"edit"]) : translate("Nobody asked for it.");
    QJsonObject result{{QStringLiteral("applied"), why.isEmpty()}};
    if (!why.isEmpty()) result.insert(QStringLiteral("failureReason"), why);
    rpc_->respond(id, result);
  } else if (method == QLatin1String("client/registerCapability")) {
    const bool isOther = abilities_.add(params[u"registrations"]);
    rpc_->respond(id, QJsonValue());
    for (const MirroredText& text : std::as_const(texts_)) pullLater(text.path());
    if (isOther || abilities_.watchesFiles()) Q_EMIT stateChanged();
  } else if (method == QLatin1String("client/unregisterCapability")) {
    // The protocol itself misspells it.
    const bool isOther = abilities_.remove(params[u"unregisterations"]);
    rpc_->respond(id, QJsonValue());
    if (isOther) Q_EMIT stateChanged();
  } else if (method == QLatin1String("window/workDoneProgress/create")) {
    rpc_->respond(id, QJsonValue());
  } else if (method == QLatin1String("window/showMessageRequest")) {
    askUser(id, params);
  } else {
    rpc_->respond(id, programs::RpcFailure{programs::RpcFailure::kMethodNotFound, method});
  }
}

// Where it offers no choice there is nothing to ask.
void LanguageClient::askUser(const QJsonValue& id, const QJsonObject& params) {
  QJsonArray actions;
  QStringList choices;
  const QJsonArray offered = params[u"actions"].toArray();
  for (const QJsonValue action : offered) {
    const QString title = action[u"title"].toString().simplified().left(kMostOfChoice);
    if (title.isEmpty() || choices.size() == kMostChoices) continue;
    actions.append(action);
    choices.append(title);
  }
  const QString text = params[u"message"].toString().left(kMostShownWords);
  if (actions.isEmpty() || userQuestions_.size() >= kMostUserQuestions) {
    rpc_->respond(id, QJsonValue());
    Q_EMIT said(text, false);
    return;
  }
  userQuestions_.insert(++lastUserQuestion_, {id, actions});
  Q_EMIT userAsked(lastUserQuestion_, text, choices);
}

void LanguageClient::answerUser(qint64 asked, std::optional<qsizetype> choice) {
  if (!userQuestions_.contains(asked)) return;
  const UserQuestion question = userQuestions_.take(asked);
  const bool isOne = choice && *choice >= 0 && *choice < question.actions.size();
  if (state_ == State::kReady || state_ == State::kStarting)
    rpc_->respond(question.id, isOne ? question.actions.at(*choice) : QJsonValue());
}

// One answer for each item, null where nothing is set.
QJsonValue LanguageClient::settingsFor(const QJsonObject& params) const {
  QJsonArray answers;
  for (const QJsonValue item : params[u"items"].toArray()) {
    QJsonValue value = server_.settings;
    for (const QString& part : item[u"section"].toString().split(u'.', Qt::SkipEmptyParts))
      value = value[part];
    answers.append(value.isUndefined() ? QJsonValue() : value);
  }
  return answers;
}

// -- Diagnostics that have to be asked for

void LanguageClient::pullLater(const DocumentId& id) {
  if (!offers(QStringLiteral("diagnosticProvider"))) return;
  toPull_.insert(id);
  pullSoon_.start(kPullDelay);
}

void LanguageClient::pull() {
  for (const DocumentId& id : std::exchange(toPull_, {})) {
    ask(QStringLiteral("textDocument/diagnostic"), id, {}, [this, id](const LanguageAnswer& told) {
      if (told.result[u"kind"].toString() == QLatin1String("full"))
        takeDiagnostics(id, told.version, told.result[u"items"]);
    });
  }
}

QString LanguageClient::busyWith() const {
  if (!rpc_ || !rpc_->awaitsAnswers()) return {};
  return QStringLiteral("waiting for ") + name();
}

}  // namespace waferpair::workbench
