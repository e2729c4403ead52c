// SPDX-License-Identifier: GPL-3.0-or-later
// Finds a query in all files of a project: those that are open as they are in the window, the
// others as they are on disk, each in its own encoding. What is found comes as it is found. UI
// thread only; files are read and searched on threads of this one's own.
#pragma once

#include <QHash>
#include <QObject>
#include <QStringList>
#include <QThreadPool>
#include <QVector>
#include <atomic>
#include <memory>

#include "editor/text/snapshot.h"
#include "workbench/search/text_search.h"

namespace waferpair::workbench {

// Larger files are not searched. Bytes.
inline constexpr qint64 kMostOfSearchedFile = 32 << 20;
// Of a line that is longer only what is around the match is told. Bytes.
inline constexpr qsizetype kMostOfFoundLine = 240;

struct FoundLine {
  qint64 line = 0;    // from 0
  qint64 column = 0;  // bytes of the line before the match
  qint64 length = 0;  // bytes of the match
  QByteArray text;    // the line, or what is around the match, without leading blanks
  qsizetype at = 0;   // the byte of `text` where the match begins

  bool operator==(const FoundLine&) const = default;
};

struct FoundFile {
  QString path;  // relative to the project
  QVector<FoundLine> lines;
};

struct ProjectQuery {
  QString root;
  QStringList files;                      // relative to it
  QHash<QString, editor::Snapshot> open;  // by path relative to the root
  // The folders that are searched, relative to the root, where these are several: a pattern is
  // about what lies below one of them, too. None: about what lies below the root.
  QStringList folders = {};
  // Patterns as git's pathspecs, "*.cpp" or "src"; none: all files; the second are left out.
  QStringList include;
  QStringList exclude;
};

struct FindSummary {
  qsizetype files = 0;    // that have matches
  qsizetype matches = 0;  // that were told
  qsizetype searched = 0;
  qsizetype skipped = 0;  // binary, too large, or they cannot be read
  bool isAll = true;      // false: there are more than kMostMatches
};

// "*.cpp, src" as patterns.
QStringList patternsOf(const QString& text);

class ProjectFinder : public QObject {
  Q_OBJECT
 public:
  static constexpr qsizetype kMostMatches = 20'000;
  static constexpr qsizetype kMostOfFile = 2'000;  // matches

  explicit ProjectFinder(QObject* parent = nullptr);
  ~ProjectFinder() override;

  // Another search that runs is called off.
  void start(const ProjectQuery& query, const TextSearch& search);
  void cancel();
  bool isRunning() const { return run_ != nullptr; }

 Q_SIGNALS:
  // Some files more, in no order; each comes once.
  void found(const QVector<waferpair::workbench::FoundFile>& files);
  void finished(const waferpair::workbench::FindSummary& summary);

 private:
  struct Run;
  static void work(const std::shared_ptr<Run>& run);
  void deliver(const std::shared_ptr<Run>& run);

  std::shared_ptr<Run> run_;
  QThreadPool threads_{this};
};

}  // namespace waferpair::workbench
