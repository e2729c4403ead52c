// SPDX-License-Identifier: GPL-3.0-or-later
// What a model is asked with an instruction: the lines, what goes along with them, and what was
// asked before of the changes on offer.
#include <QDir>

#include "editor/assist/hunks.h"
#include "gui/pairing/context_chips.h"
#include "gui/pairing/edit_bar.h"
#include "gui/pairing/edit_preview.h"
#include "gui/pairing/edit_session.h"
#include "pairing/context/unasked_context.h"

namespace waferpair::gui {

using editor::CodeEditor;
using editor::Hunks;
using editor::Snapshot;
using pairing::ContextItem;
using pairing::EditRun;
using pairing::LineRange;
using pairing::ModelRoster;

QString EditSession::folder() const {
  const QString own = parts_.folderOf ? parts_.folderOf(document_->path()) : QString();
  return own.isEmpty() ? parts_.folder() : own;
}

QString EditSession::pathForModel() const {
  if (document_->path().isEmpty()) return document_->title();
  const QString folder = this->folder();
  const QString inside = QDir(folder).relativeFilePath(document_->path());
  return folder.isEmpty() || inside.startsWith(QLatin1String("..")) ? document_->title() : inside;
}

std::optional<pairing::EditTask> EditSession::taskFor(const QString& instruction,
                                                      QString* problem) {
  CodeEditor* editor = document_->editor();
  editor->flushEdits();
  const Snapshot text = document_->text();
  const QString reason = pairing::heldBack(folder(), document_->path(), text.toByteArray());
  const QString report = instruction == reported_ ? report_ : QString();
  const QString secret = pairing::heldBack({}, {}, report.toUtf8());
  if (!reason.isEmpty()) {
    *problem = tr("%1 is not shown to a model: %2.").arg(document_->title(), reason);
    return {};
  }
  if (!secret.isEmpty()) {
    *problem = tr("The error's text is not shown to a model: %1.").arg(secret);
    return {};
  }
  pairing::EditTask task{instruction, pathForModel(),  editor->language(),
                         text,        target_.lines(), report};
  QVector<ContextItem> rules, related;
  for (const ContextItem& item : context_)
    (item.kind == ContextItem::Kind::kRules ? rules : related).append(item);
  task.rules = pairing::contextMarkdown(rules);
  task.related = pairing::contextMarkdown(related);
  return task;
}

// Rules, and what the lines use, for a model that is shown more than these. A small one is not.
void EditSession::gatherContext() {
  ++gathering_;
  isGathering_ = false;
  context_.clear();
  const auto choice = chooseModel();
  if (!parts_.gather || !choice.endpoint || askedModel(choice).form != pairing::EditForm::kBlocks) {
    bar_->chips()->setItems({});
    return;
  }
  CodeEditor* editor = document_->editor();
  editor->flushEdits();
  const LineRange lines = target_.lines();
  pairing::UnaskedWish wish;
  wish.budget = pairing::unaskedBudget(choice.model->size(), choice.model->contextTokens);
  wish.front = {document_->path(), document_->title(), editor->language(), document_->text(),
                editor->caret(),   lines.first,        lines.end()};
  wish.struck = struck_;
  wish.isOfEdit = true;
  isGathering_ = true;
  parts_.gather(wish, this, [this, asked = gathering_](const QVector<ContextItem>& items) {
    if (asked != gathering_) return;
    isGathering_ = false;
    context_ = items;
    bar_->chips()->setItems(items);
    if (std::exchange(sendsThen_, false)) return send();
    if (bar_->isVisible()) readAhead();
  });
}

// What is on offer, or was before a preview that refines it, is an answer of this session's, of
// which nothing is decided, and the text is the one that it was made for.
bool EditSession::isOfAnswer() const {
  const auto& hunks = preview_->isShown() ? preview_->refined().hunks : document_->hunks()->hunks();
  return offeredTask_ && !hunks.isEmpty() && hunks == offeredHunks_ && run_ && run_->isOver() &&
         document_->text() == offeredTask_->text;
}

bool EditSession::refines(const QString& instruction) const {
  return isOfAnswer() && instruction != offeredTask_->instruction &&
         target_.lines() == offeredTask_->target;
}

pairing::EditModel EditSession::askedModel(const ModelRoster::Choice& choice) const {
  const qint64 size = choice.model->size();
  const pairing::EditForm form =
      parts_.forms ? parts_.forms->formOf(choice.model->id, size) : pairing::editFormFor(size);
  return {choice.endpoint,
          [roster = parts_.roster, id = choice.model->id] { return roster->endpointFor(id); }, form,
          choice.model->contextTokens};
}

std::unique_ptr<EditRun> EditSession::begin(const QString& instruction,
                                            const ModelRoster::Choice& choice, Hunks* hunks,
                                            QString* problem, std::optional<double> temperature,
                                            bool isRefined) {
  auto task = taskFor(instruction, problem);
  if (!task) return nullptr;
  if (isRefined) {
    const QVector<pairing::EditTurn> earlier =
        offeredTask_->earlier +
        QVector<pairing::EditTurn>{{offeredTask_->instruction, offeredAnswer_}};
    task = offeredTask_;
    task->instruction = instruction;
    task->earlier = earlier;
  }
  task_ = task;
  ahead_.reset();
  return askFor(*task, choice, hunks, problem, temperature);
}

std::unique_ptr<EditRun> EditSession::askFor(const pairing::EditTask& task,
                                             const ModelRoster::Choice& choice, Hunks* hunks,
                                             QString* problem, std::optional<double> temperature) {
  pairing::EditModel model = askedModel(choice);
  model.temperature = temperature;
  auto asked = pairing::askForEdit(task, model, hunks, [this] {
    document_->editor()->flushEdits();
    return document_->text();
  });
  if (!asked) {
    *problem = asked.error().message();
    return nullptr;
  }
  const QString own = folder();
  const bool isReviewed = !parts_.reviewedFolder || parts_.reviewedFolder() == own;
  if (parts_.propose && !own.isEmpty() && isReviewed) (*asked)->mayChangeOthers();
  connect(asked->get(), &EditRun::changed, this,
          [this, begun = asked->get(), model, id = choice.model->id] {
            if (begun->state() != EditRun::State::kDone) return;
            if (parts_.pace && begun->attempts() == 1)
              parts_.pace->measured(id, begun->timings().lastTokenMs);
            if (parts_.forms && model.form == pairing::EditForm::kBlocks)
              parts_.forms->answered(id, begun->isInFence());
          });
  return std::move(*asked);
}

// The server reads the beginning of a request while its instruction is being typed.
void EditSession::readAhead() {
  const auto choice = chooseModel();
  if (!choice.endpoint || !choice.model->readsAhead || (run_ && !run_->isOver())) return;
  QString problem;  // is told when the user asks
  if (const auto task = taskFor({}, &problem))
    ahead_ = pairing::readAhead(*task, askedModel(choice));
}

}  // namespace waferpair::gui
