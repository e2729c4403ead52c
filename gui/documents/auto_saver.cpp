// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/documents/auto_saver.h"

#include <QApplication>

#include "gui/documents/editor_tabs.h"
#include "gui/store/settings.h"

namespace waferpair::gui {
namespace {

constexpr int kSaveAfterMs = 1000;

}  // namespace

AutoSaver::AutoSaver(EditorTabs* tabs, Settings* settings, QObject* parent)
    : QObject(parent), tabs_(tabs), settings_(settings) {
  soon_.setSingleShot(true);
  soon_.setInterval(kSaveAfterMs);
  connect(&soon_, &QTimer::timeout, this, &AutoSaver::saveAll);
  connect(tabs, &EditorTabs::opened, this, &AutoSaver::watch);
  connect(qApp, &QApplication::focusChanged, this, &AutoSaver::focusChanged);
}

void AutoSaver::watch(Document* document) {
  connect(document->editor(), &editor::CodeEditor::textChanged, this, [this] {
    if (settings_->get().autoSave == AutoSave::kDelay) soon_.start();
  });
}

void AutoSaver::focusChanged(const QWidget* from, const QWidget* to) {
  if (settings_->get().autoSave != AutoSave::kFocusLoss || from == nullptr || from == to) return;
  for (Document* document : tabs_->documents())
    if (from == document->editor()) document->saveByItself();
}

void AutoSaver::saveAll() {
  if (settings_->get().autoSave != AutoSave::kDelay) return;
  for (Document* document : tabs_->documents()) document->saveByItself();
}

}  // namespace waferpair::gui
