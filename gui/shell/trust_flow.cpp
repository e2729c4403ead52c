// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/shell/trust_flow.h"

#include <QDir>
#include <QFileInfo>
#include <QToolButton>

#include "editor/text/unseen.h"
#include "gui/documents/editor_tabs.h"
#include "gui/kit/command_registry.h"
#include "gui/kit/icons.h"
#include "gui/kit/picker.h"
#include "gui/kit/start_gate.h"
#include "gui/kit/status_row.h"
#include "gui/project/folder_names.h"
#include "gui/project/workspace.h"
#include "gui/store/app_paths.h"
#include "gui/translate.h"

namespace waferpair::gui {

TrustFlow::TrustFlow(const Parts& parts, QObject* parent)
    : QObject(parent), p_(parts), trust_(parts.gate->trust()) {
  connect(trust_, &FolderTrust::changed, this, &TrustFlow::showStatus);
  connect(p_.tabs, &EditorTabs::currentChanged, this, &TrustFlow::showStatus);
  connect(p_.workspace, &Workspace::folderChanged, this, [this] {
    p_.gate->dropQuestions();
    showStatus();
  });
  connect(p_.workspace, &Workspace::foldersChanged, this, &TrustFlow::showStatus);
  connect(p_.workspace, &Workspace::frontFolderChanged, this, &TrustFlow::showStatus);
}

QString TrustFlow::folder() const {
  if (!p_.workspace->folder().isEmpty()) return p_.workspace->frontFolder();
  const Document* front = p_.tabs->current();
  return front && !front->path().isEmpty() ? QFileInfo(front->path()).absolutePath() : QString();
}

void TrustFlow::addStatus(StatusRow* row) {
  row_ = new StatusRow(row);
  status_ = new QToolButton(row_);
  status_->setObjectName(QStringLiteral("statusTrust"));
  status_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  status_->setFocusPolicy(Qt::TabFocus);
  status_->setIcon(icon(QStringLiteral("lock"), IconTint::kWarning));
  status_->setText(tr("Restricted Mode"));
  const QString what = tr("Nothing that this folder brings is started. Manage trust in it");
  status_->setToolTip(what);
  status_->setAccessibleName(status_->text());
  status_->setAccessibleDescription(what);
  connect(status_, &QToolButton::clicked, this, [this] { manage(folder()); });
  row_->addField(status_, StatusRank::kTrust, {});
  row->addRow(row_);
  showStatus();
}

void TrustFlow::showStatus() {
  if (!status_) return;
  const QString shown = folder();
  // Of several folders it says which one is.
  const QStringList folders = p_.workspace->folders();
  status_->setText(
      folders.size() < 2
          ? tr("Restricted Mode")
          : tr("Restricted: %1")
                .arg(editor::oneLineForm(folderLabels(folders).value(folders.indexOf(shown)))));
  status_->setAccessibleName(status_->text());
  row_->setWanted(status_, !shown.isEmpty() && !trust_->isTrusted(shown));
}

void TrustFlow::manage(const QString& folder) {
  QList<PickerItem> items;
  QList<std::function<void()>> deeds;
  const auto add = [&](const QString& text, const QString& hint, std::function<void()> deed) {
    items.append({.text = text, .hint = hint, .data = deeds.size()});
    deeds.append(std::move(deed));
  };
  const QString by = trust_->trustedBy(folder);
  const QString shown = withTilde(QDir::cleanPath(folder));
  if (!folder.isEmpty() && by.isEmpty()) {
    add(tr("Trust This Folder"), shown, [this, folder] { p_.gate->trustFolder(folder); });
    const QString around = QFileInfo(QDir::cleanPath(folder)).path();
    if (const QString home = QDir::homePath();
        home != around && !home.startsWith(around + u'/') && around != QLatin1String("/"))
      add(tr("Trust the Folder Around It, and All in That"), withTilde(around),
          [this, around] { p_.gate->trustFolder(around); });
    add(tr("Keep This Folder Restricted"), tr("current"), [this, folder] {
      trust_->keepRestricted(folder);
      p_.gate->dropQuestions();
    });
  } else if (!folder.isEmpty()) {
    const bool isOther = by != QFileInfo(folder).canonicalFilePath();
    add(tr("Restrict This Folder"),
        isOther ? tr("takes back trust in %1").arg(withTilde(by)) : shown,
        [this, folder] { p_.gate->restrictFolder(folder); });
    for (const FolderTrust::Said& said : trust_->saidIn(folder))
      add(tr("Ask Again: %1").arg(editor::oneLineForm(said.about)),
          said.isAgreed ? tr("may be started") : tr("is not started"),
          [this, key = said.key] { trust_->forget(key); });
  }
  for (const QString& each : p_.workspace->folders())
    if (each != folder && !trust_->isTrusted(each))
      add(tr("Trust %1, Also in This Window").arg(withTilde(each)), {},
          [this, each] { p_.gate->trustFolder(each); });
  for (const QString& each : trust_->folders())
    if (each != by)
      add(tr("Take Back Trust: %1").arg(withTilde(each)), {},
          [this, each] { p_.gate->restrictFolder(each); });
  p_.picker->open(tr("Trust in folders"), tr("What may be started"), items,
                  [deeds](const QVariant& chosen) { deeds.at(chosen.toLongLong())(); });
  p_.picker->setNote(
      folder.isEmpty() ? tr("No folder is open.")
      : by.isEmpty()
          ? tr("%1 is in Restricted Mode: it is shown, edited and searched, and nothing "
               "that it brings is started.")
                .arg(shown)
          : tr("%1 is trusted. What its own files say is shown before it is started.").arg(shown));
}

void addTrustCommands(CommandRegistry& commands, TrustFlow* flow) {
  commands.add({.id = "file.manageTrust",
                .category = tr("File"),
                .text = tr("Manage Folder &Trust…"),
                .help = tr("Say whether what a folder brings may be started, or take that back."),
                .icon = "lock",
                .places = {{"file", 3}},
                .run = [flow] { flow->manage(flow->folder()); }});
}

}  // namespace waferpair::gui
