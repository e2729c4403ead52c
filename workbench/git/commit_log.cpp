// SPDX-License-Identifier: GPL-3.0-or-later
#include "workbench/git/commit_log.h"

#include <algorithm>

namespace waferpair::workbench {
namespace {

constexpr char kFieldEnd = '\x1f';
constexpr qsizetype kFields = 6;
constexpr qsizetype kMostParents = 64;

bool isHex(const QByteArray& id) {
  return id.size() >= 40 && id.size() <= 64 && std::all_of(id.begin(), id.end(), [](char c) {
           return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
         });
}

bool readCommit(const QByteArray& record, LogCommit& commit) {
  const QList<QByteArray> fields = record.split(kFieldEnd);
  // A subject may have such a character.
  if (fields.size() < kFields || !isHex(fields[0])) return false;
  commit.id = fields[0];
  for (const QByteArray& parent : fields[1].split(' '))
    if (isHex(parent) && commit.parents.size() < kMostParents) commit.parents.append(parent);
  commit.author = QString::fromUtf8(fields[2]);
  commit.when = fields[3].toLongLong();
  commit.refs = QString::fromUtf8(fields[4]);
  commit.subject = QString::fromUtf8(fields.mid(kFields - 1).join(' '));
  return true;
}

}  // namespace

QString commitLogFormat() { return QStringLiteral("%H%x1f%P%x1f%an%x1f%at%x1f%D%x1f%s"); }

QVector<LogCommit> CommitLogReader::take(QByteArrayView bytes) {
  QVector<LogCommit> commits;
  qsizetype from = 0;
  for (qsizetype end = bytes.indexOf('\0'); end >= 0; end = bytes.indexOf('\0', from)) {
    begun_.append(bytes.sliced(from, end - from));
    LogCommit commit;
    if (readCommit(begun_, commit)) commits.append(std::move(commit));
    begun_.clear();
    from = end + 1;
  }
  begun_.append(bytes.sliced(from));
  if (begun_.size() > kMostBytes) begun_.truncate(0);
  return commits;
}

QVector<LogCommit> CommitLogReader::finish() {
  const QByteArray end(1, '\0');
  return begun_.isEmpty() ? QVector<LogCommit>() : take(end);
}

GraphRow CommitGraph::add(const LogCommit& commit) {
  const auto asLane = [](qsizetype lane) { return static_cast<short>(lane); };
  const auto freeLane = [this] {
    const qsizetype free = lanes_.indexOf(QByteArray());
    if (free >= 0) return free;
    lanes_.append(QByteArray());
    return lanes_.size() - 1;
  };
  GraphRow row;
  // Lanes that lead here end here; the first of them goes on.
  qsizetype own = lanes_.indexOf(commit.id);
  const bool isTip = own < 0;
  if (isTip) own = freeLane();
  row.lane = asLane(own);
  for (qsizetype i = 0; i < lanes_.size(); ++i) {
    if (lanes_[i].isEmpty()) continue;
    const bool isHere = lanes_[i] == commit.id;
    row.above.append({asLane(i), isHere ? asLane(own) : asLane(i), asLane(i)});
    if (isHere) {
      lanes_[i].clear();
    } else {
      row.below.append({asLane(i), asLane(i), asLane(i)});
    }
  }
  // A tip for which there is no lane any more stands by itself.
  const bool isDrawn = own < kMostLanes;
  for (qsizetype i = 0; isDrawn && i < commit.parents.size(); ++i) {
    const QByteArray& parent = commit.parents[i];
    qsizetype lane = lanes_.indexOf(parent);
    if (lane < 0) {
      lane = i == 0 || lanes_[own].isEmpty() ? own : freeLane();
      if (lane >= kMostLanes) {
        lanes_.removeLast();
        continue;
      }
      lanes_[lane] = parent;
    }
    row.below.append({asLane(own), asLane(lane), asLane(lane)});
  }
  while (!lanes_.isEmpty() && lanes_.last().isEmpty()) lanes_.removeLast();
  return row;
}

}  // namespace waferpair::workbench
