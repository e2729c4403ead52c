// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/automation/state.h"

#include <QApplication>
#include <QCryptographicHash>
#include <QDockWidget>
#include <QJsonArray>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMetaEnum>
#include <QToolButton>

#include "editor/assist/hunks.h"
#include "editor/assist/suggestion_controller.h"
#include "editor/ghost/ghost_text.h"
#include "editor/widget/code_editor.h"
#include "gui/automation/element.h"
#include "gui/client/runtime_service.h"
#include "gui/documents/document.h"
#include "gui/documents/editor_tabs.h"
#include "gui/documents/pane.h"
#include "gui/documents/pane_tree.h"
#include "gui/kit/banner.h"
#include "gui/kit/command_registry.h"
#include "gui/kit/overlay.h"
#include "gui/kit/status_row.h"
#include "gui/pairing/agent_question.h"
#include "gui/pairing/ask_input.h"
#include "gui/pairing/ask_panel.h"
#include "gui/pairing/context_meter.h"
#include "gui/pairing/summary_card.h"
#include "gui/pairing/transcript.h"
#include "gui/project/workspace.h"
#include "gui/terminal/terminal_panel.h"
#include "gui/terminal/terminal_view.h"
#include "pairing/threads/thread_json.h"
#include "wafer_view/wafer_view.h"
#include "workbench/terminal/terminal_session.h"

namespace waferpair::gui {
namespace {

using Name = QLatin1String;

constexpr int kMostRows = 50;  // of a list that is open

template <typename T>
T* shown(const QWidget& parent, const QString& name = {}) {
  for (T* child : parent.findChildren<T*>(name))
    if (child->isVisible()) return child;
  return nullptr;
}

// "kWaiting" is "waiting".
template <typename Enum>
QString word(Enum value) {
  const QString key = Name(QMetaEnum::fromType<Enum>().valueToKey(static_cast<int>(value)));
  return key.mid(1).toLower();
}

void putIfSet(QJsonObject& object, const char* name, const QString& text) {
  if (!text.isEmpty()) object.insert(Name(name), text);
}

template <typename T>
void putIfSet(QJsonObject& object, const char* name, const std::optional<T>& value) {
  if (value) object.insert(Name(name), QJsonValue(*value));
}

QJsonArray bannersOf(const BannerStack* stack) {
  QJsonArray texts;
  if (!stack) return texts;
  for (const Banner* banner : stack->banners())
    if (banner->isVisible()) texts.append(banner->text());
  return texts;
}

QJsonObject placeJson(const editor::CodeEditor& editor, qint64 anchor, qint64 caret) {
  const int line = editor.lineAt(caret);
  const QByteArray before = editor.textRange(editor.lineStart(line), caret);
  return {{Name("anchor"), anchor},
          {Name("caret"), caret},
          {Name("line"), line + 1},
          {Name("column"), QString::fromUtf8(before).toUcs4().size() + 1}};
}

// The main one comes first.
QJsonArray caretsOf(const editor::CodeEditor& editor) {
  using Editor = editor::CodeEditor;
  const long count = editor.sci(Editor::SCI_GETSELECTIONS);
  const long main = editor.sci(Editor::SCI_GETMAINSELECTION);
  QJsonArray carets;
  for (long i = 0; i < count; ++i) {
    const auto n = static_cast<unsigned long>((main + i) % count);
    carets.append(placeJson(editor, editor.sci(Editor::SCI_GETSELECTIONNANCHOR, n),
                            editor.sci(Editor::SCI_GETSELECTIONNCARET, n)));
  }
  return carets;
}

QJsonObject ghostJson(const editor::GhostText& ghost) {
  QJsonObject object{{Name("shown"), ghost.isShown()}};
  if (!ghost.isShown()) return object;
  object.insert(Name("position"), ghost.position());
  object.insert(Name("remaining"), QString::fromUtf8(ghost.remaining()));
  return object;
}

QJsonObject hunksJson(const editor::Hunks& hunks) {
  int accepted = 0;
  QJsonArray offered;
  for (const editor::Hunk& hunk : hunks.hunks()) {
    accepted += hunk.state == editor::HunkState::kAccepted ? 1 : 0;
    if (hunk.state != editor::HunkState::kOffered) continue;
    offered.append(QJsonObject{{Name("start"), hunk.range.start()},
                               {Name("end"), hunk.range.end()},
                               {Name("text"), QString::fromUtf8(hunk.text)}});
  }
  return {{Name("offered"), offered}, {Name("accepted"), accepted}};
}

QJsonArray statusOf(const QMainWindow& window) {
  QJsonArray fields;
  const auto add = [&fields](const QWidget* field, const QString& text) {
    if (field->isVisible() && !text.isEmpty())
      fields.append(QJsonObject{{Name("name"), field->objectName()}, {Name("text"), text}});
  };
  const auto* row = shown<StatusRow>(window, Name("statusRow"));
  if (!row) return fields;
  for (const QWidget* field : row->findChildren<QWidget*>()) {
    if (const auto* label = qobject_cast<const QLabel*>(field)) add(label, label->text());
    if (const auto* button = qobject_cast<const QToolButton*>(field)) add(button, button->text());
  }
  return fields;
}

QJsonArray panelsOf(const QMainWindow& window) {
  QJsonArray panels;
  for (const QDockWidget* dock : window.findChildren<QDockWidget*>())
    panels.append(QJsonObject{{Name("name"), dock->objectName()},
                              {Name("title"), dock->windowTitle()},
                              {Name("shown"), dock->isVisible()}});
  return panels;
}

// The palette, quick open and their like; null when none is open.
QJsonValue overlayOf(const QMainWindow& window) {
  const auto* overlay = shown<Overlay>(window);
  if (!overlay) return QJsonValue::Null;
  QJsonObject object{{Name("name"), overlay->accessibleName()}};
  if (const auto* input = shown<QLineEdit>(*overlay)) object.insert(Name("input"), input->text());
  if (const auto* list = shown<QListView>(*overlay)) {
    const QAbstractItemModel* model = list->model();
    QJsonArray rows;
    for (int i = 0; i < std::min(model->rowCount(), kMostRows); ++i)
      rows.append(model->index(i, 0).data().toString());
    object.insert(Name("rows"), rows);
    object.insert(Name("row"), list->currentIndex().row());
  }
  return object;
}

QJsonArray dialogsOf(const QMainWindow& window) {
  QJsonArray dialogs;
  for (const QWidget* top : QApplication::topLevelWidgets())
    if (top != &window && top->isVisible())
      dialogs.append(
          QJsonObject{{Name("name"), top->objectName()}, {Name("title"), top->windowTitle()}});
  return dialogs;
}

// The contexts that commands ask about: "document-open", "ghost-shown".
QJsonArray contextsOf(const QMainWindow& window) {
  QJsonArray names;
  const Contexts& contexts = *window.findChild<CommandRegistry*>()->contexts();
  for (int i = 0; i < kContextCount; ++i)
    if (const auto context = static_cast<Context>(i); contexts.is(context))
      names.append(contextName(context));
  return names;
}

QJsonObject focusJson() {
  QWidget* widget = QApplication::focusWidget();
  if (!widget) return {};
  QJsonObject object{{Name("object"), widget->objectName()}};
  if (QAccessibleInterface* element = QAccessible::queryAccessibleInterface(widget)) {
    object.insert(Name("role"), roleName(element->role()));
    object.insert(Name("name"), element->text(QAccessible::Name));
  }
  return object;
}

QJsonValue waferJson(const QMainWindow& window) {
  const auto* wafer = shown<view::WaferView>(window);
  if (!wafer) return QJsonValue::Null;
  return QJsonObject{{Name("has_layout"), wafer->hasLayout()},
                     {Name("machine"), wafer->machineText()},
                     {Name("metric"), view::metricName(wafer->metric())},
                     {Name("badge"), wafer->badgeText()},
                     {Name("readout"), wafer->readoutText()},
                     {Name("paused"), wafer->isPaused()},
                     {Name("wave"), wafer->isWave()},
                     {Name("pixels_per_core"), wafer->pixelsPerCore()}};
}

QJsonObject messageJson(const pairing::Message& message) {
  QJsonObject object{{Name("author"), pairing::nameOf(message.author)},
                     {Name("state"), pairing::nameOf(message.state)},
                     {Name("text"), message.text}};
  QJsonArray context, passages;
  for (const pairing::ContextItem& item : message.context)
    context.append(QJsonObject{
        {Name("name"), item.name}, {Name("sent"), item.isSent()}, {Name("why"), item.why}});
  for (const pairing::FoundPassage& passage : message.passages)
    passages.append(QJsonObject{{Name("path"), passage.path}, {Name("line"), passage.firstLine}});
  if (!context.isEmpty()) object.insert(Name("context"), context);
  if (!passages.isEmpty()) object.insert(Name("passages"), passages);
  putIfSet(object, "problem", message.problem.message());
  return object;
}

// The Ask panel, also while it is hidden.
QJsonValue askJson(const QMainWindow& window) {
  const auto* ask = window.findChild<AskPanel*>();
  if (!ask || !ask->thread()) return QJsonValue::Null;
  QJsonArray messages;
  for (const pairing::Message& message : ask->thread()->messages)
    messages.append(messageJson(message));
  const pairing::ContextUse& use = ask->meter()->use();
  QJsonObject object{{Name("shown"), ask->isVisible()},
                     {Name("thread"), ask->thread()->title},
                     {Name("messages"), messages},
                     {Name("running"), ask->isRunning()},
                     {Name("input"), ask->input()->toPlainText()},
                     {Name("offered"), QJsonArray::fromStringList(ask->input()->offered())},
                     {Name("model"), ask->modelText()},
                     {Name("context_estimated"),
                      QJsonObject{{Name("used"), use.used()}, {Name("limit"), use.limit}}}};
  putIfSet(object, "note", ask->noteText());
  if (!ask->transcript()->summary()->isHidden())
    object.insert(Name("summary"), ask->transcript()->summary()->text());
  if (ask->agentQuestion()->question() != 0)
    object.insert(Name("agent_asks"), ask->agentQuestion()->text());
  return object;
}

// The terminal used last, also while it is hidden.
QJsonValue terminalJson(const QMainWindow& window) {
  const auto* panel = window.findChild<TerminalPanel*>();
  const TerminalView* view = panel ? panel->current() : nullptr;
  if (!view) return QJsonValue::Null;
  const workbench::TerminalScreen& screen = view->session()->screen();
  QJsonObject object{
      {Name("shown"), view->isVisible()},        {Name("count"), panel->views().size()},
      {Name("title"), view->session()->title()}, {Name("folder"), view->session()->folder()},
      {Name("text"), view->visibleText()},       {Name("running"), view->session()->isRunning()}};
  putIfSet(object, "program", view->session()->foreground());
  const workbench::ShellCommand* command = screen.command(screen.lastCommand());
  if (command && command->status) object.insert(Name("status"), *command->status);
  return object;
}

QJsonObject modelJson(const RuntimeService* runtime) {
  if (!runtime) return {{Name("state"), Name("none")}};
  QJsonObject object{{Name("state"), word(runtime->state())},
                     {Name("text"), runtime->stateText()},
                     {Name("file"), runtime->modelPath()}};
  putIfSet(object, "name", runtime->modelName());
  putIfSet(object, "problem", runtime->problem().message());
  if (const auto& shadow = runtime->shadow()->shown()) object.insert(Name("shadow"), shadow->model);
  putIfSet(object, "recording", runtime->trace()->file());
  return object;
}

}  // namespace

QJsonObject figuresJson(const RuntimeFigures& figures) {
  QJsonObject host, context;
  putIfSet(host, "first_token_ms", figures.firstTokenHostMs);
  putIfSet(host, "tokens_per_second", figures.hostTokensPerSecond);
  QJsonObject wafer{{Name("machine"), figures.machine},
                    {Name("profile"), figures.profile},
                    {Name("clock_hz"), figures.clockHz}};
  putIfSet(wafer, "shadow", figures.shadow);
  putIfSet(wafer, "first_token_ms", figures.firstTokenWaferMs);
  putIfSet(wafer, "tokens_per_second", figures.waferTokensPerSecond);
  putIfSet(context, "used", figures.contextUsed);
  putIfSet(context, "limit", figures.contextLimit);
  return {{Name("host"), host}, {Name("wafer"), wafer}, {Name("context"), context}};
}

QJsonObject documentJson(const Document& document, bool withText) {
  const editor::CodeEditor& editor = *document.editor();
  const QByteArray text = editor.text();
  QJsonObject object{
      {Name("title"), document.title()},
      {Name("path"), document.path()},
      {Name("modified"), document.isModified()},
      {Name("language"), editor.language()},
      {Name("version"), editor.version()},
      {Name("bytes"), text.size()},
      {Name("lines"), editor.lineCount()},
      {Name("sha256"),
       QString::fromLatin1(QCryptographicHash::hash(text, QCryptographicHash::Sha256).toHex())},
      {Name("carets"), caretsOf(editor)},
      {Name("selected"), QString::fromUtf8(editor.selectedText())},
      {Name("ghost"), ghostJson(*editor.ghost())},
      {Name("hunks"), hunksJson(*document.hunks())},
      {Name("banners"), bannersOf(document.banners())}};
  if (const editor::SuggestionController* suggestions = document.suggestions()) {
    object.insert(Name("suggestions"), word(suggestions->state()));
    putIfSet(object, "silent_because", suggestions->reason());
  }
  if (withText) object.insert(Name("text"), QString::fromUtf8(text));
  return object;
}

QJsonArray panesJson(const EditorTabs& tabs, const QMainWindow& window) {
  QJsonArray panes;
  const QList<Document*> all = tabs.documents();
  for (const Pane* pane : tabs.tree()->panes()) {
    QJsonArray indices;
    QJsonValue front = QJsonValue::Null;
    for (Document* document : pane->documents()) {
      indices.append(all.indexOf(document));
      if (document == pane->current()) front = indices.last();
    }
    const QPoint at = pane->mapTo(&window, QPoint());
    panes.append(QJsonObject{{Name("tabs"), indices},
                             {Name("front"), front},
                             {Name("active"), pane == tabs.activePane()},
                             {Name("x"), at.x()},
                             {Name("y"), at.y()},
                             {Name("width"), pane->width()},
                             {Name("height"), pane->height()}});
  }
  return panes;
}

QJsonObject programState(const QMainWindow& window, const RuntimeService* runtime, bool withTexts) {
  const auto* tabs = window.findChild<EditorTabs*>();
  const auto* workspace = window.findChild<Workspace*>();
  QJsonArray documents;
  QJsonValue current = QJsonValue::Null;
  for (const Document* document : tabs ? tabs->documents() : QList<Document*>()) {
    documents.append(documentJson(*document, withTexts));
    if (document == tabs->current()) current = documents.last();
  }
  QJsonObject state{{Name("window"), QJsonObject{{Name("title"), window.windowTitle()},
                                                 {Name("active"), window.isActiveWindow()},
                                                 {Name("width"), window.width()},
                                                 {Name("height"), window.height()}}},
                    {Name("folder"), workspace ? workspace->folder() : QString()},
                    {Name("folders"),
                     QJsonArray::fromStringList(workspace ? workspace->folders() : QStringList())},
                    {Name("panes"), tabs ? panesJson(*tabs, window) : QJsonArray()},
                    {Name("documents"), documents},
                    {Name("document"), current},
                    {Name("focus"), focusJson()},
                    {Name("contexts"), contextsOf(window)},
                    {Name("panels"), panelsOf(window)},
                    {Name("overlay"), overlayOf(window)},
                    {Name("dialogs"), dialogsOf(window)},
                    {Name("notices"), bannersOf(window.findChild<BannerStack*>(Name("notices")))},
                    {Name("status"), statusOf(window)},
                    {Name("ask"), askJson(window)},
                    {Name("terminal"), terminalJson(window)},
                    {Name("wafer"), waferJson(window)},
                    {Name("model"), modelJson(runtime)}};
  if (runtime) state.insert(Name("figures"), figuresJson(runtime->figures()));
  return state;
}

QJsonValue valueAt(const QJsonValue& root, const QString& pointer) {
  if (pointer.isEmpty()) return root;
  if (!pointer.startsWith(u'/')) return QJsonValue::Undefined;
  QJsonValue value = root;
  for (QString key : pointer.mid(1).split(u'/')) {
    key.replace(Name("~1"), Name("/")).replace(Name("~0"), Name("~"));
    if (value.isArray()) {
      bool isNumber = false;
      const int index = key.toInt(&isNumber);
      value = isNumber && index >= 0 ? value.toArray().at(index) : QJsonValue::Undefined;
    } else {
      value = value.toObject().value(key);
    }
  }
  return value;
}

}  // namespace waferpair::gui
