// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/documents/file_openings.h"

#include <sys/stat.h>

#include <QScopedValueRollback>
#include <memory>
#include <utility>

#include "editor/text/path_bytes.h"
#include "editor/view/text_preparation.h"

namespace waferpair::gui {

bool FileOpenings::isLarge(const QString& path) {
  struct stat status;
  return ::stat(editor::pathBytes(path).constData(), &status) == 0 && S_ISREG(status.st_mode) &&
         status.st_size > kLargeBytes;
}

void FileOpenings::prepare(const QString& path, Done done) {
  std::vector<Done>& waiting = waiting_[path];
  waiting.push_back(std::move(done));
  if (waiting.size() > 1) return;
  new editor::TextPreparation(path, this, [this, path](const Prepared& prepared) {
    // They may open more.
    const std::vector<Done> all = waiting_.take(path);
    for (size_t i = 0; i < all.size(); ++i) all[i](i == 0 ? &prepared : nullptr);
  });
}

void FileOpenings::prepareAll(const QStringList& paths, const std::function<void()>& then) {
  QStringList large = paths;
  large.removeDuplicates();
  large.removeIf([](const QString& path) { return !isLarge(path); });
  if (large.isEmpty()) return then();
  struct All {
    qsizetype left;
    QHash<QString, editor::PreparedText> ready;
  };
  const auto all = std::make_shared<All>(All{large.size(), {}});
  for (const QString& path : std::as_const(large)) {
    prepare(path, [this, path, all, then](const Prepared* prepared) {
      // What can't be read says so when it is opened.
      if (prepared && *prepared) all->ready.insert(path, **prepared);
      if (--all->left > 0) return;
      const QScopedValueRollback ready(ready_, std::exchange(all->ready, {}));
      then();
    });
  }
}

const editor::PreparedText* FileOpenings::ready(const QString& path) const {
  const auto found = ready_.constFind(path);
  return found != ready_.cend() && found->file.looksUnchanged() ? &*found : nullptr;
}

}  // namespace waferpair::gui
