// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/language/language_service.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <algorithm>
#include <utility>

#include "editor/text/anchor.h"
#include "workbench/translate.h"

namespace waferpair::workbench {

using editor::DocumentId;
using editor::SyncedDocument;

namespace {

constexpr qint64 kLargestServerFile = 1 << 20;
// Until a server that was asked to end is ended.
constexpr std::chrono::seconds kStopPatience(8);

bool isBelow(const QString& path, const QString& folder) {
  return !folder.isEmpty() && path.startsWith(folder + u'/');
}

}  // namespace

QString consentKey(const QString& folder, const ProgramCommand& command) {
  return folder + u'\n' + command.line();
}

LanguageService::LanguageService(editor::DocumentSync* sync, Options options, QObject* parent)
    : QObject(parent), options_(std::move(options)), servers_(options_.shipped) {
  sync->subscribe(this);
}

LanguageService::~LanguageService() = default;

QStringList LanguageService::setFolder(const QString& folder) {
  QStringList problems;
  QVector<LanguageServer> servers;
  const auto read = [&](const QString& path, const QString& shown, bool ofProject) {
    QFile file(path);
    if (!QFileInfo(path).isFile() || !file.open(QIODevice::ReadOnly)) return;
    if (file.size() > kLargestServerFile) {
      problems.append(translate("%1 is too long for a list of language servers.").arg(shown));
      return;
    }
    LanguageServers list = readLanguageServers(file.readAll(), shown);
    for (LanguageServer& server : list.servers) server.ofProject = ofProject;
    servers += list.servers;
    problems += list.problems;
  };
  if (!folder.isEmpty())
    read(folder + u'/' + QLatin1String(kProjectFile), QLatin1String(kProjectFile), true);
  if (!options_.userFile.isEmpty()) read(options_.userFile, options_.userFile, false);
  servers_ = servers + options_.shipped;
  if (std::exchange(folder_, folder) != folder) {
    for (LanguageClient* client : QVector(clients_))
      if (client->root() != folder && !isBelow(client->root(), folder)) end(client);
  }
  assignAll();
  return problems;
}

void LanguageService::setEnabled(bool on) {
  if (std::exchange(enabled_, on) == on) return;
  if (!on)
    for (LanguageClient* client : QVector(clients_)) end(client);
  assignAll();
}

// -- Which server a text has

std::optional<LanguageService::Found> LanguageService::find(const SyncedDocument& document) const {
  if (!enabled_ || stopped_ || !document.id.startsWith(u'/')) return std::nullopt;
  const QString around = QFileInfo(document.id).path();
  const QString folder = folder_.isEmpty()               ? around
                         : isBelow(document.id, folder_) ? folder_
                                                         : QString();
  std::optional<Found> missing;
  for (const LanguageServer& server : servers_) {
    if (!server.languages.contains(document.language)) continue;
    const Found found{server, commandOf(server, options_.environment), folder};
    if (!found.command.program.isEmpty()) return found;
    if (!missing) missing = found;
  }
  return missing;
}

void LanguageService::assign(const SyncedDocument& document) {
  const std::optional<Found> found = find(document);
  LanguageClient* client = nullptr;
  if (found && !found->command.program.isEmpty()) client = clientFor(*found, document.id);
  LanguageClient* before = clientOf_.value(document.id);
  if (client == before) return;
  if (before) before->close(document.id);
  clientOf_.remove(document.id);
  if (!client) return;
  clientOf_.insert(document.id, client);
  client->open(document);
  client->start();
}

LanguageClient* LanguageService::clientFor(const Found& found, const QString& path) {
  const auto runs = [&](const LanguageClient* client, const QString& root) {
    return client->server() == found.server && client->command() == found.command &&
           (root.isEmpty() || client->root() == root);
  };
  // A file that lies elsewhere (a header of the system) is shown to the server that led to it.
  const bool isElsewhere = found.folder.isEmpty();
  if (!isElsewhere && !consents_.agreed.contains(consentKey(found.folder, found.command)))
    return nullptr;
  const QString root = isElsewhere ? QString() : rootOf(path, found.folder, found.server.markers);
  for (LanguageClient* client : std::as_const(clients_))
    if (runs(client, root)) return client;
  if (isElsewhere) return nullptr;
  auto* client = new LanguageClient(found.server, found.command, root, options_.patience, this);
  connect(client, &LanguageClient::stateChanged, this, [this, client] {
    if (client->state() == LanguageClient::State::kDead) forget(client);
    Q_EMIT stateChanged();
  });
  connect(client, &LanguageClient::progressChanged, this, &LanguageService::stateChanged);
  connect(client, &LanguageClient::diagnosed, this,
          [this, client](const QString& file, const QVector<Diagnostic>& diagnostics) {
            take(client, file, diagnostics);
          });
  connect(client, &LanguageClient::said, this, [this, client](const QString& text, bool isError) {
    Q_EMIT said(client->server().id, text, isError);
  });
  clients_.append(client);
  return client;
}

void LanguageService::assignAll() {
  for (const SyncedDocument& document : std::as_const(open_)) assign(document);
  Q_EMIT offersChanged();
  Q_EMIT stateChanged();
}

void LanguageService::forget(LanguageClient* client) {
  for (const QString& file : diagnosedFiles()) take(client, file, {});
}

void LanguageService::end(LanguageClient* client) {
  clients_.removeOne(client);
  for (const DocumentId& id : clientOf_.keys(client)) clientOf_.remove(id);
  forget(client);
  client->disconnect(this);
  client->stop();
  QTimer::singleShot(kStopPatience, client, &QObject::deleteLater);
}

// -- Open texts

void LanguageService::opened(const SyncedDocument& document) {
  open_.insert(document.id, document);
  const auto told = told_.find(document.id);
  if (told != told_.end())
    for (Diagnostic& one : told->diagnostics)
      one.range = byteRangeOf(document.text, one.told[u"range"], told->client->unit());
  assign(document);
  Q_EMIT offersChanged();
  Q_EMIT stateChanged();
}

void LanguageService::changed(const SyncedDocument& document,
                              const QVector<editor::TextEdit>& edits) {
  open_.insert(document.id, document);
  const auto told = told_.find(document.id);
  if (told != told_.end()) {
    for (Diagnostic& one : told->diagnostics) {
      auto range = editor::AnchoredRange::fixed(one.range.start, one.range.end);
      for (const editor::TextEdit& edit : edits) range.follow(edit);
      one.range = {range.start(), range.end()};
    }
  }
  if (LanguageClient* client = clientOf_.value(document.id)) client->change(document, edits);
}

void LanguageService::closed(const DocumentId& id) {
  open_.remove(id);
  if (LanguageClient* client = clientOf_.take(id)) {
    client->close(id);
    // What it has to be asked for it does not take back by itself.
    if (client->offers(QStringLiteral("diagnosticProvider"))) take(client, id, {});
    Q_EMIT stateChanged();
  }
  Q_EMIT offersChanged();
}

void LanguageService::saved(const DocumentId& id) {
  if (LanguageClient* client = clientOf_.value(id)) client->saved(id);
}

void LanguageService::restartAll() {
  for (LanguageClient* client : std::as_const(clients_)) client->restart();
}

void LanguageService::stopAll() {
  stopped_ = true;
  for (LanguageClient* client : QVector(clients_)) end(client);
}

// -- The user's word

QVector<LanguageService::Offer> LanguageService::offers() const {
  QVector<Offer> offers;
  QSet<QString> known;
  QStringList ids = open_.keys();
  ids.sort();
  for (const QString& id : std::as_const(ids)) {
    const SyncedDocument& document = *open_.constFind(id);
    const std::optional<Found> found = find(document);
    if (!found || found->command.program.isEmpty() || found->folder.isEmpty()) continue;
    const QString key = consentKey(found->folder, found->command);
    if (consents_.agreed.contains(key) || consents_.declined.contains(key)) continue;
    if (known.contains(key)) continue;
    known.insert(key);
    offers.append({found->server, found->command, found->folder, document.language});
  }
  return offers;
}

void LanguageService::setConsents(const LanguageConsents& consents) {
  if (consents == consents_) return;
  consents_ = consents;
  assignAll();
}

void LanguageService::agree(const Offer& offer) {
  LanguageConsents consents = consents_;
  const QString key = consentKey(offer.folder, offer.command);
  consents.agreed.insert(key);
  consents.declined.remove(key);
  setConsents(consents);
}

void LanguageService::decline(const Offer& offer) {
  LanguageConsents consents = consents_;
  const QString key = consentKey(offer.folder, offer.command);
  consents.declined.insert(key);
  consents.agreed.remove(key);
  for (LanguageClient* client : QVector(clients_)) {
    const bool isIn = client->root() == offer.folder || isBelow(client->root(), offer.folder);
    if (client->command() == offer.command && isIn) end(client);
  }
  setConsents(consents);
}

QVector<LanguageService::Row> LanguageService::rows() const {
  QVector<Row> rows;
  QStringList ids = open_.keys();
  ids.sort();
  for (const QString& id : std::as_const(ids)) {
    const std::optional<Found> found = find(*open_.constFind(id));
    if (!found) continue;
    const bool isKnown = std::any_of(rows.cbegin(), rows.cend(), [&](const Row& row) {
      return row.server == found->server && row.folder == found->folder;
    });
    if (isKnown) continue;
    Row row{found->server, found->command, found->folder, {}, false};
    row.isDeclined = consents_.declined.contains(consentKey(found->folder, found->command));
    for (LanguageClient* client : clients_)
      if (client->server() == row.server) row.clients.append(client);
    rows.append(row);
  }
  return rows;
}

// -- What is wrong

void LanguageService::take(LanguageClient* client, const QString& path,
                           const QVector<Diagnostic>& diagnostics) {
  const auto before = told_.constFind(path);
  const bool hadNone = before == told_.cend();
  // What one server says of a file does not take back what another has said.
  if (diagnostics.isEmpty() && (hadNone || before->client != client)) return;
  if (diagnostics.isEmpty()) {
    told_.remove(path);
  } else {
    QVector<Diagnostic> sorted = diagnostics;
    std::stable_sort(sorted.begin(), sorted.end(), [](const Diagnostic& a, const Diagnostic& b) {
      return std::pair(a.place.line, a.place.column) < std::pair(b.place.line, b.place.column);
    });
    if (!hadNone && before->diagnostics == sorted) return;
    told_.insert(path, {client, sorted});
  }
  Q_EMIT diagnosticsChanged(path);
}

const QVector<Diagnostic>& LanguageService::diagnostics(const QString& path) const {
  static const QVector<Diagnostic> none;
  const auto found = told_.constFind(path);
  return found == told_.cend() ? none : found->diagnostics;
}

QStringList LanguageService::diagnosedFiles() const {
  QStringList files = told_.keys();
  files.sort();
  return files;
}

}  // namespace waferpair::workbench
