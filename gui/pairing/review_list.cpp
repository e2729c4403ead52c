// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/review_list.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>

#include "editor/text/unseen.h"
#include "gui/kit/small_button.h"
#include "gui/kit/theme.h"

namespace waferpair::gui {
namespace {

using editor::HunkState;
using pairing::ChangedFile;
using pairing::HunkPlace;
using pairing::ReviewHunk;

enum ReviewRole {
  kFileRole = Qt::UserRole,  // index of the file
  kHunkRole,                 // index of its hunk; -1: the file itself
  kLinesRole,                // "-old", "+new"
  kClosedRole,               // it is decided about
};

constexpr qsizetype kMostShownLines = 12;  // of either text
constexpr int kReviewPad = 4;
constexpr int kTint = 46;  // of 255, behind lines that go or come

// Lines of one side of a hunk, the first ones.
QStringList linesOf(const QByteArray& text, QChar sign) {
  QStringList lines = QString::fromUtf8(text).split(u'\n');
  if (!lines.isEmpty() && lines.last().isEmpty()) lines.removeLast();
  const qsizetype more = lines.size() - kMostShownLines;
  if (more > 0) lines = lines.first(kMostShownLines);
  for (QString& line : lines) {
    if (line.endsWith(u'\r')) line.chop(1);
    line = sign + line.replace(u'\t', QStringLiteral("    "));
  }
  if (more > 0) lines.append(u' ' + ReviewList::tr("… %1 more").arg(more));
  return lines;
}

QString decisionWords(HunkState state) {
  switch (state) {
    case HunkState::kOffered:
      return ReviewList::tr("open");
    case HunkState::kAccepted:
      return ReviewList::tr("accepted");
    case HunkState::kDismissed:
      return ReviewList::tr("rejected");
    case HunkState::kStale:
      return ReviewList::tr("its lines were changed since");
  }
  Q_UNREACHABLE();
}

QString hunkTitle(const ChangedFile& file, const ReviewHunk& hunk) {
  const QString words = file.isRestored ? ReviewList::tr("taken out") : decisionWords(hunk.state);
  return ReviewList::tr("Line %1 · %2").arg(hunk.lines.oldStart + 1).arg(words);
}

QString fileTitle(const ChangedFile& file) {
  QString what;
  if (file.isNew()) what = ReviewList::tr("new");
  if (file.isDeleted()) what = ReviewList::tr("deleted");
  const qsizetype open = file.openCount();
  const QString left = file.isRestored ? ReviewList::tr("taken out")
                       : open > 0 ? ReviewList::tr("%1 of %2 open").arg(open).arg(file.hunks.size())
                                  : ReviewList::tr("decided");
  return what.isEmpty() ? QStringLiteral("%1 · %2").arg(file.path, left)
                        : QStringLiteral("%1 · %2 · %3").arg(file.path, what, left);
}

// A title, and below it the lines in the code's font.
class HunkDelegate : public QStyledItemDelegate {
 public:
  explicit HunkDelegate(QTreeView* view) : QStyledItemDelegate(view), view_(view) {}
  void setCodeFont(const QFont& font) { code_ = font; }

  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const qsizetype lines = index.data(kLinesRole).toStringList().size();
    return {80, QFontMetrics(option.font).height() +
                    static_cast<int>(lines) * QFontMetrics(code_).height() + 2 * kReviewPad};
  }

  void paint(QPainter* painter, const QStyleOptionViewItem& option,
             const QModelIndex& index) const override {
    const WindowColors& colors = Theme::instance().colors();
    const bool isChosen = option.state.testFlag(QStyle::State_Selected);
    const bool isClosed = index.data(kClosedRole).toBool();
    painter->save();
    painter->setClipRect(option.rect);
    if (isChosen)
      painter->fillRect(option.rect, view_->hasFocus() ? colors.selection : colors.hover);
    const QRect area = option.rect.adjusted(4, kReviewPad, -4, -kReviewPad);
    const QFontMetrics metrics(option.font);
    painter->setPen(isClosed ? colors.muted : colors.text);
    painter->setFont(option.font);
    painter->drawText(QRect(area.left(), area.top(), area.width(), metrics.height()),
                      Qt::AlignLeft | Qt::AlignVCenter,
                      metrics.elidedText(editor::shownForm(index.data().toString()),
                                         Qt::ElideMiddle, area.width()));
    painter->setFont(code_);
    const QFontMetrics code(code_);
    int y = area.top() + metrics.height();
    const QStringList lines = index.data(kLinesRole).toStringList();
    for (const QString& plain : lines) {
      const QString line = editor::shownForm(plain);
      const QRect row(area.left(), y, area.width(), code.height());
      QColor tint = line.startsWith(u'+')   ? colors.success
                    : line.startsWith(u'-') ? colors.danger
                                            : colors.faint;
      tint.setAlpha(isClosed ? kTint / 2 : kTint);
      painter->fillRect(row, tint);
      painter->drawText(row.adjusted(4, 0, -2, 0), Qt::AlignLeft | Qt::AlignVCenter,
                        code.elidedText(line, Qt::ElideRight, row.width() - 6));
      y += code.height();
    }
    painter->restore();
  }

 private:
  QTreeView* view_;
  QFont code_;
};

QStandardItem* makeRow(const QString& text, qsizetype file, qsizetype hunk) {
  auto* item = new QStandardItem(text);
  item->setData(file, kFileRole);
  item->setData(hunk, kHunkRole);
  item->setEditable(false);
  item->setToolTip(text);
  return item;
}

}  // namespace

ReviewTree::ReviewTree(QWidget* parent) : QTreeView(parent) {
  setObjectName(QStringLiteral("reviewTree"));
  setAccessibleName(tr("Changes by file"));
  setHeaderHidden(true);
  setUniformRowHeights(false);
  setIndentation(12);
  setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setExpandsOnDoubleClick(false);
  setMinimumHeight(60);
  connect(this, &QTreeView::doubleClicked, this, &ReviewTree::openWanted);
  connect(&Theme::instance(), &Theme::changed, viewport(), qOverload<>(&QWidget::update));
}

bool ReviewTree::event(QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride) {
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool isReturn = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
    const auto modifiers = key->modifiers() & ~Qt::KeypadModifier;
    if ((isReturn || key->key() == Qt::Key_Backspace) &&
        (modifiers == Qt::NoModifier || modifiers == Qt::AltModifier ||
         modifiers == Qt::ControlModifier)) {
      event->accept();
      return true;
    }
  }
  return QTreeView::event(event);
}

void ReviewTree::keyPressEvent(QKeyEvent* event) {
  const bool isReturn = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  const auto modifiers = event->modifiers() & ~Qt::KeypadModifier;
  if (isReturn && modifiers == Qt::NoModifier) {
    Q_EMIT openWanted();
  } else if ((isReturn || event->key() == Qt::Key_Backspace) && modifiers == Qt::AltModifier) {
    Q_EMIT decideWanted(isReturn);
  } else if ((isReturn || event->key() == Qt::Key_Backspace) && modifiers == Qt::ControlModifier) {
    Q_EMIT decideAllWanted(isReturn);
  } else {
    QTreeView::keyPressEvent(event);
  }
}

void ReviewTree::resizeEvent(QResizeEvent* event) {
  QTreeView::resizeEvent(event);
  viewport()->update();
}

ReviewList::ReviewList(QWidget* parent)
    : QWidget(parent),
      model_(new QStandardItemModel(this)),
      count_(new QLabel(this)),
      tree_(new ReviewTree(this)),
      accept_(makeSmallButton("reviewAccept", tr("Accept"),
                              tr("Accept what is chosen (Alt+Return)"), this)),
      reject_(makeSmallButton("reviewReject", tr("Reject"),
                              tr("Reject what is chosen (Alt+Backspace)"), this)),
      acceptAll_(makeSmallButton("reviewAcceptAll", tr("Accept All"),
                                 tr("Accept all that is open (Ctrl+Return)"), this)),
      rejectAll_(makeSmallButton("reviewRejectAll", tr("Reject All"),
                                 tr("Reject all that is open (Ctrl+Backspace)"), this)) {
  setObjectName(QStringLiteral("reviewList"));
  setAccessibleName(tr("Changes to review"));
  tree_->setModel(model_);
  tree_->setItemDelegate(new HunkDelegate(tree_));
  count_->setObjectName(QStringLiteral("reviewCount"));
  count_->setProperty("role", QStringLiteral("muted"));
  count_->setContentsMargins(12, 0, 12, 0);
  auto* buttons = new QHBoxLayout;
  buttons->setContentsMargins(12, 0, 8, 0);
  buttons->setSpacing(4);
  for (QPushButton* button : {accept_, reject_, acceptAll_, rejectAll_}) buttons->addWidget(button);
  buttons->addStretch(1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  column->addWidget(count_);
  column->addWidget(tree_, 1);
  column->addLayout(buttons);
  const auto decide = [this](bool accept) {
    if (const auto place = current()) Q_EMIT decideWanted(*place, accept);
  };
  connect(tree_, &ReviewTree::openWanted, this, [this] {
    if (const auto place = current()) Q_EMIT openWanted(*place);
  });
  connect(tree_, &ReviewTree::decideWanted, this, decide);
  connect(tree_, &ReviewTree::decideAllWanted, this, &ReviewList::decideAllWanted);
  connect(accept_, &QPushButton::clicked, this, [decide] { decide(true); });
  connect(reject_, &QPushButton::clicked, this, [decide] { decide(false); });
  connect(acceptAll_, &QPushButton::clicked, this, [this] { Q_EMIT decideAllWanted(true); });
  connect(rejectAll_, &QPushButton::clicked, this, [this] { Q_EMIT decideAllWanted(false); });
  connect(tree_->selectionModel(), &QItemSelectionModel::currentChanged, this,
          &ReviewList::showCurrent);
}

void ReviewList::setCodeFont(const QFont& font) {
  static_cast<HunkDelegate*>(tree_->itemDelegate())->setCodeFont(font);
  tree_->doItemsLayout();
}

void ReviewList::show(const pairing::ChangeReview* review) {
  if (review && review == review_) return;
  disconnect(follows_);
  review_ = review;
  model_->clear();
  if (review_)
    follows_ = connect(review_, &pairing::ChangeReview::changed, this, &ReviewList::rebuild);
  rebuild();
}

std::optional<HunkPlace> ReviewList::current() const {
  const QModelIndex index = tree_->currentIndex();
  if (!review_ || !index.isValid()) return std::nullopt;
  return HunkPlace{index.data(kFileRole).toLongLong(), index.data(kHunkRole).toLongLong()};
}

// The row that was current stays so; one that was just decided about gives way to the next open
// one.
void ReviewList::rebuild() {
  const auto before = current();
  model_->clear();
  if (!review_) return;
  const auto& files = review_->set().files;
  std::optional<HunkPlace> next;
  for (qsizetype f = 0; f < files.size(); ++f) {
    const ChangedFile& file = files[f];
    QStandardItem* row = makeRow(fileTitle(file), f, -1);
    row->setData(file.openCount() == 0, kClosedRole);
    for (qsizetype h = 0; h < file.hunks.size(); ++h) {
      const ReviewHunk& hunk = file.hunks[h];
      QStandardItem* child = makeRow(hunkTitle(file, hunk), f, h);
      const QStringList lines =
          linesOf(file.removedText(hunk), u'-') + linesOf(file.addedText(hunk), u'+');
      child->setData(lines, kLinesRole);
      child->setData(!hunk.isOpen(), kClosedRole);
      child->setData(QStringLiteral("%1, %2\n%3").arg(file.path, child->text(), lines.join(u'\n')),
                     Qt::AccessibleTextRole);
      row->appendRow(child);
      const bool isBehind = !before || f > before->file || (f == before->file && h >= before->hunk);
      if (hunk.isOpen() && isBehind && !next) next = HunkPlace{f, h};
    }
    model_->appendRow(row);
  }
  tree_->expandAll();
  const bool hasBefore = before && before->file < files.size();
  if (next && (!before || before->hunk >= 0)) {
    select(*next);
  } else if (hasBefore) {
    select(*before);
  } else if (!files.isEmpty()) {
    select({0, files.first().hunks.isEmpty() ? -1 : 0});
  }
  const pairing::ChangeSet& set = review_->set();
  const QString changes =
      set.hunkCount() == 1 ? tr("1 change") : tr("%1 changes").arg(set.hunkCount());
  const QString in = files.size() == 1 ? tr("1 file") : tr("%1 files").arg(files.size());
  count_->setText(tr("%1 in %2, %3 open").arg(changes, in).arg(set.openCount()));
  acceptAll_->setEnabled(set.openCount() > 0);
  rejectAll_->setEnabled(set.openCount() > 0);
  showCurrent();
}

void ReviewList::select(const HunkPlace& place) {
  QModelIndex index = model_->index(static_cast<int>(place.file), 0);
  if (place.hunk >= 0) index = model_->index(static_cast<int>(place.hunk), 0, index);
  if (!index.isValid()) return;
  if (place.hunk == 0) tree_->scrollTo(index.parent());  // the file's name stays in sight
  tree_->setCurrentIndex(index);
}

void ReviewList::showCurrent() {
  const auto place = current();
  accept_->setEnabled(place.has_value());
  reject_->setEnabled(place.has_value());
}

}  // namespace waferpair::gui
