// SPDX-License-Identifier: GPL-3.0-or-later
// Copies of unsaved texts that outlive a crash. Each run of the program has a folder of its own
// with a lock in it, held by the open file; a folder whose lock no living process holds was left by
// a crash, and what is in it is given back at the next start.
//
// Called on the UI thread; writing and removing happen in order on one thread of the store's own.
#pragma once

#include <QByteArray>
#include <QDateTime>
#include <QList>
#include <QObject>
#include <QString>
#include <QThreadPool>
#include <functional>
#include <optional>
#include <vector>

#include "editor/text/snapshot.h"
#include "editor/text/text_file.h"
#include "runtime/base/file_lock.h"

namespace waferpair::gui {

struct RecoveryEntry {
  QString path;            // empty for a text that has no file yet
  QString title;           // "Untitled 2"
  QString language;        // by name; "" is plain text
  qint64 caret = 0;        // bytes
  editor::FileStamp base;  // of the file that the text was made from: size, content and kind
  QDateTime time;          // of the copy
  editor::Snapshot text;
  std::optional<editor::Encoding> encoding = {};  // to save in; none: nobody said so
  bool isRaw = false;                             // of a binary file that was opened to be edited
};

class RecoveryStore : public QObject {
  Q_OBJECT
 public:
  // Makes `directory` and this run's folder in it when the first copy is written.
  explicit RecoveryStore(const QString& directory, QObject* parent = nullptr);
  // Waits for what is still being written, then gives up the lock.
  ~RecoveryStore() override;

  // Replaces the copy under `key` (unique per open text in this run), whole or not at all. The text
  // is read on the store's thread.
  void write(const QString& key, const RecoveryEntry& entry);
  void remove(const QString& key);
  // Returns when everything asked for so far is on disk.
  void flush();

  struct Orphan {
    QString file;
    RecoveryEntry entry;
  };
  // The files of the copies that crashed runs left, in `others` of these directories, too. They
  // stay this run's until it ends: no other run that starts meanwhile gets them too.
  QStringList claimCopies(const QStringList& others = {});
  // Returns what is in such files, oldest first. Damaged ones are named in `problems` and renamed
  // to *.damaged. On any thread.
  static QList<Orphan> readCopies(const QStringList& files, QStringList* problems);
  // The orphan's copy becomes this run's copy under `key`. It moves, so that at no moment there is
  // none.
  void adopt(const Orphan& orphan, const QString& key);
  // The orphan's text is not wanted: it is saved, or another copy holds the same.
  void drop(const Orphan& orphan);

 Q_SIGNALS:
  // A copy could not be written; what to do about it is in the text.
  void problem(const QString& text);
  // The same, of the copy under `key`: what was there before is still there.
  void notKept(const QString& key);

 private:
  void claim(const QString& directory, QStringList* copies);
  void enqueue(std::function<void()> job);
  bool openOwnFolder();
  QString copyFile(const QString& key) const;

  QString directory_;
  QString own_;  // this run's folder
  std::optional<base::FileLock> lock_;
  std::vector<base::FileLock> claimed_;  // of crashed runs' folders
  QThreadPool thread_{this};             // of one thread, so that jobs keep their order
};

// The bytes of a copy, and back. The header is JSON on the first line, with length and SHA-1 of the
// text that follows; decoding fails (false) on anything that does not fit.
QByteArray encodeRecovery(const RecoveryEntry& entry);
bool decodeRecovery(const QByteArray& bytes, RecoveryEntry* entry);

}  // namespace waferpair::gui
