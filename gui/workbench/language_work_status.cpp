// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/workbench/language_work_status.h"

#include <QFontMetrics>
#include <QToolButton>
#include <chrono>

#include "gui/documents/editor_tabs.h"
#include "workbench/language/language_service.h"

namespace waferpair::gui {

using workbench::LanguageClient;

namespace {

// Work that is done at once is not worth a look, and a server may tell of it a hundred times.
constexpr std::chrono::milliseconds kWorkDelay(250);
constexpr int kWidestWork = 240;  // pixels

}  // namespace

LanguageWorkStatus::LanguageWorkStatus(workbench::LanguageService* service, EditorTabs* tabs,
                                       QWidget* parent)
    : StatusRow(parent), service_(service), tabs_(tabs), work_(new QToolButton(this)) {
  setObjectName(QStringLiteral("languageWorkStatus"));
  work_->setObjectName(QStringLiteral("languageWork"));
  addField(work_, StatusRank::kLanguageWork, {});
  setWanted(work_, false);
  connect(work_, &QToolButton::clicked, this, &LanguageWorkStatus::cancel);
  soon_.setSingleShot(true);
  soon_.setInterval(kWorkDelay);
  connect(&soon_, &QTimer::timeout, this, &LanguageWorkStatus::refresh);
  const auto later = [this] {
    if (!soon_.isActive()) soon_.start();
  };
  connect(service_, &workbench::LanguageService::stateChanged, this, later);
  connect(tabs_, &EditorTabs::currentChanged, this, later);
}

LanguageClient* LanguageWorkStatus::client() const {
  const Document* document = tabs_->current();
  return document ? service_->clientOf(document->id()) : nullptr;
}

bool LanguageWorkStatus::cancel() {
  LanguageClient* at = client();
  if (!at || !at->canCancelWork()) return false;
  at->cancelWork();
  return true;
}

void LanguageWorkStatus::refresh() {
  const LanguageClient* at = client();
  const bool isReady = at && at->state() == LanguageClient::State::kReady;
  const QString work = isReady ? at->progress() : QString();
  setWanted(work_, !work.isEmpty());
  if (work.isEmpty()) return;
  const QString text = tr("%1: %2").arg(at->server().id, work);
  work_->setText(work_->fontMetrics().elidedText(text, Qt::ElideRight, kWidestWork));
  work_->setToolTip(at->canCancelWork() ? tr("%1\nClick to have it leave that off").arg(text)
                                        : text);
  work_->setAccessibleName(text);
  work_->setAccessibleDescription(at->canCancelWork() ? tr("Press to cancel") : QString());
}

}  // namespace waferpair::gui
