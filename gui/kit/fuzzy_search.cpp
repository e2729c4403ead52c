// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/kit/fuzzy_search.h"

#include <QSet>
#include <QThreadPool>
#include <algorithm>
#include <optional>
#include <vector>

#include "gui/kit/fuzzy_match.h"

namespace waferpair::gui {
namespace {

// The first part of a result comes after so many names, the next after twice as many, and so on.
constexpr qsizetype kFirstReport = 2'000;
constexpr qsizetype kBetweenLooks = 128;  // at whether it was cancelled

struct Ranked {
  int score;
  qsizetype index;
  bool operator<(const Ranked& other) const {
    return score != other.score ? score > other.score : index < other.index;
  }
};

// The best come first; the rest is cut off.
void keepBest(std::vector<Ranked>& ranked) {
  const auto most = std::min<qsizetype>(FuzzySearch::kMostHits, std::ssize(ranked));
  std::partial_sort(ranked.begin(), ranked.begin() + most, ranked.end());
  ranked.resize(most);
}

}  // namespace

struct FuzzySearch::Job {
  FuzzyNames names;
  QString pattern;
  std::optional<QList<qsizetype>> among;  // indices, ascending; nothing: all
  std::shared_ptr<std::atomic<bool>> cancelled;
};

FuzzySearch::FuzzySearch(QObject* parent) : QObject(parent), pool_(new QThreadPool(this)) {
  pool_->setObjectName(QStringLiteral("searchPool"));
  pool_->setMaxThreadCount(1);
}

FuzzySearch::~FuzzySearch() {
  cancel();
  pool_->clear();
  pool_->waitForDone();
}

void FuzzySearch::setNames(const FuzzyNames& names) {
  cancel();
  names_ = names;
  hasMatched_ = false;
  matched_.clear();
}

void FuzzySearch::cancel() {
  if (cancelled_) *cancelled_ = true;
  cancelled_.reset();
  running_ = false;
}

void FuzzySearch::start(const QString& pattern) {
  cancel();
  const FuzzyPattern wanted(pattern);
  if (wanted.isEmpty()) {
    QList<FuzzyHit> hits;
    const QSet<QString> first(names_.first.begin(), names_.first.end());
    for (qsizetype i = 0; i < names_.size() && hits.size() < kMostHits; ++i) {
      if (i < names_.first.size() || !first.contains(names_[i])) hits.append({i, 0, {}});
    }
    Q_EMIT found(hits, true);
    return;
  }
  running_ = true;
  cancelled_ = std::make_shared<std::atomic<bool>>(false);
  Job job{names_, pattern, std::nullopt, cancelled_};
  if (hasMatched_ && wanted.narrows(FuzzyPattern(matchedPattern_))) job.among = matched_;
  // `this` outlives the thread: see the destructor.
  pool_->start([this, job = std::move(job)] { run(this, job); });
}

// Runs on the thread.
void FuzzySearch::run(FuzzySearch* self, const Job& job) {
  const FuzzyPattern pattern(job.pattern);
  const QSet<QString> first(job.names.first.begin(), job.names.first.end());
  const qsizetype count = job.among ? job.among->size() : job.names.size();
  std::vector<Ranked> ranked;
  QList<qsizetype> matched;
  const auto send = [&](bool complete) {
    keepBest(ranked);
    QList<FuzzyHit> hits;
    for (const Ranked& one : ranked) {
      if (const auto match = pattern.match(job.names[one.index]))
        hits.append({one.index, one.score, match->positions});
    }
    const QList<qsizetype> all = complete ? matched : QList<qsizetype>();
    QMetaObject::invokeMethod(
        self, [self, job, hits, all, complete] { self->report(job, hits, all, complete); },
        Qt::QueuedConnection);
  };
  qsizetype nextReport = kFirstReport;
  for (qsizetype i = 0; i < count; ++i) {
    if (i % kBetweenLooks == 0 && *job.cancelled) return;
    if (i == nextReport) {
      send(false);
      nextReport *= 2;
    }
    const qsizetype index = job.among ? (*job.among)[i] : i;
    const QString& name = job.names[index];
    const auto score = pattern.score(name);
    if (!score || (index >= job.names.first.size() && first.contains(name))) continue;
    ranked.push_back({*score, index});
    matched.append(index);
  }
  send(true);
}

void FuzzySearch::report(const Job& job, const QList<FuzzyHit>& hits,
                         const QList<qsizetype>& matched, bool complete) {
  if (*job.cancelled) return;  // another pattern, or other names, since
  if (complete) {
    running_ = false;
    hasMatched_ = true;
    matchedPattern_ = job.pattern;
    matched_ = matched;
  }
  Q_EMIT found(hits, complete);
}

QString FuzzySearch::busyWith() const {
  return isRunning() ? QStringLiteral("searching names") : QString();
}

}  // namespace waferpair::gui
