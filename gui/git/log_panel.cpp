// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/git/log_panel.h"

#include <QCheckBox>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QDir>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QLocale>
#include <QMenu>
#include <QSplitter>
#include <QVBoxLayout>
#include <chrono>

#include "editor/view/view_numbers.h"
#include "editor/widget/code_editor.h"
#include "gui/documents/editor_tabs.h"
#include "gui/git/branch_actions.h"
#include "gui/git/git_comparisons.h"
#include "gui/git/log_delegate.h"
#include "gui/git/log_model.h"
#include "gui/kit/theme.h"
#include "gui/store/settings.h"

namespace waferpair::gui {
namespace {

constexpr std::chrono::milliseconds kShowCommitSoon(120);  // keys that go through rows go on
constexpr qsizetype kMostOfCommit = 2 << 20;               // bytes of what is shown of one

}  // namespace

LogPanel::LogPanel(const GitParts& parts, FileActions* actions, BranchActions* branches,
                   GitComparisons* comparisons, workbench::GitWatch* watch, QWidget* parent)
    : QWidget(parent),
      p_(parts),
      actions_(actions),
      branches_(branches),
      comparisons_(comparisons),
      watch_(watch),
      model_(new LogModel(this)),
      filter_(new QLineEdit(this)),
      all_(new QCheckBox(tr("All &branches"), this)),
      state_(new QLabel(this)),
      list_(new QListView(this)),
      text_(new editor::CodeEditor(this)),
      splitter_(new QSplitter(this)) {
  thread_.setMaxThreadCount(1);
  setObjectName(QStringLiteral("logPanel"));
  setAccessibleName(tr("Log"));
  layOut();
  soon_.setSingleShot(true);
  soon_.setInterval(kShowCommitSoon);
  connect(&soon_, &QTimer::timeout, this, &LogPanel::showCommit);
  connect(model_, &LogModel::progressed, this, &LogPanel::showState);
  connect(model_, &LogModel::problem, actions_, &FileActions::say);
  connect(filter_, &QLineEdit::textChanged, this, [this](const QString& words) {
    wanted_ = commit_;
    model_->setFilter(words);
  });
  connect(all_, &QCheckBox::toggled, this, [this] { readAgain(); });
  connect(list_->selectionModel(), &QItemSelectionModel::currentChanged, &soon_,
          qOverload<>(&QTimer::start));
  connect(watch, &workbench::GitWatch::changed, this, [this] {
    const auto status = watch_->status();
    const QString head =
        status ? status->workFolder + status->commit + status->branch + status->upstream
               : QString();
    if (isVisible() && head != shownHead_) readAgain();
  });
  const auto dress = [this] {
    text_->setTheme(Theme::instance().codeTheme(), Theme::instance().colors().accent);
    text_->setEditorFont(p_.settings->editorFont());
    text_->setLanguage(QStringLiteral("Diff"));
    text_->sci(QsciScintillaBase::SCI_SETMARGINWIDTHN, 0, 0);
  };
  connect(&Theme::instance(), &Theme::changed, this, dress);
  connect(p_.settings, &Settings::changed, this, dress);
  dress();
}

LogPanel::~LogPanel() {
  if (showing_) *showing_ = true;
  thread_.waitForDone();
}

void LogPanel::layOut() {
  filter_->setObjectName(QStringLiteral("logFilter"));
  filter_->setPlaceholderText(tr("Filter"));
  filter_->setAccessibleName(tr("Only commits with these words: subject, author, branch, name"));
  filter_->setClearButtonEnabled(true);
  filter_->installEventFilter(this);
  all_->setObjectName(QStringLiteral("logAll"));
  all_->setToolTip(tr("Commits of all branches and tags, not of this one only"));
  state_->setObjectName(QStringLiteral("logState"));
  state_->setProperty("role", QStringLiteral("muted"));
  list_->setObjectName(QStringLiteral("logList"));
  list_->setAccessibleName(tr("Commits"));
  list_->setModel(model_);
  list_->setItemDelegate(new LogDelegate(model_, list_));
  list_->setUniformItemSizes(true);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  list_->installEventFilter(this);
  text_->setObjectName(QStringLiteral("logText"));
  text_->setAccessibleName(tr("What the commit changed"));
  text_->sci(QsciScintillaBase::SCI_SETREADONLY, 1);
  text_->installEventFilter(this);
  auto* left = new QWidget(this);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(8, 4, 12, 4);
  row->setSpacing(10);
  row->addWidget(filter_, 2);
  row->addWidget(all_);
  row->addWidget(state_, 1);
  auto* column = new QVBoxLayout(left);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(row);
  column->addWidget(list_, 1);
  splitter_->setObjectName(QStringLiteral("logSplitter"));
  splitter_->setChildrenCollapsible(false);
  splitter_->addWidget(left);
  splitter_->addWidget(text_);
  splitter_->setStretchFactor(0, 3);
  splitter_->setStretchFactor(1, 2);
  auto* whole = new QVBoxLayout(this);
  whole->setContentsMargins(0, 0, 0, 0);
  whole->addWidget(splitter_);
  setFocusProxy(list_);
}

void LogPanel::showLog(const QString& path) {
  const QString at = actions_->folder();
  if (at.isEmpty()) return;
  path_ = path.isEmpty() ? QString() : QDir(at).relativeFilePath(path);
  all_->setVisible(path_.isEmpty());
  {
    const QSignalBlocker quiet(filter_);
    filter_->clear();
  }
  model_->setFilter({});
  commit_.clear();
  readAgain();
}

void LogPanel::readAgain() {
  const auto status = watch_->status();
  if (!status) return;
  shownHead_ = status->workFolder + status->commit + status->branch + status->upstream;
  wanted_ = commit_;
  if (status->commit.isEmpty()) {
    model_->stop();
    return state_->setText(tr("There is no commit yet."));
  }
  model_->read(status->workFolder, path_, all_->isChecked() && path_.isEmpty());
  showState();
}

void LogPanel::showEvent(QShowEvent* event) {
  QWidget::showEvent(event);
  const auto status = watch_->status();
  if (status && shownHead_.isEmpty()) readAgain();
}

void LogPanel::enter() {
  if (!list_->currentIndex().isValid()) list_->setCurrentIndex(model_->index(0));
  list_->setFocus(Qt::TabFocusReason);
}

void LogPanel::choose(const QString& commit) {
  awaited_ = commit;
  showState();
}

void LogPanel::showState() {
  const QLocale locale;
  const QString shown = locale.toString(model_->rowCount());
  const QString count = model_->rowCount() == model_->total()
                            ? tr("%1 commits").arg(shown)
                            : tr("%1 of %2 commits").arg(shown, locale.toString(model_->total()));
  QString text = path_.isEmpty() ? count : QStringLiteral("%1: %2").arg(path_, count);
  if (model_->isReading() || model_->isFiltering()) text += QChar(0x2026);
  state_->setText(text);
  if (!awaited_.isEmpty()) {
    for (int i = 0; i < model_->rowCount(); ++i) {
      if (model_->row(i)->commit.id != awaited_.toLatin1()) continue;
      awaited_.clear();
      list_->setCurrentIndex(model_->index(i));
      return list_->scrollTo(model_->index(i), QAbstractItemView::PositionAtCenter);
    }
    if (!model_->isReading()) awaited_.clear();
  }
  // The commit that was chosen stays so, or else the first is.
  if (list_->currentIndex().isValid() || model_->rowCount() == 0) return;
  int to = 0;
  constexpr int kMostLooked = 2000;
  for (int i = 0; !wanted_.isEmpty() && i < std::min(model_->rowCount(), kMostLooked); ++i)
    if (model_->row(i)->commit.id == wanted_.toLatin1()) to = i;
  list_->setCurrentIndex(model_->index(to));
}

// `git show` says all of it; a thread waits for it.
void LogPanel::showCommit() {
  const QString commit = list_->currentIndex().data(LogModel::kCommitRole).toString();
  const auto status = watch_->status();
  if (commit == commit_ || commit.isEmpty() || !status) return;
  commit_ = commit;
  if (showing_) *showing_ = true;
  showing_ = std::make_shared<std::atomic<bool>>(false);
  thread_.clear();
  thread_.start([this, commit, path = path_, folder = status->workFolder, cancelled = showing_] {
    QStringList arguments{QStringLiteral("show"),
                          QStringLiteral("--no-color"),
                          QStringLiteral("--no-ext-diff"),
                          QStringLiteral("--no-textconv"),
                          QStringLiteral("--format=fuller"),
                          QStringLiteral("--stat"),
                          QStringLiteral("-p"),
                          QStringLiteral("-m"),
                          QStringLiteral("--first-parent"),
                          commit};
    QByteArray text;
    const auto done =
        workbench::readWithGit({folder, arguments}, *cancelled, {}, [&](const QByteArray& bytes) {
          if (text.size() < kMostOfCommit) text += bytes;
        });
    if (*cancelled) return;
    const bool isCut = text.size() >= kMostOfCommit;
    if (isCut) text = text.left(text.lastIndexOf('\n', kMostOfCommit) + 1);
    QMetaObject::invokeMethod(
        this,
        [this, done, text, isCut, cancelled]() mutable {
          if (*cancelled) return;
          if (!done) text = done.error().message().toUtf8();
          if (isCut) text += tr("\u2026 and more.").toUtf8();
          text_->sci(QsciScintillaBase::SCI_SETREADONLY, 0);
          text_->setText(text);
          text_->setLanguage(QStringLiteral("Diff"));
          text_->sci(QsciScintillaBase::SCI_SETREADONLY, 1);
          text_->sci(QsciScintillaBase::SCI_SETMARGINWIDTHN, 0, 0);
          text_->sci(QsciScintillaBase::SCI_SETMARGINWIDTHN, editor::kFoldMargin, 0);
        },
        Qt::QueuedConnection);
  });
}

QMenu* LogPanel::menuOf(const QString& commit) {
  auto* menu = new QMenu(this);
  menu->setObjectName(QStringLiteral("logMenu"));
  menu->setAttribute(Qt::WA_DeleteOnClose);
  const auto add = [&](const char* name, const QString& text, std::function<void()> run) {
    QAction* action = menu->addAction(text);
    action->setObjectName(QLatin1String(name));
    connect(action, &QAction::triggered, this, run);
  };
  add("logCopy", tr("&Copy Its Name"), [commit] { QGuiApplication::clipboard()->setText(commit); });
  add("logCompare",
      path_.isEmpty() ? tr("C&ompare the Text in Front with It") : tr("C&ompare the File with It"),
      [this, commit] {
        const auto status = watch_->status();
        Document* document = path_.isEmpty() || !status
                                 ? p_.tabs->current()
                                 : p_.tabs->openFile(status->workFolder + u'/' + path_);
        if (!document) return actions_->say(tr("No text is in front."));
        comparisons_->with(document, commit,
                           tr("%1 in %2").arg(document->title(), commit.left(10)));
      });
  add("logReview", tr("&Review It"), [this, commit] { Q_EMIT reviewWanted(commit); });
  menu->addSeparator();
  add("logBranch", tr("New &Branch Here\u2026"), [this, commit] { branches_->createAt(commit); });
  add("logTag", tr("New &Tag Here\u2026"), [this, commit] { branches_->createTagAt(commit); });
  menu->addSeparator();
  const auto onto = [this, commit](const QString& title, const QString& verb) {
    actions_->whenSaved([this, commit, title, verb] {
      QStringList arguments{verb, commit};
      if (verb == QLatin1String("revert")) arguments.insert(1, QStringLiteral("--no-edit"));
      actions_->call(title, arguments);
    });
  };
  add("logPick", tr("Cherry-&Pick"),
      [onto] { onto(tr("Cherry-picking"), QStringLiteral("cherry-pick")); });
  add("logRevert", tr("Re&vert It by a New Commit"),
      [onto] { onto(tr("Reverting"), QStringLiteral("revert")); });
  return menu;
}

bool LogPanel::eventFilter(QObject* watched, QEvent* event) {
  const auto isKey = event->type() == QEvent::KeyPress;
  const int key = isKey ? static_cast<QKeyEvent*>(event)->key() : 0;
  const bool isReturn = key == Qt::Key_Return || key == Qt::Key_Enter;
  if (watched == list_ && isReturn) {
    text_->setFocus(Qt::TabFocusReason);
    return true;
  }
  if (watched == text_ && key == Qt::Key_Escape) {
    list_->setFocus(Qt::TabFocusReason);
    return true;
  }
  if (watched == filter_ && (isReturn || key == Qt::Key_Down)) {
    enter();
    return true;
  }
  if (watched == list_ && event->type() == QEvent::ContextMenu) {
    const QModelIndex index = list_->currentIndex();
    if (!index.isValid()) return true;
    const auto* menu = static_cast<QContextMenuEvent*>(event);
    const QPoint at = menu->reason() == QContextMenuEvent::Mouse
                          ? menu->globalPos()
                          : list_->viewport()->mapToGlobal(list_->visualRect(index).center());
    menuOf(index.data(LogModel::kCommitRole).toString())->popup(at);
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace waferpair::gui
