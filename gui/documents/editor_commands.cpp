// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/documents/editor_commands.h"

#include <utility>

#include "gui/documents/editor_tabs.h"
#include "gui/kit/command_registry.h"

namespace waferpair::gui {
namespace {

using editor::ActionGroup;
using editor::ActionNeeds;
using editor::EditorAction;

QString idOf(const EditorAction& action) {
  return QStringLiteral("editor.") + QLatin1String(action.id);
}

bool needsGhost(const EditorAction& action) {
  return action.needs == ActionNeeds::kSuggestion || action.needs == ActionNeeds::kSuggestionOnTop;
}

MenuPlace placeOf(ActionGroup group) {
  switch (group) {
    case ActionGroup::kSuggestion:
      return {"model", 2};
    case ActionGroup::kList:
      return {};
    case ActionGroup::kLines:
      return {"edit/lines"};
    case ActionGroup::kCarets:
      return {"edit/carets"};
    case ActionGroup::kFolds:
      return {"view/folds"};
    case ActionGroup::kBookmarks:
      return {"go", 3};
    case ActionGroup::kView:
      return {"view", 4};
  }
  return {};
}

}  // namespace

EditorCommands::EditorCommands(CommandRegistry* commands, QObject* parent)
    : QObject(parent), commands_(commands) {
  connect(commands_, &CommandRegistry::activeKeysChanged, this, &EditorCommands::takeKeys);
}

void EditorCommands::add(EditorTabs* tabs, bool suggestions) {
  for (const EditorAction& action : editor::editorActions()) {
    When when = Context::kDocumentOpen;
    When keysWhen = Context::kEditorFocused;
    if (needsGhost(action)) {
      when = when && Context::kGhostShown;
      keysWhen = keysWhen && Context::kGhostShown;
    }
    if (action.needs == ActionNeeds::kSuggestionOnTop) {
      when = when && !Context::kListOnTop;
      keysWhen = keysWhen && !Context::kListOnTop;
    }
    if (action.needs == ActionNeeds::kList || action.needs == ActionNeeds::kListOnTop) {
      const Context list =
          action.needs == ActionNeeds::kList ? Context::kListShown : Context::kListOnTop;
      when = when && list;
      keysWhen = keysWhen && list;
    }
    if (action.needs == ActionNeeds::kSnippet) {
      const When nearest = Context::kInSnippet && !Context::kGhostShown && !Context::kListOnTop;
      when = when && nearest;
      keysWhen = keysWhen && nearest;
    }
    if (action.needs == ActionNeeds::kNextEdit) {
      const When offered = Context::kNextEditOffered && !Context::kGhostShown &&
                           !Context::kListOnTop && !Context::kInSnippet;
      when = when && offered;
      keysWhen = keysWhen && offered;
    }
    const QString text = tr(action.text);
    Command command{.id = idOf(action),
                    .category = tr("Editor"),
                    .text = text,
                    .help = text + u'.',
                    .keys = keys_.keys(action),
                    .when = when,
                    .keysWhen = keysWhen,
                    .keysGoTo = KeysGoTo::kOwner,
                    .run = [tabs, &action] { tabs->current()->editor()->perform(action); }};
    const bool isInMenus = action.group != ActionGroup::kList &&
                           (suggestions || action.group != ActionGroup::kSuggestion);
    if (isInMenus) command.places = {placeOf(action.group)};
    commands_->add(std::move(command));
  }
}

void EditorCommands::takeKeys() {
  const editor::KeyTable before = keys_;
  for (const EditorAction& action : editor::editorActions()) {
    keys_.setKeys(action, commands_->activeKeys(idOf(action)));
  }
  if (!(keys_ == before)) Q_EMIT keysChanged();
}

}  // namespace waferpair::gui
