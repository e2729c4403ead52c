// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/workbench/search_panel.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QStackedWidget>
#include <QStyle>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>
#include <chrono>

#include "gui/documents/editor_tabs.h"
#include "gui/kit/icon_button.h"
#include "gui/kit/small_button.h"
#include "gui/kit/theme.h"
#include "gui/pairing/review_list.h"
#include "gui/project/file_index.h"
#include "gui/project/folder_names.h"
#include "gui/store/settings.h"
#include "gui/workbench/found_delegate.h"
#include "gui/workbench/project_replace.h"

namespace waferpair::gui {
namespace {

constexpr std::chrono::milliseconds kSearchAfter(150);
// Files are unfolded as they come while there are so few lines.
constexpr int kMostUnfolded = 2'000;

QString countText(qsizetype count, const QString& one, const QString& several) {
  return count == 1 ? one : several.arg(QLocale().toString(count));
}

}  // namespace

SearchPanel::SearchPanel(EditorTabs* tabs, FileIndex* files, Settings* settings,
                         const QString& stateDirectory, QWidget* parent)
    : QWidget(parent),
      tabs_(tabs),
      files_(files),
      history_(stateDirectory + QStringLiteral("/searches.json")),
      texts_(tabs),
      store_(stateDirectory + QStringLiteral("/replacements")),
      find_(addField("searchText", tr("Search in all files"),
                     tr("What to search for in all files of the project"))),
      replace_(addField("searchReplace", tr("Replace with"), tr("Replace with"))),
      include_(addField("searchInclude", tr("only in: *.cpp, src"),
                        tr("Only in these files and folders: patterns with commas between"))),
      exclude_(addField("searchExclude", tr("not in: build"),
                        tr("Not in these files and folders: patterns with commas between"))),
      caseSensitive_(addToggle("searchCase", QStringLiteral("case"), tr("Match case"))),
      wholeWord_(addToggle("searchWord", QStringLiteral("whole-word"), tr("Whole words only"))),
      regex_(addToggle("searchRegex", QStringLiteral("regex"), tr("Regular expression"))),
      expand_(
          addToggle("searchExpand", QStringLiteral("chevron-right"), tr("Show or hide replace"))),
      preview_(makeSmallButton("searchPreview", tr("Preview"),
                               tr("Show each change before it is made (Ctrl+Enter)."), this)),
      undo_(makeSmallButton("searchUndo", {}, {}, this)),
      back_(makeSmallButton("searchBack", tr("Back to the Matches"),
                            tr("What is not accepted stays as it is (Esc)."), this)),
      state_(new QLabel(this)),
      model_(new FoundModel(this)),
      tree_(new QTreeView(this)),
      delegate_(new FoundDelegate(tree_)),
      reviewList_(new ReviewList(this)),
      pages_(new QStackedWidget(this)) {
  setObjectName(QStringLiteral("searchPanel"));
  setAccessibleName(tr("Search in all files"));
  layOut();
  connectParts();
  showReplace(false);
  forget();
  const auto applyFont = [this, settings] {
    delegate_->setCodeFont(settings->editorFont());
    reviewList_->setCodeFont(settings->editorFont());
    tree_->doItemsLayout();
  };
  connect(settings, &Settings::changed, this, applyFont);
  applyFont();
}

SearchPanel::~SearchPanel() = default;

QLineEdit* SearchPanel::addField(const char* name, const QString& placeholder,
                                 const QString& help) {
  auto* field = new QLineEdit(this);
  field->setObjectName(QLatin1String(name));
  field->setPlaceholderText(placeholder);
  field->setAccessibleName(help);
  field->setToolTip(help);
  field->setMinimumWidth(72);
  field->installEventFilter(this);
  return field;
}

QToolButton* SearchPanel::addToggle(const char* name, const QString& symbol, const QString& help) {
  QToolButton* toggle = makeIconButton(QLatin1String(name), symbol, help, this);
  toggle->setCheckable(true);
  return toggle;
}

void SearchPanel::layOut() {
  state_->setObjectName(QStringLiteral("searchState"));
  state_->setTextFormat(Qt::PlainText);
  state_->setWordWrap(true);
  tree_->setObjectName(QStringLiteral("searchTree"));
  tree_->setAccessibleName(tr("Matches by file"));
  tree_->setModel(model_);
  tree_->setItemDelegate(delegate_);
  tree_->setHeaderHidden(true);
  tree_->setUniformRowHeights(true);
  tree_->setIndentation(16);
  tree_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  tree_->setExpandsOnDoubleClick(false);
  tree_->setMinimumHeight(48);
  tree_->installEventFilter(this);

  auto* fields = new QHBoxLayout;
  fields->setContentsMargins(8, 4, 8, 0);
  fields->setSpacing(4);
  fields->addWidget(expand_);
  fields->addWidget(find_, 4);
  for (QToolButton* toggle : {caseSensitive_, wholeWord_, regex_}) fields->addWidget(toggle);
  fields->addWidget(include_, 2);
  fields->addWidget(exclude_, 2);
  auto* replacing = new QHBoxLayout;
  replacing->setContentsMargins(8, 0, 8, 0);
  replacing->setSpacing(4);
  replacing->addSpacing(expand_->sizeHint().width() + 4);
  replacing->addWidget(replace_, 4);
  replacing->addWidget(preview_);
  replacing->addStretch(4);
  auto* states = new QHBoxLayout;
  states->setContentsMargins(12, 0, 8, 0);
  states->setSpacing(8);
  states->addWidget(state_, 1);
  states->addWidget(undo_);
  states->addWidget(back_);
  pages_->addWidget(tree_);
  pages_->addWidget(reviewList_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  column->addLayout(fields);
  column->addLayout(replacing);
  column->addLayout(states);
  column->addWidget(pages_, 1);
  const QList<QWidget*> order{find_,    replace_, caseSensitive_, wholeWord_, regex_, include_,
                              exclude_, preview_, undo_,          back_,      tree_,  expand_};
  for (int i = 0; i + 1 < order.size(); ++i) setTabOrder(order[i], order[i + 1]);
  setFocusProxy(find_);
}

void SearchPanel::connectParts() {
  soon_.setSingleShot(true);
  connect(&soon_, &QTimer::timeout, this, &SearchPanel::search);
  for (QLineEdit* field : {find_, include_, exclude_})
    connect(field, &QLineEdit::textChanged, this, &SearchPanel::searchSoon);
  connect(find_, &QLineEdit::textEdited, this, [this] { recalled_ = -1; });
  for (QToolButton* toggle : {caseSensitive_, wholeWord_, regex_})
    connect(toggle, &QToolButton::toggled, this, &SearchPanel::searchSoon);
  connect(expand_, &QToolButton::toggled, this, &SearchPanel::showReplace);
  for (const QLineEdit* field : {find_, replace_, include_, exclude_})
    connect(field, &QLineEdit::textChanged, this, &SearchPanel::queryChanged);
  for (const QToolButton* toggle : {caseSensitive_, wholeWord_, regex_, expand_})
    connect(toggle, &QToolButton::toggled, this, &SearchPanel::queryChanged);
  connect(&finder_, &workbench::ProjectFinder::found, this, &SearchPanel::take);
  connect(&finder_, &workbench::ProjectFinder::finished, this, &SearchPanel::finish);
  // Other files, or another project.
  connect(files_, &FileIndex::changed, this, &SearchPanel::searchSoon);
  connect(tree_, &QTreeView::clicked, this, [this](const QModelIndex& index) {
    if (index.parent().isValid()) openCurrent(false);
  });
  connect(tree_, &QTreeView::doubleClicked, this, [this] { openCurrent(true); });
  connect(preview_, &QPushButton::clicked, this, &SearchPanel::preview);
  connect(back_, &QPushButton::clicked, this, &SearchPanel::endPreview);
  connect(undo_, &QPushButton::clicked, this, [this] {
    decide([this] {
      return review_->set().isRestored() ? review_->undoRestore() : review_->restore();
    });
  });
  connect(reviewList_, &ReviewList::decideWanted, this,
          [this](const pairing::HunkPlace& place, bool accept) {
            decide([&] { return accept ? review_->accept(place) : review_->reject(place); });
          });
  connect(reviewList_, &ReviewList::decideAllWanted, this, [this](bool accept) {
    decide([&] { return accept ? review_->acceptAll() : review_->rejectAll(); });
  });
  connect(reviewList_, &ReviewList::openWanted, this, [this](const pairing::HunkPlace& place) {
    const auto& hunks = review_->set().files[place.file].hunks;
    const int line = place.hunk < 0 ? -1 : static_cast<int>(hunks[place.hunk].lines.oldStart);
    tabs_->open(review_->absolutePath(place.file), {.then = [line](Document* document) {
                  if (document && line >= 0) document->editor()->goToLine(line);
                }});
  });
}

// -- What commands do

void SearchPanel::enter(const QString& text) {
  if (pages_->currentWidget() == reviewList_) endPreview();
  if (!text.isEmpty()) find_->setText(text);
  find_->setFocus(Qt::ShortcutFocusReason);
  find_->selectAll();
  searchSoon();
}

void SearchPanel::enterReplace(const QString& text) {
  expand_->setChecked(true);
  enter(text);
}

void SearchPanel::step(int direction) {
  const QModelIndex next = model_->step(tree_->currentIndex(), direction);
  if (!next.isValid()) return;
  tree_->setCurrentIndex(next);
  openCurrent(false);
  if (Document* document = tabs_->current()) document->setFocus();
}

QJsonObject SearchPanel::query() const {
  return {{QStringLiteral("text"), find_->text()},
          {QStringLiteral("replace"), replace_->text()},
          {QStringLiteral("include"), include_->text()},
          {QStringLiteral("exclude"), exclude_->text()},
          {QStringLiteral("case"), caseSensitive_->isChecked()},
          {QStringLiteral("words"), wholeWord_->isChecked()},
          {QStringLiteral("regex"), regex_->isChecked()},
          {QStringLiteral("replaceShown"), expand_->isChecked()}};
}

void SearchPanel::restore(const QJsonObject& query) {
  find_->setText(query[u"text"].toString());
  replace_->setText(query[u"replace"].toString());
  include_->setText(query[u"include"].toString());
  exclude_->setText(query[u"exclude"].toString());
  caseSensitive_->setChecked(query[u"case"].toBool());
  wholeWord_->setChecked(query[u"words"].toBool());
  regex_->setChecked(query[u"regex"].toBool());
  expand_->setChecked(query[u"replaceShown"].toBool());
}

// -- Searching

// A panel that nobody sees searches once it is shown.
void SearchPanel::searchSoon() {
  if (pages_->currentWidget() != tree_) return;
  isDue_ = !isVisible();
  if (!isDue_) soon_.start(kSearchAfter);
}

void SearchPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  if (isDue_) searchSoon();
}

void SearchPanel::forget() {
  soon_.stop();
  finder_.cancel();
  search_.reset();
  isAll_ = false;
  model_->clear();
  preview_->setEnabled(false);
  showState({});
  Q_EMIT changed();
}

void SearchPanel::search() {
  forget();
  if (find_->text().isEmpty()) return;
  const QStringList folders = files_->folders();
  if (folders.isEmpty()) return showState(tr("Open a folder to search its files."));
  const auto search = workbench::TextSearch::make(
      {find_->text(), caseSensitive_->isChecked(), wholeWord_->isChecked(), regex_->isChecked()});
  if (!search) return showState(search.error().message(), true);
  search_ = *search;
  workbench::ProjectQuery query;
  // Of several folders the paths begin at the one around them all.
  root_ = folderAround(folders);
  folders_ = folders.size() > 1 ? folders : QStringList();
  query.root = root_;
  const auto below = [this](const QString& path) { return path.mid(root_.size() + 1); };
  for (const QString& folder : folders) {
    if (folder == root_) {
      query.files += files_->filesOf(folder);
      continue;
    }
    query.folders.append(below(folder));
    for (const QString& file : files_->filesOf(folder))
      query.files.append(query.folders.constLast() + u'/' + file);
  }
  query.include = workbench::patternsOf(include_->text());
  query.exclude = workbench::patternsOf(exclude_->text());
  for (const Document* document : tabs_->documents())
    if (isBelowFolder(document->path(), root_.isEmpty() ? QStringLiteral("/") : root_) &&
        !document->textDocument()->isBinary())
      query.open.insert(below(document->path()), document->text());
  showState(tr("Searching…"));
  finder_.start(query, *search_);
}

void SearchPanel::take(const QVector<workbench::FoundFile>& files) {
  const bool wasEmpty = !hasMatches();
  const QModelIndex current = tree_->currentIndex();
  model_->add(files);
  int rows = 0;
  for (int row = 0; row < model_->rowCount() && rows < kMostUnfolded; ++row) {
    const QModelIndex file = model_->index(row, 0);
    rows += model_->rowCount(file);
    tree_->expand(file);
  }
  // What the user has not moved to yet stays the first one.
  if (!tree_->hasFocus() || !current.isValid()) tree_->setCurrentIndex(model_->index(0, 0));
  if (wasEmpty) Q_EMIT changed();
}

void SearchPanel::finish(const workbench::FindSummary& summary) {
  isAll_ = summary.isAll;
  preview_->setEnabled(summary.matches > 0);
  if (summary.matches == 0)
    return showState(
        tr("No match in %1.").arg(countText(summary.searched, tr("1 file"), tr("%1 files"))));
  QString text = tr("%1 in %2")
                     .arg(countText(summary.matches, tr("1 match"), tr("%1 matches")),
                          countText(summary.files, tr("1 file"), tr("%1 files")));
  if (!summary.isAll) text += tr("; there are more: search for less");
  if (summary.skipped > 0)
    text += u' ' + tr("(%1 not searched: binary, too large or not readable)")
                       .arg(countText(summary.skipped, tr("1 file"), tr("%1 files")));
  showState(text);
}

void SearchPanel::openCurrent(bool keep) {
  const auto place = model_->place(tree_->currentIndex());
  if (!place) return;
  history_.add(find_->text());
  const QString path = root_ + u'/' + place->path;
  const auto go = [found = place->line](Document* document) {
    if (!document) return;
    // The text may have been edited since.
    editor::CodeEditor* editor = document->editor();
    const int line = std::min(static_cast<int>(found.line), editor->lineCount() - 1);
    const qint64 start = std::min(editor->lineStart(line) + found.column, editor->length());
    editor->goToLine(line);
    editor->setSelection(start, std::min(start + found.length, editor->length()));
  };
  tabs_->open(path, {.isPreview = !keep, .then = go});
}

// Up and Down in the field bring back what was searched for before.
void SearchPanel::recall(int direction) {
  const int last = static_cast<int>(history_.entries().size()) - 1;
  const int wanted = std::clamp(recalled_ + direction, -1, last);
  if (wanted == recalled_) return;
  recalled_ = wanted;
  find_->setText(wanted < 0 ? QString() : history_.entries()[wanted]);
}

// -- Replacing

void SearchPanel::showReplace(bool isShown) {
  replace_->setVisible(isShown);
  preview_->setVisible(isShown);
  expand_->setIcon(
      icon(isShown ? QStringLiteral("chevron-down") : QStringLiteral("chevron-right")));
}

void SearchPanel::preview() {
  if (!search_ || finder_.isRunning() || !hasMatches()) return;
  if (!isAll_)
    return showState(tr("There are more matches than are listed. Search for less, then replace."),
                     true);
  history_.add(find_->text());
  const ReplaceChanges changes =
      replaceChanges(&texts_, root_, model_->paths(), *search_, replace_->text());
  if (changes.set.files.isEmpty())
    return showState(changes.problems.isEmpty() ? tr("Replacing changes nothing.")
                                                : changes.problems.join(u'\n'),
                     true);
  reviewIn(root_, folders_, changes.set, changes.problems);
}

void SearchPanel::reviewIn(const QString& root, const QStringList& folders,
                           const pairing::ChangeSet& changes, const QStringList& problems) {
  // No search that was begun speaks over it.
  soon_.stop();
  finder_.cancel();
  store_.setProject(root);
  reviewList_->show(nullptr);
  if (review_) store_.remove(review_->set().id);
  review_ = std::make_unique<pairing::ChangeReview>(
      pairing::ChangeReview::Parts{&texts_, &store_, root, folders}, changes);
  reviewList_->show(review_.get());
  pages_->setCurrentWidget(reviewList_);
  reviewList_->tree()->setFocus();
  problems.isEmpty() ? showState(changes.title) : showState(problems.join(u'\n'), true);
}

void SearchPanel::endPreview() {
  pages_->setCurrentWidget(tree_);
  find_->setFocus();
  search();
}

void SearchPanel::decide(const std::function<QVector<pairing::FileProblem>()>& decide) {
  if (!review_) return;
  QStringList problems;
  for (const pairing::FileProblem& problem : decide())
    problems.append(QStringLiteral("%1: %2").arg(problem.path, problem.error.message()));
  showState(problems.isEmpty() ? review_->set().title : problems.join(u'\n'), !problems.isEmpty());
}

void SearchPanel::showState(const QString& text, bool isProblem) {
  state_->setText(text);
  state_->setProperty("role", isProblem ? QStringLiteral("warning") : QStringLiteral("muted"));
  state_->style()->unpolish(state_);
  state_->style()->polish(state_);
  const bool isPreview = pages_->currentWidget() == reviewList_;
  back_->setVisible(isPreview);
  const bool isRestored = review_ && review_->set().isRestored();
  undo_->setVisible(review_ && (isRestored || review_->set().isInProject()));
  undo_->setText(isRestored ? tr("Make Them Again") : tr("Undo All"));
  undo_->setToolTip(isRestored ? tr("Make the changes that were taken back.")
                               : tr("Take these changes back; what you wrote since stays."));
}

QString SearchPanel::stateText() const { return state_->text(); }

// -- Keys

bool SearchPanel::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() != QEvent::KeyPress) return QWidget::eventFilter(watched, event);
  const auto* key = static_cast<QKeyEvent*>(event);
  const bool isReturn = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
  if (watched == tree_) {
    if (!isReturn || key->modifiers().testFlag(Qt::ControlModifier)) return false;
    openCurrent(true);
    return true;
  }
  if (isReturn && key->modifiers().testFlag(Qt::ControlModifier)) {
    if (expand_->isChecked()) preview();
    return true;
  }
  if (isReturn && !soon_.isActive() && hasMatches()) {
    openCurrent(true);
    return true;
  }
  if (isReturn) {
    search();
    return true;
  }
  if (watched == find_ && key->key() == Qt::Key_Up) {
    recall(+1);
    return true;
  }
  if (key->key() == Qt::Key_Down) {
    if (watched == find_ && recalled_ >= 0) {
      recall(-1);
    } else if (hasMatches() && pages_->currentWidget() == tree_) {
      tree_->setFocus(Qt::TabFocusReason);
    }
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

// Esc comes here when no field has a use for it.
void SearchPanel::keyPressEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Escape) return QWidget::keyPressEvent(event);
  if (pages_->currentWidget() == reviewList_) return endPreview();
  if (Document* document = tabs_->current()) document->editor()->setFocus();
}

}  // namespace waferpair::gui
