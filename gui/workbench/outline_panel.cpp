// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/workbench/outline_panel.h"

#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QStandardItemModel>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>
#include <chrono>

#include "gui/documents/editor_tabs.h"
#include "workbench/language/document_outlines.h"

namespace waferpair::gui {

using workbench::OutlineSymbol;

namespace {

constexpr std::chrono::milliseconds kOutlineDelay(60);
constexpr std::chrono::milliseconds kCaretDelay(120);
constexpr int kSymbolRole = Qt::UserRole;

// The rows of both say the same.
bool readTheSame(const QVector<OutlineSymbol>& a, const QVector<OutlineSymbol>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const OutlineSymbol& one, const OutlineSymbol& other) {
                      return one.name == other.name && one.kind == other.kind &&
                             one.detail == other.detail && one.parent == other.parent;
                    });
}

}  // namespace

OutlinePanel::OutlinePanel(workbench::DocumentOutlines* outlines, EditorTabs* tabs, QWidget* parent)
    : QWidget(parent),
      outlines_(outlines),
      tabs_(tabs),
      filter_(new QLineEdit(this)),
      note_(new QLabel(this)),
      model_(new QStandardItemModel(this)),
      tree_(new QTreeView(this)) {
  setObjectName(QStringLiteral("outlinePanel"));
  setAccessibleName(tr("Outline"));
  filter_->setObjectName(QStringLiteral("outlineFilter"));
  filter_->setPlaceholderText(tr("Filter"));
  filter_->setAccessibleName(tr("Only names with these letters"));
  filter_->setClearButtonEnabled(true);
  note_->setObjectName(QStringLiteral("outlineNote"));
  note_->setProperty("role", QStringLiteral("muted"));
  note_->setWordWrap(true);
  note_->setContentsMargins(8, 4, 8, 4);
  tree_->setObjectName(QStringLiteral("outlineTree"));
  tree_->setAccessibleName(tr("Names that the file declares"));
  tree_->setModel(model_);
  tree_->setHeaderHidden(true);
  tree_->setUniformRowHeights(true);
  tree_->setIndentation(14);
  tree_->setTextElideMode(Qt::ElideRight);
  tree_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  tree_->setMinimumHeight(120);  // below another panel, too
  for (QObject* watched : {static_cast<QObject*>(tree_), static_cast<QObject*>(filter_)})
    watched->installEventFilter(this);
  auto* top = new QVBoxLayout;
  top->setContentsMargins(8, 4, 8, 4);
  top->addWidget(filter_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(top);
  column->addWidget(note_);
  column->addWidget(tree_, 1);
  soon_.setSingleShot(true);
  soon_.setInterval(kOutlineDelay);
  connect(&soon_, &QTimer::timeout, this, &OutlinePanel::refresh);
  caretSoon_.setSingleShot(true);
  caretSoon_.setInterval(kCaretDelay);
  connect(&caretSoon_, &QTimer::timeout, this, &OutlinePanel::markCaret);
  connect(outlines_, &workbench::DocumentOutlines::outlineChanged, this, [this](const QString& id) {
    if (isVisible() && document_ && document_->id() == id) soon_.start();
  });
  connect(tabs_, &EditorTabs::currentChanged, this, &OutlinePanel::setDocument);
  connect(filter_, &QLineEdit::textChanged, this, &OutlinePanel::refresh);
  connect(tree_, &QTreeView::clicked, this, &OutlinePanel::goTo);
}

void OutlinePanel::enter() {
  refresh();
  markCaret();
  if (!tree_->currentIndex().isValid()) tree_->setCurrentIndex(model_->index(0, 0));
  tree_->setFocus(Qt::TabFocusReason);
}

void OutlinePanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  setDocument(tabs_->current());
}

void OutlinePanel::setDocument(Document* document) {
  if (document_) document_->editor()->disconnect(this);
  document_ = document;
  if (document_)
    connect(document_->editor(), &editor::CodeEditor::cursorMoved, this, [this] {
      if (isVisible()) caretSoon_.start();
    });
  if (isVisible()) refresh();
}

void OutlinePanel::refresh() {
  if (!isVisible() && !filter_->hasFocus()) return;
  const QVector<OutlineSymbol> symbols =
      document_ ? outlines_->symbols(document_->id()) : QVector<OutlineSymbol>();
  const QString letters = filter_->text().trimmed();
  const bool isSame = readTheSame(symbols, shown_) && letters == filtered_;
  shown_ = symbols;
  filtered_ = letters;
  if (!isSame || (rows_.isEmpty() && !symbols.isEmpty())) rebuild(symbols);
  note_->setVisible(model_->rowCount() == 0);
  note_->setText(!symbols.isEmpty() ? tr("No name has these letters.")
                                    : tr("No names are known here. A language server that knows "
                                         "the file tells of them, and Universal Ctags where it is "
                                         "installed."));
  caretSoon_.start();
}

// Everything is open: what somebody had closed stays closed, by the names on the way to it.
void OutlinePanel::rebuild(const QVector<OutlineSymbol>& symbols) {
  model_->clear();
  rows_.fill(nullptr, symbols.size());
  // A name that is left out stays where one below it is not.
  QVector<bool> isWanted(symbols.size(), filtered_.isEmpty());
  if (!filtered_.isEmpty()) {
    for (qsizetype i = 0; i < symbols.size(); ++i) {
      if (!symbols[i].name.contains(filtered_, Qt::CaseInsensitive)) continue;
      for (int at = static_cast<int>(i); at >= 0 && !isWanted[at]; at = symbols[at].parent)
        isWanted[at] = true;
    }
  }
  for (qsizetype i = 0; i < symbols.size(); ++i) {
    if (!isWanted[i]) continue;
    const OutlineSymbol& one = symbols[i];
    auto* row = new QStandardItem(
        one.kind.isEmpty() ? one.name : QStringLiteral("%1  \u00b7 %2").arg(one.name, one.kind));
    row->setEditable(false);
    row->setToolTip(one.detail);
    row->setData(i, kSymbolRole);
    QStandardItem* parent = one.parent >= 0 ? rows_[one.parent] : nullptr;
    (parent ? parent : model_->invisibleRootItem())->appendRow(row);
    rows_[i] = row;
  }
  tree_->expandAll();
}

void OutlinePanel::markCaret() {
  // Whoever goes through the tree is not led away.
  if (!document_ || !isVisible() || tree_->hasFocus() || filter_->hasFocus()) return;
  const QVector<int> path = outlines_->pathAt(document_->id(), document_->editor()->caret());
  if (outlines_->symbols(document_->id()).size() != rows_.size()) return;
  for (auto at = path.crbegin(); at != path.crend(); ++at) {
    if (!rows_[*at]) continue;
    const QModelIndex index = rows_[*at]->index();
    tree_->setCurrentIndex(index);
    return tree_->scrollTo(index);
  }
  tree_->setCurrentIndex({});
}

void OutlinePanel::goTo(const QModelIndex& index) {
  if (!index.isValid() || !document_) return;
  // Where it is by now.
  const QVector<OutlineSymbol>& symbols = outlines_->symbols(document_->id());
  const qsizetype number = index.data(kSymbolRole).toLongLong();
  if (number >= symbols.size()) return;
  const qint64 at = symbols[number].place.start;
  document_->setFocus();
  document_->editor()->goToLine(document_->editor()->lineAt(at));
  document_->editor()->setSelection(at, at);
}

bool OutlinePanel::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::KeyPress) {
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool isReturn = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
    if (key->key() == Qt::Key_Escape) {
      if (document_) document_->setFocus();
      return true;
    }
    if (watched == tree_ && isReturn) {
      goTo(tree_->currentIndex());
      return true;
    }
    if (watched == filter_ && (isReturn || key->key() == Qt::Key_Down)) {
      tree_->setCurrentIndex(model_->index(0, 0));
      tree_->setFocus(Qt::TabFocusReason);
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace waferpair::gui
