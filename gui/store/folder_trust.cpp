// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/store/folder_trust.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QJsonArray>
#include <algorithm>
#include <utility>

#include "gui/store/json_file.h"

namespace waferpair::gui {

using programs::GivenStart;
using programs::StartWord;

namespace {

constexpr qsizetype kMostTrusted = 2000;
constexpr qsizetype kMostWords = 5000;
constexpr qsizetype kMostWordLines = 1000;  // of one start
constexpr qsizetype kLineHashBytes = 8;

// Where it really is; empty: it is not there, or not named as a whole.
QString placeOf(const QString& folder) {
  return QDir::isAbsolutePath(folder) ? QFileInfo(folder).canonicalFilePath() : QString();
}

bool isIn(const QString& place, const QString& folder) {
  return place == folder || folder == QLatin1String("/") || place.startsWith(folder + u'/');
}

// Whether the word about `folder` is for `place`.
bool isCovered(const QString& place, const QString& folder) {
  return place == folder ||
         (isIn(place, folder) && !isIn(QFileInfo(QDir::homePath()).canonicalFilePath(), folder));
}

// Absolute ones, sorted.
QStringList foldersIn(const QJsonValue& list) {
  QStringList folders;
  for (const QJsonValue each : list.toArray())
    if (const QString folder = each.toString();
        QDir::isAbsolutePath(folder) && folders.size() < kMostTrusted)
      folders.append(folder);
  folders.sort();
  return folders;
}

// "build (.waferpair/tasks.json)"
QString aboutOf(const GivenStart& start) {
  return start.source.isEmpty() ? start.name
                                : start.name + QStringLiteral(" (") + start.source + u')';
}

// They tell a line that is new, and nothing is decided by them.
QStringList lineHashes(const GivenStart& start) {
  QStringList hashes;
  for (const QString& line : start.shown().mid(0, kMostWordLines))
    hashes.append(
        QString::fromLatin1(QCryptographicHash::hash(line.toUtf8(), QCryptographicHash::Sha256)
                                .first(kLineHashBytes)
                                .toHex()));
  return hashes;
}

GivenStart atItsPlace(GivenStart start) {
  start.folder = placeOf(start.folder);
  return start;
}

}  // namespace

FolderTrust::FolderTrust(QString file, QObject* parent) : QObject(parent), file_(std::move(file)) {
  read();
  const auto lookAgain = [this] {
    if (!isUnwritten_ && read()) Q_EMIT changed();
    watch();
  };
  connect(&watcher_, &QFileSystemWatcher::fileChanged, this, lookAgain);
  connect(&watcher_, &QFileSystemWatcher::directoryChanged, this, lookAgain);
  watch();
}

// The file is replaced as a whole when it is written, and may not be there yet.
void FolderTrust::watch() {
  const bool isThere = QFileInfo::exists(file_);
  if (isThere && !watcher_.files().contains(file_)) watcher_.addPath(file_);
  const QString folder = QFileInfo(file_).path();
  const bool isWatched = watcher_.directories().contains(folder);
  if (!isThere && !isWatched && QFileInfo::exists(folder)) watcher_.addPath(folder);
  if (isThere && isWatched) watcher_.removePath(folder);
}

bool FolderTrust::read() {
  const JsonRead json = readJson(file_);
  QStringList folders = foldersIn(json.object[u"folders"]);
  QStringList restricted = foldersIn(json.object[u"restricted"]);
  QHash<QString, Word> words;
  QStringList order;
  for (const QJsonValue each : json.object[u"starts"].toArray()) {
    const QString key = each[u"key"].toString();
    if (key.isEmpty() || words.contains(key) || order.size() >= kMostWords) continue;
    Word word{
        each[u"folder"].toString(), each[u"agreed"].toBool(false), each[u"about"].toString(), {}};
    for (const QJsonValue line : each[u"lines"].toArray())
      if (word.lines.size() < kMostWordLines) word.lines.append(line.toString());
    words.insert(key, word);
    order.append(key);
  }
  problem_ = json.problem;
  const bool isNews = folders != folders_ || restricted != restricted_ || words != words_;
  folders_ = std::move(folders);
  restricted_ = std::move(restricted);
  words_ = std::move(words);
  order_ = std::move(order);
  return isNews;
}

// What another window has written meanwhile is kept; what could not be written here is not taken
// back by the file.
QString FolderTrust::change(const std::function<void()>& edit) {
  if (!isUnwritten_) read();
  edit();
  while (order_.size() > kMostWords) words_.remove(order_.takeFirst());
  QJsonArray starts;
  for (const QString& key : std::as_const(order_)) {
    const Word word = words_.value(key);
    starts.append(QJsonObject{{QStringLiteral("key"), key},
                              {QStringLiteral("folder"), word.folder},
                              {QStringLiteral("agreed"), word.isAgreed},
                              {QStringLiteral("about"), word.about},
                              {QStringLiteral("lines"), QJsonArray::fromStringList(word.lines)}});
  }
  const QString wrong =
      writeJson(file_, {{QStringLiteral("folders"), QJsonArray::fromStringList(folders_)},
                        {QStringLiteral("restricted"), QJsonArray::fromStringList(restricted_)},
                        {QStringLiteral("starts"), starts}});
  isUnwritten_ = !wrong.isEmpty();
  if (!isUnwritten_) problem_.clear();
  watch();
  Q_EMIT changed();
  return isUnwritten_ ? wrong + u' ' + tr("What was said holds until the program ends.") : wrong;
}

// -- Folders

QString FolderTrust::trustedBy(const QString& folder) const {
  const QString place = placeOf(folder);
  if (place.isEmpty() || allForNow_) return place;
  QString outermost;
  for (const QString& each : folders_)
    if (isCovered(place, each) && (outermost.isEmpty() || each.size() < outermost.size()))
      outermost = each;
  return outermost;
}

bool FolderTrust::isTrustedWithout(const QString& folder, const QString& revoked) const {
  const QString place = placeOf(folder);
  const QString there = placeOf(revoked);
  return !place.isEmpty() && std::ranges::any_of(folders_, [&](const QString& each) {
    return isCovered(place, each) && !isCovered(there.isEmpty() ? revoked : there, each);
  });
}

bool FolderTrust::isKeptRestricted(const QString& folder) const {
  return restricted_.contains(placeOf(folder)) && !isTrusted(folder);
}

QString FolderTrust::trust(const QString& folder) {
  const QString place = placeOf(folder);
  if (place.isEmpty()) return tr("%1 is not there, so it cannot be trusted.").arg(folder);
  return change([&] {
    restricted_.removeOne(place);
    if (folders_.contains(place)) return;
    folders_.append(place);
    folders_.sort();
  });
}

QString FolderTrust::revoke(const QString& folder) {
  // Where a folder is gone by now, its name is all there is.
  const QString there = placeOf(folder);
  const QString place = there.isEmpty() ? folder : there;
  allForNow_ = false;
  return change([&] {
    folders_.removeIf([&](const QString& each) { return isCovered(place, each); });
    for (const QString& key : QStringList(order_)) {
      if (!isIn(words_.value(key).folder, place)) continue;
      words_.remove(key);
      order_.removeOne(key);
    }
  });
}

QString FolderTrust::keepRestricted(const QString& folder) {
  const QString place = placeOf(folder);
  if (place.isEmpty() || restricted_.contains(place)) return {};
  return change([&] {
    restricted_.append(place);
    restricted_.sort();
    while (restricted_.size() > kMostTrusted) restricted_.removeLast();
  });
}

void FolderTrust::trustAllForNow() {
  if (std::exchange(allForNow_, true)) return;
  Q_EMIT changed();
}

// -- Single starts

StartWord FolderTrust::wordAbout(const GivenStart& start) const {
  if (!isTrusted(start.folder)) return StartWord::kRestricted;
  if (start.given.isEmpty()) return StartWord::kAgreed;
  const auto word = words_.constFind(atItsPlace(start).key());
  if (word == words_.constEnd()) return StartWord::kUnasked;
  return word->isAgreed ? StartWord::kAgreed : StartWord::kDeclined;
}

QString FolderTrust::setWord(const GivenStart& start, bool isAgreed) {
  const GivenStart at = atItsPlace(start);
  if (at.folder.isEmpty()) return tr("%1 is not there.").arg(start.folder);
  const QString key = at.key();
  return change([&] {
    words_.insert(key, {at.folder, isAgreed, aboutOf(start), lineHashes(start)});
    order_.removeOne(key);
    order_.append(key);
  });
}

std::optional<FolderTrust::Changed> FolderTrust::changedSince(const GivenStart& start) const {
  const QString place = placeOf(start.folder);
  const auto last = std::find_if(order_.rbegin(), order_.rend(), [&](const QString& key) {
    const Word word = words_.value(key);
    return word.isAgreed && word.folder == place && word.about == aboutOf(start);
  });
  if (last == order_.rend()) return std::nullopt;
  QStringList before = words_.value(*last).lines;
  Changed changed;
  const QStringList now = lineHashes(start);
  for (qsizetype line = 0; line < now.size(); ++line)
    if (!before.removeOne(now[line])) changed.lines.append(line);
  changed.gone = before.size();
  return changed;
}

QVector<FolderTrust::Said> FolderTrust::saidIn(const QString& folder) const {
  const QString place = placeOf(folder);
  QVector<Said> said;
  for (const QString& key : order_) {
    const Word word = words_.value(key);
    if (!place.isEmpty() && isIn(word.folder, place)) said.append({key, word.about, word.isAgreed});
  }
  return said;
}

QString FolderTrust::forget(const QString& key) {
  return change([&] {
    words_.remove(key);
    order_.removeOne(key);
  });
}

QString FolderTrust::agree(const GivenStart& start) { return setWord(start, true); }

QString FolderTrust::decline(const GivenStart& start) { return setWord(start, false); }

}  // namespace waferpair::gui
