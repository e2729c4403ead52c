// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/workbench/problems_panel.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QStandardItemModel>
#include <QTreeView>
#include <QVBoxLayout>
#include <chrono>

#include "editor/text/unseen.h"
#include "gui/kit/icons.h"
#include "gui/kit/theme.h"
#include "gui/project/folder_names.h"
#include "gui/workbench/quoted_lines.h"
#include "gui/workbench/severity_words.h"
#include "workbench/language/language_service.h"

namespace waferpair::gui {

using workbench::Diagnostic;

namespace {

enum ProblemRole {
  kProblemPathRole = Qt::UserRole,
  kProblemRole,  // its number among those of the file; -1: the file itself
};

constexpr std::chrono::milliseconds kRebuildDelay(120);
constexpr qsizetype kMostOfRow = 300;  // UTF-16 units

QStandardItem* makeProblemRow(const QString& text, const QString& path, int number) {
  auto* item = new QStandardItem(editor::shownForm(text, editor::OtherBlanks::kKept));
  item->setData(path, kProblemPathRole);
  item->setData(number, kProblemRole);
  item->setEditable(false);
  return item;
}

}  // namespace

ProblemsPanel::ProblemsPanel(workbench::LanguageService* service, QWidget* parent)
    : QWidget(parent),
      service_(service),
      filter_(new QLineEdit(this)),
      note_(new QLabel(this)),
      model_(new QStandardItemModel(this)),
      tree_(new QTreeView(this)) {
  setObjectName(QStringLiteral("problemsPanel"));
  setAccessibleName(tr("Problems"));
  filter_->setObjectName(QStringLiteral("problemsFilter"));
  filter_->setPlaceholderText(tr("Filter"));
  filter_->setAccessibleName(tr("Only problems with these words"));
  filter_->setClearButtonEnabled(true);
  filter_->setMaximumWidth(320);
  note_->setObjectName(QStringLiteral("problemsNote"));
  note_->setProperty("role", QStringLiteral("muted"));
  tree_->setObjectName(QStringLiteral("problemsTree"));
  tree_->setAccessibleName(tr("Problems by file"));
  tree_->setModel(model_);
  tree_->setHeaderHidden(true);
  tree_->setUniformRowHeights(true);
  tree_->setIndentation(16);
  tree_->setTextElideMode(Qt::ElideRight);
  tree_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  tree_->setMinimumHeight(60);
  tree_->installEventFilter(this);
  filter_->installEventFilter(this);
  auto* top = new QHBoxLayout;
  top->setContentsMargins(8, 4, 12, 4);
  top->addWidget(filter_, 1);
  top->addWidget(note_, 1);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(top);
  column->addWidget(tree_, 1);
  soon_.setSingleShot(true);
  soon_.setInterval(kRebuildDelay);
  connect(&soon_, &QTimer::timeout, this, &ProblemsPanel::rebuild);
  connect(service, &workbench::LanguageService::diagnosticsChanged, this, [this] {
    if (isVisible() && !soon_.isActive()) soon_.start();
  });
  connect(filter_, &QLineEdit::textChanged, this, &ProblemsPanel::rebuild);
  connect(tree_, &QTreeView::clicked, this, &ProblemsPanel::goTo);
  rebuild();
}

void ProblemsPanel::setFolders(const QStringList& folders) {
  folders_ = folders;
  rebuild();
}

void ProblemsPanel::enter() {
  if (!tree_->currentIndex().isValid()) tree_->setCurrentIndex(model_->index(0, 0));
  tree_->setFocus(Qt::TabFocusReason);
}

void ProblemsPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  rebuild();
}

// What was current stays so, by its file and number.
void ProblemsPanel::rebuild() {
  const QModelIndex current = tree_->currentIndex();
  const QString path = current.data(kProblemPathRole).toString();
  const int number = current.isValid() ? current.data(kProblemRole).toInt() : -1;
  QStringList closed;
  for (int row = 0; row < model_->rowCount(); ++row)
    if (!tree_->isExpanded(model_->index(row, 0)))
      closed.append(model_->index(row, 0).data(kProblemPathRole).toString());
  model_->clear();
  const QStringList files = service_->diagnosedFiles();
  qsizetype rows = 0, all = 0;
  for (const QString& file : files) {
    all += service_->diagnostics(file).size();
    addFile(file, filter_->text().trimmed(), &rows);
  }
  for (int row = 0; row < model_->rowCount(); ++row) {
    const QModelIndex file = model_->index(row, 0);
    const QString name = file.data(kProblemPathRole).toString();
    tree_->setExpanded(file, !closed.contains(name));
    if (name != path) continue;
    const QModelIndex child = number < 0 ? file : model_->index(number, 0, file);
    tree_->setCurrentIndex(child.isValid() ? child : file);
  }
  if (all == 0) {
    note_->setText(tr("Nothing is known to be wrong."));
  } else if (rows < all) {
    note_->setText(tr("%1 of %2 shown").arg(rows).arg(all));
  } else {
    note_->clear();
  }
}

void ProblemsPanel::addFile(const QString& path, const QString& filter, qsizetype* rows) {
  const QVector<Diagnostic>& diagnostics = service_->diagnostics(path);
  const QString shown = editor::shownForm(placeIn(folders_, path));
  QStandardItem* file = nullptr;
  for (int i = 0; i < diagnostics.size() && *rows < kMostRows; ++i) {
    const Diagnostic& one = diagnostics[i];
    const QString severity = severityWord(one.severity);
    const bool fits = filter.isEmpty() || shown.contains(filter, Qt::CaseInsensitive) ||
                      severity.contains(filter, Qt::CaseInsensitive) ||
                      one.text().contains(filter, Qt::CaseInsensitive);
    if (!fits) continue;
    if (!file) {
      file = makeProblemRow(shown, path, -1);
      file->setToolTip(path);
      model_->appendRow(file);
    }
    const qint64 line = one.place.line + 1;
    QStandardItem* row = makeProblemRow(
        tr("%1: %2").arg(line).arg(one.text().simplified().left(kMostOfRow)), path, i);
    row->setIcon(severityIcon(one.severity));
    row->setToolTip(one.text());
    row->setAccessibleText(
        tr("%1 at line %2: %3")
            .arg(severity)
            .arg(line)
            .arg(editor::shownForm(one.text().simplified(), editor::OtherBlanks::kKept)));
    file->appendRow(row);
    ++*rows;
  }
  if (file) file->setText(tr("%1  (%2)").arg(shown).arg(file->rowCount()));
}

void ProblemsPanel::goTo(const QModelIndex& index) {
  const int number = index.data(kProblemRole).toInt();
  const QString path = index.data(kProblemPathRole).toString();
  if (!index.isValid() || number < 0) return;
  const QVector<Diagnostic>& diagnostics = service_->diagnostics(path);
  if (number < diagnostics.size()) Q_EMIT goToWanted(path, diagnostics[number]);
}

bool ProblemsPanel::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::KeyPress) {
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool isReturn = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
    if (watched == tree_ && isReturn) {
      const QModelIndex index = tree_->currentIndex();
      if (index.data(kProblemRole).toInt() < 0) {
        tree_->setExpanded(index, !tree_->isExpanded(index));
      } else {
        goTo(index);
      }
      return true;
    }
    if (watched == filter_ && (isReturn || key->key() == Qt::Key_Down)) {
      const QModelIndex first = model_->index(0, 0);
      tree_->setCurrentIndex(model_->index(0, 0, first));
      tree_->setFocus(Qt::TabFocusReason);
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace waferpair::gui
