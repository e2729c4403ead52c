// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/client/model_gate.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QPointer>
#include <QThreadPool>
#include <QUrl>
#include <algorithm>
#include <utility>

#include "editor/text/path_bytes.h"
#include "editor/text/size_text.h"
#include "editor/text/watch_limit.h"
#include "runtime/exclusions/link_names.h"
#include "runtime/exclusions/secret_text.h"

namespace waferpair::gui {
namespace {

// Some 2,000 lines take a millisecond or two.
constexpr std::size_t kReadAtOnce = 64 << 10;
constexpr int kPollMs = 2'000;

QString fromNative(const std::string& path) {
  return editor::pathText(QByteArray::fromStdString(path));
}

QString rulesIn(const QString& folder) {
  return (folder == QLatin1String("/") ? QString() : folder) + u'/' +
         QLatin1String(exclusions::kIgnoreFile.data());
}

}  // namespace

ModelGate::ModelGate(QObject* parent) : QObject(parent), exclusions_({}, kReadAtOnce) {
  poll_.setInterval(kPollMs);
  connect(&poll_, &QTimer::timeout, this, [this] {
    for (const QString& folder : folders_.keys()) look(folder, true);
  });
  connect(&watcher_, &QFileSystemWatcher::directoryChanged, this,
          [this](const QString& folder) { look(folder, true); });
  connect(&watcher_, &QFileSystemWatcher::fileChanged, this,
          [this](const QString& file) { look(QFileInfo(file).path(), false); });
}

void ModelGate::setProject(const QString& root) {
  exclusions_ = exclusions::Exclusions(native(root), kReadAtOnce);
}

QString ModelGate::reason(const QString& path) {
  const QString reason = QString::fromStdString(exclusions_.reason(native(path)));
  if (!reason.isEmpty()) readLongRules();
  return reason;
}

QString ModelGate::reasonOfText(QByteArrayView utf8) {
  return QString::fromStdString(
      exclusions::reasonOfText({utf8.data(), static_cast<std::size_t>(utf8.size())}));
}

void ModelGate::watch(const QString& path) {
  const std::string file = editor::nativePath(path);
  QStringList folders;
  for (const std::string& each : exclusions_.foldersOf(file)) folders.append(fromNative(each));
  if (folders == watched_.value(path)) return;
  forget(path);
  watched_.insert(path, folders);
  for (const QString& name : folders) {
    const bool isNew = !folders_.contains(name);
    Folder& folder = folders_[name];
    folder.below.insert(path);
    if (!isNew) continue;
    folder.rules = exclusions::FileStamp::of(editor::nativePath(rulesIn(name)));
    addToWatcher(name);
    if (folder.rules.exists) addToWatcher(rulesIn(name));
  }
  for (const std::string& name : exclusions::namesOf(file))
    folders_[QFileInfo(fromNative(name)).path()].files.insert(path);
}

void ModelGate::forget(const QString& path) {
  const QStringList folders = watched_.take(path);
  for (const QString& name : folders) {
    const auto folder = folders_.find(name);
    if (folder == folders_.end()) continue;
    folder->files.remove(path);
    folder->below.remove(path);
    if (!folder->below.isEmpty()) continue;
    watcher_.removePaths({name, rulesIn(name)});
    folders_.erase(folder);
  }
}

void ModelGate::addToWatcher(const QString& path) {
  if (watcher_.addPath(path) || !QFileInfo::exists(path)) return;
  if (watcher_.files().contains(path) || watcher_.directories().contains(path)) return;
  editor::WatchLimit::instance().meet();
  poll_.start();
}

// Asks again about the files that a change in `folder` by another program may concern: those in it
// (they can be links now), and for its rules all below it.
void ModelGate::look(const QString& name, bool entriesChanged) {
  if (!folders_.contains(name)) return;
  Folder& folder = folders_[name];
  const exclusions::FileStamp rules = exclusions::FileStamp::of(editor::nativePath(rulesIn(name)));
  const bool otherRules = !(rules == folder.rules);
  const QFileInfo info(name);
  const bool otherFolder = !info.isDir() || info.isSymLink();
  QSet<QString> concerned;
  if (entriesChanged) concerned = folder.files;
  if (otherRules || otherFolder) concerned = folder.below;
  folder.rules = rules;
  // A file of rules that was replaced is no longer watched.
  if (rules.exists && !watcher_.files().contains(rulesIn(name))) addToWatcher(rulesIn(name));
  if (info.isDir() && !watcher_.directories().contains(name)) addToWatcher(name);
  if (!concerned.isEmpty()) Q_EMIT askAgain(concerned.values());
  if (otherRules) Q_EMIT rulesChanged();
}

void ModelGate::readLongRules() {
  for (const std::string& file : exclusions_.unread()) {
    const QString name = fromNative(file);
    if (beingRead_.contains(name)) continue;
    beingRead_.insert(name);
    // The thread knows nothing of this object but through the guarded pointer, used on the UI
    // thread.
    QThreadPool::globalInstance()->start([self = QPointer<ModelGate>(this), file, name] {
      exclusions::ReadRules rules = exclusions::readRules(file);
      QMetaObject::invokeMethod(
          QCoreApplication::instance(),
          [self, file, name, rules = std::move(rules)] {
            if (!self) return;
            self->beingRead_.remove(name);
            self->exclusions_.take(file, rules);
            const auto folder = self->folders_.constFind(QFileInfo(name).path());
            if (folder != self->folders_.cend()) Q_EMIT self->askAgain(folder->below.values());
            Q_EMIT self->rulesChanged();
          },
          Qt::QueuedConnection);
    });
  }
}

}  // namespace waferpair::gui
