// SPDX-License-Identifier: GPL-3.0-or-later
// Large files that are to be opened, read beforehand while the window goes on. UI thread only.
#pragma once

#include <QHash>
#include <QObject>
#include <QStringList>
#include <functional>
#include <vector>

#include "editor/text/buffer.h"
#include "editor/text/result.h"

namespace waferpair::gui {

class FileOpenings : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  // To take a text of more bytes in at once would take longer than a frame: some 10 ms.
  static constexpr qint64 kLargeBytes = 512 << 10;
  // To read it here and now would take as long.
  static bool isLarge(const QString& path);

  // `done` gets the file in a later turn of the event loop, or why it cannot be read; null: it has
  // been given to somebody who wanted the same one before. `path` is absolute.
  using Prepared = editor::Result<editor::PreparedText>;
  using Done = std::function<void(const Prepared* prepared)>;
  void prepare(const QString& path, Done done);
  // Prepares the large ones of these files, and calls `then`, within which they are ready(); at
  // once where none is large. Paths are absolute.
  void prepareAll(const QStringList& paths, const std::function<void()>& then);
  // Null: it is none of them, or has been written since.
  const editor::PreparedText* ready(const QString& path) const;
  bool isUnderWay() const { return !waiting_.isEmpty(); }

 private:
  QHash<QString, std::vector<Done>> waiting_;   // by path
  QHash<QString, editor::PreparedText> ready_;  // likewise
};

}  // namespace waferpair::gui
