// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/project/folder_model.h"

#include <QAbstractFileIconProvider>
#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QPointer>
#include <QThreadPool>
#include <algorithm>
#include <utility>

#include "gui/kit/theme.h"
#include "gui/project/file_icons.h"

namespace waferpair::gui {
namespace {

// The model asks for icons on its own thread and the desktop's are of another style: it gets none,
// data() gives ours.
class NoIcons : public QAbstractFileIconProvider {
 public:
  QIcon icon(IconType) const override { return {}; }
  QIcon icon(const QFileInfo&) const override { return {}; }
};

QAbstractFileIconProvider* noIcons() {
  static NoIcons provider;
  return &provider;
}

QString parentOf(const QString& path) {
  return path.left(std::max<qsizetype>(0, path.lastIndexOf(u'/')));
}

}  // namespace

FolderModel::FolderModel(QObject* parent)
    : QSortFilterProxyModel(parent), files_(new QFileSystemModel(this)) {
  files_->setIconProvider(noIcons());
  files_->setOption(QFileSystemModel::DontUseCustomDirectoryIcons);
  files_->setFilter(QDir::AllEntries | QDir::NoDotAndDotDot | QDir::Hidden | QDir::System);
  // The file system model's own order comes some time after the rows. No locale, no numeric order.
  if (QLocale().language() == QLocale::C) order_.setLocale(QLocale(QLocale::English));
  order_.setNumericMode(true);
  order_.setCaseSensitivity(Qt::CaseInsensitive);
  setSourceModel(files_);
  sort(0);
  readSoon_.setSingleShot(true);
  connect(&readSoon_, &QTimer::timeout, this, &FolderModel::readWanted);
  connect(&Theme::instance(), &Theme::changed, this, [this] {
    Q_EMIT dataChanged(index(0, 0), index(0, 0));  // colors; the view repaints itself anyway
  });
}

QModelIndex FolderModel::setFolder(const QString& folder) {
  folder_ = folder;
  prefix_ = folder.endsWith(u'/') ? folder : folder + u'/';
  forgetRules();
  const QModelIndex root = files_->setRootPath(folder);
  invalidateFilter();
  return mapFromSource(root);
}

void FolderModel::setShown(bool hidden, bool ignored) {
  if (hidden == showHidden_ && ignored == showIgnored_) return;
  showHidden_ = hidden;
  showIgnored_ = ignored;
  invalidateFilter();
}

void FolderModel::reloadRules() {
  forgetRules();
  invalidateFilter();
}

QString FolderModel::path(const QModelIndex& index) const {
  return index.isValid() ? files_->filePath(mapToSource(index)) : QString();
}

bool FolderModel::isFolder(const QModelIndex& index) const {
  return index.isValid() && files_->isDir(mapToSource(index));
}

QModelIndex FolderModel::indexOf(const QString& path) const {
  if (folder_.isEmpty() || !path.startsWith(prefix_)) return {};
  return mapFromSource(files_->index(path));
}

QVariant FolderModel::data(const QModelIndex& index, int role) const {
  if (role == Qt::DecorationRole) {
    return isFolder(index) ? folderIcon() : fileIcon(path(index));
  }
  if (role == Qt::ForegroundRole) {
    const QString here = path(index);
    const FileMark mark = markOf(here);
    if (mark.tone != FileMark::Tone::kNone) return mark.color();
    if (isHidden(here) || isIgnored(here, isFolder(index))) {
      return Theme::instance().colors().muted;
    }
    return {};
  }
  if (role == kMarkRole) return markOf(path(index)).letter;
  if (role == Qt::ToolTipRole || role == Qt::AccessibleTextRole) {
    const QString here = path(index);
    const QString text = role == Qt::ToolTipRole ? QDir::toNativeSeparators(here)
                                                 : index.data(Qt::DisplayRole).toString();
    const QString word = markOf(here).word;
    return word.isEmpty() ? text : tr("%1, %2").arg(text, word);
  }
  return QSortFilterProxyModel::data(index, role);
}

FileMark FolderModel::markOf(const QString& path) const {
  return marker_ ? marker_(path) : FileMark();
}

bool FolderModel::isHidden(const QString& path) const {
  return path.mid(path.lastIndexOf(u'/') + 1).startsWith(u'.');
}

void FolderModel::forgetRules() {
  ++generation_;
  rules_.clear();
  wanted_.clear();
}

// Null while they are being read.
const exclusions::RuleChain* FolderModel::rulesIn(const QString& folder) const {
  if (const auto it = rules_.constFind(folder); it != rules_.cend()) return &*it;
  wanted_.insert(folder);
  if (!readSoon_.isActive()) readSoon_.start(0);
  return nullptr;
}

// All folders that were asked for since the last time, by one thread.
void FolderModel::readWanted() {
  // The thread knows nothing of this object but through the guarded pointer, used on the UI thread.
  QThreadPool::globalInstance()->start([self = QPointer<FolderModel>(this),
                                        root = prefix_.chopped(1), folders = wanted_.values(),
                                        known = rules_, generation = generation_]() mutable {
    const auto native = [](const QString& path) { return QFile::encodeName(path).toStdString(); };
    QHash<QString, exclusions::RuleChain> read;
    for (const QString& folder : folders) {
      // Down from the root; most of the way is known.
      QStringList way;
      for (QString each = folder; !known.contains(each); each = parentOf(each)) {
        way.prepend(each);
        if (each.size() <= root.size()) break;
      }
      for (const QString& each : way) {
        const bool isRoot = each.size() <= root.size();
        const exclusions::RuleChain above =
            isRoot ? exclusions::gitRulesAbove(native(root)) : known.value(parentOf(each));
        known.insert(each, *read.insert(each, exclusions::gitRulesIn(above, native(each))));
      }
    }
    QMetaObject::invokeMethod(
        QCoreApplication::instance(),
        [self, generation, read = std::move(read)] {
          if (!self || generation != self->generation_) return;
          for (auto it = read.begin(); it != read.end(); ++it) {
            self->rules_.insert(it.key(), *it);
            self->wanted_.remove(it.key());
          }
          self->invalidateFilter();
        },
        Qt::QueuedConnection);
  });
}

// Unknown yet: it does not show for the moment it takes to know.
bool FolderModel::isIgnored(const QString& path, bool isFolder) const {
  // An empty one: no folder was opened yet.
  if (prefix_.isEmpty() || !path.startsWith(prefix_)) return false;
  const exclusions::RuleChain* rules = rulesIn(parentOf(path));
  return !rules || exclusions::isNoise(*rules, QFile::encodeName(path).toStdString(), isFolder);
}

bool FolderModel::filterAcceptsRow(int row, const QModelIndex& parent) const {
  const QModelIndex source = files_->index(row, 0, parent);
  const QString path = files_->filePath(source);
  // The way down to the folder must stay, or the view has no root.
  if (!path.startsWith(prefix_)) {
    return path == QLatin1String("/") || prefix_.startsWith(path + u'/');
  }
  if (!showHidden_ && isHidden(path)) return false;
  return showIgnored_ || !isIgnored(path, files_->isDir(source));
}

// Folders first; "part 2" before "part 10".
bool FolderModel::lessThan(const QModelIndex& left, const QModelIndex& right) const {
  const bool folder = files_->isDir(left);
  if (folder != files_->isDir(right)) return folder;
  return order_.compare(files_->fileName(left), files_->fileName(right)) < 0;
}

}  // namespace waferpair::gui
