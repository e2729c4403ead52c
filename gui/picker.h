// SPDX-License-Identifier: GPL-3.0-or-later
// Type a few letters, pick from a list: command palette, quick open, and choices like language or
// line ends.
#pragma once

#include <QVariant>
#include <functional>

#include "gui/overlay.h"
#include "gui/picker_model.h"

class QLabel;
class QLineEdit;
class QListView;

namespace waferpair::gui {

class Picker : public Overlay {
  Q_OBJECT
 public:
  using Chosen = std::function<void(const QVariant& data)>;

  explicit Picker(QWidget* window);

  // Opens over the window. `name` becomes the accessible name ("Command palette"). `chosen` is
  // called after the overlay has closed and the focus is back where it was.
  void open(const QString& name, const QString& placeholder, const QList<PickerItem>& items,
            Chosen chosen);
  // Replaces the list while it is open; what was typed and chosen stays where possible.
  void setItems(const QList<PickerItem>& items);
  // A line under the list ("Reading the folder"); empty hides it.
  void setNote(const QString& note);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void filter();
  void select(int row);
  void accept();

  QLineEdit* input_;
  QListView* list_;
  QLabel* note_;
  PickerModel* model_;
  QString noteText_;
  Chosen chosen_;
};

}  // namespace waferpair::gui
