// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/edit_commands.h"

#include "gui/documents/editor_tabs.h"
#include "gui/kit/command_registry.h"
#include "gui/pairing/edit_tasks.h"
#include "gui/pairing/fix_error.h"
#include "gui/translate.h"

namespace waferpair::gui {

namespace {

// Instructions that are given so often that each is a command of its own.
struct ReadyTask {
  const char* id;
  const char* text;
  const char* help;
  const char* instruction;  // for the model, in its language
  bool isQuestion = false;  // its answer is a text
};

constexpr ReadyTask kReadyTasks[] = {
    {"edit.document", QT_TRANSLATE_NOOP("Window", "&Document This"),
     QT_TRANSLATE_NOOP("Window",
                       "Have the model write comments for the selection or the function."),
     "Write documentation comments in the usual form of the language. Change no code."},
    {"edit.simplify", QT_TRANSLATE_NOOP("Window", "Simplif&y This"),
     QT_TRANSLATE_NOOP("Window", "Have the model make the selection or the function simpler."),
     "Make this simpler and easier to read without changing what it does."},
    {"edit.fillIn", QT_TRANSLATE_NOOP("Window", "&Fill In the Body"),
     QT_TRANSLATE_NOOP(
         "Window", "Have the model write the body that the signature and the comments ask for."),
     "Write the body that the signature, the name and the comments ask for."},
    {"edit.explain", QT_TRANSLATE_NOOP("Window", "E&xplain This"),
     QT_TRANSLATE_NOOP("Window", "Ask what the selection or the function does, and why."),
     "Explain what this does and why, for somebody who is new to this code.", true},
};

}  // namespace

EditSession* editSession(Document* document, const EditParts& parts) {
  auto* session = document->findChild<EditSession*>(QString(), Qt::FindDirectChildrenOnly);
  return session ? session : new EditSession(document, parts);
}

void addEditInPlaceCommands(CommandRegistry& commands, EditorTabs* tabs, const EditParts& parts,
                            Picker* picker,
                            const std::function<QVector<PrintedOutput>()>& outputs) {
  const ErrorSources errors{picker, outputs, parts.folder, parts.files, parts.fix};
  const QString edit = tr("Edit");
  const QString go = tr("Go");
  const auto onSession = [tabs, parts](void (EditSession::*run)()) {
    return [tabs, parts, run] { (editSession(tabs->current(), parts)->*run)(); };
  };
  const auto offer = [&commands, &parts](const char* id, const QString& instruction) {
    parts.tasks->addCommand(QLatin1String(id), commands.find(QLatin1String(id))->caption(),
                            instruction);
  };
  commands.add({.id = "edit.inPlace",
                .category = edit,
                .text = tr("Edit in &Place…"),
                .help = tr("Change the selection, the function at the caret or the file by an "
                           "instruction."),
                .keys = {Qt::CTRL | Qt::Key_K},
                .icon = "pencil",
                .when = Context::kDocumentOpen,
                .places = {{"edit", 5}, {"model", 1}, {"editor", 4}},
                .run = onSession(&EditSession::open)});
  for (const ReadyTask& task : kReadyTasks) {
    commands.add({.id = QLatin1String(task.id),
                  .category = edit,
                  .text = tr(task.text),
                  .help = tr(task.help),
                  .when = Context::kDocumentOpen,
                  .places = {{"model", 1}},
                  .run = [tabs, parts, &task] {
                    EditSession* session = editSession(tabs->current(), parts);
                    const QString instruction = QLatin1String(task.instruction);
                    task.isQuestion ? session->question(instruction) : session->ask(instruction);
                  }});
    offer(task.id, QLatin1String(task.instruction));
  }
  commands.add(
      {.id = "edit.writeTests",
       .category = edit,
       .text = tr("Write &Tests for This"),
       .help = tr("Have the model write tests for the selection or the function, where the "
                  "project's tests are."),
       .when = Context::kDocumentOpen && Context::kFolderOpen,
       .places = {{"model", 1}},
       .run = onSession(&EditSession::writeTests)});
  offer("edit.writeTests", {});
  commands.add(
      {.id = "edit.fixError",
       .category = edit,
       .text = tr("Fix an &Error…"),
       .help = tr("Have the model fix the error at the caret, or else one that a command of the "
                  "plan printed, or that was copied."),
       .when = Context::kFolderOpen,
       .places = {{"model", 1}},
       .run = [errors, parts] {
         const std::optional<FoundError> here = parts.errorHere ? parts.errorHere() : std::nullopt;
         here ? parts.fix(here->path, here->error) : chooseErrorToFix(errors);
       }});
  offer("edit.fixError", {});
  commands.add({.id = "edit.acceptHunk",
                .category = edit,
                .text = tr("&Accept Change"),
                .help = tr("Accept the offered change at the caret, and go to the next one."),
                .keys = {Qt::ALT | Qt::Key_Return},
                .icon = "check",
                .when = Context::kHunkAtCaret,
                .places = {{"edit", 5}},
                .run = onSession(&EditSession::acceptHunk)});
  commands.add({.id = "edit.rejectHunk",
                .category = edit,
                .text = tr("Re&ject Change"),
                .help = tr("Reject the offered change at the caret, and go to the next one."),
                .keys = {Qt::ALT | Qt::Key_Backspace},
                .icon = "close",
                .when = Context::kHunkAtCaret,
                .places = {{"edit", 5}},
                .run = onSession(&EditSession::rejectHunk)});
  commands.add({.id = "edit.acceptAllHunks",
                .category = edit,
                .text = tr("Accept All Changes"),
                .help = tr("Accept every offered change of this file, as one step."),
                .keys = {Qt::CTRL | Qt::Key_Return},
                .when = Context::kHunksShown,
                .keysWhen = When::isNot(Context::kFilesFocused),
                .places = {{"edit", 5}},
                .run = onSession(&EditSession::acceptAll)});
  commands.add({.id = "edit.rejectAllHunks",
                .category = edit,
                .text = tr("Reject All Changes"),
                .help = tr("Reject every offered change of this file."),
                .when = Context::kHunksShown,
                .places = {{"edit", 5}},
                .run = onSession(&EditSession::rejectAll)});
  commands.add({.id = "edit.another",
                .category = edit,
                .text = tr("Another Ans&wer…"),
                .help = tr("Ask once more what the changes were asked for, and choose between the "
                           "two answers side by side."),
                .keys = {Qt::CTRL | Qt::ALT | Qt::Key_Return},
                .when = Context::kHunksShown,
                .places = {{"edit", 5}},
                .run = onSession(&EditSession::another)});
  const auto alternative = [&](const char* id, const QString& text, const QString& help,
                               Qt::Key key, int direction) {
    commands.add({.id = QLatin1String(id),
                  .category = edit,
                  .text = text,
                  .help = help,
                  .keys = {Qt::ALT | key},
                  .when = Context::kHunksShown,
                  .places = {{"edit", 5}},
                  .run = [tabs, parts, direction] {
                    editSession(tabs->current(), parts)->alternative(direction);
                  }});
  };
  alternative("edit.nextAnswer", tr("Next Answer"),
              tr("Show another answer to what the changes were asked for in their place, up to "
                 "three; the first ones stay."),
              Qt::Key_BracketRight, +1);
  alternative("edit.previousAnswer", tr("Previous Answer"),
              tr("Show the answer that was there before."), Qt::Key_BracketLeft, -1);
  commands.add({.id = "go.nextHunk",
                .category = go,
                .text = tr("Next Offered &Change"),
                .help = tr("Go to the next offered change of this file."),
                .keys = {Qt::Key_F7},
                .icon = "chevron-down",
                .when = Context::kHunksShown,
                .places = {{"go", 2}},
                .run = [tabs, parts] { editSession(tabs->current(), parts)->step(+1); }});
  commands.add({.id = "go.previousHunk",
                .category = go,
                .text = tr("Previous Offered Change"),
                .help = tr("Go to the offered change before."),
                .keys = {Qt::SHIFT | Qt::Key_F7},
                .icon = "chevron-up",
                .when = Context::kHunksShown,
                .places = {{"go", 2}},
                .run = [tabs, parts] { editSession(tabs->current(), parts)->step(-1); }});
}

}  // namespace waferpair::gui
