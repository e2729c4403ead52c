// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/pairing/ask_commands.h"

#include <QAction>

#include "gui/kit/command_registry.h"
#include "gui/kit/preference_toggle.h"
#include "gui/pairing/pair_dock.h"
#include "gui/translate.h"

namespace waferpair::gui {

void addAskCommands(CommandRegistry& commands, Settings* settings, PairDock* dock,
                    DockStrip* strip) {
  const QString category = tr("Ask");
  AskPanel* ask = dock->ask();
  const auto show = [dock, strip] { showPairPage(dock, strip, PairDock::Page::kAsk); };
  // Everything but the first is about the panel, which is shown for it.
  const auto shown = [show](std::function<void()> run) {
    return [show, run = std::move(run)] {
      show();
      run();
    };
  };
  commands.add({.id = "ask.ask",
                .category = category,
                .text = tr("&Ask a Question"),
                .help = tr("Ask about the code, with the selection where there is one."),
                .keys = {Qt::CTRL | Qt::Key_L},
                .icon = "ask",
                .places = {{"pair", 1}, {"tools", 2, -1}, {"editor", 4}},
                .run = shown([dock] { dock->enterAsk(); })});
  commands.add({.id = "ask.stop",
                .category = category,
                .text = tr("&Stop the Answer"),
                .help = tr("End the answer that is being written; what there is of it stays. In "
                           "the panel, Esc does."),
                .when = Context::kAskRunning,
                .places = {{"pair", 1}},
                .run = [ask] { ask->stop(); }});
  commands.add({.id = "ask.answerAgent",
                .category = category,
                .text = tr("&Answer the Agent"),
                .help = tr("Go to what an agent asks before it does something."),
                .keys = {Qt::CTRL | Qt::ALT | Qt::Key_A},
                .when = Context::kAskRunning,
                .places = {{"pair", 1}},
                .run = shown([ask] { ask->answerAgent(); })});
  commands.add({.id = "ask.sendNow",
                .category = category,
                .text = tr("Send the &Queued Question Now"),
                .help = tr("Stop the answer that is being written and send what waits."),
                .keys = {Qt::CTRL | Qt::SHIFT | Qt::Key_Return},
                .when = Context::kAskQueued && !Context::kPlanFocused,
                .keysWhen = Context::kAskFocused,
                .places = {{"pair", 1}},
                .run = [ask] { ask->sendQueuedNow(); }});
  commands.add({.id = "ask.newThread",
                .category = category,
                .text = tr("&New Thread"),
                .help = tr("Ask about something else."),
                .icon = "new-file",
                .places = {{"pair", 2}, {"askTitle"}},
                .run = shown([ask] { ask->newThread(); })});
  commands.add({.id = "ask.threads",
                .category = category,
                .text = tr("&Threads…"),
                .help = tr("Go back to an earlier thread of this project."),
                .icon = "recent",
                .places = {{"pair", 2}, {"askTitle"}},
                .run = shown([ask] { ask->chooseThread(); })});
  commands.add({.id = "ask.search",
                .category = category,
                .text = tr("S&earch Threads…"),
                .help = tr("Find a thread by words that were asked or answered in it."),
                .icon = "search",
                .places = {{"pair", 2}, {"askTitle"}},
                .run = shown([ask] { ask->searchThreads(); })});
  commands.add({.id = "ask.rename",
                .category = category,
                .text = tr("&Rename Thread…"),
                .help = tr("Give the thread another name."),
                .icon = "pencil",
                .when = Context::kAskThread,
                .places = {{"pair", 3}, {"askTitle", 2}},
                .run = shown([ask] { ask->renameThread(); })});
  commands.add({.id = "ask.export",
                .category = category,
                .text = tr("E&xport Thread as Markdown"),
                .help = tr("Open the thread as a new text, to be saved or copied."),
                .icon = "save",
                .when = Context::kAskThread,
                .places = {{"pair", 3}, {"askTitle", 2}},
                .run = [ask] { ask->exportThread(); }});
  commands.add({.id = "ask.summarize",
                .category = category,
                .text = tr("Su&mmarize Earlier Messages"),
                .help = tr("Have the model write a summary that it gets in place of all but the "
                           "last question and answer. The messages stay in the thread."),
                .when = Context::kAskThread && !Context::kAskRunning,
                .places = {{"pair", 3}, {"askTitle", 2}},
                .run = shown([ask] { ask->summarize(); })});
  commands.add({.id = "ask.sendWhole",
                .category = category,
                .text = tr("Send Earlier Messages &Whole"),
                .help = tr("Drop the summary; the messages go to the model as they are."),
                .when = Context::kAskSummary,
                .places = {{"pair", 3}, {"askTitle", 2}},
                .run = shown([ask] { ask->sendWhole(); })});
  addPreferenceToggle(commands, settings,
                      {.id = "ask.summarizeEarly",
                       .category = category,
                       .text = tr("Summarize &Long Threads"),
                       .help = tr("Have the early messages of a thread summarized by the model "
                                  "that answers it, before they fill its context."),
                       .places = {{"pair", 3}}},
                      &Preferences::summarizeThreads);
  commands.add({.id = "ask.delete",
                .category = category,
                .text = tr("&Delete Thread"),
                .help = tr("Remove the thread; that can be undone."),
                .icon = "trash",
                .when = Context::kAskThread,
                .places = {{"pair", 3}, {"askTitle", 2}},
                .run = shown([ask] { ask->deleteThread(); })});
}

}  // namespace waferpair::gui
