// SPDX-License-Identifier: GPL-3.0-or-later
// The rows below the instruction: ready tasks, errors that were pasted, and what needs no model.
#include "editor/assist/hunks.h"
#include "gui/pairing/edit_bar.h"
#include "gui/pairing/edit_preview.h"
#include "gui/pairing/edit_session.h"
#include "gui/pairing/edit_tasks.h"
#include "gui/pairing/growing_change.h"
#include "gui/store/text_history.h"

namespace waferpair::gui {

using editor::CodeEditor;

void EditSession::showOffers() {
  offers_.clear();
  const auto choice = chooseModel();
  const bool hasModel = choice.endpoint != nullptr;
  const bool isRunning = run_ && !run_->isOver();
  const CodeEditor* editor = document_->editor();
  const QString instruction = bar_->instruction();
  const pairing::PlainTask task{document_->text(), editor->language(), target_.lines(),
                                editor->sci(QsciScintillaBase::SCI_GETSELECTIONSTART),
                                editor->sci(QsciScintillaBase::SCI_GETSELECTIONEND)};
  const bool isReport = hasModel && offerToFix(instruction);
  for (const pairing::PlainEdit& edit : pairing::plainEdits(instruction, task))
    offers_.append({edit.edits.isEmpty() ? tr("%1: nothing to do").arg(edit.title) : edit.title,
                    [this, edit] { offerPlainEdit(edit); }});
  const bool isPlain = !offers_.isEmpty() && !isReport;
  if (hasModel && !isRunning) offerTasks(instruction);
  if (!hasModel && instruction.isEmpty()) offerPlainInstructions();
  QStringList titles;
  for (const Offer& offer : std::as_const(offers_)) titles += offer.title;
  bar_->setOffers(hasModel && !isPlain ? tr("Ready tasks:") : tr("These need no model:"), titles,
                  isReport || (!hasModel && isPlain));
  if (isRunning) return;
  if (hasModel) {
    if (instruction.isEmpty() && !parts_.tasks->problem().isEmpty())
      bar_->say(parts_.tasks->problem(), EditBar::Tone::kWarning);
  } else if (instruction.isEmpty()) {
    bar_->say(choice.reason);
  } else if (isPlain) {
    bar_->say({});
  } else {
    bar_->say(tr("This takes a model. %1").arg(choice.reason));
  }
}

// An error that was pasted is offered where it is one of the project's: it may be in another file.
bool EditSession::offerToFix(const QString& text) {
  if (text == reported_) return false;
  const QStringList files = parts_.files();
  for (const pairing::ErrorPlace& error :
       pairing::errorPlaces(text, pairing::amongFiles(parts_.folder(), files))) {
    const QString file = pairing::fileMeant(error.path, parts_.folder(), files);
    if (file.isEmpty() || error.line == 0) continue;
    offers_.append({tr("Fix the error at %1:%2").arg(file).arg(error.line),
                    [this, file, error] { parts_.fix(file, error); }});
    return error.isError;
  }
  return false;
}

void EditSession::offerTasks(const QString& typed) {
  for (const EditTasks::Row& row : parts_.tasks->rows(parts_.history->entries())) {
    if (!row.name.contains(typed, Qt::CaseInsensitive)) continue;
    if (!row.command.isEmpty()) {
      offers_.append({row.name, [this, id = row.command] { parts_.run(id); }});
    } else if (row.task.answer == pairing::ReadyTask::Answer::kText) {
      offers_.append({row.name, [this, text = row.instruction] { question(text); }});
    } else {
      offers_.append({row.name, [this, text = row.instruction] { ask(text); }});
    }
  }
}

void EditSession::offerPlainInstructions() {
  for (const QString& text : pairing::plainInstructions(document_->editor()->language()))
    offers_.append({text, [this, text] { bar_->setInstruction(text); }});
}

void EditSession::offerPlainEdit(const pairing::PlainEdit& edit) {
  if (edit.edits.isEmpty()) {
    bar_->say(tr("%1: there is nothing to do.").arg(edit.title));
    return;
  }
  stop();
  preview_->drop();
  offered_ = false;
  begun_ = false;
  growing_->watch(nullptr);
  run_.reset();
  parts_.history->add(bar_->instruction());
  document_->editor()->setSelection(document_->editor()->caret(), document_->editor()->caret());
  bar_->clearOffers();
  document_->hunks()->offer(editor::suggestionOf(document_->id(), edit.edits));
  bar_->say(tr("%1, without a model.").arg(edit.title));
}

}  // namespace waferpair::gui
