// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/spell/word_file.h"

#include <QDir>
#include <QFileInfo>
#include <algorithm>

#include "editor/text/guest_file.h"
#include "editor/text/save_file.h"
#include "editor/text/translate.h"

namespace waferpair::editor {

Result<void> WordFile::read() {
  head_.clear();
  words_.clear();
  if (path_.isEmpty()) return {};
  const auto bytes = readGuestFile(path_, kLargestWordFile);
  if (!bytes) return tl::unexpected<Error>(bytes.error());
  const QString text = QString::fromUtf8(bytes->value_or(QByteArray()));
  for (const QString& line : text.split(u'\n')) {
    const QString word = line.trimmed();
    if (word.startsWith(u'#')) {
      if (words_.isEmpty()) head_ += word + u'\n';
    } else if (!word.isEmpty()) {
      words_.insert(word);
    }
  }
  return {};
}

Result<void> WordFile::add(const QString& word) {
  if (const auto there = read(); !there) return there;
  words_.insert(word);
  QStringList sorted(words_.begin(), words_.end());
  sorted.sort(Qt::CaseInsensitive);
  const QString folder = QFileInfo(path_).path();
  if (!QDir().mkpath(folder)) {
    return fail(translate("The folder %1 can't be made.").arg(folder),
                translate("Check who may write there."));
  }
  const auto saved = saveFile(path_, (head_ + sorted.join(u'\n') + u'\n').toUtf8());
  if (!saved) return tl::unexpected<Error>(saved.error());
  return {};
}

bool WordFile::knows(const QString& word) const {
  if (words_.isEmpty()) return false;
  if (words_.contains(word)) return true;
  // "Waferd's" is "Waferd".
  if (word.endsWith(u"'s") && knows(word.chopped(2))) return true;
  const QString small = word.toLower();
  return small != word && words_.contains(small);
}

}  // namespace waferpair::editor
