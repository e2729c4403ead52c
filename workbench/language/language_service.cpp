// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/language/language_service.h"

#include <QDir>
#include <QFileInfo>
#include <algorithm>
#include <utility>

#include "editor/text/guest_file.h"
#include "editor/text/translate.h"

namespace waferpair::workbench {

using editor::DocumentId;
using editor::SyncedDocument;

namespace {

constexpr qint64 kLargestServerFile = 1 << 20;
// Until a server that was asked to end is ended.
constexpr std::chrono::seconds kStopPatience(8);

// One server may run in several folders.
QString reporterOf(const LanguageClient* client) {
  return client->server().id + u'\n' + client->root();
}

bool isBelow(const QString& path, const QString& folder) {
  return !folder.isEmpty() && path.startsWith(folder + u'/');
}

}  // namespace

LanguageService::LanguageService(editor::DocumentSync* sync, Options options, QObject* parent)
    : QObject(parent), options_(std::move(options)), servers_(options_.shipped), found_(sync) {
  connect(&found_, &DiagnosticStore::fileChanged, this, &LanguageService::diagnosticsChanged);
  sync->subscribe(this);
}

LanguageService::~LanguageService() = default;

QStringList LanguageService::setFolders(const QStringList& folders) {
  QStringList problems;
  const auto read = [&](const QString& path, const QString& shown, bool ofProject,
                        QVector<LanguageServer>* servers) {
    const auto bytes = editor::readGuestFile(path, kLargestServerFile);
    if (!bytes) problems.append(bytes.error().message());
    if (!bytes || !*bytes) return;
    LanguageServers list = readLanguageServers(**bytes, shown);
    for (LanguageServer& server : list.servers) server.ofProject = ofProject;
    *servers += list.servers;
    problems += list.problems;
  };
  ofFolder_.clear();
  for (const QString& folder : folders)
    read(folder + u'/' + QLatin1String(kProjectServers), QLatin1String(kProjectServers), true,
         &ofFolder_[folder]);
  servers_.clear();
  if (!options_.userFile.isEmpty()) read(options_.userFile, options_.userFile, false, &servers_);
  servers_ += options_.shipped;
  if (std::exchange(folders_, folders) != folders) {
    for (LanguageClient* client : QVector(clients_))
      if (folderOf(client->root()).isEmpty()) end(client);
  }
  assignAll();
  return problems;
}

QString LanguageService::folderOf(const QString& path) const {
  for (const QString& folder : folders_)
    if (path == folder || isBelow(path, folder)) return folder;
  return {};
}

void LanguageService::setEnabled(bool on) {
  if (std::exchange(enabled_, on) == on) return;
  if (!on)
    for (LanguageClient* client : QVector(clients_)) end(client);
  assignAll();
}

// -- Which server a text has

std::optional<LanguageService::Candidate> LanguageService::find(
    const SyncedDocument& document) const {
  if (!enabled_ || stopped_ || !document.id.startsWith(u'/')) return std::nullopt;
  const QString around = QFileInfo(document.id).path();
  const QString folder = folders_.isEmpty() ? around : folderOf(document.id);
  std::optional<Candidate> missing;
  // What a folder brings is for its own files; those from elsewhere are shown to who runs already.
  QVector<LanguageServer> servers = ofFolder_.value(folder);
  if (folder.isEmpty())
    for (const QString& each : folders_) servers += ofFolder_.value(each);
  for (const LanguageServer& server : servers + servers_) {
    if (!server.languages.contains(document.language)) continue;
    const Candidate found{server, commandOf(server, options_.environment), folder};
    if (!found.command.program.isEmpty()) return found;
    if (!missing) missing = found;
  }
  return missing;
}

void LanguageService::assign(const SyncedDocument& document) {
  const std::optional<Candidate> found = find(document);
  LanguageClient* client = nullptr;
  if (found && !found->command.program.isEmpty()) client = clientFor(*found, document.id);
  LanguageClient* before = clientOf_.value(document.id);
  if (client == before) return;
  if (before) {
    before->close(document.id);
    found_.report(reporterOf(before), document.id, {}, before->unit());
  }
  clientOf_.remove(document.id);
  if (!client) return;
  clientOf_.insert(document.id, client);
  client->open(document);
  client->start();
}

LanguageClient* LanguageService::clientFor(const Candidate& found, const QString& path) {
  const auto runs = [&](const LanguageClient* client, const QString& root) {
    return client->server() == found.server && client->command() == found.command &&
           (root.isEmpty() || client->root() == root);
  };
  // A file that lies elsewhere (a header of the system) is shown to the server that led to it.
  const bool isElsewhere = found.folder.isEmpty();
  if (!isElsewhere && wordAbout(found) != programs::StartWord::kAgreed) return nullptr;
  const QString root = isElsewhere ? QString() : rootOf(path, found.folder, found.server.markers);
  for (LanguageClient* client : std::as_const(clients_))
    if (runs(client, root)) return client;
  if (isElsewhere) return nullptr;
  auto* client = new LanguageClient(found.server, found.command, root, options_.patience, this);
  connect(client, &LanguageClient::stateChanged, this, [this, client] {
    if (client->state() == LanguageClient::State::kDead) found_.retract(reporterOf(client));
    Q_EMIT stateChanged();
  });
  connect(client, &LanguageClient::progressChanged, this, &LanguageService::stateChanged);
  connect(client, &LanguageClient::diagnosed, this,
          [this, client](const QString& file, const QVector<Diagnostic>& diagnostics) {
            found_.report(reporterOf(client), file, diagnostics, client->unit());
          });
  connect(client, &LanguageClient::said, this, [this, client](const QString& text, bool isError) {
    Q_EMIT said(client->server().id, text, isError);
  });
  connect(client, &LanguageClient::userAsked, this,
          [this, client](qint64 asked, const QString& text, const QStringList& choices) {
            Q_EMIT userAsked(client, asked, text, choices);
          });
  connect(client, &LanguageClient::refreshWanted, this, &LanguageService::refreshWanted);
  clients_.append(client);
  return client;
}

void LanguageService::assignAll() {
  for (const SyncedDocument& document : std::as_const(open_)) assign(document);
  Q_EMIT offersChanged();
  Q_EMIT stateChanged();
}

void LanguageService::end(LanguageClient* client) {
  clients_.removeOne(client);
  for (const DocumentId& id : clientOf_.keys(client)) clientOf_.remove(id);
  found_.retract(reporterOf(client));
  client->disconnect(this);
  client->stop();
  QTimer::singleShot(kStopPatience, client, &QObject::deleteLater);
}

// -- Open texts

void LanguageService::opened(const SyncedDocument& document) {
  open_.insert(document.id, document);
  assign(document);
  Q_EMIT offersChanged();
  Q_EMIT stateChanged();
}

void LanguageService::changed(const SyncedDocument& document,
                              const QVector<editor::TextEdit>& edits) {
  open_.insert(document.id, document);
  if (LanguageClient* client = clientOf_.value(document.id)) client->change(document, edits);
}

void LanguageService::closed(const DocumentId& id) {
  open_.remove(id);
  if (LanguageClient* client = clientOf_.take(id)) {
    client->close(id);
    // What it has to be asked for it does not take back by itself.
    if (client->offers(QStringLiteral("diagnosticProvider")))
      found_.report(reporterOf(client), id, {}, client->unit());
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

programs::StartWord LanguageService::wordAbout(const Candidate& found) const {
  if (!options_.rule) return programs::StartWord::kUnasked;
  return options_.rule(startOf(found.server, found.command, found.folder));
}

QVector<LanguageService::Offer> LanguageService::offers() const {
  QVector<Offer> offers;
  QSet<QString> known;
  QStringList ids = open_.keys();
  ids.sort();
  for (const QString& id : std::as_const(ids)) {
    const SyncedDocument& document = *open_.constFind(id);
    const std::optional<Candidate> found = find(document);
    if (!found || found->command.program.isEmpty() || found->folder.isEmpty()) continue;
    if (wordAbout(*found) != programs::StartWord::kUnasked) continue;
    const programs::GivenStart start = startOf(found->server, found->command, found->folder);
    const QString key = start.key();
    if (known.contains(key)) continue;
    known.insert(key);
    offers.append({start, found->server, found->command, document.language});
  }
  return offers;
}

QString LanguageService::restrictedFolder() const {
  for (const SyncedDocument& document : open_) {
    const std::optional<Candidate> found = find(document);
    if (found && !found->command.program.isEmpty() && !found->folder.isEmpty() &&
        wordAbout(*found) == programs::StartWord::kRestricted)
      return found->folder;
  }
  return {};
}

// Texts in a client's root are those that were agreed to or not with it.
LanguageService::Candidate LanguageService::candidateOf(const LanguageClient& client) const {
  const QString folder = folderOf(client.root());
  return {client.server(), client.command(), folder.isEmpty() ? client.root() : folder};
}

QVector<programs::GivenStart> LanguageService::running() const {
  QVector<programs::GivenStart> running;
  for (const LanguageClient* client : clients_) {
    const Candidate of = candidateOf(*client);
    running.append(startOf(of.server, of.command, of.folder));
  }
  return running;
}

void LanguageService::lookAgain() {
  for (LanguageClient* client : QVector(clients_))
    if (wordAbout(candidateOf(*client)) != programs::StartWord::kAgreed) end(client);
  assignAll();
}

QVector<LanguageService::Row> LanguageService::rows() const {
  QVector<Row> rows;
  QStringList ids = open_.keys();
  ids.sort();
  for (const QString& id : std::as_const(ids)) {
    const std::optional<Candidate> found = find(*open_.constFind(id));
    if (!found) continue;
    const bool isKnown = std::any_of(rows.cbegin(), rows.cend(), [&](const Row& row) {
      return row.server == found->server && row.folder == found->folder;
    });
    if (isKnown) continue;
    Row row{found->server, found->command, found->folder, {}, wordAbout(*found)};
    for (LanguageClient* client : clients_)
      if (client->server() == row.server &&
          (row.folder.isEmpty() || candidateOf(*client).folder == row.folder))
        row.clients.append(client);
    rows.append(row);
  }
  return rows;
}

}  // namespace waferpair::workbench
