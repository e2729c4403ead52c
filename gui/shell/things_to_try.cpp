// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/shell/things_to_try.h"

#include <QDir>

#include "gui/documents/editor_tabs.h"
#include "gui/kit/banner.h"
#include "gui/kit/command_registry.h"
#include "gui/kit/dock_strip.h"
#include "gui/project/workspace.h"
#include "gui/shell/folder_flow.h"
#include "gui/store/resource_paths.h"

namespace waferpair::gui {
namespace {

constexpr qsizetype kMostThings = 5;
constexpr char kSample[] = "sample_project";
constexpr char kCodeFile[] = "src/histogram.cpp";
constexpr char kFunction[] = "void Histogram::add(int length) {";
constexpr char kLastLine[] = "int Histogram::highest() const";

}  // namespace

ThingsToTry::ThingsToTry(const Parts& parts, QObject* parent) : QObject(parent), p_(parts) {}

QList<ThingToTry> ThingsToTry::things() const {
  if (resourcePath(QLatin1String(kSample)).isEmpty()) return {};
  QList<ThingToTry> things;
  if (p_.wafer) {
    things.append({"suggestion",
                   "pencil",
                   tr("Let it write on"),
                   tr("Begin a line; what the model suggests stands in gray behind it."),
                   {}});
  }
  things.append({"edit", "replace", tr("Say what is to change"),
                 tr("An instruction, and the changes come as lines to accept or reject."),
                 "edit.inPlace"});
  things.append({"ask", "ask", tr("Ask about the code"),
                 tr("An answer with the passages of the project that it is taken from."),
                 "ask.ask"});
  if (p_.wafer) {
    things.append({"wafer", "wafer", tr("Watch the wafer work"),
                   tr("What its 893,064 cores do while the model writes."), "view.wafer"});
  }
  things.append({"go", "find-file", tr("Go anywhere by a few letters"),
                 tr("One box for files, lines, symbols, commands and questions."),
                 "file.quickOpen"});
  things.append({"search", "search", tr("Search all files as you type"),
                 tr("And replace in them, with a look at each change."), "search.find"});
  things.append({"keys", "keyboard", tr("See what the keys do"),
                 tr("All of them, to search, to change and to print."), "help.keys"});
  return things.mid(0, kMostThings);
}

void ThingsToTry::run(const QString& id) {
  if (id == u"keys" || !p_.workspace->folder().isEmpty()) return begin(id);
  p_.folders->askForSamplePlace(resourcePath(QLatin1String(kSample)), [this, id] { begin(id); });
}

bool ThingsToTry::showPlace(const QString& file, const QByteArray& text, bool below) {
  Document* document = p_.tabs->openFile(QDir(p_.workspace->folder()).filePath(file));
  if (!document) return false;  // the tabs have told why
  editor::CodeEditor* editor = document->editor();
  const qint64 found = editor->text().indexOf(text);
  if (found >= 0) {
    const int line = editor->lineAt(found);
    editor->goToLine(line);
    if (!below) editor->setSelection(editor->lineEnd(line), editor->lineEnd(line));
  }
  document->setFocus();
  return true;
}

void ThingsToTry::begin(const QString& id) {
  const auto key = [this](const char* command) {
    const QList<QKeySequence> keys = p_.commands->keys(QLatin1String(command));
    return keys.isEmpty() ? tr("the command palette")
                          : keys.first().toString(QKeySequence::NativeText);
  };
  if (id == u"suggestion") {
    if (!showPlace(QLatin1String(kCodeFile), kLastLine, true)) return;
    say(tr("Type “int Histogram::” and wait a moment. %1 takes what is suggested, Esc dismisses "
           "it, and typing what it says only shortens it.")
            .arg(key("editor.accept-suggestion")));
  } else if (id == u"edit") {
    if (!showPlace(QLatin1String(kCodeFile), kFunction, false)) return;
    p_.commands->run(QStringLiteral("edit.inPlace"));
    say(
        tr("Type what is to become of this function, such as “count words that are too long "
           "apart”, and press Return. The bar's menu has ready tasks, too."));
  } else if (id == u"ask") {
    if (!showPlace(QLatin1String(kCodeFile), kFunction, false)) return;
    p_.commands->run(QStringLiteral("ask.ask"));
    say(
        tr("Type a question, such as “what does add() do with long words?”. @ mentions files, "
           "folders, symbols and more."));
  } else if (id == u"wafer") {
    if (!showPlace(QLatin1String(kCodeFile), kLastLine, true)) return;
    p_.wafer->open();
    say(
        tr("Type in the text: the picture shows which cores compute, and what each figure is "
           "counted by."));
  } else if (id == u"go") {
    p_.commands->run(QStringLiteral("file.quickOpen"));
    say(
        tr("Type a part of a file's name, or “:12” for a line, “@” for a symbol, “>” for a "
           "command, “?” for a question."));
  } else if (id == u"search") {
    p_.commands->run(QStringLiteral("search.find"));
    say(tr("Type what to look for. Return goes to what is found, F4 to the next."));
  } else if (id == u"keys") {
    p_.commands->run(QStringLiteral("help.keys"));
  }
}

void ThingsToTry::say(const QString& text) {
  p_.notices->show(QStringLiteral("tryNotice"), Banner::Kind::kInfo, text);
}

}  // namespace waferpair::gui
