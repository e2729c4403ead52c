// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/client/model_gate.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QPointer>
#include <QThreadPool>
#include <QUrl>
#include <algorithm>
#include <utility>

#include "editor/text/path_bytes.h"
#include "editor/text/size_text.h"
#include "editor/text/watch_limit.h"
#include "runtime/exclusions/link_names.h"
#include "runtime/exclusions/secret_text.h"

namespace waferpair::gui {
namespace {

// Some 2,000 lines take a millisecond or two.
constexpr std::size_t kReadAtOnce = 64 << 10;
constexpr int kPollMs = 2'000;
// Sending a larger text would be felt when a file is opened (waferd would take four times as much).
constexpr qint64 kMaxDocumentBytes = 8 << 20;
constexpr auto kReach = static_cast<qint64>(exclusions::kSecretReach);

QString fromNative(const std::string& path) {
  return editor::pathText(QByteArray::fromStdString(path));
}

QString rulesIn(const QString& folder) {
  return (folder == QLatin1String("/") ? QString() : folder) + u'/' +
         QLatin1String(exclusions::kIgnoreFile.data());
}

QString secretIn(QByteArrayView utf8) {
  return QString::fromStdString(
      exclusions::reasonOfText({utf8.data(), static_cast<std::size_t>(utf8.size())}));
}

// A key that is written letter by letter is none before its last: it is known by how it begins.
QString begunIn(const editor::Snapshot& text, qint64 end) {
  const QByteArray line = text.slice(std::max(text.lineStart(text.lineAt(end)), end - kReach), end);
  const std::string_view kind =
      exclusions::begunSecret({line.data(), static_cast<std::size_t>(line.size())});
  if (kind.empty()) return {};
  return ModelGate::tr("what is being written begins like %1: the model is not shown it")
      .arg(QLatin1StringView(kind.data(), static_cast<qsizetype>(kind.size())));
}

tl::unexpected<HeldBack> heldBack(const QString& reason, bool byFile = false) {
  return tl::unexpected(HeldBack{reason, byFile});
}

QString tooLarge() {
  return ModelGate::tr("File over %1: no suggestions").arg(editor::sizeText(kMaxDocumentBytes));
}
// Byte offsets would differ between the two sides: JSON cannot carry such text unchanged.
QString notUtf8() { return ModelGate::tr("Not UTF-8 text: no suggestions"); }

}  // namespace

ModelGate::ModelGate(QObject* parent) : QObject(parent), exclusions_({}, kReadAtOnce) {
  poll_.setInterval(kPollMs);
  connect(&poll_, &QTimer::timeout, this, [this] {
    for (const QString& folder : folders_.keys()) look(folder, true);
  });
  connect(&watcher_, &QFileSystemWatcher::directoryChanged, this,
          [this](const QString& folder) { look(folder, true); });
  connect(&watcher_, &QFileSystemWatcher::fileChanged, this,
          [this](const QString& file) { look(QFileInfo(file).path(), false); });
}

void ModelGate::setProject(const QString& root) {
  exclusions_ = exclusions::Exclusions(editor::nativePath(root), kReadAtOnce);
}

QString ModelGate::pathOf(const editor::DocumentId& id) {
  const QUrl url(id);
  if (url.isLocalFile()) return url.toLocalFile();
  return id.startsWith(u'/') ? id : QString();
}

QString ModelGate::reason(const editor::DocumentId& id) {
  const QString path = pathOf(id);
  if (path.isEmpty()) return {};
  const QString reason = QString::fromStdString(exclusions_.reason(editor::nativePath(path)));
  if (!reason.isEmpty()) readLongRules();
  return reason;
}

tl::expected<PassedText, HeldBack> ModelGate::pass(const GatedText& text) {
  if (const QString why = reason(text.id); !why.isEmpty()) return heldBack(why, true);
  // The name goes along.
  if (const QString why = secretIn(text.id.toUtf8()); !why.isEmpty()) return heldBack(why, true);
  if (text.text.size() > kMaxDocumentBytes) return heldBack(tooLarge());
  const QByteArray utf8 = text.text.toByteArray();
  if (!utf8.isValidUtf8()) return heldBack(notUtf8());
  if (const QString why = secretIn(utf8); !why.isEmpty()) return heldBack(why);
  if (text.editedAt >= 0)
    if (const QString why = begunIn(text.text, text.editedAt); !why.isEmpty()) return heldBack(why);
  return PassedText(text);
}

tl::expected<PassedChange, HeldBack> ModelGate::pass(PassedText* text, qint64 version,
                                                     const QVector<editor::TextEdit>& edits,
                                                     const editor::Snapshot& after) {
  if (after.size() > kMaxDocumentBytes) return heldBack(tooLarge());
  for (qsizetype i = 0; i < edits.size(); ++i) {
    if (!edits[i].text.isValidUtf8()) return heldBack(notUtf8());
    // The place of this edit in the text after all edits: later ones may have moved it.
    qint64 start = edits[i].start;
    qint64 end = start + edits[i].text.size();
    for (qsizetype later = i + 1; later < edits.size(); ++later) {
      const qint64 grown = edits[later].text.size() - (edits[later].end - edits[later].start);
      if (edits[later].start <= start)
        start = std::max<qint64>(0, start + std::min<qint64>(grown, 0));
      if (edits[later].start <= end) end += std::max<qint64>(grown, 0);
    }
    QString why = secretIn(after.slice(start - kReach, end + kReach));
    if (why.isEmpty()) why = begunIn(after, end);
    if (!why.isEmpty()) return heldBack(why);
  }
  text->value_.version = version;
  text->value_.text = after;
  return PassedChange({(*text)->id, version, edits});
}

tl::expected<PassedQuery, HeldBack> ModelGate::pass(const PassedText& text,
                                                    const editor::CompletionQuery& query) {
  const editor::Snapshot& whole = text->text;
  if (!query.inserted.isEmpty()) {
    const QString why = secretIn(whole.slice(query.offset - kReach, query.offset) + query.inserted +
                                 whole.slice(query.offset, query.offset + kReach));
    if (!why.isEmpty()) return heldBack(why);
  }
  editor::CompletionQuery asked = query;
  if (!secretIn(query.names.join('\n')).isEmpty()) {
    asked.names.clear();
    asked.namesAreAll = false;
  }
  return PassedQuery(asked);
}

tl::expected<PassedPrompt, HeldBack> ModelGate::pass(const LonePrompt& prompt) {
  if (const QString why = secretIn(prompt.text.toUtf8()); !why.isEmpty()) return heldBack(why);
  return PassedPrompt(prompt);
}

void ModelGate::watch(const QString& path) {
  const std::string file = editor::nativePath(path);
  QStringList folders;
  for (const std::string& each : exclusions_.foldersOf(file)) folders.append(fromNative(each));
  if (folders == watched_.value(path)) return;
  forget(path);
  watched_.insert(path, folders);
  for (const QString& name : folders) {
    const bool isNew = !folders_.contains(name);
    Folder& folder = folders_[name];
    folder.below.insert(path);
    if (!isNew) continue;
    folder.rules = exclusions::FileStamp::of(editor::nativePath(rulesIn(name)));
    addToWatcher(name);
    if (folder.rules.exists) addToWatcher(rulesIn(name));
  }
  for (const std::string& name : exclusions::namesOf(file))
    folders_[QFileInfo(fromNative(name)).path()].files.insert(path);
}

void ModelGate::forget(const QString& path) {
  const QStringList folders = watched_.take(path);
  for (const QString& name : folders) {
    const auto folder = folders_.find(name);
    if (folder == folders_.end()) continue;
    folder->files.remove(path);
    folder->below.remove(path);
    if (!folder->below.isEmpty()) continue;
    watcher_.removePaths({name, rulesIn(name)});
    folders_.erase(folder);
  }
}

void ModelGate::addToWatcher(const QString& path) {
  if (watcher_.addPath(path) || !QFileInfo::exists(path)) return;
  if (watcher_.files().contains(path) || watcher_.directories().contains(path)) return;
  editor::WatchLimit::instance().meet();
  poll_.start();
}

// Asks again about the files that a change in `folder` by another program may concern: those in it
// (they can be links now), and for its rules all below it.
void ModelGate::look(const QString& name, bool entriesChanged) {
  if (!folders_.contains(name)) return;
  Folder& folder = folders_[name];
  const exclusions::FileStamp rules = exclusions::FileStamp::of(editor::nativePath(rulesIn(name)));
  const bool otherRules = !(rules == folder.rules);
  const QFileInfo info(name);
  const bool otherFolder = !info.isDir() || info.isSymLink();
  QSet<QString> concerned;
  if (entriesChanged) concerned = folder.files;
  if (otherRules || otherFolder) concerned = folder.below;
  folder.rules = rules;
  // A file of rules that was replaced is no longer watched.
  if (rules.exists && !watcher_.files().contains(rulesIn(name))) addToWatcher(rulesIn(name));
  if (info.isDir() && !watcher_.directories().contains(name)) addToWatcher(name);
  if (!concerned.isEmpty()) Q_EMIT askAgain(concerned.values());
  if (otherRules) Q_EMIT rulesChanged();
}

void ModelGate::readLongRules() {
  for (const std::string& file : exclusions_.unread()) {
    const QString name = fromNative(file);
    if (beingRead_.contains(name)) continue;
    beingRead_.insert(name);
    // The thread knows nothing of this object but through the guarded pointer, used on the UI
    // thread.
    QThreadPool::globalInstance()->start([self = QPointer<ModelGate>(this), file, name] {
      exclusions::ReadRules rules = exclusions::readRules(file);
      QMetaObject::invokeMethod(
          QCoreApplication::instance(),
          [self, file, name, rules = std::move(rules)] {
            if (!self) return;
            self->beingRead_.remove(name);
            self->exclusions_.take(file, rules);
            const auto folder = self->folders_.constFind(QFileInfo(name).path());
            if (folder != self->folders_.cend()) Q_EMIT self->askAgain(folder->below.values());
            Q_EMIT self->rulesChanged();
          },
          Qt::QueuedConnection);
    });
  }
}

}  // namespace waferpair::gui
