// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/project/workspace.h"

#include <unistd.h>

#include <QDir>
#include <QPointer>
#include <utility>

#include "editor/text/path_bytes.h"
#include "editor/text/path_on_disk.h"
#include "gui/documents/attention.h"
#include "gui/documents/editor_tabs.h"
#include "gui/documents/file_bookmarks.h"
#include "gui/documents/places.h"
#include "gui/project/session_layout.h"

namespace waferpair::gui {

Workspace::Workspace(EditorTabs* tabs, const QString& stateDirectory, QObject* parent, int window)
    : QObject(parent), tabs_(tabs), store_(stateDirectory, window) {
  recent_ = store_.recentFolders();
}

QString Workspace::name() const {
  const QString last = QDir(folder_).dirName();
  return last.isEmpty() ? folder_ : editor::shownPath(last);
}

void Workspace::report(const QString& text) {
  if (!text.isEmpty()) Q_EMIT problem(text);
}

bool Workspace::mayOpen(const QString& folder) {
  if (editor::isFolderAt(folder) && ::access(editor::pathBytes(folder).constData(), R_OK) == 0)
    return true;
  report(tr("%1 can't be opened: there is no such folder, or it may not be read.")
             .arg(editor::shownPath(folder)));
  return false;
}

bool Workspace::open(const QString& folder, bool restore) {
  if (!mayOpen(folder)) return false;
  endRestoring();
  folder_ = editor::realPath(folder);
  report(store_.remember(folder_));
  report(store_.setLastFolder(folder_));
  recent_ = store_.recentFolders();
  Q_EMIT folderChanged(folder_);
  Q_EMIT recentChanged();
  if (restore) restoreSession();
  return true;
}

void Workspace::closeFolder() {
  endRestoring();
  folder_.clear();
  report(store_.setLastFolder({}));
  Q_EMIT folderChanged(folder_);
}

void Workspace::restoreSession() {
  QString wrong;
  const Session session = store_.load(folder_, &wrong);
  if (!wrong.isEmpty()) report(wrong + tr(" What was open last time is not known."));
  tools_ = session.tools;
  Q_EMIT sessionRestored();
  tabs_->bookmarks()->setClosed(session.bookmarks);
  QStringList paths;
  for (const SessionFile& file : session.files) paths.append(file.path);
  isRestoring_ = true;
  tabs_->readBeforehand(
      paths, [self = QPointer(this), session, number = ++sessions_, attention = Attention(tabs_)] {
        // The folder may be another one by now.
        if (!self || self->sessions_ != number) return;
        self->reopen(session, attention);
        self->endRestoring();
      });
}

void Workspace::whenRestored(const std::function<void()>& call) {
  if (!isRestoring_) return call();
  whenRestored_.push_back(call);
}

// Where large files of it are still read, the session does not come any more.
void Workspace::endRestoring() {
  isRestoring_ = false;
  ++sessions_;
  for (const auto& call : std::exchange(whenRestored_, {})) call();
}

void Workspace::reopen(const Session& session, const Attention& attention) {
  const bool isOnSameText = attention.isOnSameText(), isKept = attention.isKept();
  const QPointer<Document> front = tabs_->current();
  Document* active = nullptr;
  QList<Document*> documents(session.files.size(), nullptr);
  for (int i = 0; i < session.files.size(); ++i) {
    const SessionFile& file = session.files[i];
    // Gone since then: nothing to bother anybody with.
    if (!editor::isFileAt(file.path)) continue;
    Document* document = tabs_->openFile(file.path, isKept);
    if (!document) continue;
    editor::CodeEditor* editor = document->editor();
    editor->goToLine(file.line, file.column);
    editor::ViewState view = editor->viewState();
    view.firstLine = file.firstLine;
    view.folded = file.folded;
    editor->setViewState(view);
    documents[i] = document;
    if (i == session.active) active = document;
  }
  restorePanes(tabs_, session.panes, documents);
  if (!isOnSameText && front) {
    tabs_->setCurrent(front);
  } else if (active) {
    tabs_->setCurrent(active);
    if (isKept) active->setFocus();
  }
  tabs_->places()->forget();
}

Session Workspace::session() const {
  Session session;
  session.folder = folder_;
  session.bookmarks = tabs_->bookmarks()->all();
  QList<const Document*> files;
  for (const Document* document : tabs_->documents()) {
    if (document->path().isEmpty()) continue;
    files.append(document);
    if (document == tabs_->current()) session.active = static_cast<int>(session.files.size());
    const editor::CodeEditor* editor = document->editor();
    const editor::ViewState view = editor->viewState();
    session.files.append({document->path(), editor->caretLine(), editor->caretColumn(),
                          view.firstLine, view.folded});
  }
  session.panes = sessionPanes(*tabs_, files);
  session.tools = tools_;
  return session;
}

void Workspace::keep(const QString& tool, const QJsonObject& what) {
  if (tools_.value(tool) == what) return;
  tools_[tool] = what;
  Q_EMIT keptChanged();
}

void Workspace::forgetRecent(const QString& folder) {
  report(store_.forget(folder));
  recent_ = store_.recentFolders();
  Q_EMIT recentChanged();
}

void Workspace::forgetRecent() {
  report(store_.forgetRecent());
  recent_.clear();
  Q_EMIT recentChanged();
}

}  // namespace waferpair::gui
