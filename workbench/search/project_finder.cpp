// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/search/project_finder.h"

#include <QElapsedTimer>
#include <QMutex>
#include <algorithm>
#include <utility>

#include "editor/text/word_byte.h"
#include "workbench/search/project_files.h"

namespace waferpair::workbench {
namespace {

// Files found so far are told this often, so that a list of them is not laid out at each.
constexpr int kTellEveryMs = 30;
// Files whose names are taken from the list at once.
constexpr qsizetype kTaken = 16;
constexpr qsizetype kBeforeMatch = 60;  // bytes of a long line that are told in front of a match

// A character is not cut.
qint64 characterAt(QByteArrayView text, qint64 at) {
  while (at > 0 && at < text.size() && (text[at] & 0xC0) == 0x80) --at;
  return at;
}

FoundLine foundLine(QByteArrayView text, const TextMatch& match) {
  qint64 from = match.lineStart;
  while (from < match.start && editor::isBlankByte(text[from])) ++from;
  qint64 to = match.lineEnd;
  if (to - from > kMostOfFoundLine) {
    from = characterAt(text, std::max(from, match.start - kBeforeMatch));
    to = characterAt(text, std::min(to, from + kMostOfFoundLine));
  }
  return {match.line, match.start - match.lineStart, match.end - match.start,
          text.sliced(from, to - from).toByteArray(), match.start - from};
}

}  // namespace

struct ProjectFinder::Run {
  Run(ProjectQuery wanted, const TextSearch& what) : query(std::move(wanted)), search(what) {}

  const ProjectQuery query;
  const TextSearch search;
  ProjectFinder* finder = nullptr;  // it outlives the threads
  std::atomic<bool> cancelled = false;
  std::atomic<qsizetype> next = 0;  // file
  std::atomic<qsizetype> matches = 0;

  QMutex mutex;
  // Under the mutex:
  QVector<FoundFile> found;  // and not told yet
  FindSummary summary;
  QElapsedTimer sinceTold;
  bool isOnItsWay = false;  // deliver()
  int working = 0;          // threads
};

QStringList patternsOf(const QString& text) {
  QStringList patterns;
  for (const QString& each : text.split(u',')) {
    QString pattern = each.trimmed();
    while (pattern.endsWith(u'/')) pattern.chop(1);
    if (!pattern.isEmpty()) patterns.append(pattern);
  }
  return patterns;
}

ProjectFinder::ProjectFinder(QObject* parent) : QObject(parent) {}

ProjectFinder::~ProjectFinder() {
  cancel();
  threads_.waitForDone();
}

void ProjectFinder::cancel() {
  if (run_) run_->cancelled = true;
  run_.reset();
}

void ProjectFinder::start(const ProjectQuery& query, const TextSearch& search) {
  cancel();
  run_ = std::make_shared<Run>(query, search);
  run_->finder = this;
  run_->sinceTold.start();
  const int workers = threads_.maxThreadCount();
  run_->working = workers;  // by now the threads' own
  for (int i = 0; i < workers; ++i) threads_.start([run = run_] { work(run); });
}

// One of the threads that share the list of files.
void ProjectFinder::work(const std::shared_ptr<Run>& run) {
  const PathPatterns include(run->query.include);
  const PathPatterns exclude(run->query.exclude);
  const QStringList& files = run->query.files;
  FindSummary part;
  const auto tell = [&run](QVector<FoundFile> found, bool isLast) {
    run->found += std::move(found);
    const bool isTime = run->sinceTold.elapsed() >= kTellEveryMs && !run->found.isEmpty();
    if (run->isOnItsWay || run->cancelled || (!isLast && !isTime)) return;
    run->isOnItsWay = true;
    QMetaObject::invokeMethod(
        run->finder, [run] { run->finder->deliver(run); }, Qt::QueuedConnection);
  };
  const auto matches = [&run](const PathPatterns& patterns, const QString& path) {
    return patterns.match(path) ||
           std::any_of(
               run->query.folders.cbegin(), run->query.folders.cend(), [&](const QString& folder) {
                 return path.size() > folder.size() && path.startsWith(folder) &&
                        path[folder.size()] == u'/' && patterns.match(path.mid(folder.size() + 1));
               });
  };
  const auto isFull = [&run] { return run->matches.load() >= kMostMatches; };
  while (!run->cancelled && !isFull()) {
    const qsizetype first = run->next.fetch_add(kTaken);
    if (first >= files.size()) break;
    QVector<FoundFile> found;
    for (qsizetype i = first; i < std::min(first + kTaken, files.size()); ++i) {
      if (run->cancelled || isFull()) break;
      const QString& path = files[i];
      if (!include.isEmpty() && !matches(include, path)) continue;
      if (matches(exclude, path)) continue;
      const auto open = run->query.open.constFind(path);
      const auto text = open != run->query.open.constEnd()
                            ? open->toByteArray()
                            : textOfFile(run->query.root + u'/' + path, kMostOfSearchedFile);
      if (!text) {
        ++part.skipped;
        continue;
      }
      ++part.searched;
      const QVector<TextMatch> all = run->search.find(*text, kMostOfFile);
      if (all.isEmpty()) continue;
      FoundFile file{path, {}};
      file.lines.reserve(all.size());
      for (const TextMatch& match : all) file.lines.append(foundLine(*text, match));
      ++part.files;
      part.matches += all.size();
      part.isAll = part.isAll && all.size() < kMostOfFile;
      run->matches += all.size();
      found.append(std::move(file));
    }
    const QMutexLocker lock(&run->mutex);
    tell(std::move(found), false);
  }
  const QMutexLocker lock(&run->mutex);
  run->summary.files += part.files;
  run->summary.matches += part.matches;
  run->summary.searched += part.searched;
  run->summary.skipped += part.skipped;
  run->summary.isAll = run->summary.isAll && part.isAll && !isFull();
  --run->working;
  tell({}, run->working == 0);
}

void ProjectFinder::deliver(const std::shared_ptr<Run>& run) {
  if (run != run_) return;
  QVector<FoundFile> files;
  FindSummary summary;
  bool isLast = false;
  {
    const QMutexLocker lock(&run->mutex);
    files.swap(run->found);
    summary = run->summary;
    isLast = run->working == 0;
    run->isOnItsWay = false;
    run->sinceTold.restart();
  }
  if (!files.isEmpty()) Q_EMIT found(files);
  if (!isLast || run != run_) return;  // or another one was begun
  run_.reset();
  Q_EMIT finished(summary);
}

}  // namespace waferpair::workbench
