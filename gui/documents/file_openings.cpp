// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/documents/file_openings.h"

#include <sys/stat.h>

#include <utility>

#include "editor/text/path_bytes.h"
#include "editor/widget/text_preparation.h"

namespace waferpair::gui {
namespace {

constexpr off_t kLarge = 512 << 10;  // bytes: some 10 ms

}  // namespace

bool FileOpenings::isLarge(const QString& path) {
  struct stat status;
  return ::stat(editor::pathBytes(path).constData(), &status) == 0 && S_ISREG(status.st_mode) &&
         status.st_size > kLarge;
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

}  // namespace waferpair::gui
