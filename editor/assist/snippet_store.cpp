// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/assist/snippet_store.h"

#include <QDir>
#include <QFileInfo>
#include <algorithm>
#include <chrono>
#include <utility>

#include "editor/text/guest_file.h"
#include "editor/text/watch_limit.h"

namespace waferpair::editor {

namespace {

// A file is written in several steps.
constexpr std::chrono::milliseconds kSettleTime{50};
constexpr qsizetype kMostSnippetFiles = 500;
constexpr QLatin1String kScopedEnding(".code-snippets");

}  // namespace

SnippetStore::SnippetStore(const QString& folder, QObject* parent)
    : QObject(parent), folder_(folder) {
  readSoon_.setSingleShot(true);
  connect(&readSoon_, &QTimer::timeout, this, &SnippetStore::readAll);
  const auto soon = [this] { readSoon_.start(kSettleTime); };
  connect(&watcher_, &QFileSystemWatcher::fileChanged, this, soon);
  connect(&watcher_, &QFileSystemWatcher::directoryChanged, this, soon);
  readSoon_.start(0);
}

void SnippetStore::setProjectFolder(const QString& folder) {
  if (projectFolder_ == folder) return;
  projectFolder_ = folder;
  readAll();
}

SnippetStore::File SnippetStore::read(const QString& path) const {
  const QFileInfo info(path);
  File file{path, {}, {}, {}};
  if (!path.endsWith(kScopedEnding)) file.language = info.completeBaseName().toLower();
  const auto bytes = readGuestFile(path, kLargestSnippetFile);
  if (!bytes) {
    file.problem = bytes.error().message();
  } else if (const auto snippets = readUserSnippets(bytes->value_or("{}"), path)) {
    file.snippets = *snippets;
  } else {
    file.problem = snippets.error().message();
  }
  return file;
}

void SnippetStore::readAll() {
  QHash<QString, QString> problems;  // so far, by file
  for (const File& file : std::as_const(files_))
    if (!file.problem.isEmpty()) problems.insert(file.path, file.problem);
  files_.clear();
  QStringList watched;
  for (const QString& folder : {projectFolder_, folder_}) {
    if (folder.isEmpty()) continue;
    const QDir dir(folder);
    const QStringList patterns{QStringLiteral("*.json"), u'*' + kScopedEnding};
    // Until there is one, the folder that it is to be made in is watched.
    QString there = folder;
    while (!QFileInfo::exists(there) && QFileInfo(there).path() != there)
      there = QFileInfo(there).path();
    if (there.size() > 1) watched.append(there);
    if (!dir.exists()) continue;
    for (const QString& name : dir.entryList(patterns, QDir::Files | QDir::System, QDir::Name)) {
      if (files_.size() == kMostSnippetFiles) break;
      files_.append(read(dir.filePath(name)));
      watched.append(dir.filePath(name));
    }
  }
  if (const QStringList before = watcher_.files() + watcher_.directories(); !before.isEmpty())
    watcher_.removePaths(before);
  watchPaths(&watcher_, watched);
  for (const File& file : std::as_const(files_)) {
    if (problems.take(file.path) != file.problem) Q_EMIT problemChanged(file.path, file.problem);
  }
  for (auto gone = problems.cbegin(); gone != problems.cend(); ++gone)
    Q_EMIT problemChanged(gone.key(), {});
}

QVector<UserSnippet> SnippetStore::snippetsFor(const QString& language) const {
  const QStringList names = snippetLanguageNames(language);
  QVector<UserSnippet> fitting;
  for (const File& file : files_) {
    if (!file.language.isEmpty() && !names.contains(file.language)) continue;
    for (const UserSnippet& snippet : file.snippets) {
      const bool fits = snippet.scopes.isEmpty() ||
                        std::any_of(names.begin(), names.end(), [&](const QString& name) {
                          return snippet.scopes.contains(name);
                        });
      if (fits) fitting.append(snippet);
    }
  }
  return fitting;
}

QString SnippetStore::fileFor(const QString& language) const {
  const QStringList names = snippetLanguageNames(language);
  for (const File& file : files_)
    if (file.path.startsWith(folder_ + u'/') && names.contains(file.language)) return file.path;
  return folder_ + u'/' + names.value(0) + QStringLiteral(".json");
}

}  // namespace waferpair::editor
