// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/picker.h"

#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/picker_delegate.h"

namespace waferpair::gui {
namespace {

constexpr int kVisibleRows = 12;

}  // namespace

Picker::Picker(QWidget* window)
    : Overlay(window),
      input_(new QLineEdit(this)),
      list_(new QListView(this)),
      note_(new QLabel(this)),
      model_(new PickerModel(this)) {
  setObjectName(QStringLiteral("picker"));
  input_->setObjectName(QStringLiteral("pickerInput"));
  input_->installEventFilter(this);
  list_->setObjectName(QStringLiteral("pickerList"));
  list_->setAccessibleName(tr("Matches"));
  list_->setModel(model_);
  list_->setItemDelegate(new PickerDelegate(list_));
  list_->setUniformItemSizes(true);
  list_->setFocusPolicy(Qt::NoFocus);  // the keyboard stays in the input, which moves the choice
  list_->setMouseTracking(true);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->setFrameShape(QFrame::NoFrame);
  note_->setProperty("role", "muted");
  note_->setObjectName(QStringLiteral("pickerNote"));
  note_->setContentsMargins(6, 2, 6, 2);

  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 8, 8, 8);
  layout->setSpacing(6);
  layout->addWidget(input_);
  layout->addWidget(list_);
  layout->addWidget(note_);

  connect(input_, &QLineEdit::textChanged, this, &Picker::filter);
  connect(list_, &QListView::clicked, this, &Picker::accept);
}

void Picker::open(const QString& name, const QString& placeholder, const QList<PickerItem>& items,
                  Chosen chosen) {
  if (isOpen()) Q_EMIT closed();  // for whoever had it open
  chosen_ = std::move(chosen);
  setAccessibleName(name);
  input_->setAccessibleName(name);
  input_->setPlaceholderText(placeholder);
  {
    const QSignalBlocker quiet(input_);
    input_->clear();
  }
  noteText_.clear();
  model_->setItems(items);
  filter();
  present(input_);
}

void Picker::setItems(const QList<PickerItem>& items) {
  const QVariant current = list_->currentIndex().data(PickerModel::kDataRole);
  model_->setItems(items);
  filter();
  for (int row = 0; current.isValid() && row < model_->rowCount(); ++row) {
    if (model_->index(row).data(PickerModel::kDataRole) == current) {
      select(row);
      break;
    }
  }
}

void Picker::setNote(const QString& note) {
  noteText_ = note;
  filter();
}

void Picker::filter() {
  model_->setPattern(input_->text());
  const int rows = model_->rowCount();
  const int rowHeight = list_->sizeHintForRow(0);
  list_->setVisible(rows > 0);
  if (rows > 0) list_->setFixedHeight(std::min(rows, kVisibleRows) * rowHeight);
  const QString note = rows == 0 && noteText_.isEmpty() ? tr("Nothing matches.") : noteText_;
  note_->setText(note);
  note_->setVisible(!note.isEmpty());
  select(0);
  if (isVisible()) place();
}

void Picker::select(int row) {
  const int rows = model_->rowCount();
  if (rows == 0) return;
  const QModelIndex index = model_->index(std::clamp(row, 0, rows - 1));
  list_->setCurrentIndex(index);
  list_->scrollTo(index);
}

void Picker::accept() {
  const QModelIndex index = list_->currentIndex();
  if (!index.isValid() || !list_->isVisible()) return;
  const QVariant data = index.data(PickerModel::kDataRole);
  const Chosen chosen = chosen_;
  dismiss();
  if (chosen) chosen(data);
}

bool Picker::eventFilter(QObject* watched, QEvent* event) {
  if (watched != input_ || event->type() != QEvent::KeyPress) {
    return Overlay::eventFilter(watched, event);
  }
  const int row = list_->currentIndex().row();
  const int rows = model_->rowCount();
  switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Down:
      select(row + 1 == rows ? 0 : row + 1);
      return true;
    case Qt::Key_Up:
      select(row == 0 ? rows - 1 : row - 1);
      return true;
    case Qt::Key_PageDown:
      select(row + kVisibleRows);
      return true;
    case Qt::Key_PageUp:
      select(row - kVisibleRows);
      return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      accept();
      return true;
    default:
      return false;
  }
}

}  // namespace waferpair::gui
