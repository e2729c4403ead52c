// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/project/workspace.h"

#include <unistd.h>

#include <QPointer>
#include <algorithm>
#include <utility>

#include "editor/text/path_bytes.h"
#include "editor/text/path_on_disk.h"
#include "gui/documents/attention.h"
#include "gui/documents/editor_tabs.h"
#include "gui/documents/file_bookmarks.h"
#include "gui/documents/places.h"
#include "gui/project/folder_names.h"
#include "gui/project/session_layout.h"

namespace waferpair::gui {

Workspace::Workspace(EditorTabs* tabs, const QString& stateDirectory, QObject* parent, int window)
    : QObject(parent), tabs_(tabs), store_(stateDirectory, window) {
  recent_ = store_.recentFolders();
  connect(tabs_, &EditorTabs::currentChanged, this, &Workspace::lookAtFront);
  connect(tabs_, &EditorTabs::opened, this, [this](Document* document) {
    // Its path may be another.
    connect(document, &Document::titleChanged, this, &Workspace::lookAtFront);
  });
}

QString Workspace::name() const {
  QStringList names;
  for (const QString& label : folderLabels(folders_)) names.append(editor::shownPath(label));
  return names.join(QStringLiteral(", "));
}

QString Workspace::folderOf(const QString& path) const {
  for (const QString& folder : folders_)
    if (path == folder || isBelowFolder(path, folder)) return folder;
  return {};
}

// A text without a file, or one from elsewhere, is looked at on the way: the folder stays.
void Workspace::lookAtFront() {
  const Document* front = tabs_->current();
  QString folder = front ? folderOf(front->path()) : QString();
  if (folder.isEmpty()) folder = folders_.contains(front_) ? front_ : folder_;
  if (std::exchange(front_, folder) != folder) Q_EMIT frontFolderChanged(folder);
}

void Workspace::setFolders(const QStringList& folders) {
  const bool isOther = folders_ != folders;
  folders_ = folders;
  std::vector<std::string> native;
  for (const QString& folder : folders_) native.push_back(editor::nativePath(folder));
  gated_.set(native);
  const bool isOtherFirst = std::exchange(folder_, folders_.value(0)) != folders_.value(0);
  if (isOtherFirst) Q_EMIT folderChanged(folder_);
  if (isOther) Q_EMIT foldersChanged(folders_);
  lookAtFront();
}

// As a session has them: some may be gone, and none stands for another.
QStringList Workspace::withOthers(const QString& first, const QStringList& others) const {
  QStringList all{first};
  for (const QString& other : others) {
    const bool isApart = std::none_of(all.cbegin(), all.cend(), [&](const QString& folder) {
      return other == folder || isBelowFolder(other, folder) || isBelowFolder(folder, other);
    });
    if (other.startsWith(u'/') && isApart && all.size() < kMostFolders) all.append(other);
  }
  return all;
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

bool Workspace::open(const QString& folder, bool restores) {
  if (!mayOpen(folder)) return false;
  endRestoring();
  const QString first = editor::realPath(folder);
  report(store_.remember(first));
  report(store_.setLastFolder(first));
  recent_ = store_.recentFolders();
  QString wrong;
  const Session session = restores ? store_.load(first, &wrong) : Session();
  const bool isSame = first == folder_;
  setFolders(withOthers(first, session.others));
  if (isSame) {
    Q_EMIT folderChanged(folder_);
    Q_EMIT foldersChanged(folders_);
  }
  Q_EMIT recentChanged();
  if (restores) restore(session, wrong);
  return true;
}

QString Workspace::add(const QString& folder) {
  if (!editor::isFolderAt(folder) || ::access(editor::pathBytes(folder).constData(), R_OK) != 0)
    return tr("%1 can't be added: there is no such folder, or it may not be read.")
        .arg(editor::shownPath(folder));
  const QString path = editor::realPath(folder);
  for (const QString& each : std::as_const(folders_)) {
    if (path == each) return tr("%1 is in this window already.").arg(editor::shownPath(path));
    if (isBelowFolder(path, each))
      return tr("%1 is in this window already: it lies in %2.")
          .arg(editor::shownPath(path), editor::shownPath(each));
    if (isBelowFolder(each, path))
      return tr("%1 can't be added: %2, which is in this window, lies in it. Remove that first, or "
                "open the outer folder by itself.")
          .arg(editor::shownPath(path), editor::shownPath(each));
  }
  if (folders_.size() >= kMostFolders)
    return tr("A window has %1 folders at most.").arg(kMostFolders);
  setFolders(folders_ + QStringList{path});
  return {};
}

void Workspace::remove(const QString& folder) {
  QStringList left = folders_;
  if (left.removeAll(folder) == 0 || left.isEmpty()) return;
  if (folder == folder_) {
    // Opened again, it comes by itself; what is remembered from here on is of the next one.
    endRestoring();
    Session alone = session();
    alone.others.clear();
    report(store_.save(alone));
    report(store_.remember(left.constFirst()));
    report(store_.setLastFolder(left.constFirst()));
    recent_ = store_.recentFolders();
    Q_EMIT recentChanged();
  }
  setFolders(left);
}

void Workspace::closeFolder() {
  endRestoring();
  report(store_.setLastFolder({}));
  const bool isSame = folder_.isEmpty();
  setFolders({});
  if (isSame) Q_EMIT folderChanged(folder_);
}

void Workspace::restoreSession() {
  QString wrong;
  const Session session = store_.load(folder_, &wrong);
  restore(session, wrong);
}

void Workspace::restore(const Session& session, const QString& wrong) {
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
  session.others = folders_.mid(1);
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
