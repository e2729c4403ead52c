// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/git/hunk_actions.h"

#include <algorithm>

#include "editor/layers/line_states.h"
#include "editor/text/line_ends.h"
#include "editor/view/announce.h"
#include "gui/documents/editor_tabs.h"
#include "gui/git/file_actions.h"
#include "gui/git/hunk_peek.h"
#include "gui/kit/banner.h"
#include "workbench/git/index_text.h"

namespace waferpair::gui {

using editor::CodeEditor;
using editor::Snapshot;
using workbench::ChosenLines;
using workbench::GitFile;
using workbench::GitHunk;

namespace {

// The lines that are selected, or the caret's; a selection that ends at a line's beginning does not
// mean that line.
struct MeantLines {
  int first = 0;
  int last = 0;
  bool isSelection = false;
};

MeantLines meantLines(const CodeEditor* editor) {
  const auto start = editor->sci(QsciScintillaBase::SCI_GETSELECTIONSTART);
  const auto end = editor->sci(QsciScintillaBase::SCI_GETSELECTIONEND);
  MeantLines lines{editor->lineAt(start), editor->lineAt(end), start != end};
  if (lines.last > lines.first && editor->lineStart(lines.last) == end) --lines.last;
  return lines;
}

bool touches(const GitHunk& hunk, const MeantLines& lines) {
  // What was removed stands between two lines; either means it.
  if (hunk.lineCount == 0) return lines.first <= hunk.firstLine && lines.last >= hunk.firstLine - 1;
  return lines.first < hunk.firstLine + hunk.lineCount && lines.last >= hunk.firstLine;
}

// Of a change of which only a part of the new lines is selected, that part.
ChosenLines chosenOf(const ComparedWithGit& compared, const GitHunk& hunk,
                     const MeantLines& lines) {
  const int end = hunk.firstLine + hunk.lineCount;
  const bool isPart = lines.isSelection && !hunk.isStaged && hunk.lineCount > 0 &&
                      hunk.lineCount == hunk.lines.newCount &&
                      (lines.first > hunk.firstLine || lines.last < end - 1);
  if (!isPart) return {};
  QVector<bool> fresh;
  for (int line = hunk.firstLine; line < end; ++line)
    fresh.append(line >= lines.first && line <= lines.last);
  return workbench::chosenByNew(compared.file.index, compared.clean, hunk.lines, fresh);
}

QString whyNothing(const ComparedWithGit& compared, const QString& name) {
  if (!compared.problem.what.isEmpty()) return compared.problem.message();
  switch (compared.file.state) {
    case GitFile::State::kOutside:
      return HunkActions::tr("%1 is in no git repository.").arg(name);
    case GitFile::State::kUntracked:
      return HunkActions::tr("Git does not track %1: add it first.").arg(name);
    case GitFile::State::kConflict:
      return HunkActions::tr("%1 is in conflict. Resolve the conflicts, then stage it.").arg(name);
    case GitFile::State::kNotText:
      return HunkActions::tr("What git has of %1 is no text in this encoding.").arg(name);
    case GitFile::State::kConverted:
      return HunkActions::tr(
                 "A program converts %1 for git (.gitattributes), so it is not compared "
                 "here.")
          .arg(name);
    case GitFile::State::kTooLarge:
      return HunkActions::tr("%1 is too large to be compared with git's version.").arg(name);
    case GitFile::State::kTracked:
      if (!(compared.clean == compared.file.index))
        return HunkActions::tr(
                   "Only line ends of %1 are not as git has them. They are staged with the file as "
                   "a whole.")
            .arg(name);
      break;
  }
  return HunkActions::tr("%1 is as git has it: there are no changes.").arg(name);
}

}  // namespace

HunkActions::HunkActions(const GitParts& parts, ChangeBars* bars, FileActions* actions,
                         workbench::GitJobs* jobs, QObject* parent)
    : QObject(parent), p_(parts), bars_(bars), actions_(actions), jobs_(jobs) {
  connect(bars, &ChangeBars::compared, this, &HunkActions::followCompared);
  const auto watch = [this](Document* document) {
    connect(editor::LineStates::of(document->editor()), &editor::LineStates::clicked, this,
            [this, document](int line) {
              p_.tabs->setCurrent(document);
              bars_->whenCompared(document,
                                  [this, document, line](const ComparedWithGit& compared) {
                                    for (qsizetype i = 0; i < compared.hunks.size(); ++i)
                                      if (touches(compared.hunks[i], {line, line, false}))
                                        return peekOf(document)->showHunk(compared, i);
                                  });
            });
  };
  connect(parts.tabs, &EditorTabs::opened, this, watch);
  for (Document* document : parts.tabs->documents()) watch(document);
}

void HunkActions::say(const QString& text) {
  p_.notices->show(QStringLiteral("gitNote"), Banner::Kind::kInfo, text);
}

void HunkActions::withChanges(const Act& act) {
  Document* document = p_.tabs->current();
  if (!document) return;
  bars_->whenCompared(document, [this, document, act](const ComparedWithGit& compared) {
    if (compared.hunks.isEmpty()) return say(whyNothing(compared, document->title()));
    p_.notices->remove(QStringLiteral("gitNote"));
    act(document, compared);
  });
}

HunkPeek* HunkActions::peekOf(Document* document) {
  auto* peek = document->editor()->findChild<HunkPeek*>();
  if (!peek) {
    peek = new HunkPeek(document);
    connect(peek, &HunkPeek::stepWanted, this, &HunkActions::step);
    connect(peek, &HunkPeek::stageWanted, this, &HunkActions::stage);
    connect(peek, &HunkPeek::unstageWanted, this, &HunkActions::unstage);
    connect(peek, &HunkPeek::revertWanted, this, &HunkActions::revert);
  }
  return peek_ = peek;
}

void HunkActions::goTo(Document* document, const ComparedWithGit& compared, qsizetype hunk) {
  document->editor()->goToLine(compared.hunks[hunk].firstLine);
  const auto* shown = document->editor()->findChild<HunkPeek*>();
  if (shown && shown->isVisible()) {
    peekOf(document)->showHunk(compared, hunk);
  } else {
    editor::announce(document->editor(), hunkTitle(compared, hunk));
  }
}

void HunkActions::step(int direction) {
  withChanges([this, direction](Document* document, const ComparedWithGit& compared) {
    const int caret = document->editor()->caretLine();
    // In the order of the text; the first behind the caret, or the last before it, or else round.
    qsizetype to = -1, round = -1;
    for (qsizetype i = 0; i < compared.hunks.size(); ++i) {
      const int line = std::min(compared.hunks[i].firstLine, document->editor()->lineCount() - 1);
      const auto isNearer = [&](qsizetype than, bool isForward) {
        if (than < 0) return true;
        const int other = compared.hunks[than].firstLine;
        return isForward ? line < other : line > other;
      };
      if (isNearer(round, direction > 0)) round = i;
      const bool isAhead = direction > 0 ? line > caret : line < caret;
      if (isAhead && isNearer(to, direction > 0)) to = i;
    }
    goTo(document, compared, to >= 0 ? to : round);
  });
}

QVector<qsizetype> HunkActions::touched(const Document* document, const ComparedWithGit& compared,
                                        bool isStaged) {
  const MeantLines lines = meantLines(document->editor());
  QVector<qsizetype> hunks;
  // While one is looked at, it is the one that is meant.
  const auto* shown = document->editor()->findChild<HunkPeek*>();
  const qsizetype peeked = shown && shown->isVisible() ? shown->hunk() : -1;
  if (peeked >= 0 && peeked < compared.hunks.size() && compared.hunks[peeked].isStaged == isStaged)
    return {peeked};
  for (qsizetype i = 0; i < compared.hunks.size(); ++i)
    if (compared.hunks[i].isStaged == isStaged && touches(compared.hunks[i], lines))
      hunks.append(i);
  return hunks;
}

void HunkActions::peek() {
  withChanges([this](Document* document, const ComparedWithGit& compared) {
    auto* shown = document->editor()->findChild<HunkPeek*>();
    if (shown && shown->isVisible()) {
      shown->hide();
      return document->setFocus();
    }
    for (const bool isStaged : {false, true}) {
      const QVector<qsizetype> hunks = touched(document, compared, isStaged);
      if (!hunks.isEmpty()) return peekOf(document)->showHunk(compared, hunks.constFirst());
    }
    say(tr("The caret is at no change. F7 goes to the next."));
  });
}

void HunkActions::writeIndex(Document* document, const ComparedWithGit& compared, bool isStaging) {
  const QVector<qsizetype> hunks = touched(document, compared, !isStaging);
  if (hunks.isEmpty()) {
    return say(isStaging ? tr("The caret is at no change that could be staged.")
                         : tr("The caret is at no change that is staged."));
  }
  const MeantLines lines = meantLines(document->editor());
  Snapshot index = compared.file.index;
  // From the last on, so that the places of the others stay.
  for (auto it = hunks.crbegin(); it != hunks.crend(); ++it) {
    const GitHunk& hunk = compared.hunks[*it];
    index = isStaging ? workbench::withChange(index, compared.clean, hunk.lines,
                                              chosenOf(compared, hunk, lines))
                      : workbench::withoutChange(compared.file.head, index, hunk.lines);
  }
  if (!actions_->mayWrite(compared.file.workFolder,
                          [this, isStaging] { isStaging ? stage() : unstage(); }))
    return;
  const auto work = [file = compared.file, encoding = compared.encoding,
                     index](const workbench::GitJob& job) {
    return workbench::writeIndexText(file, index, encoding, job);
  };
  jobs_->startWriting(
      compared.file.workFolder, isStaging ? tr("Staging") : tr("Unstaging"), work,
      [this, document = QPointer(document), isStaging,
       count = static_cast<int>(hunks.size())](const editor::Result<QByteArray>& result) {
        bars_->refresh();
        if (!result) {
          p_.notices->show(QStringLiteral("gitProblem"), Banner::Kind::kError,
                           result.error().message());
        } else if (document) {
          editor::announce(document->editor(), isStaging
                                                   ? tr("%n change(s) staged", nullptr, count)
                                                   : tr("%n change(s) unstaged", nullptr, count));
        }
      });
}

void HunkActions::stage() {
  withChanges([this](Document* document, const ComparedWithGit& compared) {
    writeIndex(document, compared, true);
  });
}

void HunkActions::unstage() {
  withChanges([this](Document* document, const ComparedWithGit& compared) {
    writeIndex(document, compared, false);
  });
}

void HunkActions::revert() {
  withChanges([this](Document* document, const ComparedWithGit& compared) {
    const QVector<qsizetype> hunks = touched(document, compared, false);
    if (hunks.isEmpty()) {
      return say(touched(document, compared, true).isEmpty()
                     ? tr("The caret is at no change that could be taken back.")
                     : tr("This change is staged. Unstage it first."));
    }
    const MeantLines lines = meantLines(document->editor());
    const editor::LineEnds ends = editor::lineEndsOf(compared.text, document->editor()->lineEnds());
    QVector<editor::TextEdit> edits;
    for (auto it = hunks.crbegin(); it != hunks.crend(); ++it) {
      const GitHunk& hunk = compared.hunks[*it];
      const QByteArray there = compared.text.slice(hunk.place.start, hunk.place.end);
      const QByteArray before = workbench::linesWithout(
          compared.file.index, compared.clean, hunk.lines, chosenOf(compared, hunk, lines));
      edits.append({hunk.place.start, hunk.place.end, editor::withLineEndsOf(there, before, ends)});
    }
    // The text is the one that was compared: this is called in the event that found it so.
    const auto applied = document->textDocument()->apply(edits);
    if (!applied) return say(applied.error().message());
    editor::announce(document->editor(),
                     tr("%n change(s) taken back", nullptr, static_cast<int>(edits.size())));
  });
}

// A peek goes on to show the change that is at its place now, if there is one.
void HunkActions::followCompared(Document* document) {
  auto* shown = document->editor()->findChild<HunkPeek*>();
  if (!shown || !shown->isVisible()) return;
  const auto compared = bars_->last(document);
  for (qsizetype i = 0; compared && i < compared->hunks.size(); ++i)
    if (shown->isOf(compared->hunks[i])) return shown->showHunk(*compared, i);
  const bool hadFocus = shown->isAncestorOf(document->window()->focusWidget());
  shown->hide();
  if (hadFocus) document->setFocus();
}

}  // namespace waferpair::gui
