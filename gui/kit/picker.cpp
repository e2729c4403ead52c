// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/kit/picker.h"

#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>

#include "gui/kit/picker_delegate.h"

namespace waferpair::gui {
namespace {

constexpr int kVisibleRows = 12;

}  // namespace

Picker::Picker(QWidget* window)
    : Overlay(window),
      input_(new QLineEdit(this)),
      list_(new QListView(this)),
      noteRow_(new QWidget(this)),
      note_(new QLabel(noteRow_)),
      noteButton_(new QPushButton(noteRow_)),
      model_(new PickerModel(this)),
      search_(new FuzzySearch(this)) {
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
  note_->setWordWrap(true);
  noteButton_->setObjectName(QStringLiteral("pickerNoteButton"));
  noteButton_->setAutoDefault(false);
  auto* noteLayout = new QHBoxLayout(noteRow_);
  noteLayout->setContentsMargins(0, 0, 0, 0);
  noteLayout->addWidget(note_, 1);
  noteLayout->addWidget(noteButton_);

  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(8, 8, 8, 8);
  layout->setSpacing(6);
  layout->addWidget(input_);
  layout->addWidget(list_);
  layout->addWidget(noteRow_);

  connect(input_, &QLineEdit::textChanged, this, &Picker::search);
  connect(input_, &QLineEdit::textChanged, this, &Picker::typed);
  connect(list_, &QListView::clicked, this, [this](const QModelIndex& index) {
    selectByHand(index.row());
    accept();
  });
  connect(search_, &FuzzySearch::found, this, &Picker::showHits);
  connect(noteButton_, &QPushButton::clicked, this, [this] {
    const auto run = noteRun_;
    dismiss();
    if (run) run();
  });
  connect(this, &Overlay::closed, this, [this] {
    search_->setNames({});
    acceptWhenDone_ = false;
  });
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
  setNote({});
  items_ = items;
  makeItem_ = nullptr;
  search();
  present(input_);
}

void Picker::setNames(const FuzzyNames& names, MakeItem makeItem) {
  makeItem_ = std::move(makeItem);
  search_->setNames(names);
  search_->start(input_->text());
  showNote();
}

void Picker::setNote(const QString& note, const QString& button, std::function<void()> run) {
  noteText_ = note;
  noteRun_ = std::move(run);
  noteButton_->setText(button);
  noteButton_->setAccessibleName(button);
  noteButton_->setVisible(!button.isEmpty());
  showNote();
}

void Picker::search() {
  byHand_ = false;
  acceptWhenDone_ = false;
  if (makeItem_) {
    // The rows so far stay until there are others.
    search_->start(input_->text());
  } else {
    showRows(rankItems(items_, input_->text()));
  }
  showNote();
}

void Picker::showHits(const QList<FuzzyHit>& hits, bool complete) {
  if (!makeItem_) return;
  QList<PickerRow> rows;
  for (const FuzzyHit& hit : hits) rows.append({makeItem_(hit.index), hit.positions});
  // A part in which nothing was found yet says nothing.
  if (complete || !rows.isEmpty()) showRows(rows);
  showNote();
  if (complete && acceptWhenDone_) {
    acceptWhenDone_ = false;
    accept();
  }
}

void Picker::showRows(const QList<PickerRow>& rows) {
  const QVariant current = list_->currentIndex().data(PickerModel::kDataRole);
  model_->setRows(rows);
  int row = 0;
  if (byHand_) {
    const auto same = std::find_if(rows.begin(), rows.end(), [&current](const PickerRow& one) {
      return one.item.data == current;
    });
    byHand_ = same != rows.end();
    if (byHand_) row = static_cast<int>(same - rows.begin());
  }
  list_->setVisible(!rows.isEmpty());
  if (isVisible()) place();
  select(row);
}

void Picker::showNote() {
  QString note = noteText_;
  if (note.isEmpty() && model_->rowCount() == 0) {
    note = search_->isRunning() ? tr("Searching…") : tr("Nothing matches.");
  }
  note_->setText(note);
  noteRow_->setVisible(!note.isEmpty());
  if (isVisible()) place();
}

void Picker::fit(int height) {
  const int rows = std::min(model_->rowCount(), kVisibleRows);
  if (rows == 0) return;
  const QMargins margins = layout()->contentsMargins();
  int room =
      height - margins.top() - margins.bottom() - input_->sizeHint().height() - layout()->spacing();
  if (!noteRow_->isHidden()) room -= noteRow_->sizeHint().height() + layout()->spacing();
  const int rowHeight = std::max(1, list_->sizeHintForRow(0));
  list_->setFixedHeight(std::clamp(room / rowHeight, 1, rows) * rowHeight);
}

void Picker::select(int row) {
  const int rows = model_->rowCount();
  if (rows == 0) return;
  const QModelIndex index = model_->index(std::clamp(row, 0, rows - 1));
  list_->setCurrentIndex(index);
  list_->scrollTo(index);
  Q_EMIT lookedAt(index.data(PickerModel::kDataRole));
}

void Picker::selectByHand(int row) {
  byHand_ = true;
  select(row);
}

void Picker::accept() {
  if (search_->isRunning() && !byHand_) {
    acceptWhenDone_ = true;
    return;
  }
  const QModelIndex index = list_->currentIndex();
  if (!index.isValid() || !list_->isVisible()) {
    if (noteButton_->isVisible()) noteButton_->click();
    return;
  }
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
      selectByHand(row + 1 == rows ? 0 : row + 1);
      return true;
    case Qt::Key_Up:
      selectByHand(row == 0 ? rows - 1 : row - 1);
      return true;
    case Qt::Key_PageDown:
      selectByHand(row + kVisibleRows);
      return true;
    case Qt::Key_PageUp:
      selectByHand(row - kVisibleRows);
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
