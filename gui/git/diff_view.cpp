// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/git/diff_view.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>

#include "editor/layers/change_marks.h"
#include "editor/layers/margin_words.h"
#include "editor/text/path_bytes.h"
#include "editor/text/path_on_disk.h"
#include "editor/text/text_file.h"
#include "editor/view/announce.h"
#include "editor/view/view_numbers.h"
#include "editor/view/word.h"
#include "gui/documents/editor_tabs.h"
#include "gui/kit/banner.h"
#include "gui/kit/elided.h"
#include "gui/kit/small_button.h"
#include "gui/kit/theme.h"
#include "gui/store/settings.h"
#include "workbench/git/index_text.h"

namespace waferpair::gui {

using editor::ChangeMark;
using editor::CodeEditor;
using editor::Snapshot;
using workbench::DiffRow;
using workbench::GitFile;
using workbench::GitState;
using Sci = QsciScintillaBase;

namespace {

QString whyNoDiff(GitFile::State state, const QString& path) {
  switch (state) {
    case GitFile::State::kConflict:
      return DiffView::tr("%1 is in conflict: open it to resolve the conflicts, then stage it.")
          .arg(path);
    case GitFile::State::kNotText:
      return DiffView::tr("%1 is no text, so its lines cannot be shown.").arg(path);
    case GitFile::State::kConverted:
      return DiffView::tr(
                 "A program converts %1 for git (.gitattributes), so its lines cannot be "
                 "shown.")
          .arg(path);
    case GitFile::State::kTooLarge:
      return DiffView::tr("%1 is too large for its lines to be shown.").arg(path);
    case GitFile::State::kTracked:
    case GitFile::State::kUntracked:
    case GitFile::State::kOutside:
      break;
  }
  return {};
}

}  // namespace

DiffView::DiffView(const GitParts& parts, FileActions* actions, workbench::GitJobs* jobs,
                   QWidget* parent)
    : QWidget(parent),
      p_(parts),
      actions_(actions),
      jobs_(jobs),
      title_(new ElidedLabel(this)),
      apply_(makeSmallButton("diffApply", {}, {}, this)),
      note_(new QLabel(this)),
      text_(new CodeEditor(this)),
      marks_(new editor::ChangeMarks(text_, this)) {
  thread_.setMaxThreadCount(1);
  setObjectName(QStringLiteral("diffView"));
  title_->setObjectName(QStringLiteral("diffTitle"));
  note_->setObjectName(QStringLiteral("diffNote"));
  note_->setProperty("role", QStringLiteral("muted"));
  note_->setWordWrap(true);
  note_->setTextFormat(Qt::PlainText);
  note_->setContentsMargins(10, 6, 10, 6);
  note_->setAlignment(Qt::AlignTop);
  text_->setObjectName(QStringLiteral("diffText"));
  text_->setAccessibleName(tr("Changed lines"));
  text_->installEventFilter(this);
  text_->sci(Sci::SCI_SETREADONLY, 1);
  auto* row = new QHBoxLayout;
  row->setContentsMargins(10, 3, 8, 3);
  row->addWidget(title_, 1);
  row->addWidget(apply_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addLayout(row);
  column->addWidget(note_, 1);
  column->addWidget(text_, 1);
  connect(apply_, &QPushButton::clicked, this, &DiffView::apply);
  const auto dress = [this] {
    text_->setTheme(Theme::instance().codeTheme(), Theme::instance().colors().accent);
    text_->setEditorFont(p_.settings->editorFont());
    text_->sci(Sci::SCI_SETMARGINWIDTHN, 0, 0);
    // It would hide the ground of a change.
    text_->sci(Sci::SCI_SETCARETLINEVISIBLE, 0);
    if (shown_) take(shown_);
  };
  connect(&Theme::instance(), &Theme::changed, this, dress);
  connect(p_.settings, &Settings::changed, this, dress);
  dress();
  clear();
}

void DiffView::clear() {
  wanted_.reset();
  shown_.reset();
  title_->clear();
  apply_->hide();
  text_->hide();
  note_->setText(tr("Choose a file to see its changes."));
  note_->show();
}

void DiffView::showFile(const QString& workFolder, const workbench::GitChange& change,
                        bool isStaged) {
  auto next = std::make_shared<Shown>();
  next->folder = workFolder;
  next->change = change;
  next->isStaged = isStaged;
  wanted_ = next;
  std::optional<Snapshot> open;
  if (const Document* document = p_.tabs->documentAt(workFolder + u'/' + change.path)) {
    next->encoding = document->encoding();
    if (!isStaged && !document->textDocument()->isBinary()) open = document->text();
  }
  // The thread ends before this object does.
  thread_.clear();
  thread_.start([this, next, open] {
    read(*next, open);
    QMetaObject::invokeMethod(
        this,
        [this, next] {
          if (wanted_ == next) take(next);
        },
        Qt::QueuedConnection);
  });
}

void DiffView::refresh() {
  if (wanted_) showFile(wanted_->folder, wanted_->change, wanted_->isStaged);
}

void DiffView::read(Shown& shown, std::optional<Snapshot> open) {
  const QString path = shown.folder + u'/' + shown.change.path;
  const QString name = editor::shownPath(shown.change.path);
  if (shown.change.path.endsWith(u'/')) {
    shown.problem = tr("%1 is a folder that git does not track.").arg(name);
    return;
  }
  const bool isGone = !editor::isThere(path);
  std::optional<editor::TextFile> file;
  if (!shown.isStaged && editor::isLinkAt(path)) {
    shown.problem = whyNoDiff(GitFile::State::kNotText, name);
    return;
  }
  if (!shown.isStaged && !open && !isGone) {
    auto opened = editor::TextFile::open(path);
    if (!opened) {
      shown.problem = opened.error().message();
      return;
    }
    if (opened->safeMode() == editor::SafeMode::kBinary) {
      shown.problem = whyNoDiff(GitFile::State::kNotText, name);
      return;
    }
    if (opened->size() > GitFile::kMostBytes) {
      shown.problem = whyNoDiff(GitFile::State::kTooLarge, name);
      return;
    }
    shown.encoding = opened->encoding();
    file = std::move(*opened);
  }
  workbench::GitFileReader reader;
  auto git = reader.read(path, shown.encoding);
  if (!git) {
    shown.problem = git.error().message();
    return;
  }
  shown.file = *git;
  shown.problem = whyNoDiff(git->state, name);
  // Deleted in the index, the last commit still has a text: there is nothing to choose from.
  if (shown.isStaged && git->indexId.isEmpty()) shown.problem = tr("%1 is deleted.").arg(name);
  if (!shown.problem.isEmpty()) return;
  shown.before = shown.isStaged ? git->head : git->index;
  if (shown.isStaged) {
    shown.after = git->index;
  } else if (open) {
    shown.after = *open;
  } else if (file) {
    const auto text = file->readText();
    if (!text) {
      shown.problem = text.error().message();
      return;
    }
    shown.after = *text;
  }
  if (!shown.isStaged) {
    const auto clean = reader.clean(*git, shown.after, shown.encoding);
    if (!clean) {
      shown.problem = clean.error().message();
      return;
    }
    shown.after = *clean;
  }
  shown.changes = workbench::gitLineDiff(shown.before, shown.after);
  shown.rows = workbench::diffRows(shown.before, shown.after, shown.changes);
  if (shown.changes.isEmpty())
    shown.problem = tr("No line of %1 differs: its mode, its name or its line ends do.").arg(name);
}

void DiffView::take(const std::shared_ptr<const Shown>& shown) {
  const bool isSame =
      shown_ && shown_->change.path == shown->change.path && shown_->isStaged == shown->isStaged;
  const int line = isSame ? text_->caretLine() : 0;
  const auto first = isSame ? text_->sci(Sci::SCI_GETFIRSTVISIBLELINE) : 0;
  shown_ = shown;
  const QString name = editor::shownPath(shown->change.path);
  title_->setText(shown->isStaged ? tr("%1 (staged)").arg(name) : name);
  title_->setToolTip(name);
  const bool hasRows = shown->problem.isEmpty();
  note_->setText(shown->problem);
  note_->setVisible(!hasRows);
  text_->setVisible(hasRows);
  apply_->setVisible(hasRows);
  apply_->setText(shown->isStaged ? tr("Unstage Lines") : tr("Stage Lines"));
  apply_->setToolTip(shown->isStaged ? tr("Take the selected lines, or the whole change at a "
                                          "heading, out of the index (Space).")
                                     : tr("Put the selected lines, or the whole change at a "
                                          "heading, into the index (Space)."));
  if (!hasRows) return;
  text_->sci(Sci::SCI_SETREADONLY, 0);
  text_->setText(shown->rows.text.chopped(1));
  text_->setLanguage(editor::languageForFile(shown->change.path));
  text_->sci(Sci::SCI_SETREADONLY, 1);
  text_->sci(Sci::SCI_SETMARGINWIDTHN, 0, 0);
  text_->sci(Sci::SCI_SETMARGINWIDTHN, editor::kFoldMargin, 0);
  QVector<ChangeMark> marks;
  QStringList signs(shown->rows.rows.size());  // a shape as well as a color
  for (int i = 0; i < shown->rows.rows.size(); ++i) {
    const DiffRow& row = shown->rows.rows[i];
    if (row.kind != DiffRow::Kind::kRemoved && row.kind != DiffRow::Kind::kAdded) continue;
    const bool isAdded = row.kind == DiffRow::Kind::kAdded;
    const auto kind = isAdded ? ChangeMark::Kind::kAdded : ChangeMark::Kind::kRemoved;
    marks.append({kind, i, 1});
    signs[i] = isAdded ? QStringLiteral("+") : QStringLiteral("\u2212");
  }
  marks_->set(marks);
  editor::MarginWords::of(text_)->set(signs);
  text_->goToLine(std::min(line, text_->lineCount() - 1));
  text_->sci(Sci::SCI_SETFIRSTVISIBLELINE, editor::word(first));
}

// Stages or unstages what is selected.
void DiffView::apply() {
  const auto shown = shown_;
  if (!shown || shown->changes.isEmpty()) return;
  const auto start = text_->sci(Sci::SCI_GETSELECTIONSTART);
  const auto end = text_->sci(Sci::SCI_GETSELECTIONEND);
  const int first = text_->lineAt(start);
  int last = text_->lineAt(end);
  if (last > first && text_->lineStart(last) == end) --last;
  Snapshot index = shown->file.index;
  int meant = 0;
  for (auto i = static_cast<int>(shown->changes.size()) - 1; i >= 0; --i) {
    const workbench::ChosenLines chosen =
        workbench::chosenLines(shown->rows, i, shown->changes[i], first, last);
    if (!chosen.isAll && !chosen.old.contains(true) && !chosen.fresh.contains(true)) continue;
    ++meant;
    index = shown->isStaged
                ? workbench::withoutChange(shown->before, index, shown->changes[i], chosen)
                : workbench::withChange(index, shown->after, shown->changes[i], chosen);
  }
  if (meant == 0) return actions_->say(tr("None of these lines was changed."));
  actions_->run(
      shown->isStaged ? tr("Unstaging") : tr("Staging"),
      [file = shown->file, encoding = shown->encoding, index](const workbench::GitJob& job) {
        return workbench::writeIndexText(file, index, encoding, job);
      },
      [this](bool) { refresh(); });
}

void DiffView::goTo() {
  if (!shown_) return;
  const int at = text_->caretLine();
  // The nearest line from here on that the file has.
  for (int i = at; i < shown_->rows.rows.size(); ++i) {
    const DiffRow& row = shown_->rows.rows[i];
    if (row.kind == DiffRow::Kind::kRemoved) continue;
    const qint64 line = row.kind == DiffRow::Kind::kAdded
                            ? shown_->changes[row.change].newStart + row.line
                            : row.line;
    Q_EMIT placeWanted(shown_->folder + u'/' + shown_->change.path, static_cast<int>(line));
    return;
  }
  Q_EMIT placeWanted(shown_->folder + u'/' + shown_->change.path, -1);
}

bool DiffView::eventFilter(QObject* watched, QEvent* event) {
  if (watched == text_ && event->type() == QEvent::FocusIn) words_.end();
  if (watched == text_ && event->type() == QEvent::KeyPress) {
    const auto* key = static_cast<QKeyEvent*>(event);
    words_.take(*key);
    switch (key->key()) {
      case Qt::Key_Space:
        if (!words_.areTyped()) apply();
        return true;
      case Qt::Key_Return:
      case Qt::Key_Enter:
        goTo();
        return true;
      case Qt::Key_Escape:
        Q_EMIT left();
        return true;
      default:
        break;
    }
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace waferpair::gui
