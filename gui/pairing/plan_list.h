// SPDX-License-Identifier: GPL-3.0-or-later
// The list of a plan's steps, for keys first: each says what is to be done, and somebody else does
// it. UI thread only.
#pragma once

#include <QListView>
#include <optional>

namespace waferpair::gui {

class PlanList : public QListView {
  Q_OBJECT
 public:
  explicit PlanList(QWidget* parent);

  int currentRow() const { return currentIndex().row(); }
  // Opens the field in which the step is reworded, with what was typed into one before.
  void reword(const QString& typed = {});
  // The text that is being typed into it; no value: it is not open.
  std::optional<QString> typed() const;

 Q_SIGNALS:
  void runWanted(int row);
  void strikeWanted(int row);
  void doneWanted(int row);
  void addWanted(int row);  // before this one
  void moveWanted(int row, int to);
  void currentRowChanged(int row);

 private:
  QWidget* openField() const;

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  // The window has other uses for some of these keys.
  bool event(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
};

}  // namespace waferpair::gui
