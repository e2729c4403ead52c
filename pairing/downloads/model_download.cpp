// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/downloads/model_download.h"

#include <cmath>

#include "pairing/downloads/download_worker.h"

namespace waferpair::pairing {

qint64 DownloadProgress::secondsLeft() const {
  if (bytesPerSecond <= 0 || phase != Phase::kFetching) return -1;
  return static_cast<qint64>(std::ceil(static_cast<double>(total - bytes) / bytesPerSecond));
}

ModelDownload::ModelDownload(const DownloadOrder& order, const DownloadPatience& patience,
                             QObject* parent)
    : QObject(parent), worker_(new DownloadWorker(order, patience, stop_)) {
  worker_->moveToThread(&thread_);
  connect(&thread_, &QThread::finished, worker_, &QObject::deleteLater);
  connect(worker_, &DownloadWorker::progressed, this, &ModelDownload::progressed);
  connect(worker_, &DownloadWorker::finished, this, &ModelDownload::finished);
  connect(worker_, &DownloadWorker::failed, this, &ModelDownload::failed);
  connect(worker_, &DownloadWorker::stopped, this, &ModelDownload::stopped);
  thread_.setObjectName(QStringLiteral("download"));
  thread_.start(QThread::LowPriority);
  QMetaObject::invokeMethod(worker_, &DownloadWorker::run);
}

ModelDownload::~ModelDownload() {
  worker_->disconnect(this);
  *stop_ = true;
  thread_.quit();
  thread_.wait();
}

void ModelDownload::stop() {
  *stop_ = true;
  QMetaObject::invokeMethod(worker_, &DownloadWorker::halt);
}

}  // namespace waferpair::pairing
