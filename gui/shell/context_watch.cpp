// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/shell/context_watch.h"

#include <QApplication>

#include "editor/widget/ghost_text.h"
#include "gui/client/runtime_service.h"
#include "gui/documents/editor_tabs.h"
#include "gui/kit/contexts.h"
#include "gui/project/folder_tree.h"
#include "gui/project/workspace.h"
#include "gui/wafer/wafer_dock.h"

namespace waferpair::gui {

using editor::GhostText;

ContextWatch::ContextWatch(Contexts* contexts, const Parts& parts)
    : contexts_(contexts), p_(parts) {
  connect(p_.tabs, &EditorTabs::currentChanged, this, &ContextWatch::watch);
  connect(p_.workspace, &Workspace::folderChanged, this, [this](const QString& folder) {
    contexts_->set(Context::kFolderOpen, !folder.isEmpty());
  });
  connect(qApp, &QApplication::focusChanged, this, &ContextWatch::lookAtFocus);
  if (p_.runtime) {
    connect(p_.runtime, &RuntimeService::stateChanged, this, [this] {
      contexts_->set(Context::kModelReady, p_.runtime->state() == RuntimeService::State::kReady);
    });
    connect(p_.runtime->trace(), &TraceControl::changed, this, [this] {
      contexts_->set(Context::kRecording, !p_.runtime->trace()->file().isEmpty());
    });
  }
  if (p_.wafer) {
    connect(p_.wafer, &WaferDock::replayChanged, this,
            [this] { contexts_->set(Context::kReplaying, p_.wafer->replay() != nullptr); });
  }
}

void ContextWatch::watch(Document* document) {
  if (ghost_) ghost_->disconnect(this);
  ghost_ = document ? document->editor()->ghost() : nullptr;
  if (ghost_) {
    connect(ghost_, &GhostText::changed, this, &ContextWatch::lookAtGhost);
    connect(ghost_, &GhostText::cleared, this, &ContextWatch::lookAtGhost);
  }
  contexts_->set(Context::kDocumentOpen, document != nullptr);
  lookAtGhost();
  lookAtFocus();
}

void ContextWatch::lookAtGhost() {
  contexts_->set(Context::kGhostShown, ghost_ && ghost_->isShown());
}

void ContextWatch::lookAtFocus() {
  const QWidget* focus = QApplication::focusWidget();
  const Document* document = p_.tabs->current();
  contexts_->set(Context::kEditorFocused, document && focus == document->editor());
  contexts_->set(Context::kFilesFocused, focus && p_.tree->isAncestorOf(focus));
}

}  // namespace waferpair::gui
