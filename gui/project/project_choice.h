// SPDX-License-Identifier: GPL-3.0-or-later
// Chooses the files of a project that the model should know beside the open ones: text of the kinds
// that the highlighter knows, not excluded, the nearest to the work at hand first. Reads the disk,
// so it is for a thread of its own; values in, values out.
#pragma once

#include <QByteArray>
#include <QHash>
#include <QList>
#include <QSet>
#include <QString>
#include <QStringList>
#include <QVector>
#include <atomic>
#include <utility>

#include "editor/text/written_text.h"

namespace waferpair::gui {

// The language of a file by its name alone; empty: it is of no kind that is known. Any thread.
QString languageOfName(const QString& path);

struct ProjectLimits {
  // The server takes in 8 MiB of a client's documents (runtime/inference/engine/known_documents.h),
  // of which the open editors' share is left free, and holds 1,024 of them (docs/protocol.md).
  qint64 bytes = 6 << 20;
  qsizetype files = 900;
  // A shorter file has nothing to copy; a longer one is more often data than written by hand.
  qint64 leastOfFile = 64;
  qint64 mostOfFile = 256 << 10;
  qsizetype longestLine = editor::kLongestWrittenLine;
};

// A file as it was when it was read.
struct DiskStamp {
  qint64 bytes = -1;
  qint64 modifiedMs = 0;  // since 1970
  bool operator==(const DiskStamp&) const = default;
};

struct ChoiceRequest {
  QString root;                                          // absolute, without a trailing slash
  QStringList files;                                     // relative to it (FileIndex::files())
  QVector<std::pair<QString, QStringList>> others = {};  // further folders, in the same way
  QString activePath;                                    // the file at work, absolute; empty: none
  QString activeLanguage;
  QStringList inEditors;            // absolute paths; the files they lead to are not chosen
  QHash<QString, DiskStamp> known;  // by absolute path: these need not be read again
  ProjectLimits limits = {};
};

struct ChosenFile {
  QString path;  // absolute
  QString language;
  DiskStamp stamp;
  QByteArray utf8;  // empty when it is known with this stamp
};

struct ProjectChoice {
  QList<ChosenFile> files;  // the most relevant first
  bool complete = true;     // false: the limits left some out
  bool gone = false;        // a known file is not there any more: the list of files is old
};

// Order: the active file's language before others; then by the steps from its folder, up and down
// the tree; then the one changed last. Left out are symbolic links (what they lead to is in the
// project itself or not part of it) and hidden files and folders (more often tools' settings, with
// passwords among them, than code), dumps of databases (.sql), and what the gate keeps from the
// model (runtime/exclusions), whose rules are read anew. Stops early, with a part, when `cancelled`
// becomes true. Any thread.
ProjectChoice chooseProjectFiles(const ChoiceRequest& request, const std::atomic<bool>& cancelled);

}  // namespace waferpair::gui
