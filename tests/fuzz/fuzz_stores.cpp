// SPDX-License-Identifier: GPL-3.0-or-later
// The program's own JSON files with any bytes in them: each is read, or called damaged, and what
// was read from a session's file can be written and read again. Qt's JSON parser is not
// instrumented.
#include <QDir>
#include <QDirIterator>
#include <QFile>
#include <QTemporaryDir>
#include <cstdint>
#include <cstdlib>

#include "gui/store/session_store.h"

using namespace waferpair::gui;

namespace {

const QString kFolder = QStringLiteral("/project");

void write(const QString& path, const QByteArray& bytes) {
  QFile file(path);
  if (!file.open(QIODevice::WriteOnly) || file.write(bytes) != bytes.size()) std::abort();
}

// Returns the session file of kFolder: the store alone knows its name.
QString sessionFile(const SessionStore& store, const QString& directory) {
  Session empty;
  empty.folder = kFolder;
  if (!store.save(empty).isEmpty()) std::abort();
  QDirIterator files(directory + QStringLiteral("/sessions"), QDir::Files);
  return files.next();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const QTemporaryDir directory;
  static const SessionStore store(directory.path());
  static const QString session = sessionFile(store, directory.path());
  const QByteArray bytes(reinterpret_cast<const char*>(data), static_cast<qsizetype>(size));
  for (const char* name : {"recent.json", "window.json"})
    write(directory.filePath(QLatin1String(name)), bytes);
  write(session, bytes);

  QString problem;
  (void)store.recentFolders(&problem);
  (void)store.lastFolder();
  (void)store.loadLayout(&problem);
  const Session loaded = store.load(kFolder, &problem);
  if (!problem.isEmpty() && !loaded.files.isEmpty()) std::abort();
  if (loaded.active < -1 || loaded.active >= loaded.files.size()) std::abort();
  if (!store.save(loaded).isEmpty()) std::abort();
  const Session again = store.load(kFolder, &problem);
  if (!problem.isEmpty() || again.files.size() != loaded.files.size() ||
      again.active != loaded.active) {
    std::abort();
  }
  return 0;
}
