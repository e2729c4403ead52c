// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/git/log_model.h"

#include <QDateTime>
#include <QLocale>
#include <QRegularExpression>
#include <algorithm>

#include "editor/text/unseen.h"
#include "workbench/git/git_call.h"

namespace waferpair::gui {

using workbench::LogCommit;

namespace {

constexpr std::size_t kRowsAtATime = 4000;
constexpr std::size_t kFirstRows = 200;  // they are there at once

bool fits(const LogCommit& commit, const QStringList& words) {
  return std::all_of(words.begin(), words.end(), [&](const QString& word) {
    return commit.subject.contains(word, Qt::CaseInsensitive) ||
           commit.author.contains(word, Qt::CaseInsensitive) ||
           commit.refs.contains(word, Qt::CaseInsensitive) ||
           QLatin1String(commit.id).startsWith(word);
  });
}

}  // namespace

LogModel::LogModel(QObject* parent) : QAbstractListModel(parent) {
  thread_.setMaxThreadCount(1);
  filterThread_.setMaxThreadCount(1);
}

LogModel::~LogModel() {
  stop();
  stopFiltering();
  thread_.waitForDone();
  filterThread_.waitForDone();
}

void LogModel::stop() {
  if (reading_) *reading_ = true;
  reading_.reset();
}

void LogModel::read(const QString& folder, const QString& path, bool all) {
  stop();
  stopFiltering();
  beginResetModel();
  chunks_.clear();
  starts_.clear();
  total_ = 0;
  words_ = wanted_;
  shown_.clear();
  filtered_ = 0;
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
        workbench::readWithGit({folder, arguments, {}, {workbench::literalPaths()}}, *cancelled, {},
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
  if (rows.empty()) return Q_EMIT progressed();
  const int first = total_;
  const int last = first + static_cast<int>(rows.size()) - 1;
  const bool isShown = words_.isEmpty();
  if (isShown) beginInsertRows({}, first, last);
  chunks_.append(std::make_shared<const std::vector<Row>>(std::move(rows)));
  starts_.append(first);
  total_ = last + 1;
  if (isShown) endInsertRows();
  // What runs goes on to it by itself.
  if (!wanted_.isEmpty() && !filtering_) filterFrom(words_ == wanted_ ? filtered_ : 0);
  Q_EMIT progressed();
}

// -- Words

void LogModel::stopFiltering() {
  if (filtering_) *filtering_ = true;
  filtering_.reset();
}

void LogModel::setFilter(const QString& words) {
  wanted_ = words.split(u' ', Qt::SkipEmptyParts);
  stopFiltering();
  if (!wanted_.isEmpty()) {
    if (words_ != wanted_) return filterFrom(0);
    return filtered_ < chunks_.size() ? filterFrom(filtered_) : progressed();
  }
  if (!words_.isEmpty()) {
    beginResetModel();
    words_.clear();
    shown_.clear();
    filtered_ = 0;
    endResetModel();
  }
  Q_EMIT progressed();
}

void LogModel::filterFrom(qsizetype chunk) {
  filtering_ = std::make_shared<std::atomic<bool>>(false);
  // The thread ends before this object does.
  filterThread_.start(
      [this, chunk, chunks = chunks_, starts = starts_, words = wanted_, cancelled = filtering_] {
        QVector<int> fitting;
        for (qsizetype i = chunk; i < chunks.size() && !*cancelled; ++i)
          for (std::size_t k = 0; k < chunks[i]->size(); ++k)
            if (fits((*chunks[i])[k].commit, words))
              fitting.append(starts[i] + static_cast<int>(k));
        QMetaObject::invokeMethod(
            this,
            [this, words, fitting, count = chunks.size(), cancelled] {
              if (!*cancelled) takeFiltered(words, fitting, count);
            },
            Qt::QueuedConnection);
      });
}

void LogModel::takeFiltered(const QStringList& words, const QVector<int>& fitting,
                            qsizetype chunks) {
  filtering_.reset();
  if (words_ != words) {
    beginResetModel();
    words_ = words;
    shown_ = fitting;
    endResetModel();
  } else if (!fitting.isEmpty()) {
    const auto first = static_cast<int>(shown_.size());
    beginInsertRows({}, first, first + static_cast<int>(fitting.size()) - 1);
    shown_ += fitting;
    endInsertRows();
  }
  filtered_ = chunks;
  if (filtered_ < chunks_.size()) filterFrom(filtered_);
  Q_EMIT progressed();
}

const LogModel::Row* LogModel::row(int shown) const {
  if (shown < 0 || shown >= rowCount()) return nullptr;
  const int at = words_.isEmpty() ? shown : shown_[shown];
  const auto chunk = std::upper_bound(starts_.begin(), starts_.end(), at) - starts_.begin() - 1;
  return &(*chunks_[chunk])[static_cast<std::size_t>(at - starts_[chunk])];
}

int LogModel::rowCount(const QModelIndex& parent) const {
  if (parent.isValid()) return 0;
  return words_.isEmpty() ? total_ : static_cast<int>(shown_.size());
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
      return editor::shownForm(commit.subject, editor::OtherBlanks::kKept);
    case Qt::AccessibleTextRole:
      return editor::shownForm(QStringList({commit.subject, commit.refs, commit.author, when()})
                                   .filter(QRegularExpression(QStringLiteral(".")))
                                   .join(QStringLiteral(", ")),
                               editor::OtherBlanks::kKept);
    case Qt::ToolTipRole:
      return tr("%1\n%2, %3\n%4")
          .arg(editor::shownForm(commit.subject), editor::shownForm(commit.author), when(),
               QLatin1String(commit.id));
    case kCommitRole:
      return QString::fromLatin1(commit.id);
    default:
      return {};
  }
}

}  // namespace waferpair::gui
