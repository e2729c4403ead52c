// SPDX-License-Identifier: GPL-3.0-or-later
// Fetches one model file into the hub's cache: what came earlier is kept and gone on with, a broken
// transfer is tried again, and the file is there only when its SHA-256 is the one that the hub
// names. Reading, hashing and writing are done on a thread of its own. UI thread only.
#pragma once

#include <QObject>
#include <QThread>
#include <atomic>
#include <chrono>
#include <memory>

#include "editor/text/result.h"
#include "pairing/downloads/hub.h"

namespace waferpair::pairing {

class DownloadWorker;

struct DownloadOrder {
  QUrl hub;
  QString cache;  // hubCache()
  QString repository;
  QString commit;
  HubFile file;
};

// The time in which nothing may come, and the number of times that a transfer that breaks off is
// tried again without anything new having come, with a pause that doubles each time.
struct DownloadPatience {
  std::chrono::milliseconds silence{30'000};
  std::chrono::milliseconds firstPause{1'000};
  int tries = 6;
};

struct DownloadProgress {
  enum class Phase {
    kReading,  // what an earlier program left, or another one has fetched
    kFetching,
    kWaiting,  // to try again; `why`
  };
  Phase phase = Phase::kFetching;
  qint64 bytes = 0;  // of the file; of what is read, while that is read
  qint64 total = 0;
  double bytesPerSecond = 0;  // over the last seconds; 0: not known yet
  QString why;

  // -1: not known
  qint64 secondsLeft() const;
};

class ModelDownload : public QObject {
  Q_OBJECT
 public:
  // Begins at once. It must have been agreed to that the hub is asked.
  explicit ModelDownload(const DownloadOrder& order, const DownloadPatience& patience = {},
                         QObject* parent = nullptr);
  // Stops. What has come is kept, and gone on with by the next one.
  ~ModelDownload() override;

  // Stops, likewise; stopped() follows.
  void stop();

 Q_SIGNALS:
  void progressed(const waferpair::pairing::DownloadProgress& progress);
  // One of these three is the last signal, never within the constructor or stop().
  void finished(const QString& path);
  void failed(const waferpair::editor::Error& error);
  void stopped();

 private:
  std::shared_ptr<std::atomic<bool>> stop_ = std::make_shared<std::atomic<bool>>(false);
  QThread thread_;
  DownloadWorker* worker_;  // lives in `thread_`, and ends with it
};

}  // namespace waferpair::pairing
