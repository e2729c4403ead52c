// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/plan_list.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTextLayout>
#include <algorithm>

#include "editor/text/unseen.h"
#include "gui/kit/theme.h"
#include "gui/pairing/plan_model.h"

namespace waferpair::gui {
namespace {

constexpr int kPad = 6;
constexpr int kIcon = 14;
constexpr int kTextLeft = 12 + kIcon + 8;
constexpr int kMostStepLines = 4;  // of a step's text

// Icon, text over several lines, and below it how the step stands.
class StepDelegate : public QStyledItemDelegate {
 public:
  explicit StepDelegate(QAbstractItemView* view) : QStyledItemDelegate(view), view_(view) {}

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const QFontMetrics metrics(option.font);
    const int width = textWidth();
    const QString note = index.data(PlanModel::kNoteRole).toString();
    const int height = textBounds(metrics, numbered(index), width).height() +
                       (note.isEmpty() ? 0 : metrics.height());
    return {view_->viewport()->width(), height + 2 * kPad};
  }

  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override {
    const WindowColors& colors = Theme::instance().colors();
    const bool isChosen = option.state.testFlag(QStyle::State_Selected);
    const bool isStruck = index.data(PlanModel::kStruckRole).toBool();
    painter->save();
    painter->setClipRect(option.rect);
    if (isChosen)
      painter->fillRect(option.rect, view_->hasFocus() ? colors.selection : colors.hover);
    if (index.data(PlanModel::kMarkedRole).toBool())
      painter->fillRect(QRect(option.rect.left(), option.rect.top(), 3, option.rect.height()),
                        colors.accent);
    const QRect area = option.rect.adjusted(kTextLeft, kPad, -kPad, -kPad);
    const QFontMetrics metrics(option.font);
    index.data(Qt::DecorationRole)
        .value<QIcon>()
        .paint(painter, QRect(option.rect.left() + 12, area.top() + (metrics.height() - kIcon) / 2,
                              kIcon, kIcon));
    QFont font = option.font;
    font.setStrikeOut(isStruck);
    painter->setFont(font);
    painter->setPen(isStruck ? colors.muted : colors.text);
    QRect text = textBounds(metrics, numbered(index), area.width());
    text.moveTopLeft(area.topLeft());
    text.setWidth(area.width());
    painter->drawText(text, Qt::TextWordWrap, numbered(index));
    painter->setFont(option.font);
    painter->setPen(colors.muted);
    const QRect note(area.left(), text.bottom() + 1, area.width(), metrics.height());
    painter->drawText(
        note, Qt::AlignLeft | Qt::AlignVCenter,
        metrics.elidedText(editor::shownForm(index.data(PlanModel::kNoteRole).toString(),
                                             editor::OtherBlanks::kKept),
                           Qt::ElideRight, area.width()));
    painter->restore();
  }

  void updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                            const QModelIndex&) const override {
    const int height = editor->sizeHint().height();
    editor->setGeometry(option.rect.left() + kTextLeft - kPad, option.rect.top() + 1,
                        option.rect.width() - kTextLeft, std::min(height, option.rect.height()));
  }

  // The text that is being typed outlives news of the step.
  void setEditorData(QWidget* editor, const QModelIndex& index) const override {
    const auto* field = qobject_cast<QLineEdit*>(editor);
    if (!field || !field->isModified()) QStyledItemDelegate::setEditorData(editor, index);
  }

  QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem& option,
                        const QModelIndex& index) const override {
    QWidget* editor = QStyledItemDelegate::createEditor(parent, option, index);
    editor->setObjectName(QStringLiteral("planReword"));
    editor->setAccessibleName(PlanList::tr("Text of the step"));
    return editor;
  }

 private:
  int textWidth() const { return std::max(view_->viewport()->width() - kTextLeft - kPad, 40); }
  static QString numbered(const QModelIndex& index) {
    return QStringLiteral("%1. %2")
        .arg(index.row() + 1)
        .arg(editor::shownForm(index.data().toString().simplified(), editor::OtherBlanks::kKept));
  }
  static QRect textBounds(const QFontMetrics& metrics, const QString& text, int width) {
    QRect bounds = metrics.boundingRect(QRect(0, 0, width, 10'000), Qt::TextWordWrap, text);
    bounds.setHeight(std::min(bounds.height(), kMostStepLines * metrics.lineSpacing()));
    return bounds;
  }

  QAbstractItemView* view_;
};

}  // namespace

PlanList::PlanList(QWidget* parent) : QListView(parent) {
  setObjectName(QStringLiteral("planSteps"));
  setAccessibleName(tr("Steps of the plan"));
  setItemDelegate(new StepDelegate(this));
  setResizeMode(QListView::Adjust);
  setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setSelectionMode(QAbstractItemView::SingleSelection);
  setEditTriggers(QAbstractItemView::DoubleClicked);
  setMinimumHeight(40);
  connect(&Theme::instance(), &Theme::changed, viewport(), qOverload<>(&QWidget::update));
}

void PlanList::reword(const QString& typed) {
  if (!currentIndex().isValid()) return;
  edit(currentIndex());
  if (typed.isEmpty()) return;
  if (auto* field = qobject_cast<QLineEdit*>(openField())) {
    field->setText(typed);
    field->setModified(true);
  }
}

std::optional<QString> PlanList::typed() const {
  if (state() != QAbstractItemView::EditingState) return std::nullopt;
  const auto* field = qobject_cast<QLineEdit*>(openField());
  return field ? std::optional(field->text()) : std::nullopt;
}

// The field that is open; one that was closed a moment ago is hidden.
QWidget* PlanList::openField() const {
  for (QLineEdit* field : viewport()->findChildren<QLineEdit*>(QStringLiteral("planReword")))
    if (!field->isHidden()) return field;
  return nullptr;
}

bool PlanList::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) {
    const auto* key = static_cast<QKeyEvent*>(event);
    constexpr int kOurs[] = {Qt::Key_F2,    Qt::Key_Delete, Qt::Key_Insert, Qt::Key_Return,
                             Qt::Key_Enter, Qt::Key_Space,  Qt::Key_Up,     Qt::Key_Down};
    const bool isPlain = key->modifiers() == Qt::NoModifier;
    const bool isMove = key->modifiers() == Qt::AltModifier &&
                        (key->key() == Qt::Key_Up || key->key() == Qt::Key_Down);
    if (isMove ||
        (isPlain && std::find(std::begin(kOurs), std::end(kOurs), key->key()) != std::end(kOurs))) {
      event->accept();
      return true;
    }
  }
  return QListView::event(event);
}

void PlanList::keyPressEvent(QKeyEvent* event) {
  const int row = currentRow();
  const auto modifiers = event->modifiers() & ~Qt::KeypadModifier;
  if (event->key() == Qt::Key_Insert && modifiers == Qt::NoModifier) {
    Q_EMIT addWanted(std::max(row, 0));
  } else if (row < 0) {
    QListView::keyPressEvent(event);
  } else if (modifiers == Qt::AltModifier && event->key() == Qt::Key_Up) {
    Q_EMIT moveWanted(row, row - 1);
  } else if (modifiers == Qt::AltModifier && event->key() == Qt::Key_Down) {
    Q_EMIT moveWanted(row, row + 1);
  } else if (modifiers != Qt::NoModifier) {
    QListView::keyPressEvent(event);
  } else if (event->key() == Qt::Key_F2) {
    reword();
  } else if (event->key() == Qt::Key_Delete) {
    Q_EMIT strikeWanted(row);
  } else if (event->key() == Qt::Key_Space) {
    Q_EMIT doneWanted(row);
  } else if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
    // The key that ends the rewording comes here, too, once the field has taken it.
    if (state() != QAbstractItemView::EditingState) Q_EMIT runWanted(row);
  } else {
    QListView::keyPressEvent(event);
  }
}

void PlanList::resizeEvent(QResizeEvent* event) {
  QListView::resizeEvent(event);
  scheduleDelayedItemsLayout();  // texts wrap elsewhere
}

void PlanList::currentChanged(const QModelIndex& current, const QModelIndex& previous) {
  QListView::currentChanged(current, previous);
  Q_EMIT currentRowChanged(current.row());
}

}  // namespace waferpair::gui
