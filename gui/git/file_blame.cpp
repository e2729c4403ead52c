// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/git/file_blame.h"

#include <QPointer>
#include <algorithm>
#include <chrono>

#include "editor/layers/margin_words.h"
#include "editor/view/announce.h"
#include "gui/documents/editor_tabs.h"
#include "gui/git/file_actions.h"
#include "gui/store/clock.h"

namespace waferpair::gui {

using editor::MarginWords;
using workbench::BlamedLine;

namespace {

constexpr std::chrono::milliseconds kBlameSoon(1000);
constexpr qsizetype kMostBlamed = 20 << 20;   // bytes of a text
constexpr qsizetype kBlamedAuthorWidth = 14;  // characters
constexpr qsizetype kBlamedCommitWidth = 8;   // likewise

// The first line of those that are of one commit has the words.
QStringList columnOf(const QVector<BlamedLine>& lines) {
  const qint64 now = currentTime().toSecsSinceEpoch();
  QStringList words;
  for (qsizetype i = 0; i < lines.size(); ++i) {
    const BlamedLine& line = lines[i];
    if (i > 0 && lines[i - 1].commit == line.commit) {
      words.append(QString());
      continue;
    }
    if (line.commit.isEmpty()) {
      words.append(FileBlame::tr("not committed"));
      continue;
    }
    const QString author = line.author.size() > kBlamedAuthorWidth
                               ? line.author.left(kBlamedAuthorWidth - 1) + QChar(0x2026)
                               : line.author.leftJustified(kBlamedAuthorWidth);
    words.append(QStringLiteral("%1 %2 %3")
                     .arg(QString::fromLatin1(line.commit.left(kBlamedCommitWidth)), author,
                          ageText(now - line.when)));
  }
  return words;
}

}  // namespace

QString ageText(qint64 seconds) {
  constexpr qint64 kMinute = 60, kHour = 60 * kMinute, kDay = 24 * kHour;
  constexpr qint64 kMonth = 30 * kDay, kYear = 365 * kDay;
  const auto whole = [seconds](qint64 unit) { return static_cast<int>(seconds / unit); };
  if (seconds < kMinute) return FileBlame::tr("now");
  if (seconds < kHour) return FileBlame::tr("%n minute(s)", nullptr, whole(kMinute));
  if (seconds < kDay) return FileBlame::tr("%n hour(s)", nullptr, whole(kHour));
  if (seconds < 2 * kMonth) return FileBlame::tr("%n day(s)", nullptr, whole(kDay));
  if (seconds < 2 * kYear) return FileBlame::tr("%n month(s)", nullptr, whole(kMonth));
  return FileBlame::tr("%n year(s)", nullptr, whole(kYear));
}

FileBlame::FileBlame(const GitParts& parts, FileActions* actions, workbench::GitWatch* watch,
                     QObject* parent)
    : QObject(parent), p_(parts), actions_(actions) {
  thread_.setMaxThreadCount(1);
  connect(parts.tabs, &EditorTabs::closed, this, [this](Document* document) { hide(document); });
  // The branch may be another.
  connect(watch, &workbench::GitWatch::changed, this, [this] {
    for (Shown& shown : shown_)
      if (!shown.soon->isActive()) shown.soon->start();
  });
}

FileBlame::~FileBlame() {
  for (const Shown& shown : std::as_const(shown_))
    if (shown.reading) *shown.reading = true;
  thread_.waitForDone();
}

void FileBlame::toggle() {
  Document* document = p_.tabs->current();
  if (!document) return;
  if (shown_.contains(document)) return hide(document);
  if (document->path().isEmpty())
    return actions_->say(tr("This text has no file yet. Save it first."));
  if (document->editor()->length() > kMostBlamed)
    return actions_->say(tr("This text is too long for who wrote its lines to be shown."));
  if (actions_->folder().isEmpty()) return;
  Shown& shown = shown_[document];
  shown.soon = new QTimer(document);
  shown.soon->setSingleShot(true);
  shown.soon->setInterval(kBlameSoon);
  connect(shown.soon, &QTimer::timeout, this, [this, document] { read(document); });
  // Started anew by each key: git is asked once they pause.
  connect(document->editor(), &editor::CodeEditor::textChanged, shown.soon,
          qOverload<>(&QTimer::start));
  connect(MarginWords::of(document->editor()), &MarginWords::clicked, shown.soon,
          [this, document](int line) {
            if (const QByteArray commit = commitAt(document, line); !commit.isEmpty())
              Q_EMIT commitWanted(commit, document->path());
          });
  read(document);
}

void FileBlame::hide(Document* document) {
  const auto shown = shown_.find(document);
  if (shown == shown_.end()) return;
  if (shown->reading) *shown->reading = true;
  delete shown->soon;
  shown_.erase(shown);
  MarginWords::of(document->editor())->clear();
}

void FileBlame::read(Document* document) {
  const auto shown = shown_.find(document);
  if (shown == shown_.end()) return;
  shown->again = shown->reading != nullptr;
  if (shown->again) return;
  shown->soon->stop();
  shown->reading = std::make_shared<std::atomic<bool>>(false);
  document->textDocument()->buffer()->settle();
  const qint64 version = document->textDocument()->buffer()->version();
  // The thread ends before this object does.
  thread_.start([this, version, text = document->textDocument()->snapshot(),
                 encoding = document->encoding(), path = document->path(),
                 cancelled = shown->reading, document = QPointer(document)] {
    const auto blamed = workbench::blame({path, text, encoding}, *cancelled);
    const QVector<BlamedLine> lines = blamed.value_or(QVector<BlamedLine>());
    const QString problem = blamed ? QString() : blamed.error().message();
    QMetaObject::invokeMethod(
        this,
        [this, document, version, lines, problem, cancelled] {
          const auto at = shown_.find(document.data());
          if (*cancelled || at == shown_.end()) return;
          at->reading.reset();
          if (!problem.isEmpty()) {
            hide(document);
            return actions_->say(problem);
          }
          at->lines = lines;
          at->version = version;
          show(document, &*at);
          if (at->again) at->soon->start();
        },
        Qt::QueuedConnection);
  });
}

// Of a text that was edited meanwhile the next answer is shown.
void FileBlame::show(Document* document, Shown* shown) {
  document->textDocument()->buffer()->settle();
  if (document->textDocument()->buffer()->version() != shown->version) return shown->soon->start();
  auto* column = MarginWords::of(document->editor());
  const bool isNew = !column->isShown();
  column->set(columnOf(shown->lines));
  if (isNew) editor::announce(document->editor(), tr("Who wrote the lines is shown beside them."));
}

QByteArray FileBlame::commitAt(const Document* document, int line) const {
  const auto shown = shown_.constFind(document);
  const bool isNow =
      shown != shown_.cend() && document->textDocument()->buffer()->version() == shown->version;
  return isNow ? shown->lines.value(line).commit : QByteArray();
}

}  // namespace waferpair::gui
