// SPDX-License-Identifier: GPL-3.0-or-later
// Looks for the best of many names on a thread of its own, as a pattern is typed: each pattern ends
// the search for the one before, whose results are dropped. The names are shared, never copied. UI
// thread only.
#pragma once

#include <QList>
#include <QObject>
#include <QString>
#include <QStringList>
#include <atomic>
#include <memory>

#include "editor/text/busy.h"

class QThreadPool;

namespace waferpair::gui {

struct FuzzyHit {
  qsizetype index = 0;  // into the names
  int score = 0;
  QList<int> positions;  // of the matched letters in the name
};

// Two lists that are searched as one. What is in `first` (few) is passed over in `rest` (many).
struct FuzzyNames {
  QStringList first;
  QStringList rest;

  qsizetype size() const { return first.size() + rest.size(); }
  const QString& operator[](qsizetype index) const {
    return index < first.size() ? first[index] : rest[index - first.size()];
  }
};

class FuzzySearch : public QObject, public editor::Busy {
  Q_OBJECT
 public:
  // Nobody scrolls further than this; typing another letter is quicker.
  static constexpr qsizetype kMostHits = 200;

  explicit FuzzySearch(QObject* parent = nullptr);
  // Waits for the thread, which stops at once.
  ~FuzzySearch() override;

  // Ends the search for the pattern so far; the next one is in these.
  void setNames(const FuzzyNames& names);
  const FuzzyNames& names() const { return names_; }
  // Starts a search. Without letters found() comes before this returns.
  void start(const QString& pattern);
  void cancel();
  // No complete result has come for the pattern.
  bool isRunning() const { return running_; }
  QString busyWith() const override;

 Q_SIGNALS:
  // The best first, the earlier name first among equals. While it is not `complete`, more names are
  // being looked at, and better ones may come.
  void found(const QList<waferpair::gui::FuzzyHit>& hits, bool complete);

 private:
  struct Job;
  static void run(FuzzySearch* self, const Job& job);
  void report(const Job& job, const QList<FuzzyHit>& hits, const QList<qsizetype>& matched,
              bool complete);

  QThreadPool* pool_;  // of one thread: two searches at a time would only be in each other's way
  FuzzyNames names_;
  bool running_ = false;
  std::shared_ptr<std::atomic<bool>> cancelled_;
  // The result of the last complete search: a longer pattern need not look elsewhere.
  QString matchedPattern_;
  QList<qsizetype> matched_;
  bool hasMatched_ = false;
};

}  // namespace waferpair::gui
