// SPDX-License-Identifier: GPL-3.0-or-later
#include "editor/spell/spell_checker.h"

#include <QFileInfo>
#include <QFileSystemWatcher>
#include <QPointer>
#include <chrono>
#include <utility>

#include "editor/spell/dictionary_worker.h"
#include "editor/text/watch_limit.h"

namespace waferpair::editor {

namespace {

// A file is written in several steps.
constexpr std::chrono::milliseconds kSettleTime{50};
// What is known of words takes some 100 bytes each.
constexpr qsizetype kMostKnown = 200'000;

}  // namespace

SpellChecker::SpellChecker(QObject* parent)
    : QObject(parent), watcher_(new QFileSystemWatcher(this)) {
  thread_.setObjectName(QStringLiteral("spelling"));
  askSoon_.setSingleShot(true);
  connect(&askSoon_, &QTimer::timeout, this, &SpellChecker::ask);
  readSoon_.setSingleShot(true);
  connect(&readSoon_, &QTimer::timeout, this, [this] {
    const WordFile user = user_, project = project_;
    readWords(&user_);
    readWords(&project_);
    watchFiles();
    if (!(user == user_ && project == project_)) Q_EMIT changed();
  });
  const auto soon = [this] { readSoon_.start(kSettleTime); };
  connect(watcher_, &QFileSystemWatcher::fileChanged, this, soon);
  connect(watcher_, &QFileSystemWatcher::directoryChanged, this, soon);
}

SpellChecker::~SpellChecker() {
  thread_.quit();
  thread_.wait();
}

DictionaryWorker* SpellChecker::worker() {
  if (worker_) return worker_;
  worker_ = new DictionaryWorker;
  worker_->moveToThread(&thread_);
  connect(&thread_, &QThread::finished, worker_, &QObject::deleteLater);
  connect(worker_, &DictionaryWorker::problem, this, &SpellChecker::problem);
  connect(worker_, &DictionaryWorker::judged, this,
          [this](const QStringList& words, const QList<bool>& right, int generation) {
            if (generation != generation_) return;
            if (known_.size() > kMostKnown) known_.clear();
            for (qsizetype i = 0; i < words.size(); ++i) {
              asked_.remove(words[i]);
              known_.insert(words[i], right[i]);
            }
            Q_EMIT judged();
          });
  thread_.start(QThread::LowPriority);
  QMetaObject::invokeMethod(
      worker_, [to = worker_, names = names_] { to->load(names); }, Qt::QueuedConnection);
  return worker_;
}

void SpellChecker::setDictionaries(const QStringList& names) {
  if (names == names_) return;
  names_ = names;
  if (worker_) {
    QMetaObject::invokeMethod(
        worker_, [to = worker_, names] { to->load(names); }, Qt::QueuedConnection);
  }
  forget();
}

void SpellChecker::forget() {
  ++generation_;
  known_.clear();
  asked_.clear();
  toAsk_.clear();
  Q_EMIT changed();
}

void SpellChecker::setUserWords(const QString& path) {
  if (path == user_.path()) return;
  user_.setPath(path);
  readWords(&user_);
  watchFiles();
  Q_EMIT changed();
}

void SpellChecker::setProjectWords(const QString& path) {
  if (path == project_.path()) return;
  project_.setPath(path);
  readWords(&project_);
  watchFiles();
  Q_EMIT changed();
}

void SpellChecker::readWords(WordFile* file) {
  if (const auto read = file->read(); !read) Q_EMIT problem(read.error().message());
}

// A file that is saved is another file: its folder tells of it, and until there is one, the nearest
// above.
void SpellChecker::watchFiles() {
  QStringList wanted;
  for (const WordFile* file : {&user_, &project_}) {
    if (file->path().isEmpty()) continue;
    if (QFileInfo::exists(file->path())) wanted.append(file->path());
    QString folder = QFileInfo(file->path()).path();
    while (!QFileInfo::exists(folder) && QFileInfo(folder).path() != folder)
      folder = QFileInfo(folder).path();
    if (folder.size() > 1) wanted.append(folder);
  }
  wanted.removeDuplicates();
  const QStringList watched = watcher_->files() + watcher_->directories();
  if (watched == wanted) return;
  if (!watched.isEmpty()) watcher_->removePaths(watched);
  watchPaths(watcher_, wanted);
}

void SpellChecker::add(WordFile* file, const QString& word) {
  if (file->path().isEmpty()) return;
  if (const auto added = file->add(word); !added) Q_EMIT problem(added.error().message());
  watchFiles();
  Q_EMIT changed();
}

Verdict SpellChecker::judge(const QString& word) {
  if (names_.isEmpty() || user_.knows(word) || project_.knows(word)) return Verdict::kRight;
  const auto known = known_.constFind(word);
  if (known != known_.cend()) return *known ? Verdict::kRight : Verdict::kWrong;
  if (!asked_.contains(word)) {
    asked_.insert(word);
    toAsk_.append(word);
    if (!askSoon_.isActive()) askSoon_.start(0);
  }
  return Verdict::kAsked;
}

void SpellChecker::ask() {
  if (toAsk_.isEmpty()) return;
  QMetaObject::invokeMethod(
      worker(),
      [to = worker(), words = std::exchange(toAsk_, {}), at = generation_] {
        to->judge(words, at);
      },
      Qt::QueuedConnection);
}

void SpellChecker::suggest(const QString& word, QObject* receiver,
                           std::function<void(QStringList)> take) {
  const int ticket = ++tickets_;
  auto* once = new QObject(this);
  connect(worker(), &DictionaryWorker::suggested, once,
          [once, ticket, to = QPointer<QObject>(receiver), take = std::move(take)](
              const QStringList& words, int of) {
            if (of != ticket) return;
            once->deleteLater();
            if (to) take(words);
          });
  QMetaObject::invokeMethod(
      worker(), [to = worker(), word, ticket] { to->suggest(word, ticket); }, Qt::QueuedConnection);
}

}  // namespace waferpair::editor
