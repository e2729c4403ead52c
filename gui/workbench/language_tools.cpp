// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/workbench/language_tools.h"

#include <QFile>
#include <QJsonArray>

#include "gui/documents/editor_tabs.h"
#include "gui/kit/banner.h"
#include "gui/project/workspace.h"
#include "gui/store/app_paths.h"
#include "gui/store/json_file.h"
#include "gui/store/settings.h"

namespace waferpair::gui {

using workbench::LanguageClient;
using workbench::LanguageConsents;
using workbench::LanguageServer;
using workbench::LanguageService;

namespace {

constexpr char kOfferBanner[] = "languageOffer";
constexpr char kDeadBanner[] = "languageDead";
constexpr char kAgreedServers[] = "agreed";
constexpr char kDeclinedServers[] = "declined";

QVector<LanguageServer> shippedServers() {
  QFile file(QStringLiteral(":/language_servers.json"));
  if (!file.open(QIODevice::ReadOnly)) return {};
  return workbench::readLanguageServers(file.readAll(), file.fileName()).servers;
}

QSet<QString> keysIn(const QJsonValue& list) {
  QSet<QString> keys;
  for (const QJsonValue key : list.toArray()) keys.insert(key.toString());
  return keys;
}

QJsonArray listOf(const QSet<QString>& keys) {
  QStringList sorted(keys.begin(), keys.end());
  sorted.sort();
  return QJsonArray::fromStringList(sorted);
}

}  // namespace

LanguageTools::LanguageTools(editor::DocumentSync* sync, Settings* settings, const AppPaths& paths,
                             QObject* parent)
    : QObject(parent),
      settings_(settings),
      consentsFile_(paths.state + QStringLiteral("/language-servers.json")),
      service_(sync, {.shipped = shippedServers(),
                      .userFile = paths.config + QStringLiteral("/language-servers.json")}),
      outlines_(sync, &service_),
      tokens_(sync, &service_) {
  const QJsonObject kept = readJson(consentsFile_).object;
  service_.setConsents(
      {keysIn(kept[QLatin1String(kAgreedServers)]), keysIn(kept[QLatin1String(kDeclinedServers)])});
  service_.setEnabled(settings_->get().languageServers);
}

void LanguageTools::begin(EditorTabs* tabs, Workspace* workspace, BannerStack* notices) {
  notices_ = notices;
  tabs_ = tabs;
  connect(settings_, &Settings::changed, this, &LanguageTools::applySettings);
  connect(workspace, &Workspace::folderChanged, this, [this](const QString& folder) {
    for (const QString& text : service_.setFolder(folder)) Q_EMIT problem(text);
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

void LanguageTools::setAgreed(const LanguageService::Offer& offer, bool agreed) {
  agreed ? service_.agree(offer) : service_.decline(offer);
  const LanguageConsents& consents = service_.consents();
  const QString wrong =
      writeJson(consentsFile_, {{QLatin1String(kAgreedServers), listOf(consents.agreed)},
                                {QLatin1String(kDeclinedServers), listOf(consents.declined)}});
  if (!wrong.isEmpty()) Q_EMIT problem(wrong);
}

void LanguageTools::endAll() {
  ended_ = true;
  service_.stopAll();
}

// One at a time.
void LanguageTools::showOffer() {
  if (ended_) return;
  const QVector<LanguageService::Offer> offers = service_.offers();
  const QString key =
      offers.isEmpty() ? QString() : workbench::consentKey(offers[0].folder, offers[0].command);
  if (key == offered_) return;
  offered_ = key;
  if (key.isEmpty()) return notices_->remove(QLatin1String(kOfferBanner));
  const LanguageService::Offer& offer = offers.constFirst();
  const QString who = offer.server.ofProject
                          ? tr("Start the language server %1 for %2, as this project asks?")
                          : tr("Start the language server %1 for %2?");
  Banner& banner =
      notices_->show(QLatin1String(kOfferBanner),
                     offer.server.ofProject ? Banner::Kind::kWarning : Banner::Kind::kInfo,
                     who.arg(offer.server.id, offer.language) + u' ' +
                         tr("It runs on this computer, in %1: %2")
                             .arg(withTilde(offer.folder), offer.command.line()));
  const auto decide = [this, offer](bool agreed) {
    return [this, offer, agreed] {
      setAgreed(offer, agreed);
      if (Document* document = tabs_->current()) document->setFocus();
    };
  };
  banner.addButton(QStringLiteral("startLanguageServer"), tr("Start It"), decide(true));
  banner.addButton(QStringLiteral("declineLanguageServer"), tr("Not in This Folder"),
                   decide(false));
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
