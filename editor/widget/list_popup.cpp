// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/widget/list_popup.h"

#include <QAbstractListModel>
#include <QEvent>
#include <QPainter>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <algorithm>
#include <utility>

#include "editor/widget/announce.h"
#include "editor/widget/code_editor.h"
#include "editor/widget/ghost_text.h"
#include "editor/widget/word.h"

namespace waferpair::editor {

namespace {

using Sci = QsciScintillaBase;

constexpr int kMostListRows = 8;
constexpr int kRowPadding = 8;  // pixels left and right of a row's text
constexpr int kDetailGap = 24;  // between a row's text and its detail
constexpr int kNarrowest = 160;
constexpr int kWidest = 460;

QString textOf(const ListItem& item) { return QString::fromUtf8(item.text); }

// The text at the left, its detail in the color of line numbers at the right.
class ListPopupDelegate : public QStyledItemDelegate {
 public:
  ListPopupDelegate(const CodeEditor* editor, QObject* parent)
      : QStyledItemDelegate(parent), editor_(editor) {}

  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override {
    const ThemeColors& colors = editor_->colors();
    painter->save();
    if (option.state & QStyle::State_Selected) painter->fillRect(option.rect, colors.selection);
    const QRect area = option.rect.adjusted(kRowPadding, 0, -kRowPadding, 0);
    painter->setFont(option.font);
    const bool isNote = !(index.flags() & Qt::ItemIsSelectable);
    painter->setPen(isNote ? colors.lineNumber : colors.text);
    const QString detail = index.data(Qt::UserRole).toString();
    const QString text = index.data(Qt::DisplayRole).toString();
    const QFontMetrics& metrics = option.fontMetrics;
    const int detailWidth = std::min(metrics.horizontalAdvance(detail), area.width() / 2);
    const int textWidth = area.width() - (detail.isEmpty() ? 0 : detailWidth + kDetailGap / 2);
    painter->drawText(area, Qt::AlignLeft | Qt::AlignVCenter,
                      metrics.elidedText(text, Qt::ElideMiddle, textWidth));
    painter->setPen(readableColor(
        colors.lineNumber, colors.text,
        {option.state & QStyle::State_Selected ? colors.selection : colors.background}));
    painter->drawText(area, Qt::AlignRight | Qt::AlignVCenter,
                      metrics.elidedText(detail, Qt::ElideMiddle, detailWidth));
    painter->restore();
  }

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const QFontMetrics metrics(option.font);
    const QString detail = index.data(Qt::UserRole).toString();
    const int both = metrics.horizontalAdvance(index.data(Qt::DisplayRole).toString()) +
                     (detail.isEmpty() ? 0 : kDetailGap + metrics.horizontalAdvance(detail));
    return {both + 2 * kRowPadding, metrics.height() + 4};
  }

 private:
  const CodeEditor* editor_;
};

}  // namespace

class ListPopupModel : public QAbstractListModel {
 public:
  using QAbstractListModel::QAbstractListModel;

  void set(const QVector<ListItem>& items) {
    beginResetModel();
    items_ = items;
    endResetModel();
  }
  const QVector<ListItem>& items() const { return items_; }

  // Where there is nothing, a row says so.
  int rowCount(const QModelIndex& parent) const override {
    return parent.isValid() ? 0 : std::max<int>(1, static_cast<int>(items_.size()));
  }
  QVariant data(const QModelIndex& index, int role) const override {
    if (items_.isEmpty())
      return role == Qt::DisplayRole ? ListPopup::tr("Nothing known for this place") : QVariant();
    const ListItem& item = items_[index.row()];
    if (role == Qt::DisplayRole) return textOf(item);
    if (role == Qt::UserRole) return item.detail;
    if (role == Qt::AccessibleTextRole)
      return item.detail.isEmpty() ? textOf(item)
                                   : ListPopup::tr("%1, %2").arg(textOf(item), item.detail);
    return {};
  }
  Qt::ItemFlags flags(const QModelIndex&) const override {
    return items_.isEmpty() ? Qt::NoItemFlags : Qt::ItemIsEnabled | Qt::ItemIsSelectable;
  }

 private:
  QVector<ListItem> items_;
};

ListPopup::ListPopup(CodeEditor* editor)
    : QListView(editor->viewport()), editor_(editor), items_(new ListPopupModel(this)) {
  setObjectName(QStringLiteral("completionList"));
  setAccessibleName(tr("Completions"));
  setFocusPolicy(Qt::NoFocus);
  viewport()->setFocusPolicy(Qt::NoFocus);
  viewport()->setCursor(Qt::ArrowCursor);
  setModel(items_);
  setItemDelegate(new ListPopupDelegate(editor, this));
  setEditTriggers(NoEditTriggers);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setUniformItemSizes(true);
  setFrameShape(QFrame::StyledPanel);
  QListView::hide();
  connect(this, &QListView::clicked, this, [this](const QModelIndex& index) {
    if (!(index.flags() & Qt::ItemIsSelectable)) return;
    select(index.row());
    if (take()) Q_EMIT editor_->typed();
  });
  editor_->installEventFilter(this);
  editor_->viewport()->installEventFilter(this);
  // It is sent while the view paints, which is no time to move something in it.
  placeSoon_.setSingleShot(true);
  connect(&placeSoon_, &QTimer::timeout, this, &ListPopup::place);
  connect(editor, &Sci::SCN_UPDATEUI, this, [this] {
    if (open_) placeSoon_.start();
  });
  connect(editor, &CodeEditor::zoomChanged, this, &ListPopup::place);
  connect(editor->ghost(), &GhostText::changed, this, &ListPopup::place);
}

void ListPopup::showItems(qint64 start, const QByteArray& typed, const QVector<ListItem>& items,
                          bool byKey) {
  const bool wasOpen = std::exchange(open_, true);
  const QByteArray chosen =
      wasOpen && moved_ ? items_->items().value(currentIndex().row()).text : QByteArray();
  start_ = start;
  typed_ = typed;
  byKey_ = byKey;
  if (!wasOpen) {
    moved_ = false;
    width_ = kNarrowest;
  }
  items_->set(items);
  QFont font = editor_->editorFont();
  font.setPointSizeF(std::max(5.0, font.pointSizeF() + editor_->zoom()));
  setFont(font);
  int row = 0;
  for (int i = 0; i < items.size(); ++i)
    if (moved_ && items[i].text == chosen) row = i;
  moved_ = moved_ && !chosen.isEmpty() && items.value(row).text == chosen;
  setCurrentIndex(items.isEmpty() ? QModelIndex() : items_->index(row));
  scrollTo(currentIndex());
  if (!wasOpen) above_ = true;
  const int count = items_->rowCount({});
  const int bar = count > kMostListRows ? verticalScrollBar()->sizeHint().width() : 0;
  width_ = std::clamp(sizeHintForColumn(0) + bar + 2 * frameWidth(), width_, kWidest);
  place();
  if (!wasOpen) {
    tell();
    Q_EMIT changed();
  }
}

void ListPopup::withdraw() {
  if (!std::exchange(open_, false)) return;
  QListView::hide();
  announce(editor_, {});
  Q_EMIT changed();
}

void ListPopup::dismiss() {
  withdraw();
  Q_EMIT dismissed();
}

// -- The selection

void ListPopup::select(int row) {
  setCurrentIndex(items_->index(row));
  moved_ = true;
  tell();
  Q_EMIT changed();
}

void ListPopup::move(int by) {
  const int count = static_cast<int>(items_->items().size());
  if (count > 0) select(((currentIndex().row() + by) % count + count) % count);
}

bool ListPopup::take() {
  const int row = currentIndex().row();
  if (!open_ || row < 0 || items_->items()[row].text == typed_) {
    dismiss();
    return false;
  }
  Q_EMIT taken(row);
  return true;
}

// The focus stays with the text, so what is selected is said in its name.
void ListPopup::tell() {
  const int row = currentIndex().row();
  const int count = static_cast<int>(items_->items().size());
  if (row < 0) return announce(editor_, items_->index(0).data().toString());
  announce(editor_, tr("%1, %2 of %3")
                        .arg(items_->index(row).data(Qt::AccessibleTextRole).toString())
                        .arg(row + 1)
                        .arg(count));
}

// -- Its place

void ListPopup::place() {
  if (!open_) return;
  const auto at = static_cast<long>(std::min(start_, editor_->length()));
  const auto of = [&](unsigned message) { return static_cast<int>(editor_->sci(message, 0, at)); };
  const int x = of(Sci::SCI_POINTXFROMPOSITION);
  const int y = of(Sci::SCI_POINTYFROMPOSITION);
  const int lineHeight =
      static_cast<int>(editor_->sci(Sci::SCI_TEXTHEIGHT, word(editor_->lineAt(start_))));
  const QSize room = editor_->viewport()->size();
  if (y < 0 || y >= room.height()) return dismiss();  // scrolled out of sight
  const int rows = std::min(kMostListRows, items_->rowCount({}));
  const int height = rows * sizeHintForRow(0) + 2 * frameWidth();
  const int width = std::min(width_, room.width());
  // Once below, it stays there: to come back would be a flicker.
  above_ = above_ && y >= height;
  const int ghostRows = editor_->ghost()->isShown() ? editor_->ghost()->rows() : 1;
  const int top = above_ ? y - height : y + ghostRows * lineHeight;
  const int left = std::clamp(x - kRowPadding - frameWidth(), 0, std::max(0, room.width() - width));
  setGeometry(left, top, width, std::min(height, std::max(sizeHintForRow(0), room.height() - top)));
  QListView::show();
  raise();
}

bool ListPopup::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize && watched == editor_->viewport()) place();
  if (event->type() == QEvent::FocusOut && watched == editor_ && open_) dismiss();
  return QListView::eventFilter(watched, event);
}

}  // namespace waferpair::editor
