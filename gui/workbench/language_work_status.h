// SPDX-License-Identifier: GPL-3.0-or-later
// What the language server of the text in front is at work on, in the status bar; a click has it
// leave that off, where it can. UI thread only.
#pragma once

#include <QPointer>
#include <QTimer>

#include "gui/kit/status_row.h"

class QToolButton;

namespace waferpair::workbench {
class LanguageClient;
class LanguageService;
}  // namespace waferpair::workbench

namespace waferpair::gui {

class EditorTabs;

class LanguageWorkStatus : public StatusRow {
  Q_OBJECT
 public:
  // Both outlive this.
  LanguageWorkStatus(workbench::LanguageService* service, EditorTabs* tabs, QWidget* parent);

  // Has the server of the text in front leave off its work; false: it cannot, or does none.
  bool cancel();

 private:
  workbench::LanguageClient* client() const;
  void refresh();

  workbench::LanguageService* service_;
  EditorTabs* tabs_;
  QToolButton* work_;
  QTimer soon_{this};
};

}  // namespace waferpair::gui
