// SPDX-License-Identifier: GPL-3.0-or-later
// The status bar's part about the model: its name, tokens/s and first-token time (host), tokens/s
// (wafer, emulated), context used, and whether suggestions come or why not. What was never measured
// is not shown. A model that is too slow to suggest as one types is called that, with the remedy in
// its tool tip. A click opens details with "Restart model" and "Choose model".
#pragma once

#include <QPointer>
#include <QTimer>

#include "editor/text/result.h"
#include "gui/kit/status_row.h"
#include "gui/model/typing_pace.h"

class QFileDialog;
class QLabel;
class QToolButton;

namespace waferpair::editor {
class SuggestionController;
}

namespace waferpair::gui {

class ProjectFeed;
class RuntimeDetails;
class RuntimeService;

class RuntimeStatus : public StatusRow {
  Q_OBJECT
 public:
  // Neither is owned, both outlive the widget; `feed` may be null.
  explicit RuntimeStatus(RuntimeService* runtime, const ProjectFeed* feed = nullptr,
                         QWidget* parent = nullptr);

  // Speaks of the suggestions of this editor from now on; null when none is open.
  void watch(editor::SuggestionController* suggestions);

 public Q_SLOTS:
  void showDetails();
  // Opens a file dialog for a GGUF file.
  void chooseModel();
  // The same for an adapter of the present model.
  void chooseAdapter();
  // The same for a larger model that suggests, too.
  void chooseLarger();

 Q_SIGNALS:
  void adapterChosen(const QString& file);
  void largerChosen(const QString& file);
  // The user wants to say when suggestions come.
  void suggestionsWanted();

 protected:
  void mouseReleaseEvent(QMouseEvent* event) override;

 private:
  void refresh();
  QString slowText() const;
  void refreshSuggestions();
  void refreshSoon();
  QLabel* addLabel(QLabel* label, const QString& objectName, StatusRank rank);
  void present(QLabel* label, const QString& text, const QString& toolTip);
  QFileDialog* openFileDialog(const QString& name, const QString& title, const QString& filter);
  void showRejected(const QString& path, const editor::Error& problem);

  RuntimeService* runtime_;
  TypingPace pace_;  // of the present model
  QString paceOf_;   // its path
  const ProjectFeed* feed_;
  QPointer<editor::SuggestionController> watched_;
  QPointer<RuntimeDetails> details_;  // while it is open
  // Each key changes figures and state: shown at a pace at which they can be read, and not in the
  // round of paints that shows the key.
  QTimer soon_{this};
  QToolButton* model_;
  QToolButton* suggestions_;
  QLabel* hostRate_;
  QLabel* firstToken_;
  QLabel* waferRate_;
  QLabel* context_;
};

}  // namespace waferpair::gui
