// SPDX-License-Identifier: GPL-3.0-or-later
// A project's files in passages, as they were at one moment, and the search for those that answer a
// question: BM25 over symbols, comments and text, with the definitions of what the question names
// first and its uses next. Never changes; any number of threads may search it.
#pragma once

#include <QHash>
#include <QString>
#include <QStringList>
#include <QVector>
#include <atomic>
#include <memory>

#include "editor/text/snapshot.h"
#include "pairing/retrieval/file_passages.h"
#include "runtime/exclusions/file_stamp.h"

namespace waferpair::pairing {

// A text that is open in the window, as it is there.
struct OpenText {
  QString path;   // absolute; empty: it has no file
  QString title;  // "main.cpp", "Untitled 2"
  editor::Snapshot text;
};

struct FoundPassage {
  enum class Why { kDefines, kUses, kWords };

  QString path;  // relative to the project
  int firstLine = 1;
  int lastLine = 1;
  QString text;
  Why why = Why::kWords;
  QString symbol;  // that is defined or used
  double score = 0;

  bool operator==(const FoundPassage&) const = default;
};

struct SymbolPlace {
  QString path;  // relative to the project
  int line = 1;
  int lastLine = 1;  // of the passage that begins with it or holds it

  bool operator==(const SymbolPlace&) const = default;
};

class ProjectPassages {
 public:
  // Beyond these nothing is read: bytes of a file, of all, and files.
  static constexpr qint64 kMostOfFile = 512 << 10;
  static constexpr qint64 kMostBytes = 32 << 20;
  static constexpr qsizetype kMostFiles = 20'000;

  struct Request {
    QString root;       // absolute, without a trailing slash; empty: no project
    QStringList files;  // relative to it
    QVector<OpenText> open;
  };
  // The passages of a project. What is as it was in `before` (may be null) is not read again. Files
  // that the gate holds back (runtime/exclusions), hidden ones, links, dumps and what is no written
  // text are left out. Reads the disk. Null when `cancelled` became true.
  static std::shared_ptr<const ProjectPassages> read(
      const Request& request, const std::shared_ptr<const ProjectPassages>& before,
      const std::atomic<bool>& cancelled);

  QVector<FoundPassage> search(const QString& question, qsizetype most) const;
  // Returns where a symbol of this very name is defined, as far as definitions.h tells.
  QVector<SymbolPlace> definitionsOf(const QString& name) const;
  // All that is defined, sorted, each name once.
  QStringList symbols() const;
  // Lines of a file, counted from 1; empty when it is not among these.
  QString textOf(const QString& path, int firstLine, int lastLine) const;

  const QString& root() const { return root_; }
  qsizetype fileCount() const { return files_.size(); }
  // False: the limits left files out.
  bool isComplete() const { return complete_; }
  // The number of files that were read for this, rather than taken over.
  qsizetype filesRead() const { return filesRead_; }

 private:
  struct File {
    std::shared_ptr<const FilePassages> passages;
    exclusions::FileStamp stamp;  // of the disk; not of a text that is open
    editor::Snapshot open;        // the text that it was made of, when it is open
    bool isOpen = false;
  };
  struct Query;

  const File* find(const QString& path) const;

  QString root_;
  QVector<File> files_;           // by path
  QHash<QString, qsizetype> at_;  // path to index
  bool complete_ = true;
  qsizetype filesRead_ = 0;
};

}  // namespace waferpair::pairing
