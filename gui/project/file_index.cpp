// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/project/file_index.h"

#include <QCoreApplication>
#include <QDir>
#include <QDirIterator>
#include <QPointer>
#include <QThreadPool>
#include <algorithm>

#include "runtime/exclusions/git_rules.h"

namespace waferpair::gui {
namespace {

struct Walk {
  QString root;  // with a trailing slash
  qsizetype most;
  const std::atomic<bool>& cancelled;
  QStringList files;

  void enter(const QString& folder, const exclusions::RuleChain& above) {
    const std::string here = QFile::encodeName(QDir::cleanPath(root + folder)).toStdString();
    const exclusions::RuleChain rules = exclusions::gitRulesIn(above, here);
    const QString prefix = folder.isEmpty() ? QString() : folder + u'/';
    QStringList inner;
    QDirIterator entries(root + folder,
                         QDir::Files | QDir::Dirs | QDir::Hidden | QDir::NoDotAndDotDot);
    while (entries.hasNext() && files.size() < most && !cancelled) {
      entries.next();
      const QFileInfo info = entries.fileInfo();
      // git takes a link to a folder for a file.
      const bool isFolder = info.isDir();
      const QByteArray name = QFile::encodeName(info.fileName());
      if (exclusions::isNoise(rules, here + '/' + name.toStdString(),
                              isFolder && !info.isSymLink()))
        continue;
      const QString path = prefix + info.fileName();
      if (!isFolder) {
        files.append(path);
      } else if (!info.isSymLink()) {
        inner.append(path);
      }
    }
    for (const QString& path : std::as_const(inner)) {
      if (files.size() >= most || cancelled) return;
      enter(path, rules);
    }
  }
};

}  // namespace

QStringList listProjectFiles(const QString& folder, qsizetype most,
                             const std::atomic<bool>& cancelled) {
  Walk walk{QDir(folder).absolutePath() + u'/', most, cancelled, {}};
  const QByteArray root = QFile::encodeName(QDir::cleanPath(QDir(folder).absolutePath()));
  walk.enter({}, exclusions::gitRulesAbove(root.toStdString()));
  std::sort(walk.files.begin(), walk.files.end());
  return walk.files;
}

FileIndex::FileIndex(QObject* parent) : QObject(parent) {}

FileIndex::~FileIndex() {
  if (cancelled_) *cancelled_ = true;
}

void FileIndex::setFolder(const QString& folder) {
  if (cancelled_) *cancelled_ = true;
  folder_ = folder;
  files_.clear();
  reading_ = false;
  Q_EMIT changed();
  refresh();
}

void FileIndex::refresh() {
  if (reading_ || folder_.isEmpty()) return;
  reading_ = true;
  cancelled_ = std::make_shared<std::atomic<bool>>(false);
  // The thread knows nothing of this object but through the guarded pointer, used on the UI thread.
  QThreadPool::globalInstance()->start(
      [self = QPointer<FileIndex>(this), folder = folder_, cancelled = cancelled_] {
        QStringList files = listProjectFiles(folder, kMostFiles, *cancelled);
        QMetaObject::invokeMethod(
            QCoreApplication::instance(),
            [self, cancelled, files = std::move(files)] {
              if (!self || *cancelled) return;
              self->reading_ = false;
              self->files_ = files;
              Q_EMIT self->changed();
            },
            Qt::QueuedConnection);
      });
}

}  // namespace waferpair::gui
