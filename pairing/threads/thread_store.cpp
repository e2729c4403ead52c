// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/threads/thread_store.h"

#include <algorithm>
#include <memory>

#include "pairing/threads/merge_threads.h"
#include "pairing/threads/thread_json.h"

namespace waferpair::pairing {
namespace {

// A base that cannot be read is that of a thread which is not known here: an empty one.
std::optional<QByteArray> mergedFiles(const QByteArray& base, const QByteArray& ours,
                                      const QByteArray& theirs) {
  const auto known = threadFromJson(base), mine = threadFromJson(ours),
             other = threadFromJson(theirs);
  if (!mine || !other) return std::nullopt;
  return threadToJson(mergedThread(known.value_or(Thread()), *mine, *other));
}

}  // namespace

ThreadStore::ThreadStore(const QString& directory, QObject* parent)
    : QObject(parent), files_(directory, mergedFiles) {
  connect(&files_, &KeptFiles::problem, this, &ThreadStore::problem);
}

void ThreadStore::load(const QString& folder) {
  auto threads = std::make_shared<QVector<Thread>>();
  const auto take = [threads](const QByteArray& bytes) -> editor::Result<QByteArray> {
    auto thread = threadFromJson(bytes);
    if (!thread) return tl::unexpected(thread.error());
    endStreams(&*thread);
    threads->append(*thread);
    return threadToJson(*thread);
  };
  files_.load(folder, take, [this, threads] {
    std::sort(threads->begin(), threads->end(),
              [](const Thread& a, const Thread& b) { return a.changed > b.changed; });
    Q_EMIT loaded(*threads);
  });
}

void ThreadStore::save(const Thread& thread, const Written& written) {
  files_.save(
      thread.id, [thread] { return threadToJson(thread); }, written);
}

}  // namespace waferpair::pairing
