// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/workbench/language_tools.h"

#include <QFile>

#include "editor/text/unseen.h"
#include "gui/documents/editor_tabs.h"
#include "gui/kit/banner.h"
#include "gui/kit/start_gate.h"
#include "gui/project/workspace.h"
#include "gui/store/app_paths.h"
#include "gui/store/folder_trust.h"
#include "gui/store/settings.h"

namespace waferpair::gui {

using workbench::LanguageClient;
using workbench::LanguageServer;
using workbench::LanguageService;

namespace {

constexpr char kOfferBanner[] = "languageOffer";
constexpr char kDeadBanner[] = "languageDead";

QVector<LanguageServer> shippedServers() {
  QFile file(QStringLiteral(":/language_servers.json"));
  if (!file.open(QIODevice::ReadOnly)) return {};
  return workbench::readLanguageServers(file.readAll(), file.fileName()).servers;
}

}  // namespace

LanguageTools::LanguageTools(editor::DocumentSync* sync, Settings* settings, FolderTrust* trust,
                             const AppPaths& paths, QObject* parent)
    : QObject(parent),
      settings_(settings),
      trust_(trust),
      service_(
          sync,
          {.shipped = shippedServers(),
           .userFile = paths.config + QStringLiteral("/language-servers.json"),
           .rule = [trust](const programs::GivenStart& start) { return trust->wordAbout(start); }}),
      outlines_(sync, &service_),
      tokens_(sync, &service_) {
  service_.setEnabled(settings_->get().languageServers);
}

void LanguageTools::begin(EditorTabs* tabs, Workspace* workspace, BannerStack* notices,
                          StartGate* gate) {
  notices_ = notices;
  gate_ = gate;
  tabs_ = tabs;
  gate->addRunning(this, [this] {
    QVector<RunningStart> running;
    for (const programs::GivenStart& each : service_.running())
      running.append({each, [this] { service_.lookAgain(); }});
    return running;
  });
  // Behind the gate, which tells of what it stops.
  connect(trust_, &FolderTrust::changed, &service_, &LanguageService::lookAgain);
  connect(settings_, &Settings::changed, this, &LanguageTools::applySettings);
  connect(workspace, &Workspace::foldersChanged, this, [this](const QStringList& folders) {
    for (const QString& text : service_.setFolders(folders)) Q_EMIT problem(text);
  });
  connect(tabs, &EditorTabs::opened, this, [this](Document* document) {
    connect(document, &Document::written, &service_,
            [this, document] { service_.saved(document->id()); });
  });
  connect(&service_, &LanguageService::offersChanged, this, &LanguageTools::showOffer,
          Qt::QueuedConnection);
  connect(&service_, &LanguageService::stateChanged, this, &LanguageTools::showState,
          Qt::QueuedConnection);
  connect(&service_, &LanguageService::userAsked, this, &LanguageTools::askUser);
  connect(&service_, &LanguageService::said, this,
          [this](const QString& server, const QString& text, bool isError) {
            if (isError) Q_EMIT problem(tr("%1 says: %2").arg(server, text));
          });
}

// Each question has a banner of its own; closed by hand it is answered by none of the choices.
void LanguageTools::askUser(LanguageClient* client, qint64 asked, const QString& text,
                            const QStringList& choices) {
  const QString id = QStringLiteral("languageAsks %1 %2").arg(client->server().id).arg(asked);
  Banner& banner =
      notices_->show(id, Banner::Kind::kInfo, tr("%1 asks: %2").arg(client->server().id, text));
  const QPointer<LanguageClient> at(client);
  for (qsizetype i = 0; i < choices.size(); ++i) {
    banner.addButton(QStringLiteral("languageChoice%1").arg(i), choices[i], [at, asked, i] {
      if (at) at->answerUser(asked, i);
    });
  }
  connect(&banner, &QObject::destroyed, this, [at, asked] {
    if (at) at->answerUser(asked, std::nullopt);
  });
  // A server that is no longer there waits for nothing.
  connect(client, &LanguageClient::stateChanged, &banner, [this, at, id] {
    if (at && at->state() != LanguageClient::State::kReady) notices_->remove(id);
  });
  connect(client, &QObject::destroyed, &banner, [this, id] { notices_->remove(id); });
}

void LanguageTools::applySettings() { service_.setEnabled(settings_->get().languageServers); }

void LanguageTools::start(const LanguageService::Row& row) {
  gate_->start(workbench::startOf(row.server, row.command, row.folder), [] {});
}

void LanguageTools::decline(const LanguageService::Row& row) {
  const QString wrong = trust_->decline(workbench::startOf(row.server, row.command, row.folder));
  if (!wrong.isEmpty()) Q_EMIT problem(wrong);
}

void LanguageTools::endAll() {
  ended_ = true;
  service_.stopAll();
}

// One at a time. In a folder that is not trusted none is offered, and that is said once.
void LanguageTools::showOffer() {
  if (ended_) return;
  if (const QString folder = service_.restrictedFolder(); !folder.isEmpty())
    gate_->tellRestricted(folder);
  const QVector<LanguageService::Offer> offers = service_.offers();
  const QString key = offers.isEmpty() ? QString() : offers[0].start.key();
  if (key == offered_) return;
  offered_ = key;
  if (key.isEmpty()) return notices_->remove(QLatin1String(kOfferBanner));
  const LanguageService::Offer& offer = offers.constFirst();
  const QString who = offer.server.ofProject
                          ? tr("Start the language server %1 for %2, as this project asks?")
                          : tr("Start the language server %1 for %2?");
  const StartWording wording{
      .id = QLatin1String(kOfferBanner),
      .question = who.arg(editor::oneLineForm(offer.server.id), offer.language) + u' ' +
                  tr("It runs on this computer, in %1:").arg(withTilde(offer.start.folder)),
      .yesName = QStringLiteral("startLanguageServer"),
      .yes = tr("Start It"),
      .noName = QStringLiteral("declineLanguageServer"),
      .no = tr("Not in This Folder"),
      .keepsNo = true};
  gate_->ask(
      offer.start, [] {}, wording);
}

// Once a server is not started again by itself, the user is told.
void LanguageTools::showState() {
  if (ended_) return;
  QString dead;
  for (const LanguageService::Row& row : service_.rows())
    for (const LanguageClient* client : row.clients)
      if (client->state() == LanguageClient::State::kDead && !client->startsAgain())
        dead = client->problem().message();
  const Banner* shown = notices_->find(QLatin1String(kDeadBanner));
  if (dead.isEmpty()) return notices_->remove(QLatin1String(kDeadBanner));
  if (shown && shown->text() == dead) return;
  notices_->show(QLatin1String(kDeadBanner), Banner::Kind::kWarning, dead)
      .addButton(QStringLiteral("restartLanguageServer"), tr("Restart"),
                 [this] { service_.restartAll(); });
}

}  // namespace waferpair::gui
