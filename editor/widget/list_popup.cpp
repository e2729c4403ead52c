// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/widget/list_popup.h"

#include <QAbstractListModel>
#include <QEvent>
#include <QPainter>
#include <QScrollBar>
#include <QStyledItemDelegate>
#include <QTextDocument>
#include <QTextEdit>
#include <algorithm>
#include <utility>

#include "editor/ghost/ghost_text.h"
#include "editor/text/unseen.h"
#include "editor/view/announce.h"
#include "editor/view/word.h"
#include "editor/widget/code_editor.h"
#include "editor/widget/prose.h"

namespace waferpair::editor {

namespace {

using Sci = QsciScintillaBase;

constexpr int kMostListRows = 8;
constexpr int kRowPadding = 8;  // pixels left and right of a row's text
constexpr int kDetailGap = 24;  // between a row's text and its detail
constexpr int kNarrowest = 160;
constexpr int kWidest = 460;

constexpr int kAboutWidth = 380;  // pixels, of what is said about an entry
constexpr int kMostAboutHeight = 220;
constexpr qsizetype kMostOfAbout = 8000;  // UTF-16 units

enum ListPopupRole { kDetailRole = Qt::UserRole, kKindRole };

struct KindLook {
  const char* mark;  // in front of the entry
  const char* word;  // for screen readers
};

// By ListKind.
constexpr KindLook kKindLooks[] = {
    {"", ""},
    {"f", QT_TRANSLATE_NOOP("waferpair::editor::ListPopup", "function")},
    {"v", QT_TRANSLATE_NOOP("waferpair::editor::ListPopup", "variable")},
    {".", QT_TRANSLATE_NOOP("waferpair::editor::ListPopup", "field")},
    {"T", QT_TRANSLATE_NOOP("waferpair::editor::ListPopup", "type")},
    {"#", QT_TRANSLATE_NOOP("waferpair::editor::ListPopup", "constant")},
    {"m", QT_TRANSLATE_NOOP("waferpair::editor::ListPopup", "module")},
    {"k", QT_TRANSLATE_NOOP("waferpair::editor::ListPopup", "keyword")},
    {"/", QT_TRANSLATE_NOOP("waferpair::editor::ListPopup", "file")},
    {"$", QT_TRANSLATE_NOOP("waferpair::editor::ListPopup", "snippet")},
};

const KindLook& lookOf(ListKind kind) { return kKindLooks[static_cast<int>(kind)]; }

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
    const QColor faint = readableColor(
        colors.lineNumber, colors.text,
        {option.state & QStyle::State_Selected ? colors.selection : colors.background});
    QRect area = option.rect.adjusted(kRowPadding, 0, -kRowPadding, 0);
    painter->setFont(option.font);
    painter->setPen(faint);
    painter->drawText(area, Qt::AlignLeft | Qt::AlignVCenter,
                      QString::fromLatin1(lookOf(index.data(kKindRole).value<ListKind>()).mark));
    area.setLeft(area.left() + markWidth(index, option.fontMetrics));
    const bool isNote = !(index.flags() & Qt::ItemIsSelectable);
    painter->setPen(isNote ? colors.lineNumber : colors.text);
    const QString detail = shownForm(index.data(kDetailRole).toString(), OtherBlanks::kKept);
    const QString text = shownForm(index.data(Qt::DisplayRole).toString(), OtherBlanks::kKept);
    const QFontMetrics& metrics = option.fontMetrics;
    const int detailWidth = std::min(metrics.horizontalAdvance(detail), area.width() / 2);
    const int textWidth = area.width() - (detail.isEmpty() ? 0 : detailWidth + kDetailGap / 2);
    painter->drawText(area, Qt::AlignLeft | Qt::AlignVCenter,
                      metrics.elidedText(text, Qt::ElideMiddle, textWidth));
    painter->setPen(faint);
    painter->drawText(area, Qt::AlignRight | Qt::AlignVCenter,
                      metrics.elidedText(detail, Qt::ElideMiddle, detailWidth));
    painter->restore();
  }

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const QFontMetrics metrics(option.font);
    const QString detail = index.data(kDetailRole).toString();
    const int both = markWidth(index, metrics) +
                     metrics.horizontalAdvance(index.data(Qt::DisplayRole).toString()) +
                     (detail.isEmpty() ? 0 : kDetailGap + metrics.horizontalAdvance(detail));
    return {both + 2 * kRowPadding, metrics.height() + 4};
  }

 private:
  // Room for the marks of kinds, where any entry has one.
  static int markWidth(const QModelIndex& index, const QFontMetrics& metrics);

  const CodeEditor* editor_;
};

}  // namespace

class ListPopupModel : public QAbstractListModel {
 public:
  using QAbstractListModel::QAbstractListModel;

  void set(const QVector<ListItem>& items) {
    beginResetModel();
    items_ = items;
    hasKinds_ = std::any_of(items.begin(), items.end(),
                            [](const ListItem& item) { return item.kind != ListKind::kWord; });
    endResetModel();
  }
  bool hasKinds() const { return hasKinds_; }
  const QVector<ListItem>& items() const { return items_; }

  // Where there is nothing, a row says so.
  int rowCount(const QModelIndex& parent) const override {
    return parent.isValid() ? 0 : std::max<int>(1, static_cast<int>(items_.size()));
  }
  QVariant data(const QModelIndex& index, int role) const override {
    if (items_.isEmpty())
      return role == Qt::DisplayRole ? ListPopup::tr("Nothing known for this place") : QVariant();
    const ListItem& item = items_[index.row()];
    if (role == Qt::DisplayRole) return item.shown();
    if (role == kDetailRole) return item.detail;
    if (role == kKindRole) return QVariant::fromValue(item.kind);
    if (role == Qt::AccessibleTextRole) {
      QString text = item.shown();
      if (item.kind != ListKind::kWord)
        text = ListPopup::tr("%1, %2").arg(text, ListPopup::tr(lookOf(item.kind).word));
      return item.detail.isEmpty() ? text : ListPopup::tr("%1, %2").arg(text, item.detail);
    }
    return {};
  }
  Qt::ItemFlags flags(const QModelIndex&) const override {
    return items_.isEmpty() ? Qt::NoItemFlags : Qt::ItemIsEnabled | Qt::ItemIsSelectable;
  }

 private:
  QVector<ListItem> items_;
  bool hasKinds_ = false;
};

namespace {

int ListPopupDelegate::markWidth(const QModelIndex& index, const QFontMetrics& metrics) {
  const auto* model = static_cast<const ListPopupModel*>(index.model());
  return model->hasKinds() ? metrics.horizontalAdvance(u'm') * 3 / 2 : 0;
}

}  // namespace

ListPopup::ListPopup(CodeEditor* editor)
    : QListView(editor->viewport()),
      editor_(editor),
      items_(new ListPopupModel(this)),
      about_(new QTextEdit(editor->viewport())) {
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
  about_->setObjectName(QStringLiteral("completionAbout"));
  about_->setAccessibleName(tr("About the completion"));
  about_->setReadOnly(true);
  about_->setFocusPolicy(Qt::NoFocus);
  about_->viewport()->setCursor(Qt::ArrowCursor);
  about_->setFrameShape(QFrame::StyledPanel);
  about_->hide();
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
  Q_EMIT selected(currentIndex().row());
}

void ListPopup::describe(const QString& markdown) {
  fillProse(about_->document(), markdown.left(kMostOfAbout));
  placeAbout();
}

// At the right of the list, or at its left, whichever has more room.
void ListPopup::placeAbout() {
  constexpr int kLeast = 160;  // pixels: less cannot be read
  const QRect room = editor_->viewport()->rect();
  const int right = room.right() - geometry().right();
  const int left = geometry().left();
  const int width = std::min(kAboutWidth, std::max(left, right));
  if (!open_ || about_->document()->isEmpty() || width < kLeast) return about_->hide();
  about_->document()->setTextWidth(width - 2 * about_->frameWidth());
  const int wanted =
      static_cast<int>(about_->document()->size().height()) + 2 * about_->frameWidth() + 2;
  const int height = std::min({wanted, kMostAboutHeight, room.height()});
  const int x = right >= left ? geometry().right() + 1 : left - width;
  // Level with the list at the side where that meets its word.
  const int y = above_ ? geometry().bottom() + 1 - height : geometry().top();
  about_->setGeometry(x, std::clamp(y, 0, room.height() - height), width, height);
  about_->show();
  about_->raise();
}

void ListPopup::withdraw() {
  if (!std::exchange(open_, false)) return;
  QListView::hide();
  about_->hide();
  about_->clear();
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
  Q_EMIT selected(row);
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
  placeAbout();
}

bool ListPopup::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::Resize && watched == editor_->viewport()) place();
  if (event->type() == QEvent::FocusOut && watched == editor_ && open_) dismiss();
  return QListView::eventFilter(watched, event);
}

}  // namespace waferpair::editor
