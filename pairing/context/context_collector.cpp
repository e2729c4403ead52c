// SPDX-License-Identifier: GPL-3.0-or-later
#include "pairing/context/context_collector.h"

#include <QCryptographicHash>
#include <algorithm>

#include "editor/text/path_bytes.h"
#include "editor/text/translate.h"
#include "pairing/context/token_estimate.h"
#include "runtime/base/guest_file.h"
#include "runtime/exclusions/secret_text.h"

namespace waferpair::pairing {
namespace {

constexpr std::size_t kMostOfProjectFile = 4 << 20;

bool isTextInUtf8(const QByteArray& bytes) { return !bytes.contains('\0') && bytes.isValidUtf8(); }

QString noRoom() { return translate("there is no room for it"); }

}  // namespace

QString secretIn(QByteArrayView utf8) {
  return QString::fromStdString(
      exclusions::reasonOfText({utf8.data(), static_cast<std::size_t>(utf8.size())}));
}

QByteArray projectBytes(const QString& path) {
  const auto text = base::readGuestFile(editor::nativePath(path), kMostOfProjectFile);
  return text && *text ? QByteArray::fromStdString(**text) : QByteArray();
}

ContextCollector::ContextCollector(const QString& root, const QVector<OpenText>& open,
                                   const QVector<ContextItem>& known, qint64 room)
    : root_(root), known_(known), gate_(editor::nativePath(root)), room_(room) {
  for (const OpenText& text : open)
    if (!text.path.isEmpty()) open_.insert(text.path, &text);
}

void ContextCollector::add(Kind kind, const QString& name, const QString& path,
                           const QByteArray& utf8) {
  if (names_.contains(name)) return;
  QString reason = reasonOf(path);
  if (reason.isEmpty()) reason = secretIn(utf8);
  if (reason.isEmpty() && !isTextInUtf8(utf8)) reason = translate("it is no text in UTF-8");
  if (reason.isEmpty() && utf8.isEmpty()) reason = translate("it is empty");
  if (!reason.isEmpty()) return leaveOut(kind, name, path, reason);
  ContextItem item{kind, Outcome::kSent, name, path, {}, {}, 0, {}};
  item.sha1 = QCryptographicHash::hash(utf8, QCryptographicHash::Sha1);
  if (struck_.contains(name)) {
    item.outcome = Outcome::kStruck;
    return append(item);
  }
  const auto known = std::find_if(known_.begin(), known_.end(), [&item](const ContextItem& k) {
    return k.outcome == Outcome::kSent && k.name == item.name && k.sha1 == item.sha1;
  });
  if (known != known_.end()) {
    item.outcome = Outcome::kKnown;
    item.why = translate("unchanged since an earlier message: not sent again");
    return append(item);
  }
  item.tokens = estimatedTokens(utf8);
  QByteArray text = utf8;
  if (item.tokens > room_) {
    // Cut at a line's end.
    const qsizetype end = text.lastIndexOf('\n', std::max<qsizetype>(bytesOfTokens(room_) - 1, 0));
    if (room_ < kLeastPart || end <= 0) return leaveOut(kind, name, path, noRoom());
    text.truncate(end + 1);
    item.outcome = Outcome::kCut;
    item.why = translate("cut behind line %1 of %2: there is no room for more")
                   .arg(text.count('\n'))
                   .arg(utf8.count('\n') + (utf8.endsWith('\n') ? 0 : 1));
    item.tokens = estimatedTokens(text);
  }
  Q_ASSERT(item.tokens <= room_);
  room_ -= item.tokens;
  item.text = QString::fromUtf8(text);
  append(item);
}

void ContextCollector::leaveOut(Kind kind, const QString& name, const QString& path,
                                const QString& why) {
  if (!isQuiet_) append({kind, Outcome::kLeftOut, name, path, {}, {}, 0, why});
}

void ContextCollector::append(const ContextItem& item) {
  if (names_.contains(item.name)) return;
  names_.insert(item.name);
  items_.append(item);
}

QString ContextCollector::reasonOf(const QString& path) {
  if (path.isEmpty()) return {};
  return QString::fromStdString(gate_.reason(editor::nativePath(path)));
}

QByteArray ContextCollector::textOf(const QString& path) const {
  const OpenText* open = openAt(path);
  return open ? open->text.toByteArray() : projectBytes(path);
}

QString ContextCollector::shown(const QString& path, const QString& title) const {
  const QString root = root_ + u'/';
  if (!root_.isEmpty() && path.startsWith(root)) return path.mid(root.size());
  for (const auto& [other, label] : others_)
    if (path.startsWith(other + u'/')) return label + path.mid(other.size());
  return title;
}

}  // namespace waferpair::pairing
