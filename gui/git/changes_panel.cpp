// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/git/changes_panel.h"

#include <QAction>
#include <QCheckBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPlainTextEdit>
#include <QSplitter>
#include <QStandardItemModel>
#include <QTreeView>
#include <QVBoxLayout>
#include <chrono>

#include "editor/text/path_bytes.h"
#include "editor/text/unseen.h"
#include "editor/widget/code_editor.h"
#include "gui/git/diff_view.h"
#include "gui/git/git_marks.h"
#include "gui/git/operation_bar.h"
#include "gui/kit/small_button.h"
#include "gui/kit/unseen_note.h"

namespace waferpair::gui {

using workbench::GitChange;
using workbench::GitState;

namespace {

enum ChangeRole {
  kChangeSectionRole = Qt::UserRole,
  kChangeNumberRole,  // among those of the section; -1: its heading
};

constexpr std::chrono::milliseconds kShowSoon(80);
constexpr std::chrono::milliseconds kKeepSoon(500);
constexpr int kMessageRows = 3;

QString pathText(const GitChange& change) {
  const QString path = editor::shownForm(editor::shownPath(change.path));
  return change.from.isEmpty() ? path
                               : ChangesPanel::tr("%1, was %2")
                                     .arg(path, editor::shownForm(editor::shownPath(change.from)));
}

}  // namespace

ChangesPanel::ChangesPanel(const GitParts& parts, FileActions* actions, workbench::GitWatch* watch,
                           workbench::GitJobs* jobs, QWidget* parent)
    : QWidget(parent),
      p_(parts),
      actions_(actions),
      watch_(watch),
      jobs_(jobs),
      kept_(parts.state + QStringLiteral("/commit-messages.json")),
      operation_(new OperationBar(actions, watch, this)),
      message_(new QPlainTextEdit(this)),
      amend_(new QCheckBox(tr("&Amend"), this)),
      commit_(makeSmallButton("changesCommit", tr("&Commit"), {}, this)),
      draft_(makeSmallButton("changesDraft", tr("Draft"),
                             tr("Have a model write the message from the changes"), this)),
      stage_(makeSmallButton("changesStage", {}, {}, this)),
      discard_(makeSmallButton("changesDiscard", tr("Discard"), {}, this)),
      note_(new QLabel(this)),
      model_(new QStandardItemModel(this)),
      tree_(new QTreeView(this)),
      diff_(new DiffView(parts, actions, jobs, this)),
      splitter_(new QSplitter(this)) {
  setObjectName(QStringLiteral("changesPanel"));
  setAccessibleName(tr("Changes"));
  layOut();
  soon_.setSingleShot(true);
  soon_.setInterval(kShowSoon);
  connect(&soon_, &QTimer::timeout, this, &ChangesPanel::rebuild);
  connect(watch, &workbench::GitWatch::changed, this, [this] {
    if (isVisible() && !soon_.isActive()) soon_.start();
  });
  connect(tree_->selectionModel(), &QItemSelectionModel::selectionChanged, this,
          &ChangesPanel::showButtons);
  connect(tree_->selectionModel(), &QItemSelectionModel::currentChanged, this,
          &ChangesPanel::showCurrent);
  connect(tree_, &QTreeView::pressed, this, [this] { words_.end(); });
  connect(tree_, &QTreeView::doubleClicked, this, [this](const QModelIndex& index) {
    const int number = index.data(kChangeNumberRole).toInt();
    const auto& changes = changesOf(static_cast<Section>(index.data(kChangeSectionRole).toInt()));
    const auto status = watch_->status();
    if (status && number >= 0 && number < changes.size())
      Q_EMIT fileWanted(status->workFolder + u'/' + changes[number].path, -1);
  });
  connect(stage_, &QPushButton::clicked, this, &ChangesPanel::applyChosen);
  connect(discard_, &QPushButton::clicked, this, &ChangesPanel::discardChosen);
  connect(commit_, &QPushButton::clicked, this, &ChangesPanel::commit);
  connect(message_, &QPlainTextEdit::textChanged, this, &ChangesPanel::showButtons);
  keepSoon_.setSingleShot(true);
  keepSoon_.setInterval(kKeepSoon);
  connect(&keepSoon_, &QTimer::timeout, this, &ChangesPanel::keepMessage);
  connect(message_, &QPlainTextEdit::textChanged, &keepSoon_, qOverload<>(&QTimer::start));
  connect(watch, &workbench::GitWatch::changed, this, &ChangesPanel::followRepository);
  connect(amend_, &QCheckBox::toggled, this, &ChangesPanel::readLastMessage);
  connect(jobs, &workbench::GitJobs::changed, this, &ChangesPanel::showButtons);
  connect(diff_, &DiffView::left, this, &ChangesPanel::enter);
  connect(diff_, &DiffView::placeWanted, this, &ChangesPanel::fileWanted);
  rebuild();
}

ChangesPanel::~ChangesPanel() {
  if (keepSoon_.isActive()) keepMessage();
}

void ChangesPanel::keepMessage() {
  keepSoon_.stop();
  if (!keptFor_.isEmpty()) kept_.keep(keptFor_, {message_->toPlainText(), amend_->isChecked()});
}

void ChangesPanel::followRepository() {
  const auto status = watch_->status();
  // Between two it is not known which is the next one.
  if (!status || status->workFolder == keptFor_) return;
  if (keepSoon_.isActive()) keepMessage();
  const bool isFirst = keptFor_.isEmpty();
  keptFor_ = status->workFolder;
  const KeptMessages::Message message = kept_.of(keptFor_);
  // Written before the repository was known.
  if (isFirst && !this->message().isEmpty()) return keepMessage();
  {
    const QSignalBlocker quiet(amend_);
    amend_->setChecked(message.amends);
  }
  ownMessage_.clear();
  setMessage(message.text);
  keepSoon_.stop();
}

void ChangesPanel::layOut() {
  message_->setObjectName(QStringLiteral("commitMessage"));
  message_->setAccessibleName(tr("Commit message"));
  showWaiting({});
  message_->setTabChangesFocus(true);
  message_->setFixedHeight(message_->fontMetrics().lineSpacing() * kMessageRows + 18);
  message_->installEventFilter(this);
  amend_->setObjectName(QStringLiteral("commitAmend"));
  amend_->setToolTip(tr("Replace the last commit"));
  note_->setObjectName(QStringLiteral("changesNote"));
  note_->setProperty("role", QStringLiteral("muted"));
  note_->setWordWrap(true);
  note_->setTextFormat(Qt::PlainText);
  note_->setContentsMargins(10, 4, 10, 4);
  tree_->setObjectName(QStringLiteral("changesTree"));
  tree_->setAccessibleName(tr("Changed files"));
  tree_->setModel(model_);
  tree_->setHeaderHidden(true);
  tree_->setUniformRowHeights(true);
  tree_->setIndentation(14);
  tree_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  tree_->setTextElideMode(Qt::ElideMiddle);
  tree_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  tree_->setExpandsOnDoubleClick(false);
  tree_->setMinimumHeight(48);
  tree_->installEventFilter(this);
  stage_->setToolTip(tr("Stage or unstage what is chosen (Space)"));
  discard_->setToolTip(tr("Make the chosen files as they were; they can be put back (Delete)"));

  auto* left = new QWidget(this);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(8, 2, 8, 2);
  row->setSpacing(4);
  row->addWidget(stage_);
  row->addWidget(discard_);
  row->addStretch(1);
  row->addWidget(amend_);
  row->addWidget(draft_);
  row->addWidget(commit_);
  auto* column = new QVBoxLayout(left);
  column->setContentsMargins(0, 4, 0, 0);
  column->setSpacing(2);
  auto* field = new QHBoxLayout;
  field->setContentsMargins(8, 0, 8, 0);
  field->addWidget(message_);
  column->addWidget(operation_);
  column->addLayout(field);
  column->addWidget(new UnseenNote(message_, QStringLiteral("commit"),
                                   tr("The message has characters that one does not see: %1"),
                                   left));
  column->addLayout(row);
  column->addWidget(note_);
  column->addWidget(tree_, 1);
  splitter_->setObjectName(QStringLiteral("changesSplitter"));
  splitter_->setChildrenCollapsible(false);
  splitter_->addWidget(left);
  splitter_->addWidget(diff_);
  splitter_->setStretchFactor(0, 2);
  splitter_->setStretchFactor(1, 3);
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->addWidget(splitter_);
  const QList<QWidget*> order{message_, amend_, draft_,   commit_,
                              tree_,    stage_, discard_, diff_->text()};
  for (int i = 0; i + 1 < order.size(); ++i) setTabOrder(order[i], order[i + 1]);
  // A key that changes something is of use in a place alone that one goes to.
  setFocusProxy(message_);
}

void ChangesPanel::enter() {
  if (!tree_->currentIndex().isValid()) {
    const QModelIndex heading = model_->index(0, 0);
    const QModelIndex first = model_->index(0, 0, heading);
    tree_->setCurrentIndex(first.isValid() ? first : heading);
  }
  tree_->setFocus(Qt::TabFocusReason);
}

void ChangesPanel::enterMessage() { message_->setFocus(Qt::TabFocusReason); }

QString ChangesPanel::message() const { return message_->toPlainText().trimmed(); }

void ChangesPanel::setMessage(const QString& message) { message_->setPlainText(message); }

void ChangesPanel::showWaiting(const QString& text) {
  message_->setPlaceholderText(text.isEmpty() ? tr("Message (Ctrl+Return commits)") : text);
  message_->setAccessibleDescription(text);
}

void ChangesPanel::setDraftAction(QAction* action) {
  connect(draft_, &QPushButton::clicked, action, &QAction::trigger);
}

void ChangesPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  rebuild();
}

const QVector<GitChange>& ChangesPanel::changesOf(Section section) const {
  return section == Section::kConflicts ? conflicts_
         : section == Section::kStaged  ? staged_
                                        : unstaged_;
}

void ChangesPanel::addSection(Section section, const QVector<GitChange>& changes) {
  if (changes.isEmpty()) return;
  const QString names[] = {tr("In conflict"), tr("Staged"), tr("Not staged")};
  const QString name = names[static_cast<int>(section)];
  const auto make = [&](const QString& text, int number) {
    auto* item = new QStandardItem(text);
    item->setEditable(false);
    item->setData(static_cast<int>(section), kChangeSectionRole);
    item->setData(number, kChangeNumberRole);
    return item;
  };
  QStandardItem* heading = make(tr("%1  (%2)").arg(name).arg(changes.size()), -1);
  QFont bold = tree_->font();
  bold.setBold(true);
  heading->setFont(bold);
  const auto rows = static_cast<int>(std::min(changes.size(), kMostRows));
  for (int i = 0; i < rows; ++i) {
    const FileMark mark = gitMark(changes[i].state);
    QStandardItem* item = make(QStringLiteral("%1  %2").arg(mark.letter, pathText(changes[i])), i);
    item->setForeground(mark.color());
    item->setToolTip(QStringLiteral("%1: %2").arg(pathText(changes[i]), mark.word));
    item->setAccessibleText(
        QStringLiteral("%1, %2, %3").arg(pathText(changes[i]), mark.word, name));
    heading->appendRow(item);
  }
  if (rows < changes.size()) {
    QStandardItem* more =
        make(tr("%n more file(s)", nullptr, static_cast<int>(changes.size() - rows)), -1);
    more->setSelectable(false);
    heading->appendRow(more);
  }
  model_->appendRow(heading);
}

// What was current stays so, by its path, or else its place.
void ChangesPanel::rebuild() {
  const auto status = watch_->status();
  QVector<GitChange> conflicts, unstaged;
  const QVector<GitChange> staged = status ? status->staged : QVector<GitChange>();
  if (status)
    for (const GitChange& change : status->unstaged)
      (change.state == GitState::kConflict ? conflicts : unstaged).append(change);
  if (staged != staged_ || unstaged != unstaged_ || conflicts != conflicts_ ||
      model_->rowCount() == 0) {
    const QModelIndex current = tree_->currentIndex();
    const auto section = static_cast<Section>(current.data(kChangeSectionRole).toInt());
    const int number = current.isValid() ? current.data(kChangeNumberRole).toInt() : -1;
    const QString path = number >= 0 ? changesOf(section).value(number).path : QString();
    conflicts_ = conflicts;
    staged_ = staged;
    unstaged_ = unstaged;
    {
      const QSignalBlocker quiet(tree_->selectionModel());
      model_->clear();
      addSection(Section::kConflicts, conflicts_);
      addSection(Section::kStaged, staged_);
      addSection(Section::kUnstaged, unstaged_);
      tree_->expandAll();
    }
    QModelIndex best;
    for (int i = 0; i < model_->rowCount(); ++i) {
      const QModelIndex heading = model_->index(i, 0);
      const auto here = static_cast<Section>(heading.data(kChangeSectionRole).toInt());
      const auto& changes = changesOf(here);
      for (int k = 0; k < model_->rowCount(heading); ++k)
        if (!path.isEmpty() && changes.value(k).path == path &&
            (!best.isValid() || here == section))
          best = model_->index(k, 0, heading);
      // Its file went elsewhere: the next one takes its place, so that keys go on there.
      if (here == section && number >= 0 && !path.isEmpty() &&
          !std::any_of(changes.begin(), changes.end(),
                       [&](const GitChange& each) { return each.path == path; }))
        best = model_->index(std::min(number, model_->rowCount(heading) - 1), 0, heading);
    }
    if (best.isValid()) tree_->setCurrentIndex(best);
  }
  const QString problem = watch_->problem().message();
  note_->setText(
      !status ? (problem.isEmpty() ? tr("The open folder is in no git repository.") : problem)
      : model_->rowCount() == 0 ? tr("Nothing has changed since the last commit.")
                                : QString());
  note_->setVisible(!note_->text().isEmpty());
  showCurrent();
  showButtons();
}

QVector<GitChange> ChangesPanel::chosen(Section section) const {
  QVector<GitChange> all;
  const auto& changes = changesOf(section);
  for (const QModelIndex& index : tree_->selectionModel()->selectedIndexes()) {
    if (index.data(kChangeSectionRole).toInt() != static_cast<int>(section)) continue;
    const int number = index.data(kChangeNumberRole).toInt();
    if (number < 0) return changes;
    if (number < changes.size()) all.append(changes[number]);
  }
  return all;
}

void ChangesPanel::showCurrent() {
  const QModelIndex index = tree_->currentIndex();
  const auto section = static_cast<Section>(index.data(kChangeSectionRole).toInt());
  const int number = index.isValid() ? index.data(kChangeNumberRole).toInt() : -1;
  const auto status = watch_->status();
  if (!status || number < 0 || number >= changesOf(section).size() || !isVisible())
    return diff_->clear();
  diff_->showFile(status->workFolder, changesOf(section)[number], section == Section::kStaged);
}

void ChangesPanel::showButtons() {
  const auto staged = chosen(Section::kStaged);
  const auto others = chosen(Section::kUnstaged) + chosen(Section::kConflicts);
  const bool unstages = others.isEmpty() && !staged.isEmpty();
  stage_->setText(unstages ? tr("Unstage") : tr("Stage"));
  stage_->setEnabled(!staged.isEmpty() || !others.isEmpty());
  discard_->setEnabled(!chosen(Section::kUnstaged).isEmpty());
  const bool stagesAll = staged_.isEmpty() && !amend_->isChecked();
  commit_->setText(stagesAll ? tr("Stage All and &Commit") : tr("&Commit"));
  const bool hasSomething = !staged_.isEmpty() || !unstaged_.isEmpty() || amend_->isChecked();
  // With a merge under way a commit may have nothing of its own.
  const bool isMerge =
      watch_->status() && watch_->status()->operation == workbench::GitOperation::kMerge;
  commit_->setEnabled(watch_->status() && !message().isEmpty() && conflicts_.isEmpty() &&
                      (hasSomething || isMerge));
  commit_->setToolTip(!conflicts_.isEmpty() ? tr("There are files in conflict.")
                      : message().isEmpty() ? tr("Write a message first.")
                                            : tr("Commit (Ctrl+Return)"));
}

static QStringList pathsOf(const QVector<GitChange>& changes) {
  QStringList paths;
  for (const GitChange& change : changes) {
    paths.append(change.path);
    if (!change.from.isEmpty()) paths.append(change.from);
  }
  return paths;
}

void ChangesPanel::applyChosen() {
  const auto others = chosen(Section::kUnstaged) + chosen(Section::kConflicts);
  if (!others.isEmpty()) return actions_->stage(pathsOf(others));
  actions_->unstage(pathsOf(chosen(Section::kStaged)));
}

void ChangesPanel::discardChosen() { actions_->discard(chosen(Section::kUnstaged)); }

// The rows may never have been shown: what there is says the repository.
void ChangesPanel::whenKnown(const std::function<void()>& then) {
  if (!watch_->isFirstReading()) return then();
  connect(
      watch_, &workbench::GitWatch::changed, this, [this, then] { whenKnown(then); },
      Qt::SingleShotConnection);
}

void ChangesPanel::stageAll() {
  whenKnown([this] {
    if (actions_->folder().isEmpty()) return;
    QVector<GitChange> unstaged = watch_->status()->unstaged;
    const auto conflicts = unstaged.removeIf(
        [](const GitChange& change) { return change.state == GitState::kConflict; });
    if (unstaged.isEmpty())
      return actions_->say(conflicts == 0 ? tr("There is nothing to stage.")
                                          : tr("There are files in conflict. Resolve the "
                                               "conflicts, then stage them one by one."));
    actions_->stage(pathsOf(unstaged));
  });
}

void ChangesPanel::unstageAll() {
  whenKnown([this] {
    if (actions_->folder().isEmpty()) return;
    if (watch_->status()->staged.isEmpty()) return actions_->say(tr("Nothing is staged."));
    actions_->unstage(pathsOf(watch_->status()->staged));
  });
}

void ChangesPanel::readLastMessage() {
  showButtons();
  const auto status = watch_->status();
  if (!status) return;
  if (!amend_->isChecked()) return setMessage(std::exchange(ownMessage_, {}));
  ownMessage_ = message_->toPlainText();
  if (!message().isEmpty()) return;
  jobs_->start(
      tr("Reading"),
      [at = status->workFolder](const workbench::GitJob& job) {
        return job.read(
            at, {QStringLiteral("log"), QStringLiteral("-1"), QStringLiteral("--format=%B")});
      },
      [this](const workbench::GitResult& result) {
        if (result && amend_->isChecked() && message().isEmpty())
          setMessage(QString::fromUtf8(*result).trimmed());
      });
}

void ChangesPanel::commit() {
  showButtons();
  if (!commit_->isEnabled()) {
    actions_->say(commit_->toolTip());
    return enterMessage();
  }
  const workbench::CommitWish wish{message(), amend_->isChecked(),
                                   staged_.isEmpty() && !amend_->isChecked()};
  const auto go = [this, wish] {
    actions_->commit(wish, [this, wish](bool isDone) {
      // Where a hook refused it, the message is still there.
      if (!isDone || message() != wish.message) return;
      ownMessage_.clear();
      amend_->setChecked(false);
      message_->clear();
    });
  };
  wish.stagesAll ? actions_->whenSaved(go) : go();
}

bool ChangesPanel::eventFilter(QObject* watched, QEvent* event) {
  if (watched == tree_ && event->type() == QEvent::FocusIn) words_.end();
  if (event->type() == QEvent::KeyPress) {
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool isReturn = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
    if (watched == tree_) words_.take(*key);
    if (watched == message_ && key->key() == Qt::Key_Down && key->modifiers() == Qt::NoModifier &&
        !QTextCursor(message_->textCursor()).movePosition(QTextCursor::Down)) {
      enter();
      return true;
    }
    if (isReturn && (key->modifiers() & Qt::ControlModifier) != 0) {
      commit();
      return true;
    }
    if (watched == tree_) {
      if (isReturn && diff_->text()->isVisible()) {
        diff_->text()->setFocus(Qt::TabFocusReason);
        return true;
      }
      // Letters look for a file, and the blanks among them, too.
      if (key->key() == Qt::Key_Space && !words_.areTyped()) {
        applyChosen();
        return true;
      }
      if (key->key() == Qt::Key_Delete) {
        discardChosen();
        return true;
      }
    }
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace waferpair::gui
