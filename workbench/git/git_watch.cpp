// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/git/git_watch.h"

#include <chrono>
#include <utility>

namespace waferpair::workbench {
namespace {

// What a program writes in one go arrives as many events.
constexpr std::chrono::milliseconds kGitSettle(150);

}  // namespace

GitWatch::GitWatch(QObject* parent) : QObject(parent) {
  thread_.setMaxThreadCount(1);
  soon_.setSingleShot(true);
  soon_.setInterval(kGitSettle);
  connect(&soon_, &QTimer::timeout, this, &GitWatch::read);
  connect(&watch_, &editor::FolderWatch::changed, this, [this] {
    if (!soon_.isActive()) soon_.start();
  });
}

GitWatch::~GitWatch() {
  if (cancelled_) *cancelled_ = true;
  thread_.waitForDone();
}

void GitWatch::setFolder(const QString& folder) {
  if (cancelled_) *cancelled_ = true;
  cancelled_.reset();
  again_ = false;
  soon_.stop();
  folder_ = folder;
  status_.reset();
  problem_ = {};
  Q_EMIT changed();
  read();
}

void GitWatch::refresh() {
  if (!folder_.isEmpty() && !soon_.isActive()) soon_.start();
}

void GitWatch::read() {
  again_ = cancelled_ != nullptr;
  if (again_) return;
  cancelled_ = std::make_shared<std::atomic<bool>>(false);
  // The thread ends before this object does.
  thread_.start([this, folder = folder_, cancelled = cancelled_] {
    editor::Result<std::optional<GitStatus>> read;
    if (!folder.isEmpty()) read = readGitStatus(folder, *cancelled);
    if (*cancelled) return;
    QStringList folders;
    if (read && *read)
      folders = (*read)->watched;
    else if (!folder.isEmpty())
      folders = {folder, folder + QStringLiteral("/.git")};
    // What happened in a folder before it was watched is seen by another look.
    const bool isNew = watch_.setFolders(folders);
    QMetaObject::invokeMethod(
        this,
        [this, cancelled, isNew, read = std::move(read)] {
          if (*cancelled) return;
          again_ = again_ || isNew;
          take(read);
        },
        Qt::QueuedConnection);
  });
}

void GitWatch::take(const editor::Result<std::optional<GitStatus>>& read) {
  cancelled_.reset();
  status_ = read && *read ? std::make_shared<const GitStatus>(**read) : nullptr;
  problem_ = read ? editor::Error() : read.error();
  if (again_) soon_.start();
  Q_EMIT changed();
}

}  // namespace waferpair::workbench
