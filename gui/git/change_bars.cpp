// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/git/change_bars.h"

#include <QElapsedTimer>
#include <QPointer>
#include <algorithm>
#include <chrono>
#include <utility>

#include "editor/layers/line_states.h"
#include "editor/layers/scroll_marks.h"
#include "gui/documents/editor_tabs.h"

namespace waferpair::gui {

using editor::CodeEditor;
using editor::LineState;
using editor::TextView;
using workbench::GitFile;
using workbench::GitHunk;

namespace {

constexpr int kCompareSoonMs = 60;
// A text that takes long to compare is compared so much less often.
constexpr qint64 kRestPart = 4;
constexpr qint64 kLongestRestMs = 2000;
constexpr int kMostMarksOfHunk = 500;  // beside the scroll bar

LineState::Kind stateOf(GitHunk::Kind kind) {
  switch (kind) {
    case GitHunk::Kind::kAdded:
      return LineState::Kind::kAdded;
    case GitHunk::Kind::kRemoved:
      return LineState::Kind::kRemoved;
    case GitHunk::Kind::kChanged:
      break;
  }
  return LineState::Kind::kChanged;
}

}  // namespace

ChangeBars::ChangeBars(EditorTabs* tabs, QObject* parent) : QObject(parent), tabs_(tabs) {
  thread_.setMaxThreadCount(1);
  connect(tabs, &EditorTabs::opened, this, &ChangeBars::watch);
  connect(tabs, &EditorTabs::closed, this,
          [this](const Document* document) { delete watched_.take(document).soon; });
  for (Document* document : tabs->documents()) watch(document);
}

ChangeBars::~ChangeBars() {
  thread_.clear();
  thread_.waitForDone();
}

void ChangeBars::watch(Document* document) {
  Watched& watched = watched_[document];
  watched.soon = new QTimer(this);
  watched.soon->setSingleShot(true);
  connect(watched.soon, &QTimer::timeout, document, [this, document] { compare(document); });
  const auto soon = [this, document] { compareSoon(document); };
  connect(document->editor(), &CodeEditor::textChanged, this, soon);
  connect(document, &Document::saved, this, soon);
  connect(document, &Document::formatChanged, this, soon);
  // Its path may be another.
  connect(document, &Document::titleChanged, this, soon);
  const auto addMarks = [this, document](GitHunk::Kind kind) {
    document->scrollMarks()->addSource([this, document, kind](const TextView& view) {
      editor::ScrollMarks marks{
          {}, editor::LineStates::color(stateOf(kind), view.colors()), editor::MarkLane::kMiddle};
      const auto compared = last(document);
      if (!compared) return marks;
      const int lines = view.lineCount();
      for (const GitHunk& hunk : compared->hunks) {
        if (hunk.kind != kind) continue;
        const int step = std::max(1, hunk.lineCount / kMostMarksOfHunk);
        for (int at = 0; at < std::max(1, hunk.lineCount); at += step)
          marks.lines += std::min(hunk.firstLine + at, lines - 1);
      }
      return marks;
    });
  };
  for (const auto kind : {GitHunk::Kind::kAdded, GitHunk::Kind::kChanged, GitHunk::Kind::kRemoved})
    addMarks(kind);
  compareSoon(document);
}

std::shared_ptr<const ComparedWithGit> ChangeBars::last(const Document* document) const {
  return watched_.value(document).last;
}

void ChangeBars::refresh() {
  for (Document* document : tabs_->documents()) compareSoon(document);
}

void ChangeBars::whenCompared(Document* document, Then then) {
  const auto watched = watched_.find(document);
  if (watched == watched_.end()) return;
  watched->then.append(std::move(then));
  compare(document);
}

void ChangeBars::compareSoon(Document* document) {
  const auto watched = watched_.find(document);
  if (watched == watched_.end()) return;
  if (watched->isRunning) {
    watched->again = true;
  } else if (!watched->soon->isActive()) {
    // Not started anew: the marks follow while somebody types without a break.
    watched->soon->start(kCompareSoonMs);
  }
}

void ChangeBars::compare(Document* document) {
  Watched& watched = watched_[document];
  watched.soon->stop();
  watched.again = watched.isRunning;
  if (watched.isRunning) return;
  watched.isRunning = true;
  document->textDocument()->buffer()->settle();
  auto next = std::make_shared<ComparedWithGit>();
  next->version = document->textDocument()->buffer()->version();
  next->encoding = document->encoding();
  const bool isTooLarge = document->editor()->length() > GitFile::kMostBytes;
  if (!isTooLarge) next->text = document->textDocument()->snapshot();
  const auto known =
      watched.last && watched.last->encoding == next->encoding ? watched.last : nullptr;
  const bool isBinary = document->textDocument()->isBinary();
  // The thread ends before this object does.
  thread_.start([this, next, known, path = document->path(), isBinary, isTooLarge,
                 document = QPointer(document)] {
    QElapsedTimer clock;
    clock.start();
    if (!path.isEmpty()) {
      auto read = reader_.read(path, next->encoding, known ? &known->file : nullptr);
      if (read) {
        next->file = std::move(*read);
      } else {
        next->problem = read.error();
      }
    }
    GitFile& file = next->file;
    if (file.state == GitFile::State::kTracked && isTooLarge)
      file.state = GitFile::State::kTooLarge;
    if (file.state == GitFile::State::kTracked && isBinary) file.state = GitFile::State::kNotText;
    if (file.state == GitFile::State::kTracked) {
      auto clean = reader_.clean(file, next->text, next->encoding);
      if (clean) {
        next->clean = std::move(*clean);
      } else {
        next->problem = clean.error();
        file.state = GitFile::State::kNotText;
      }
    }
    if (file.state == GitFile::State::kTracked) {
      // A file that the last commit lacks is new as a whole, which its state in the tree says.
      const editor::Snapshot& head = file.headId.isEmpty() ? file.index : file.head;
      next->hunks = workbench::gitHunks(head, file.index, next->text, next->clean);
    }
    QMetaObject::invokeMethod(
        this,
        [this, next, document, tookMs = clock.elapsed()] {
          if (document) take(document, next, tookMs);
        },
        Qt::QueuedConnection);
  });
}

void ChangeBars::take(Document* document, const std::shared_ptr<const ComparedWithGit>& compared,
                      qint64 tookMs) {
  const auto watched = watched_.find(document);
  if (watched == watched_.end()) return;
  watched->isRunning = false;
  document->textDocument()->buffer()->settle();
  const bool isNow = document->textDocument()->buffer()->version() == compared->version &&
                     document->encoding() == compared->encoding && !watched->again;
  // Marks of an earlier text would be beside other lines.
  if (document->textDocument()->buffer()->version() == compared->version) {
    watched->last = compared;
    show(document, *compared);
  }
  if (!isNow) {
    const qint64 rest = std::clamp<qint64>(tookMs * kRestPart, kCompareSoonMs, kLongestRestMs);
    if (watched->then.isEmpty()) return watched->soon->start(static_cast<int>(rest));
    return compare(document);
  }
  const QVector<Then> then = std::exchange(watched->then, {});
  Q_EMIT this->compared(document);
  for (const Then& each : then) each(*compared);
}

void ChangeBars::show(Document* document, const ComparedWithGit& compared) {
  auto* states = editor::LineStates::of(document->editor());
  document->scrollMarks()->refresh();
  if (compared.file.state != GitFile::State::kTracked) return states->clear();
  QVector<LineState> lines;
  for (const GitHunk& hunk : compared.hunks) {
    const bool isGone = hunk.lineCount == 0;
    lines.append({isGone ? LineState::Kind::kRemoved : stateOf(hunk.kind), hunk.isStaged,
                  hunk.firstLine, hunk.lineCount});
  }
  states->set(lines);
}

}  // namespace waferpair::gui
