// SPDX-License-Identifier: GPL-3.0-or-later
// Type a few letters, pick from a list: command palette, quick open, and choices like language or
// line ends.
#pragma once

#include <QVariant>
#include <functional>

#include "gui/kit/fuzzy_search.h"
#include "gui/kit/overlay.h"
#include "gui/kit/picker_model.h"

class QLabel;
class QLineEdit;
class QListView;
class QPushButton;

namespace waferpair::gui {

class Picker : public Overlay {
  Q_OBJECT
 public:
  using Chosen = std::function<void(const QVariant& data)>;
  // Makes the row of a name; asked only for those that are shown.
  using MakeItem = std::function<PickerItem(qsizetype index)>;

  explicit Picker(QWidget* window);

  // Opens over the window. `name` becomes the accessible name ("Command palette"). `chosen` is
  // called after the overlay has closed and the focus is back where it was.
  void open(const QString& name, const QString& placeholder, const QList<PickerItem>& items,
            Chosen chosen);
  // Replaces the items, after open(), by a list so long that a thread searches it. Another list may
  // follow while it is open; what was typed and what was chosen by hand stay. Return waits for the
  // result for what was typed, unless a row has been chosen by hand since.
  void setNames(const FuzzyNames& names, MakeItem makeItem);
  // A line under the list ("Reading the folder"), empty hides it; with a button if `button` is not
  // empty, which closes the picker and runs `run`. Return presses it where the list is empty.
  void setNote(const QString& note, const QString& button = {}, std::function<void()> run = {});

 Q_SIGNALS:
  // Something else is typed now.
  void typed(const QString& text);
  // The row with this data is the one that Return would choose.
  void lookedAt(const QVariant& data);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void fit(int height) override;

 private:
  void search();
  void showHits(const QList<FuzzyHit>& hits, bool complete);
  void showRows(const QList<PickerRow>& rows);
  void showNote();
  void select(int row);
  void selectByHand(int row);
  void accept();

  QLineEdit* input_;
  QListView* list_;
  QWidget* noteRow_;
  QLabel* note_;
  QPushButton* noteButton_;
  PickerModel* model_;
  FuzzySearch* search_;
  QList<PickerItem> items_;
  MakeItem makeItem_;  // null: items_ is the list
  QString noteText_;
  std::function<void()> noteRun_;
  Chosen chosen_;
  bool byHand_ = false;          // a row was chosen since the last letter
  bool acceptWhenDone_ = false;  // Return was pressed before the result was there
};

}  // namespace waferpair::gui
