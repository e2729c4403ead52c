// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/project/file_index.h"

#include <QCoreApplication>
#include <QDir>
#include <QPointer>
#include <QThreadPool>
#include <algorithm>

#include "editor/text/folder_entries.h"
#include "editor/text/path_bytes.h"
#include "runtime/exclusions/git_rules.h"

namespace waferpair::gui {
namespace {

struct Walk {
  QString root;
  qsizetype most;
  const std::atomic<bool>& cancelled;
  QStringList files;

  bool isOver() const { return files.size() >= most || cancelled; }

  // What is neither a file nor a folder (a pipe, a link that leads nowhere) is none of them.
  void enter(const QString& folder, const exclusions::RuleChain& above) {
    if (isOver()) return;
    const QString path = folder.isEmpty() ? root : root + u'/' + folder;
    const std::string here = editor::nativePath(path);
    const exclusions::RuleChain rules = exclusions::gitRulesIn(above, here);
    QStringList inner;
    using Kind = editor::FolderEntry::Kind;
    editor::eachEntryOf(editor::pathBytes(path), [&](const editor::FolderEntry& entry) {
      // git takes a link to a folder for a file.
      const bool isFolder = entry.kind() == Kind::kFolder;
      const QByteArray name = entry.name();
      const bool isMeant = isFolder || entry.kindBehind() == Kind::kFile;
      if (isMeant && !exclusions::isNoise(rules, here + '/' + name.toStdString(), isFolder)) {
        const QString text = editor::pathText(name);
        (isFolder ? inner : files).append(folder.isEmpty() ? text : folder + u'/' + text);
      }
      return !isOver();
    });
    for (const QString& each : std::as_const(inner)) enter(each, rules);
  }
};

}  // namespace

QStringList listProjectFiles(const QString& folder, qsizetype most,
                             const std::atomic<bool>& cancelled) {
  const QString root = QDir::cleanPath(QDir(folder).absolutePath());
  Walk walk{root, most, cancelled, {}};
  walk.enter({}, exclusions::gitRulesAbove(editor::nativePath(root)));
  std::sort(walk.files.begin(), walk.files.end());
  return walk.files;
}

FileIndex::FileIndex(QObject* parent) : QObject(parent) {}

FileIndex::~FileIndex() {
  if (cancelled_) *cancelled_ = true;
}

void FileIndex::setFolders(const QStringList& folders) {
  if (cancelled_) *cancelled_ = true;
  folders_ = folders;
  all_.removeIf([&](const auto& known) { return !folders.contains(known.key()); });
  folder_ = folders_.value(0);
  files_ = all_.value(folder_);
  reading_ = false;
  Q_EMIT changed();
  refresh();
}

void FileIndex::refresh() {
  if (reading_ || folders_.isEmpty()) return;
  reading_ = true;
  cancelled_ = std::make_shared<std::atomic<bool>>(false);
  // The thread knows nothing of this object but through the guarded pointer, used on the UI thread.
  QThreadPool::globalInstance()->start(
      [self = QPointer<FileIndex>(this), folders = folders_, cancelled = cancelled_] {
        QHash<QString, QStringList> all;
        qsizetype most = kMostFiles;
        for (const QString& folder : folders) {
          all[folder] = listProjectFiles(folder, most, *cancelled);
          most -= all[folder].size();
        }
        QMetaObject::invokeMethod(
            QCoreApplication::instance(),
            [self, cancelled, all = std::move(all)] {
              if (!self || *cancelled) return;
              self->reading_ = false;
              self->all_ = all;
              self->files_ = all.value(self->folder_);
              Q_EMIT self->changed();
            },
            Qt::QueuedConnection);
      });
}

bool FileIndex::atLimit() const {
  qsizetype count = 0;
  for (const QStringList& files : all_) count += files.size();
  return count >= kMostFiles;
}

QString FileIndex::busyWith() const {
  return isReading() ? QStringLiteral("reading the folder") : QString();
}

}  // namespace waferpair::gui
