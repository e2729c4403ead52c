// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/edit_session.h"

#include <QApplication>
#include <QClipboard>
#include <algorithm>

#include "editor/assist/hunks.h"
#include "editor/widget/decorations.h"
#include "gui/pairing/context_chips.h"
#include "gui/pairing/edit_bar.h"
#include "gui/pairing/edit_preview.h"
#include "gui/pairing/edit_progress.h"
#include "gui/pairing/edit_tasks.h"
#include "gui/pairing/growing_change.h"
#include "gui/pairing/hunk_alternatives.h"
#include "gui/pairing/hunk_bar.h"
#include "gui/pairing/hunk_buttons.h"
#include "gui/pairing/hunk_reveal.h"
#include "gui/pairing/second_answer.h"
#include "gui/store/text_history.h"
#include "pairing/context/gather_context.h"
#include "pairing/context/mentions.h"

namespace waferpair::gui {

using editor::CodeEditor;
using editor::Hunk;
using editor::Hunks;
using editor::HunkState;
using editor::Snapshot;
using pairing::EditRun;
using pairing::LineRange;
using pairing::ModelRoster;

namespace {

// An edit of more lines is large work.
constexpr qint64 kLargeLines = 200;
constexpr qsizetype kMostOfReported = 200;  // UTF-16 units of a message that is an instruction

bool isDecided(const Hunks& hunks) {
  return std::any_of(hunks.hunks().cbegin(), hunks.hunks().cend(), [](const Hunk& hunk) {
    return hunk.state == HunkState::kAccepted || hunk.state == HunkState::kDismissed;
  });
}

}  // namespace

EditSession::EditSession(Document* document, const EditParts& parts)
    : QObject(document),
      document_(document),
      parts_(parts),
      bar_(new EditBar(parts.history, document)),
      target_(document),
      preview_(new EditPreview(
          document->hunks(),
          [this](const QString& instruction, Hunks* hunks) {
            return sendUnasked(instruction, hunks);
          },
          [this](const QString& instruction) { return refines(instruction); }, this)),
      growing_(new GrowingChange(document, this)),
      alternatives_(new HunkAlternatives(document->hunks(), this)),
      hunkBar_(new HunkBar(document)) {
  setObjectName(QStringLiteral("editSession"));
  document->setBar(bar_);
  document->setOwnLayer([this] { return closeOneLayer(); });
  new HunkButtons(document);
  connect(hunkBar_, &HunkBar::stepWanted, this, &EditSession::step);
  connect(hunkBar_, &HunkBar::acceptAllWanted, this, &EditSession::acceptAll);
  connect(hunkBar_, &HunkBar::rejectAllWanted, this, &EditSession::rejectAll);
  connect(alternatives_, &HunkAlternatives::changed, this, &EditSession::showAlternative);
  connect(bar_, &EditBar::edited, this, &EditSession::showOffers);
  connect(bar_, &EditBar::edited, this, &EditSession::showModel);
  connect(bar_, &EditBar::edited, this, &EditSession::typed);
  connect(preview_, &EditPreview::changed, this, &EditSession::previewChanged);
  connect(growing_, &GrowingChange::grew, this, &EditSession::showGrowing);
  connect(bar_, &EditBar::sendWanted, this, &EditSession::send);
  connect(bar_->chips(), &ContextChips::struck, this,
          [this](const pairing::ContextItem& item, bool isStruck) {
            if (isStruck) {
              struck_.insert(item.name);
            } else {
              struck_.remove(item.name);
            }
            gatherContext();
          });
  connect(bar_, &EditBar::offerWanted, this, [this](int row) {
    const auto run = offers_.value(row).run;  // which may make others
    if (run) run();
  });
  connect(bar_, &EditBar::stopWanted, this, &EditSession::stop);
  connect(bar_, &EditBar::chooseModelWanted, this, [this] { parts_.chooseModel(); });
  connect(bar_, &EditBar::getModelWanted, this, [this] { parts_.getModel(); });
  connect(bar_, &EditBar::closeWanted, this, [this] {
    if (!alternatives_->stop()) close();
  });
  connect(bar_, &EditBar::undoWanted, this, [this] { document_->editor()->undo(); });
  connect(bar_, &EditBar::redoWanted, this, [this] { document_->editor()->redo(); });
  connect(bar_, &EditBar::acceptAllWanted, this, &EditSession::acceptAll);
  connect(bar_, &EditBar::anotherWanted, this, &EditSession::another);
  connect(bar_, &EditBar::rejectAllWanted, this, &EditSession::rejectAll);
  connect(bar_, &EditBar::copyWanted, this, &EditSession::copyLeftOver);
  connect(document->hunks(), &Hunks::changed, this, &EditSession::hunksChanged);
  connect(parts_.roster, &pairing::ModelRoster::changed, this, &EditSession::showModel);
  connect(document->editor(), &CodeEditor::documentReset, this, [this] {
    stop();
    growing_->drop();
    alternatives_->clear();
    preview_->settle();  // what it would bring back is of the text before
    close();
  });
  connect(document->editor(), &CodeEditor::edited, this,
          [this](const QVector<editor::TextEdit>& edits) {
            target_.follow(edits);
            if (run_) run_->follow(edits);
            growing_->follow(edits);
            preview_->follow(edits);
            alternatives_->textEdited();
            showTarget();
          });
}

// -- The bar

void EditSession::open() {
  const bool isNew = !bar_->isVisible();
  showBar();
  if (isNew && bar_->isVisible() && !isGathering_) readAhead();
}

void EditSession::showBar() {
  const editor::SafeMode mode = document_->editor()->safeMode();
  if (mode == editor::SafeMode::kBinary || mode == editor::SafeMode::kRaw) return;
  const bool isNew = !bar_->isVisible();
  // A sentence behind an answer is about what that was about.
  const CodeEditor* editor = document_->editor();
  if (editor->hasSelection() || !isOfAnswer()) target_.set();
  showModel();
  if (isNew) {
    offered_ = document_->hunks()->offeredCount() > 0;
    bar_->setOffering(offered_);
    bar_->setLeftOver(growing_->isShown());
    bar_->say({});
  }
  if (document_->hunks()->offeredCount() == 0) begun_ = true;
  bar_->show();
  hunkBar_->setNeeded(false);
  document_->decorations()->setTarget(target_.range().start(), target_.range().end());
  showTarget();
  showOffers();
  gatherContext();
  bar_->enter();
}

void EditSession::ask(const QString& instruction) {
  showBar();
  bar_->setInstruction(instruction);
  send();
}

// In words for the model. What was printed goes along as it is.
void EditSession::fix(const pairing::ErrorPlace& error) {
  CodeEditor* editor = document_->editor();
  editor->goToLine(static_cast<int>(std::min<qint64>(error.line, editor->lineCount())) - 1);
  report_ = error.excerpt;
  reported_ = QStringLiteral("Fix this error: ") + error.message.left(kMostOfReported);
  ask(reported_);
}

void EditSession::question(const QString& question) {
  if (!bar_->isVisible()) target_.set();
  document_->editor()->setSelection(target_.range().start(), target_.range().end());
  close();
  const QString mention = pairing::mentionOf(QLatin1String(pairing::kSelectionMention));
  parts_.history->add(question);
  parts_.ask(mention + u' ' + question);
}

void EditSession::writeTests() {
  if (!bar_->isVisible()) open();
  CodeEditor* editor = document_->editor();
  editor->flushEdits();
  const Snapshot text = document_->text();
  QString reason = pairing::heldBack(folder(), document_->path(), text.toByteArray());
  if (!reason.isEmpty()) {
    bar_->say(tr("%1 is not shown to a model: %2.").arg(document_->title(), reason),
              EditBar::Tone::kProblem);
    return;
  }
  const QString inFolder = folder() + u'/';
  if (!document_->path().startsWith(inFolder)) {
    bar_->say(tr("Tests are written for files of the open folder. Save the text there first."),
              EditBar::Tone::kProblem);
    return;
  }
  const LineRange lines = target_.lines();
  const pairing::TestTask task{
      document_->path().mid(inFolder.size()), lines.first + 1,
      QString::fromUtf8(text.slice(text.lineStart(lines.first), text.lineStart(lines.end())))};
  close();
  parts_.writeTests(task);
}

void EditSession::close() {
  if (!bar_->isVisible()) return;
  ahead_.reset();
  sendsThen_ = false;
  preview_->drop();
  const bool hadKeyboard = bar_->isAncestorOf(QApplication::focusWidget());
  bar_->hide();
  hunkBar_->setNeeded(true);
  document_->decorations()->clearTarget();
  if (hadKeyboard) document_->setFocus();
}

bool EditSession::closeOneLayer() {
  if (run_ && !run_->isOver()) {
    stop();
  } else if (alternatives_->stop()) {
    return true;
  } else if (preview_->isShown()) {
    preview_->drop();
  } else if (document_->hunks()->offeredCount() > 0 || growing_->isShown()) {
    growing_->drop();
    rejectAll();
  } else if (bar_->isVisible()) {
    close();
  } else {
    return false;
  }
  return true;
}

void EditSession::showTarget() {
  if (bar_->isVisible()) bar_->setTarget(target_.name());
}

// An instruction that the fast model has failed at is the deep one's, where there is one.
ModelRoster::Choice EditSession::chooseModel() const {
  const bool isLarge = target_.lines().count > kLargeLines;
  const auto choice =
      parts_.roster->choose(isLarge ? pairing::Work::kLargeEdit : pairing::Work::kSmallEdit);
  if (!choice.model || failed_ != Attempt{choice.model->id, bar_->instruction()}) return choice;
  const auto deep = parts_.roster->chooseAfterFailure(choice.model->id);
  return deep.endpoint ? deep : choice;
}

void EditSession::showModel() {
  const auto choice = chooseModel();
  const bool isMissing = choice.endpoint == nullptr;
  bar_->setModelOffers(isMissing && parts_.chooseModel, isMissing && parts_.getModel);
  if (!choice.model) {
    bar_->setModel(tr("No model"), choice.reason);
    return;
  }
  bar_->setModel(tr("%1 · %2").arg(choice.model->name, choice.model->address.place()),
                 choice.reason);
}

// -- Asking

void EditSession::send() {
  const QString instruction = bar_->instruction();
  if (instruction.isEmpty()) return;
  const auto choice = chooseModel();
  if (!choice.endpoint) {
    bar_->say(choice.reason, EditBar::Tone::kProblem);
    return;
  }
  if (isGathering_) {
    sendsThen_ = true;
    return bar_->say(tr("Looking for what goes along…"));
  }
  const bool isRefined = refines(instruction);
  before_ = preview_->refined();
  auto run = preview_->keep(instruction);
  const bool isKept = run != nullptr;
  if (isKept) {
    offered_ = false;
    model_ = previewModel_;
    asked_ = previewAsked_;
  } else {
    before_ = {};
    preview_->drop();
    QString problem;
    run = begin(instruction, choice, document_->hunks(), &problem, {}, isRefined);
    if (!run) return bar_->say(problem, EditBar::Tone::kProblem);
    if (isRefined) before_ = document_->hunks()->suggestion();
    stop();
    offered_ = false;
    document_->hunks()->offer({document_->id(), {}, {}});
  }
  if (!isKept) model_ = choice.model->name;
  if (!isKept) asked_ = {choice.model->id, instruction};
  alternatives_->clear();
  parts_.history->add(instruction);
  // The hunks are better seen without a selection over them.
  CodeEditor* editor = document_->editor();
  editor->setSelection(editor->caret(), editor->caret());
  bar_->clearOffers();
  follow(std::move(run));
}

void EditSession::follow(std::unique_ptr<EditRun> run) {
  growing_->watch(run.get());  // ahead of what is said of the run
  run_ = std::move(run);
  begun_ = false;
  came_ = -1;
  elsewhere_.clear();
  wasGrowing_ = false;
  connect(run_.get(), &EditRun::changed, this, &EditSession::runChanged);
  runChanged();
}

// -- While the instruction is being typed

void EditSession::typed() {
  begun_ = true;
  const bool isBusy = run_ && !run_->isOver();
  const bool renews = parts_.pace && parts_.renews && parts_.renews();
  preview_->type(renews && !isBusy ? bar_->instruction() : QString());
}

// Only what stays on this computer is asked unbidden, and only of a model that keeps up.
std::unique_ptr<EditRun> EditSession::sendUnasked(const QString& instruction, Hunks* hunks) {
  const auto choice = chooseModel();
  const bool isHere = choice.endpoint && choice.model->address.isLoopback();
  if (!isHere || !parts_.pace->isQuick(choice.model->id)) return nullptr;
  QString problem;  // is told when the user asks
  previewModel_ = choice.model->name;
  previewAsked_ = {choice.model->id, instruction};
  return begin(instruction, choice, hunks, &problem, {}, refines(instruction));
}

void EditSession::previewChanged() {
  const EditRun* run = preview_->run();
  if (!run || !bar_->isVisible()) return;
  if (!run->isOver()) {
    if (!preview_->isShown()) bar_->say(tr("Preview: %1").arg(progressOf(*run, previewModel_, 0)));
  } else if (run->failure()) {
    bar_->say(tr("No preview. Enter asks again."));
  } else {
    bar_->say(tr("Preview: %1. Enter keeps it, Esc takes it away.").arg(broughtBy(*run)));
    const Hunks* hunks = document_->hunks();
    HunkReveal::of(document_)->showUnlessAny(hunks->next(document_->editor()->caret()));
  }
}

void EditSession::stop() {
  alternatives_->stop();
  if (run_ && !run_->isOver()) run_->stop();
}

// Each token is told of; once lines of a change are drawn, what is said changes with them, once a
// frame.
void EditSession::runChanged() {
  const qsizetype came = run_->placedCount() + run_->unplaced().size();
  const bool isNews =
      run_->state() != EditRun::State::kReading || came != came_ || growing_->lines() == 0;
  came_ = came;
  if (isNews) showRun();
}

// While the user waits in the bar, the first lines are brought into sight. The caret stays.
void EditSession::showGrowing() {
  if (!run_) return;
  const bool isFirst = growing_->isShown() && !std::exchange(wasGrowing_, true);
  if (isFirst && bar_->isAncestorOf(QApplication::focusWidget()))
    HunkReveal::bringIn(document_, growing_->hunks().constFirst());
  if (run_->state() == EditRun::State::kReading) showRun();
}

void EditSession::showRun() {
  bar_->setRunning(!run_->isOver());
  proposeElsewhere();
  QString text = progressOf(*run_, model_, growing_->lines());
  auto tone = run_->unplaced().isEmpty() ? EditBar::Tone::kNews : EditBar::Tone::kWarning;
  if (run_->isOver()) {
    failed_ = run_->failure() ? asked_ : Attempt();
    showModel();
    if (begun_) showOffers();
    const QString more = run_->failure() ? run_->failure()->message() : run_->remark();
    if (!more.isEmpty()) {
      text = run_->placedCount() == 0 ? more : text + u' ' + more;
      tone = run_->failure() ? EditBar::Tone::kProblem : EditBar::Tone::kWarning;
    }
    if (!elsewhere_.isEmpty()) text += u' ' + elsewhere_;
    if (run_->placedCount() > 0 && run_->state() == EditRun::State::kDone) {
      offeredTask_ = task_;
      offeredAnswer_ = run_->answer();
      offeredHunks_ = document_->hunks()->hunks();
    } else if (run_->placedCount() == 0 && !before_.hunks.isEmpty()) {
      document_->hunks()->offer(std::exchange(before_, {}));
      text += u' ' + tr("What was on offer before is so again.");
    }
  }
  bar_->say(text + unplacedIn(*run_), tone);
  hunksChanged();
}

// -- What is offered

QByteArrayList EditSession::leftOver() const {
  QByteArrayList texts;
  if (run_)
    for (const EditRun::Unplaced& change : run_->unplaced()) texts += change.newText;
  if (run_ && run_->isOver() && growing_->isShown()) texts += growing_->text();
  for (const Hunk& hunk : document_->hunks()->hunks())
    if (hunk.state == HunkState::kStale && !hunk.text.isEmpty()) texts += hunk.text;
  return texts;
}

void EditSession::copyLeftOver() const {
  QApplication::clipboard()->setText(QString::fromUtf8(leftOver().join('\n')));
}

void EditSession::hunksChanged() {
  const bool offering = document_->hunks()->offeredCount() > 0;
  bar_->setOffering(offering);
  bar_->setAnother(offering && run_ && run_->isOver() && !preview_->isShown());
  if (preview_->isShown()) {
    if (!isDecided(*document_->hunks())) return;
    // The user has begun to take it: it is no preview any more.
    model_ = previewModel_;
    asked_ = previewAsked_;
    if (auto run = preview_->settle()) follow(std::move(run));
  }
  if (!bar_->isVisible()) return;
  const bool hasLeftOver = !leftOver().isEmpty();
  bar_->setLeftOver(hasLeftOver);
  // While the user waits in the bar, the caret is of no other use.
  const bool isFirst = offering && !offered_;
  offered_ = offered_ || offering;
  if (isFirst && bar_->isAncestorOf(QApplication::focusWidget())) step(+1);
  const bool isRunning = run_ && !run_->isOver();
  const bool isSettled = offered_ && !offering && !isRunning && !hasLeftOver;
  if (isSettled && !begun_ && !(run_ && run_->failure())) close();
}

void EditSession::goTo(qsizetype hunk) {
  if (hunk < 0) return;
  const qint64 place = document_->hunks()->hunks()[hunk].range.start();
  document_->editor()->setSelection(place, place);
  HunkReveal::of(document_)->show(hunk);
}

void EditSession::step(int direction) {
  const Hunks* hunks = document_->hunks();
  const qint64 caret = document_->editor()->caret();
  goTo(direction > 0 ? hunks->next(caret) : hunks->previous(caret));
}

void EditSession::acceptHunk() {
  document_->editor()->flushEdits();
  Hunks* hunks = document_->hunks();
  if (hunks->accept(hunks->at(document_->editor()->caret()))) step(+1);
}

void EditSession::rejectHunk() {
  document_->editor()->flushEdits();
  Hunks* hunks = document_->hunks();
  if (hunks->dismiss(hunks->at(document_->editor()->caret()))) step(+1);
}

void EditSession::acceptAll() {
  document_->editor()->flushEdits();
  document_->hunks()->acceptAll();
}

void EditSession::rejectAll() { document_->hunks()->dismissAll(); }

QString EditSession::busyWith() const {
  return run_ && !run_->isOver() ? QStringLiteral("an edit in place") : QString();
}

}  // namespace waferpair::gui
