// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/downloads/download_worker.h"

#include <QFileInfo>
#include <QLocale>
#include <QRegularExpression>
#include <algorithm>

#include "editor/text/translate.h"
#include "pairing/endpoints/http_request.h"
#include "pairing/request/endpoint.h"

namespace waferpair::pairing {
namespace {

constexpr qint64 kReportMs = 200;
// The time over which the rate is taken.
constexpr qint64 kRateMs = 5'000;
constexpr std::chrono::milliseconds kLongestDownloadPause = std::chrono::minutes(1);

QString sizeText(qint64 bytes) {
  return QLocale().formattedDataSize(bytes, 1, QLocale::DataSizeSIFormat);
}

// "bytes 100-199/200": the first byte and the file's size, -1 where that is not told.
struct ContentRange {
  qint64 from = 0;
  qint64 total = -1;
};
std::optional<ContentRange> readContentRange(const QByteArray& header) {
  static const QRegularExpression form(
      QStringLiteral("\\Abytes (\\d{1,18})-\\d{1,18}/(\\d{1,18}|\\*)\\z"));
  const auto match = form.match(QString::fromLatin1(header.trimmed()));
  if (!match.hasMatch()) return {};
  bool isTold = false;
  const qint64 total = match.captured(2).toLongLong(&isTold);
  return ContentRange{match.captured(1).toLongLong(), isTold ? total : -1};
}

}  // namespace

DownloadWorker::DownloadWorker(const DownloadOrder& order, const DownloadPatience& patience,
                               std::shared_ptr<std::atomic<bool>> stop)
    : order_(order),
      patience_(patience),
      stop_(std::move(stop)),
      folder_(order.cache, order.repository),
      note_{order.commit, order.file, {}},
      pause_(this),
      later_(this) {
  pause_.setSingleShot(true);
  connect(&pause_, &QTimer::timeout, this, &DownloadWorker::ask);
  later_.setSingleShot(true);
  connect(&later_, &QTimer::timeout, this, [this] {
    if (get_) report(Phase::kFetching, part_->size());
  });
}

// Requests go before the network that they are of.
DownloadWorker::~DownloadWorker() { qDeleteAll(findChildren<HubGet*>()); }

void DownloadWorker::run() {
  clock_.start();
  const auto isReady = prepare();
  if (*stop_) return halt();
  if (!isReady) return fail(isReady.error());
  if (!*isReady) return complete();
  network_ = networkFor(order_.hub);
  ask();
}

void DownloadWorker::halt() {
  if (isOver_) return;
  over();
  Q_EMIT stopped();
}

// Returns whether anything is left to fetch.
editor::Result<bool> DownloadWorker::prepare() {
  auto part = PartFile::open(folder_, order_.file);
  if (!part) return tl::unexpected(part.error());
  part_ = std::move(*part);
  // Whoever had the lock before may have fetched it.
  const auto isFetched = isFetchedAlready();
  if (!isFetched) return tl::unexpected(isFetched.error());
  if (*isFetched) {
    part_.reset();
    folder_.removePart(order_.file);
    return false;
  }
  if (const auto known = folder_.note(order_.file)) note_.tag = known->tag;
  if (part_->size() == 0) note_.tag.clear();
  if (const auto kept = folder_.keepNote(note_); !kept) return tl::unexpected(kept.error());
  if (const qint64 missing = part_->missingRoom(); missing > 0) {
    return editor::fail(
        translate("There is no room for %1: %2 are needed in %3, and %4 of that are missing.")
            .arg(order_.file.path, sizeText(order_.file.bytes - part_->size()), order_.cache,
                 sizeText(missing)),
        translate("Make room on that disk, or set HF_HOME to a folder on another."));
  }
  const auto read = part_->readKept([this](qint64 bytes) { return reportReading(bytes); });
  if (!read) return tl::unexpected(read.error());
  most_ = part_->size();
  return true;
}

// A blob that another program has fetched is checked all the same.
editor::Result<bool> DownloadWorker::isFetchedAlready() {
  const QFileInfo blob(folder_.blob(order_.file));
  if (!blob.isFile()) return false;
  const auto sum = sha256Of(blob.filePath(), [this](qint64 bytes) { return reportReading(bytes); });
  if (!sum) return tl::unexpected(sum.error());
  if (!*sum || **sum == order_.file.sha256) return true;  // or stopped
  return editor::fail(
      translate("%1, which another program has fetched, is damaged.").arg(blob.filePath()),
      translate("Remove it, then get the model again."));
}

bool DownloadWorker::reportReading(qint64 bytes) {
  report(Phase::kReading, bytes);
  return !*stop_;
}

void DownloadWorker::ask() {
  if (part_->size() == order_.file.bytes) return complete();
  const QUrl url = hubFileUrl(order_.hub, order_.repository, order_.commit, order_.file.path);
  get_ = new HubGet(network_.get(), {url, part_->size(), note_.tag}, patience_.silence, this);
  connect(get_, &HubGet::began, this, &DownloadWorker::began);
  connect(get_, &HubGet::arrived, this, &DownloadWorker::arrived);
  connect(get_, &HubGet::ended, this, &DownloadWorker::ended);
  recent_.clear();
  report(Phase::kFetching, part_->size());
}

// The answer is held to what the hub has said of the file before any of it is taken.
void DownloadWorker::began() {
  const editor::Error otherFile = {
      translate("What %1 sends is of another length than the hub says.").arg(order_.file.path),
      translate("Try it again later: the file may just be changing.")};
  if (get_->status() == 416) {
    // There is nothing behind what is here, which is not all: it was of another file.
    if (const auto cleared = part_->clear(); !cleared) fail(cleared.error());
    return;
  }
  qint64 from = 0, total = -1;
  if (get_->status() == 206) {
    const auto range = readContentRange(get_->header("Content-Range"));
    if (!range || range->from != part_->size()) return fail(otherFile);
    from = range->from;
    total = range->total;
  } else {
    const QByteArray length = get_->header("Content-Length");
    if (!length.isEmpty()) total = length.toLongLong();
  }
  if (total >= 0 && total != order_.file.bytes) return fail(otherFile);
  // The range was not heeded: the file comes from its beginning.
  if (from == 0 && part_->size() > 0) {
    if (const auto cleared = part_->clear(); !cleared) return fail(cleared.error());
  }
  note_.tag = get_->header("ETag");
  if (const auto kept = folder_.keepNote(note_); !kept) fail(kept.error());
}

void DownloadWorker::arrived(const QByteArray& bytes) {
  if (part_->size() + bytes.size() > order_.file.bytes) {
    folder_.removePart(order_.file);
    return fail({translate("More comes as %1 than the hub says that it holds. It was removed.")
                     .arg(order_.file.path),
                 translate("Get it again. If that happens twice, something on the way changes "
                           "it.")});
  }
  if (const auto kept = part_->append(bytes); !kept) return fail(kept.error());
  if (part_->size() > most_) {
    most_ = part_->size();
    tries_ = 0;
  }
  report(Phase::kFetching, part_->size());
}

void DownloadWorker::ended(const HubGet::End& end) {
  std::exchange(get_, nullptr)->deleteLater();
  if (end.kind == HubGet::End::Kind::kRefused) return fail(end.error);
  if (part_->size() == order_.file.bytes) return complete();
  if (end.kind == HubGet::End::Kind::kBroken) return tryAgain(end);
  tryAgain({HubGet::End::Kind::kBroken,
            {translate("The transfer of %1 ended before all of it had come.").arg(order_.file.path),
             translate("Try it again later.")},
            {}});
}

void DownloadWorker::tryAgain(const HubGet::End& end) {
  if (++tries_ >= patience_.tries) return fail(end.error);
  const auto doubled = patience_.firstPause * (1LL << (tries_ - 1));
  const auto pause =
      end.pause.value_or(std::min<std::chrono::milliseconds>(doubled, kLongestDownloadPause));
  reportedMs_ = -1;
  report(Phase::kWaiting, part_->size(), end.error.what);
  pause_.start(pause);
}

void DownloadWorker::complete() {
  if (part_) {
    if (const auto placed = part_->finish(); !placed) return fail(placed.error());
  }
  const auto path = folder_.show(order_.commit, order_.file);
  if (!path) return fail(path.error());
  over();
  Q_EMIT finished(*path);
}

void DownloadWorker::report(Phase phase, qint64 bytes, const QString& why) {
  const qint64 now = clock_.elapsed();
  if (reportedMs_ >= 0 && now - reportedMs_ < kReportMs) {
    if (!later_.isActive()) later_.start(static_cast<int>(kReportMs - (now - reportedMs_)));
    return;
  }
  reportedMs_ = now;
  DownloadProgress progress{phase, bytes, order_.file.bytes, 0, why};
  if (phase == Phase::kFetching) {
    recent_.enqueue({now, bytes});
    progress.bytesPerSecond = rate();
  }
  Q_EMIT progressed(progress);
}

double DownloadWorker::rate() {
  while (recent_.size() > 2 && recent_.last().first - recent_.first().first > kRateMs)
    recent_.dequeue();
  const double ms = static_cast<double>(recent_.last().first - recent_.first().first);
  const double bytes = static_cast<double>(recent_.last().second - recent_.first().second);
  return ms > 0 ? std::max(0.0, bytes * 1000 / ms) : 0;
}

void DownloadWorker::fail(const editor::Error& error) {
  over();
  Q_EMIT failed(error);
}

// Nothing follows; the lock is free by then.
void DownloadWorker::over() {
  isOver_ = true;
  pause_.stop();
  later_.stop();
  if (HubGet* get = std::exchange(get_, nullptr)) {
    get->disconnect(this);
    get->deleteLater();
  }
  if (part_ && part_->size() == 0) folder_.removePart(order_.file);  // nobody misses it
  part_.reset();
}

}  // namespace waferpair::pairing
