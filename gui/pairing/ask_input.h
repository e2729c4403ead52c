// SPDX-License-Identifier: GPL-3.0-or-later
// The field that a question is typed into: Enter sends it, Shift+Enter begins a line, Up brings
// back what was asked before, and "@" offers what can be mentioned.
#pragma once

#include <QPlainTextEdit>
#include <QStringList>

#include "gui/kit/fuzzy_search.h"

class QCompleter;
class QStringListModel;

namespace waferpair::gui {

class AskInput : public QPlainTextEdit {
  Q_OBJECT
 public:
  explicit AskInput(QWidget* parent);

  // Files, folders and symbols that "@" offers besides what is at hand.
  void setNames(const QStringList& names);
  // Sets what Up brings back, the latest first.
  void setAsked(const QStringList& asked);
  void setText(const QString& text);  // the caret goes to its end
  // Returns whether the list of mentions is open.
  bool isOffering() const;
  QStringList offered() const;

 Q_SIGNALS:
  void sent(const QString& text);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void fit();
  void offer();
  void showOffers(const QList<FuzzyHit>& hits);
  void take(const QString& name);
  bool recall(int step);

  QCompleter* completer_;
  QStringListModel* offers_;
  FuzzySearch* search_;
  QStringList asked_;
  int recalled_ = -1;  // index into asked_; -1: what is being typed
  QString typed_;      // before the first Up
  bool offering_ = false;
};

}  // namespace waferpair::gui
