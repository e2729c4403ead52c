// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/workbench/relations_panel.h"

#include <QJsonObject>
#include <QKeyEvent>
#include <QLabel>
#include <QStandardItemModel>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>
#include <chrono>

#include "editor/view/announce.h"
#include "gui/documents/editor_tabs.h"
#include "gui/workbench/quoted_lines.h"
#include "workbench/language/language_service.h"

namespace waferpair::gui {

using workbench::HierarchyItem;
using workbench::LanguageAnswer;
using workbench::LanguageClient;
using workbench::Location;

namespace {

enum RelationRole {
  kLocationRole = Qt::UserRole,  // Location; none: a row that stands for others
  kToldRole,                     // the item as the server had it
  kFilledRole,                   // what is below the row is there, or asked for
};

// Keys that follow one another open one file.
constexpr std::chrono::milliseconds kPreviewDelay(150);
// A type may be its own parent where a server is wrong, and a function calls itself by right.
constexpr int kDeepestRow = 40;

// The name that the caret stands in or behind.
QString nameAtCaret(const Document* document) {
  const editor::CodeEditor* editor = document->editor();
  const auto edge = [editor](unsigned int message) {
    return static_cast<qint64>(
        editor->sci(message, static_cast<unsigned long>(editor->caret()), 1L));
  };
  return QString::fromUtf8(editor->textRange(edge(QsciScintillaBase::SCI_WORDSTARTPOSITION),
                                             edge(QsciScintillaBase::SCI_WORDENDPOSITION)));
}

bool isOfCalls(RelationsPanel::Relation relation) {
  return relation == RelationsPanel::Relation::kCallers ||
         relation == RelationsPanel::Relation::kCallees;
}

}  // namespace

RelationsPanel::RelationsPanel(const LanguageGuideParts& parts, QWidget* parent)
    : QWidget(parent),
      p_(parts),
      title_(new QLabel(this)),
      model_(new QStandardItemModel(this)),
      tree_(new QTreeView(this)) {
  setObjectName(QStringLiteral("relationsPanel"));
  setAccessibleName(tr("Uses, calls and types"));
  title_->setObjectName(QStringLiteral("relationsTitle"));
  title_->setTextFormat(Qt::PlainText);
  title_->setProperty("role", QStringLiteral("muted"));
  title_->setContentsMargins(8, 4, 8, 4);
  title_->setText(tr("What a name is used by, calls or inherits from is listed here on demand."));
  title_->setWordWrap(true);
  tree_->setObjectName(QStringLiteral("relationsTree"));
  tree_->setModel(model_);
  tree_->setHeaderHidden(true);
  tree_->setUniformRowHeights(true);
  tree_->setIndentation(16);
  tree_->setTextElideMode(Qt::ElideRight);
  tree_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  tree_->setMinimumHeight(60);
  tree_->installEventFilter(this);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(title_);
  column->addWidget(tree_, 1);
  previewSoon_.setSingleShot(true);
  previewSoon_.setInterval(kPreviewDelay);
  connect(&previewSoon_, &QTimer::timeout, this, [this] {
    if (tree_->hasFocus()) showAt(tree_->currentIndex(), true);
  });
  connect(tree_->selectionModel(), &QItemSelectionModel::currentChanged, this, [this] {
    if (tree_->hasFocus()) previewSoon_.start();
  });
  connect(tree_, &QTreeView::expanded, this, &RelationsPanel::fill);
  connect(tree_, &QTreeView::activated, this,
          [this](const QModelIndex& index) { showAt(index, false); });
}

void RelationsPanel::enter() {
  if (!tree_->currentIndex().isValid()) tree_->setCurrentIndex(model_->index(0, 0));
  tree_->setFocus(Qt::TabFocusReason);
}

// -- Asking

void RelationsPanel::ask(Relation relation) {
  const QString provider = relation == Relation::kUses ? QStringLiteral("referencesProvider")
                           : isOfCalls(relation)       ? QStringLiteral("callHierarchyProvider")
                                                       : QStringLiteral("typeHierarchyProvider");
  LanguageClient* client = clientThatOffers(p_, provider);
  if (!client) return;
  relation_ = relation;
  client_ = client;
  Document* document = p_.tabs->current();
  document->editor()->flushEdits();
  relation == Relation::kUses ? askForUses(client, document) : askForItems(client, document);
}

void RelationsPanel::askForUses(LanguageClient* client, Document* document) {
  const QJsonObject context{{QStringLiteral("includeDeclaration"), true}};
  question_ = client->askAt(
      QStringLiteral("textDocument/references"), document->id(), document->editor()->caret(),
      {{QStringLiteral("context"), context}},
      [this, at = QPointer(this), number = ++generation_,
       name = nameAtCaret(document)](const LanguageAnswer& answer) {
        if (!at || number != generation_) return;
        if (!answer.problem.isEmpty()) return sayOfLanguage(p_, answer.problem);
        const QVector<Location> uses = workbench::readLocations(answer.result, answer.unit);
        if (uses.isEmpty())
          return sayOfLanguage(p_, tr("No use is known of what is at the caret."));
        showUses(uses, name);
      });
}

void RelationsPanel::askForItems(LanguageClient* client, Document* document) {
  const QString method = isOfCalls(relation_) ? QStringLiteral("textDocument/prepareCallHierarchy")
                                              : QStringLiteral("textDocument/prepareTypeHierarchy");
  question_ = client->askAt(
      method, document->id(), document->editor()->caret(), {},
      [this, at = QPointer(this), number = ++generation_](const LanguageAnswer& answer) {
        if (!at || number != generation_) return;
        if (!answer.problem.isEmpty()) return sayOfLanguage(p_, answer.problem);
        const auto items = workbench::readHierarchyItems(answer.result, answer.unit);
        if (items.isEmpty())
          return sayOfLanguage(p_, isOfCalls(relation_) ? tr("There is no function at the caret.")
                                                        : tr("There is no type at the caret."));
        showItems(items);
      });
}

// -- Showing

QString RelationsPanel::title(const QString& name) const {
  switch (relation_) {
    case Relation::kUses:
      return tr("Uses of \u201c%1\u201d").arg(name);
    case Relation::kCallers:
      return tr("Who calls \u201c%1\u201d").arg(name);
    case Relation::kCallees:
      return tr("What \u201c%1\u201d calls").arg(name);
    case Relation::kSupertypes:
      return tr("What \u201c%1\u201d inherits from").arg(name);
    case Relation::kSubtypes:
      return tr("What inherits from \u201c%1\u201d").arg(name);
  }
  Q_UNREACHABLE();
}

void RelationsPanel::present(const QString& title) {
  const QString note = reachNote(client_);
  title_->setText(note.isEmpty() ? title : tr("%1. %2").arg(title, note));
  tree_->setAccessibleName(title_->text());
  tree_->setCurrentIndex({});
  Q_EMIT wanted();
}

void RelationsPanel::showUses(const QVector<Location>& uses, const QString& name) {
  model_->clear();
  QuotedLines lines(p_.tabs);
  QHash<QString, QStandardItem*> files;
  QVector<Location> sorted = uses;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Location& a, const Location& b) {
    return a.path != b.path ? a.path < b.path : a.start.line < b.start.line;
  });
  for (const Location& one : std::as_const(sorted)) {
    QStandardItem*& file = files[one.path];
    if (!file) {
      file = new QStandardItem(shownPath(one.path, p_.folder()));
      file->setToolTip(one.path);
      file->setEditable(false);
      file->setData(true, kFilledRole);
      model_->appendRow(file);
    }
    const qint64 line = one.start.line + 1;
    const QString quoted = lines.lineOf(one);
    auto* row = new QStandardItem(tr("%1: %2").arg(line).arg(quoted));
    row->setEditable(false);
    row->setAccessibleText(tr("Line %1: %2").arg(line).arg(quoted));
    row->setData(QVariant::fromValue(one), kLocationRole);
    row->setData(true, kFilledRole);
    file->appendRow(row);
  }
  for (int row = 0; row < model_->rowCount(); ++row) {
    QStandardItem* file = model_->item(row);
    file->setText(tr("%1  (%2)").arg(file->text()).arg(file->rowCount()));
  }
  tree_->expandAll();
  const auto places = static_cast<int>(uses.size());
  present(title(name) + tr(": %n place(s)", nullptr, places));
}

QStandardItem* RelationsPanel::makeRow(const HierarchyItem& item) const {
  QString text = item.name;
  if (!item.detail.isEmpty()) text += QStringLiteral("  ") + item.detail;
  text += QStringLiteral("  \u00b7 %1:%2")
              .arg(shownPath(item.place.path, p_.folder()))
              .arg(item.place.start.line + 1);
  if (item.count > 1)
    text += QStringLiteral("  ") + tr("%n time(s)", nullptr, static_cast<int>(item.count));
  auto* row = new QStandardItem(text);
  row->setEditable(false);
  row->setToolTip(item.kind.isEmpty() ? item.name : tr("%1 (%2)").arg(item.name, item.kind));
  row->setData(QVariant::fromValue(item.place), kLocationRole);
  row->setData(item.told.toVariant(), kToldRole);
  // So that it can be opened, which asks what is in it.
  auto* later = new QStandardItem(tr("Asking\u2026"));
  later->setEditable(false);
  later->setEnabled(false);
  row->appendRow(later);
  return row;
}

void RelationsPanel::showItems(const QVector<HierarchyItem>& items) {
  model_->clear();
  for (const HierarchyItem& item : items) model_->appendRow(makeRow(item));
  present(title(items.constFirst().name));
  tree_->expand(model_->index(0, 0));
}

void RelationsPanel::fill(const QModelIndex& index) {
  QStandardItem* row = model_->itemFromIndex(index);
  if (!row || row->data(kFilledRole).toBool()) return;
  row->setData(true, kFilledRole);
  int depth = 0;
  for (QModelIndex at = index; at.isValid(); at = at.parent()) ++depth;
  QString method;
  switch (relation_) {
    case Relation::kUses:
      return;
    case Relation::kCallers:
      method = QStringLiteral("callHierarchy/incomingCalls");
      break;
    case Relation::kCallees:
      method = QStringLiteral("callHierarchy/outgoingCalls");
      break;
    case Relation::kSupertypes:
      method = QStringLiteral("typeHierarchy/supertypes");
      break;
    case Relation::kSubtypes:
      method = QStringLiteral("typeHierarchy/subtypes");
      break;
  }
  const auto put = [this](const QPersistentModelIndex& at, const QVector<HierarchyItem>& items,
                          const QString& none) {
    QStandardItem* parent = model_->itemFromIndex(at);
    parent->removeRows(0, parent->rowCount());
    for (const HierarchyItem& item : items) parent->appendRow(makeRow(item));
    if (!items.isEmpty()) return;
    auto* nothing = new QStandardItem(none);
    nothing->setEditable(false);
    nothing->setEnabled(false);
    parent->appendRow(nothing);
  };
  const QPersistentModelIndex at(index);
  if (!client_ || depth > kDeepestRow) return put(at, {}, tr("Nobody can be asked."));
  const QJsonValue told = QJsonValue::fromVariant(row->data(kToldRole));
  const qint64 question = client_->ask(
      method, {{QStringLiteral("item"), told}},
      [this, self = QPointer(this), at, put, relation = relation_,
       number = generation_](const LanguageAnswer& answer) {
        if (!self || number != generation_ || !at.isValid()) return;
        if (!answer.problem.isEmpty()) return put(at, {}, answer.problem);
        const QVector<HierarchyItem> items =
            isOfCalls(relation) ? workbench::readCalls(answer.result,
                                                       relation == Relation::kCallers
                                                           ? workbench::CallSide::kCallers
                                                           : workbench::CallSide::kCallees,
                                                       answer.unit)
                                : workbench::readHierarchyItems(answer.result, answer.unit);
        put(at, items, tr("None is known."));
      });
  if (question == 0) put(at, {}, tr("Nobody can be asked."));
}

void RelationsPanel::showAt(const QModelIndex& index, bool isPreview) {
  const QVariant location = index.data(kLocationRole);
  if (location.isValid()) showLocation(p_, location.value<Location>(), isPreview);
}

bool RelationsPanel::eventFilter(QObject* watched, QEvent* event) {
  if (watched == tree_ && event->type() == QEvent::KeyPress) {
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
      const QModelIndex index = tree_->currentIndex();
      if (index.data(kLocationRole).isValid()) {
        showAt(index, false);
      } else {
        tree_->setExpanded(index, !tree_->isExpanded(index));
      }
      return true;
    }
    if (key->key() == Qt::Key_Escape) {
      if (Document* document = p_.tabs->current()) document->setFocus();
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace waferpair::gui
