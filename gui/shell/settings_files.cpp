// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/shell/settings_files.h"

#include <QFileInfo>

#include "gui/documents/document.h"
#include "gui/documents/editor_tabs.h"
#include "gui/kit/banner.h"
#include "gui/project/workspace.h"

namespace waferpair::gui {
namespace {

constexpr char kMistakes[] = "settingsMistakes";

}  // namespace

SettingsFiles::SettingsFiles(Settings* settings, EditorTabs* tabs, Workspace* workspace,
                             BannerStack* notices, QObject* parent)
    : QObject(parent), settings_(settings), tabs_(tabs), notices_(notices) {
  connect(settings, &Settings::filesRead, this, &SettingsFiles::showMistakes);
  connect(workspace, &Workspace::folderChanged, settings, &Settings::setProject);
  connect(tabs, &EditorTabs::opened, this, [this](Document* document) {
    connect(document, &Document::written, this, [this, document] {
      for (const auto scope : {SettingsScope::kUser, SettingsScope::kProject})
        if (document->path() == settings_->file(scope)) settings_->reload();
    });
  });
  settings->watch();
  showMistakes();
}

void SettingsFiles::open(SettingsScope scope, const QString& id) {
  const QString file = settings_->file(scope);
  if (file.isEmpty()) return;
  if (!QFileInfo::exists(file)) settings_->make(scope);
  goTo(file, settings_->lineOf(scope, id), 1);
}

void SettingsFiles::goTo(const QString& file, int line, int column) {
  Document* document = tabs_->openFile(file);
  if (!document) return;
  if (line > 0) document->editor()->goToLine(line - 1, column - 1);
  document->setFocus();
}

// One banner for all: who mends one mistake sees the next.
void SettingsFiles::showMistakes() {
  const QList<SettingsMistake> mistakes = settings_->mistakes();
  if (mistakes.isEmpty()) return notices_->remove(QLatin1String(kMistakes));
  QString text = mistakes.first().text;
  if (mistakes.size() > 1) text += tr(" (And %1 more.)").arg(mistakes.size() - 1);
  const Banner* shown = notices_->find(QLatin1String(kMistakes));
  if (shown && shown->text() == text) return;
  const SettingsMistake first = mistakes.first();
  notices_->show(QLatin1String(kMistakes), Banner::Kind::kWarning, text)
      .addButton(QStringLiteral("openSettings"), tr("&Open the File"),
                 [this, first] { goTo(first.file, first.line, first.column); });
}

}  // namespace waferpair::gui
