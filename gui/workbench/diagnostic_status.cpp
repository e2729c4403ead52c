// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/workbench/diagnostic_status.h"

#include <QToolButton>
#include <chrono>

#include "gui/documents/document.h"
#include "gui/kit/elided.h"
#include "gui/workbench/diagnostic_marks.h"
#include "gui/workbench/language_tools.h"
#include "gui/workbench/severity_words.h"

namespace waferpair::gui {

using workbench::Diagnostic;
using workbench::LanguageClient;
using workbench::Severity;

namespace {

constexpr std::chrono::milliseconds kStatusDelay(60);

}  // namespace

DiagnosticStatus::DiagnosticStatus(LanguageTools* tools, DiagnosticMarks* marks, QWidget* parent)
    : StatusRow(parent),
      tools_(tools),
      marks_(marks),
      counts_(new QToolButton(this)),
      message_(new ElidedLabel) {
  setObjectName(QStringLiteral("diagnosticStatus"));
  counts_->setObjectName(QStringLiteral("problemCounts"));
  counts_->setToolTip(tr("Show the list of problems"));
  addField(counts_, StatusRank::kProblems, {});
  setWanted(counts_, false);
  message_->setObjectName(QStringLiteral("diagnosticMessage"));
  message_->setTextFormat(Qt::PlainText);
  message_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  connect(counts_, &QToolButton::clicked, this, &DiagnosticStatus::listWanted);
  soon_.setSingleShot(true);
  soon_.setInterval(kStatusDelay);
  connect(&soon_, &QTimer::timeout, this, [this] {
    showCounts();
    showMessage();
  });
  const auto later = [this] {
    if (!soon_.isActive()) soon_.start();
  };
  connect(tools->service(), &workbench::LanguageService::diagnosticsChanged, this, later);
  connect(tools->service(), &workbench::LanguageService::stateChanged, this, later);
}

void DiagnosticStatus::setDocument(Document* document) {
  if (document_) document_->editor()->disconnect(this);
  document_ = document;
  if (document_)
    connect(document_->editor(), &editor::CodeEditor::cursorMoved, this, [this] {
      if (!soon_.isActive()) soon_.start();
    });
  soon_.start();
}

void DiagnosticStatus::setTip(const QString& tip) {
  tip_ = tip;
  showMessage();
}

void DiagnosticStatus::showCounts() {
  int errors = 0, warnings = 0;
  workbench::LanguageService* service = tools_->service();
  for (const QString& path : service->diagnosedFiles()) {
    for (const Diagnostic& one : service->diagnostics(path)) {
      errors += one.severity == Severity::kError ? 1 : 0;
      warnings += one.severity == Severity::kWarning ? 1 : 0;
    }
  }
  const LanguageClient* client = document_ ? service->clientOf(document_->id()) : nullptr;
  QStringList parts;
  if (errors > 0) parts.append(tr("%n error(s)", nullptr, errors));
  if (warnings > 0) parts.append(tr("%n warning(s)", nullptr, warnings));
  if (client) {
    const QString& name = client->server().id;
    if (client->state() == LanguageClient::State::kStarting)
      parts.append(tr("%1 starts").arg(name));
    if (client->state() == LanguageClient::State::kDead) parts.append(tr("%1 died").arg(name));
    if (parts.isEmpty()) parts.append(tr("no problems"));
  }
  const QString progress = client ? client->progress() : QString();
  const QString text = parts.join(QStringLiteral(", "));
  counts_->setToolTip(progress.isEmpty() ? tr("Show the list of problems")
                                         : tr("%1: %2").arg(client->server().id, progress));
  if (text == counts_->text()) return;  // the caret moves often
  counts_->setText(text);
  counts_->setIcon(errors > 0     ? severityIcon(Severity::kError)
                   : warnings > 0 ? severityIcon(Severity::kWarning)
                                  : QIcon());
  counts_->setToolButtonStyle(errors + warnings > 0 ? Qt::ToolButtonTextBesideIcon
                                                    : Qt::ToolButtonTextOnly);
  counts_->setAccessibleName(tr("Problems: %1").arg(counts_->text()));
  setWanted(counts_, !parts.isEmpty());
}

void DiagnosticStatus::showMessage() {
  const std::optional<Diagnostic> here =
      document_ ? marks_->at(document_, document_->editor()->caret()) : std::nullopt;
  QString text =
      here ? tr("%1: %2").arg(severityWord(here->severity), here->text().simplified()) : QString();
  if (!tip_.isEmpty()) text = tip_;
  if (text == message_->text()) return;
  message_->setText(text);
  message_->setToolTip(here ? here->text() : QString());
  message_->setAccessibleName(text);
}

}  // namespace waferpair::gui
