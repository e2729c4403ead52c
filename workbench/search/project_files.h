// SPDX-License-Identifier: GPL-3.0-or-later
// Which files a search looks into, and their text. Any thread.
#pragma once

#include <QByteArray>
#include <QString>
#include <QStringList>
#include <memory>
#include <optional>

namespace waferpair::workbench {

// Patterns as git's pathspecs: "*.cpp" wherever it lies, "src" with all that is below. Not shared
// between threads.
class PathPatterns {
 public:
  explicit PathPatterns(const QStringList& patterns);
  ~PathPatterns();
  Q_DISABLE_COPY_MOVE(PathPatterns)

  bool isEmpty() const { return !spec_; }
  bool match(const QString& path) const;

 private:
  struct Spec;
  std::unique_ptr<Spec> spec_;
};

// The text of a file as UTF-8, without a byte order mark; none: it is binary, larger than `most`
// bytes, or cannot be read.
std::optional<QByteArray> textOfFile(const QString& path, qint64 most);

}  // namespace waferpair::workbench
