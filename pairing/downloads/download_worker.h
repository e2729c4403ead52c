// SPDX-License-Identifier: GPL-3.0-or-later
// The part of a download that runs on its own thread: see model_download.h.
#pragma once

#include <QElapsedTimer>
#include <QNetworkAccessManager>
#include <QQueue>
#include <QTimer>
#include <atomic>
#include <memory>
#include <utility>

#include "pairing/downloads/hub_folder.h"
#include "pairing/downloads/hub_get.h"
#include "pairing/downloads/model_download.h"
#include "pairing/downloads/part_file.h"

namespace waferpair::pairing {

class DownloadWorker : public QObject {
  Q_OBJECT
 public:
  // `stop` may be set from any thread; halt() is called after that.
  DownloadWorker(const DownloadOrder& order, const DownloadPatience& patience,
                 std::shared_ptr<std::atomic<bool>> stop);
  ~DownloadWorker() override;

  void run();
  void halt();

 Q_SIGNALS:
  void progressed(const waferpair::pairing::DownloadProgress& progress);
  void finished(const QString& path);
  void failed(const waferpair::editor::Error& error);
  void stopped();

 private:
  using Phase = DownloadProgress::Phase;

  editor::Result<bool> prepare();
  editor::Result<bool> isFetchedAlready();
  bool reportReading(qint64 bytes);
  void ask();
  void began();
  void arrived(const QByteArray& bytes);
  void ended(const HubGet::End& end);
  void tryAgain(const HubGet::End& end);
  void complete();
  void report(Phase phase, qint64 bytes, const QString& why = {});
  double rate();
  void fail(const editor::Error& error);
  void over();

  DownloadOrder order_;
  DownloadPatience patience_;
  std::shared_ptr<std::atomic<bool>> stop_;
  HubFolder folder_;
  PartNote note_;
  std::unique_ptr<PartFile> part_;
  std::shared_ptr<QNetworkAccessManager> network_;
  HubGet* get_ = nullptr;  // null: none is under way
  QTimer pause_;
  QTimer later_;     // what came since the last report
  qint64 most_ = 0;  // that the part ever held
  int tries_ = 0;    // since it held more than ever
  bool isOver_ = false;
  QElapsedTimer clock_;
  qint64 reportedMs_ = -1;
  QQueue<std::pair<qint64, qint64>> recent_;  // ms and bytes that had come by then
};

}  // namespace waferpair::pairing
