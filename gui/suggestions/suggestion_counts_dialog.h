// SPDX-License-Identifier: GPL-3.0-or-later
// Shows what became of suggestions: a row for each language and one for all. It follows while it is
// open. UI thread only.
#pragma once

#include <QDialog>

class QLabel;
class QPushButton;
class QTableWidget;

namespace waferpair::editor {
struct SuggestionFigures;
}

namespace waferpair::gui {

class SuggestionCounts;

class SuggestionCountsDialog : public QDialog {
  Q_OBJECT
 public:
  // `counts` outlives this.
  SuggestionCountsDialog(SuggestionCounts* counts, QWidget* parent);

 private:
  void refresh();
  void addRow(const QString& language, const editor::SuggestionFigures& figures);

  SuggestionCounts* counts_;
  QLabel* since_;
  QTableWidget* table_;
  QPushButton* reset_;
};

}  // namespace waferpair::gui
