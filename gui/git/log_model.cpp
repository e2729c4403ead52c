// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/git/log_model.h"

#include <QDateTime>
#include <QLocale>
#include <QRegularExpression>
#include <algorithm>

#include "workbench/git/git_call.h"

namespace waferpair::gui {

using workbench::LogCommit;

namespace {

constexpr std::size_t kRowsAtATime = 4000;
constexpr std::size_t kFirstRows = 200;  // they are there at once

}  // namespace

LogModel::LogModel(QObject* parent) : QAbstractListModel(parent) { thread_.setMaxThreadCount(1); }

LogModel::~LogModel() {
  stop();
  thread_.waitForDone();
}

void LogModel::stop() {
  if (reading_) *reading_ = true;
  reading_.reset();
}

void LogModel::read(const QString& folder, const QString& path, bool all) {
  stop();
  beginResetModel();
  rows_.clear();
  shown_.clear();
  path_ = path;
  endResetModel();
  reading_ = std::make_shared<std::atomic<bool>>(false);
  QStringList arguments{QStringLiteral("log"), QStringLiteral("-z"),
                        QStringLiteral("--format=") + workbench::commitLogFormat()};
  if (all)
    arguments += {QStringLiteral("--branches"), QStringLiteral("--remotes"),
                  QStringLiteral("--tags"), QStringLiteral("HEAD")};
  if (!path.isEmpty()) arguments += {QStringLiteral("--follow"), QStringLiteral("--"), path};
  // The thread ends before this object does.
  thread_.start([this, folder, arguments, cancelled = reading_] {
    workbench::CommitLogReader reader;
    workbench::CommitGraph graph;
    std::vector<Row> rows;
    bool isFirst = true;
    const auto send = [&] {
      QMetaObject::invokeMethod(
          this,
          [this, cancelled, rows = std::move(rows)]() mutable {
            if (!*cancelled) append(std::move(rows));
          },
          Qt::QueuedConnection);
      rows.clear();
      isFirst = false;
    };
    const auto take = [&](QVector<LogCommit> commits) {
      for (LogCommit& commit : commits) {
        workbench::GraphRow row = graph.add(commit);
        rows.push_back({std::move(commit), std::move(row)});
        if (rows.size() >= (isFirst ? kFirstRows : kRowsAtATime)) send();
      }
    };
    const auto done =
        workbench::callGit({folder, arguments, {}, {workbench::literalPaths()}}, *cancelled, {},
                           [&](const QByteArray& bytes) { take(reader.take(bytes)); });
    take(reader.finish());
    send();
    QMetaObject::invokeMethod(
        this,
        [this, cancelled, done] {
          if (*cancelled) return;
          reading_.reset();
          if (!done) Q_EMIT problem(done.error().message());
          Q_EMIT progressed();
        },
        Qt::QueuedConnection);
  });
}

void LogModel::append(std::vector<Row> rows) {
  if (filter_.isEmpty() && !rows.empty()) {
    const auto first = static_cast<int>(rows_.size());
    beginInsertRows({}, first, first + static_cast<int>(rows.size()) - 1);
    std::move(rows.begin(), rows.end(), std::back_inserter(rows_));
    endInsertRows();
  } else if (!rows.empty()) {
    QVector<int> more;
    for (Row& row : rows) {
      if (fits(row)) more.append(static_cast<int>(rows_.size()));
      rows_.push_back(std::move(row));
    }
    if (!more.isEmpty()) {
      const auto first = static_cast<int>(shown_.size());
      beginInsertRows({}, first, first + static_cast<int>(more.size()) - 1);
      shown_ += more;
      endInsertRows();
    }
  }
  Q_EMIT progressed();
}

bool LogModel::fits(const Row& row) const {
  const LogCommit& commit = row.commit;
  return std::all_of(filter_.begin(), filter_.end(), [&](const QString& word) {
    return commit.subject.contains(word, Qt::CaseInsensitive) ||
           commit.author.contains(word, Qt::CaseInsensitive) ||
           commit.refs.contains(word, Qt::CaseInsensitive) ||
           QLatin1String(commit.id).startsWith(word);
  });
}

void LogModel::setFilter(const QString& words) {
  beginResetModel();
  filter_ = words.split(u' ', Qt::SkipEmptyParts);
  shown_.clear();
  for (std::size_t i = 0; !filter_.isEmpty() && i < rows_.size(); ++i)
    if (fits(rows_[i])) shown_.append(static_cast<int>(i));
  endResetModel();
  Q_EMIT progressed();
}

const LogModel::Row* LogModel::row(int shown) const {
  if (shown < 0 || shown >= rowCount()) return nullptr;
  const int at = filter_.isEmpty() ? shown : shown_[shown];
  return &rows_[static_cast<std::size_t>(at)];
}

int LogModel::rowCount(const QModelIndex& parent) const {
  if (parent.isValid()) return 0;
  return filter_.isEmpty() ? static_cast<int>(rows_.size()) : static_cast<int>(shown_.size());
}

QVariant LogModel::data(const QModelIndex& index, int role) const {
  const Row* at = row(index.row());
  if (!at) return {};
  const LogCommit& commit = at->commit;
  const auto when = [&] {
    return QLocale().toString(QDateTime::fromSecsSinceEpoch(commit.when), QLocale::ShortFormat);
  };
  switch (role) {
    case Qt::DisplayRole:
      return commit.subject;
    case Qt::AccessibleTextRole:
      return QStringList({commit.subject, commit.refs, commit.author, when()})
          .filter(QRegularExpression(QStringLiteral(".")))
          .join(QStringLiteral(", "));
    case Qt::ToolTipRole:
      return tr("%1\n%2, %3\n%4")
          .arg(commit.subject, commit.author, when(), QLatin1String(commit.id));
    case kCommitRole:
      return QString::fromLatin1(commit.id);
    default:
      return {};
  }
}

}  // namespace waferpair::gui
