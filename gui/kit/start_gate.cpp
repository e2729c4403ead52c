// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/kit/start_gate.h"

#include <QApplication>
#include <QDir>
#include <QFileInfo>
#include <QPointer>
#include <numeric>
#include <utility>

#include "editor/text/unseen.h"
#include "gui/kit/banner.h"
#include "gui/kit/start_question.h"
#include "gui/store/app_paths.h"

namespace waferpair::gui {

using programs::GivenStart;
using programs::StartWord;

namespace {

constexpr char kTrustNotice[] = "trust";
constexpr char kTrustProblem[] = "trustProblem";
constexpr char kConsentNotice[] = "startConsent";
constexpr char kStopNotice[] = "trustStop";
constexpr char kStoppedNotice[] = "trustStopped";
// A notice has room for so much; a box of its own shows more.
constexpr qsizetype kMostNoticeLines = 12, kMostNoticeLength = 900;
constexpr qsizetype kMostDeciders = 5;
// What is longer is not started: a yes to it would be one to the unread.
constexpr qsizetype kMostThatIsRead = 60'000;

qsizetype lengthOf(const QStringList& lines) {
  return std::accumulate(lines.begin(), lines.end(), qsizetype{0},
                         [](qsizetype sum, const QString& line) { return sum + line.size(); });
}

QString kindName(GivenStart::Kind kind) {
  switch (kind) {
    case GivenStart::Kind::kTask:
      return StartGate::tr("the task “%1”");
    case GivenStart::Kind::kTests:
      return StartGate::tr("tests (%1)");
    case GivenStart::Kind::kDebugging:
      return StartGate::tr("debugging “%1”");
    case GivenStart::Kind::kLanguageServer:
      return StartGate::tr("the language server %1");
    case GivenStart::Kind::kAgent:
      return StartGate::tr("the agent %1");
    case GivenStart::Kind::kCommand:
      return StartGate::tr("the command “%1”");
    case GivenStart::Kind::kTerminal:
      return StartGate::tr("a terminal (%1)");
    case GivenStart::Kind::kOther:
      break;
  }
  return StartGate::tr("“%1”");
}

QString nameOf(const GivenStart& start) {
  constexpr qsizetype kMostOfStartName = 80;
  QString name = editor::oneLineForm(start.name);
  if (name.size() > kMostOfStartName) name = name.left(kMostOfStartName - 1) + QChar(0x2026);
  return kindName(start.kind).arg(name);
}

QString shownFolder(const QString& folder) { return editor::oneLineForm(withTilde(folder)); }

// "the task “build”, the language server clangd", each once.
QString namesOf(const QVector<RunningStart>& running) {
  QStringList names;
  for (const RunningStart& each : running)
    if (const QString name = nameOf(each.start); !names.contains(name)) names.append(name);
  return names.join(StartGate::tr(", "));
}

QString fileNames(const QStringList& files) {
  const QString names = editor::oneLineForm(files.mid(0, kMostDeciders).join(StartGate::tr(", ")));
  return files.size() > kMostDeciders ? names + QStringLiteral(", …") : names;
}

// The question does not show all that the start leads to, so it says which files decide.
QString decisionOf(const GivenStart& start) {
  QString said;
  if (const QStringList marked = start.given.value(u"files").toObject().keys(); !marked.isEmpty())
    said += u' ' +
            StartGate::tr("What it does is decided by %1; when that changes you are asked again.")
                .arg(fileNames(marked));
  if (!start.decidedBy.isEmpty())
    said += u' ' + StartGate::tr(
                       "What it does is decided by %1; when that changes you are not asked "
                       "again.")
                       .arg(fileNames(start.decidedBy));
  return said;
}

// Marks the lines that are others than the user agreed to before, and says how many.
QString markChanges(const FolderTrust::Changed& changed, QStringList* lines) {
  for (QString& line : *lines) line.prepend(QStringLiteral("   "));
  for (const qsizetype at : changed.lines)
    if (at < lines->size()) (*lines)[at].replace(0, 1, QChar(0x25B8));
  QString said;
  if (!changed.lines.isEmpty())
    said += u' ' + StartGate::tr("%n line(s) changed since you agreed to it (▸).", nullptr,
                                 static_cast<int>(changed.lines.size()));
  if (changed.gone > 0)
    said += u' ' + StartGate::tr("%n line(s) of what you agreed to are there no more.", nullptr,
                                 static_cast<int>(changed.gone));
  return said;
}

QString textOr(const QString& text, const QString& usual) { return text.isEmpty() ? usual : text; }

}  // namespace

StartGate::StartGate(Parts parts, QObject* parent) : QObject(parent), parts_(std::move(parts)) {
  // Trusted elsewhere meanwhile: what was said of restriction is so no longer.
  connect(parts_.trust, &FolderTrust::changed, this, [this] {
    if (!restricted_.isEmpty() && isTrusted(restricted_))
      parts_.notices->remove(QLatin1String(kTrustNotice));
    stopUntrusted();
  });
}

std::function<void()> StartGate::thenHome(std::function<void()> run) {
  return [this, run = std::move(run)] {
    const auto isHere = [this] {
      const QWidget* keyboard = QApplication::focusWidget();
      return keyboard && parts_.notices->isAncestorOf(keyboard);
    };
    const bool wasHere = isHere();
    run();
    // What was started may have it: a terminal.
    const bool isNowhere = isHere() || !QApplication::focusWidget();
    if (wasHere && isNowhere && parts_.home) parts_.home();
  };
}

void StartGate::tellProblem(const QString& wrong) {
  if (wrong.isEmpty()) return parts_.notices->remove(QLatin1String(kTrustProblem));
  parts_.notices->show(QLatin1String(kTrustProblem), Banner::Kind::kError, wrong);
}

void StartGate::trustFolder(const QString& folder) { tellProblem(parts_.trust->trust(folder)); }

void StartGate::restrictFolder(const QString& folder) {
  const QVector<RunningStart> would = running([&](const QString& each) {
    return isTrusted(each) && !parts_.trust->isTrustedWithout(each, folder);
  });
  if (would.isEmpty()) return revoke(folder);
  parts_.notices
      ->show(QLatin1String(kStopNotice), Banner::Kind::kWarning,
             tr("Restrict %1? What runs of it is stopped: %2.")
                 .arg(shownFolder(folder), namesOf(would)))
      .addButton(QStringLiteral("trustStopAll"), tr("&Stop and Restrict"),
                 thenHome([this, folder] { revoke(folder); }))
      .addButton(QStringLiteral("trustKeep"), tr("&Keep Trusting It"), thenHome([] {}));
}

void StartGate::revoke(const QString& folder) {
  parts_.notices->remove(QLatin1String(kStopNotice));
  tellProblem(parts_.trust->revoke(folder));
  dropQuestions();
}

// -- What runs

void StartGate::addRunning(QObject* owner, std::function<QVector<RunningStart>()> list) {
  runners_.push_back({owner, std::move(list)});
}

QVector<RunningStart> StartGate::running(
    const std::function<bool(const QString& folder)>& isMeant) const {
  QVector<RunningStart> found;
  for (const Runner& each : runners_) {
    if (!each.owner) continue;
    for (const RunningStart& one : each.list())
      if (!one.start.folder.isEmpty() && isMeant(one.start.folder)) found.append(one);
  }
  return found;
}

// A folder that is gone by now was trusted as far as anybody knows.
void StartGate::stopUntrusted() {
  const QVector<RunningStart> stopped = running(
      [this](const QString& folder) { return QFileInfo::exists(folder) && !isTrusted(folder); });
  if (stopped.isEmpty()) return;
  for (const RunningStart& each : stopped) each.stop();
  parts_.notices->show(QLatin1String(kStoppedNotice), Banner::Kind::kInfo,
                       tr("%1 is in Restricted Mode now. Stopped: %2.")
                           .arg(shownFolder(stopped.first().start.folder), namesOf(stopped)));
}

void StartGate::start(const GivenStart& start, const std::function<void()>& go,
                      const StartWording& wording) {
  switch (wordAbout(start)) {
    case StartWord::kAgreed:
      return go();
    case StartWord::kRestricted:
      return askForTrust(start, go, wording);
    case StartWord::kUnasked:
    case StartWord::kDeclined:
      return ask(start, go, wording);
  }
}

void StartGate::askForTrust(const GivenStart& start, const std::function<void()>& go,
                            const StartWording& wording) {
  restricted_ = start.folder;
  Banner& banner =
      parts_.notices
          ->show(QLatin1String(kTrustNotice), Banner::Kind::kWarning,
                 tr("Not started: %1. The folder %2 is in Restricted Mode: nothing that it brings "
                    "is started until you trust it.")
                     .arg(nameOf(start), shownFolder(start.folder)))
          .addButton(QStringLiteral("trustFolder"), tr("&Trust Folder"),
                     thenHome([this, start, go, wording] {
                       trustFolder(start.folder);
                       if (isTrusted(start.folder)) this->start(start, go, wording);
                     }));
  if (wording.insteadRun)
    banner.addButton(wording.insteadName, wording.instead, thenHome(wording.insteadRun));
  banner
      .addButton(QStringLiteral("trustManage"), tr("&Manage…"),
                 [this, folder = start.folder] {
                   if (parts_.manage) parts_.manage(folder);
                 })
      .addButton(QStringLiteral("trustNot"), tr("Not &Now"), thenHome([] {}));
}

void StartGate::ask(const GivenStart& start, const std::function<void()>& go,
                    const StartWording& wording) {
  const QString id = textOr(wording.id, QLatin1String(kConsentNotice));
  if (!asked_.contains(id)) asked_.append(id);
  QString question = wording.question;
  if (question.isEmpty()) {
    question = start.source.isEmpty()
                   ? tr("Start %1?").arg(nameOf(start))
                   : tr("Start %1, as %2 of this project asks?").arg(nameOf(start), start.source);
    question += decisionOf(start) + u' ' +
                tr("It runs on this computer, in %1:").arg(shownFolder(start.folder));
  } else {
    question += decisionOf(start);
  }
  QStringList lines = start.shown();
  const qsizetype length = lengthOf(lines);
  if (length > kMostThatIsRead) {
    parts_.notices->show(id, Banner::Kind::kError,
                         tr("Not started: %1. What %2 gives for it has %3 letters, which nobody "
                            "reads. Shorten it to %4.")
                             .arg(nameOf(start), textOr(start.source, shownFolder(start.folder)),
                                  QString::number(length), QString::number(kMostThatIsRead)));
    return;
  }
  if (const auto changed = parts_.trust->changedSince(start); changed)
    question += markChanges(*changed, &lines);
  const auto agree = [this, start, go] {
    // Trust may have been taken back since.
    if (!isTrusted(start.folder)) return this->start(start, go);
    tellProblem(parts_.trust->agree(start));
    go();
  };
  const auto decline = [this, start, keeps = wording.keepsNo] {
    if (keeps) tellProblem(parts_.trust->decline(start));
  };
  const QString yesName = textOr(wording.yesName, QStringLiteral("startAgreed"));
  const QString yes = textOr(wording.yes, tr("&Start It"));
  const bool fits = lines.size() <= kMostNoticeLines && length <= kMostNoticeLength;
  Banner& banner = parts_.notices->show(
      id, start.source.isEmpty() ? Banner::Kind::kInfo : Banner::Kind::kWarning,
      fits ? (QStringList{question} + lines).join(u'\n')
           : question + u' ' + tr("(%n line(s))", nullptr, static_cast<int>(lines.size())));
  if (fits) {
    banner.addButton(yesName, yes, thenHome(agree));
  } else {
    const auto showAll = [this, id, question, lines, yesName, yes, agree] {
      if (box_) box_->close();
      box_ = new StartQuestion(question, lines, yesName, yes, parts_.notices->window());
      connect(box_, &QDialog::accepted, this, [this, id, agree] {
        parts_.notices->remove(id);
        agree();
      });
      box_->open();
    };
    // It stays until it is answered.
    banner.addButton(QStringLiteral("startShowAll"), tr("Show &All…"),
                     [this, id, start, go, wording, showAll] {
                       ask(start, go, wording);
                       showAll();
                     });
  }
  banner.addButton(textOr(wording.noName, QStringLiteral("startDeclined")),
                   textOr(wording.no, tr("&No")), thenHome(decline));
}

void StartGate::tellRestricted(const QString& folder) {
  if (told_ == folder || parts_.trust->isKeptRestricted(folder) || isTrusted(folder)) return;
  told_ = folder;
  // What a command was told says as much.
  if (parts_.notices->find(QLatin1String(kTrustNotice))) return;
  restricted_ = folder;
  parts_.notices
      ->show(QLatin1String(kTrustNotice), Banner::Kind::kInfo,
             tr("The folder %1 is in Restricted Mode: you can edit and search, and nothing that it "
                "brings (language servers, tasks, tests, debugging, agents) is started until you "
                "trust it.")
                 .arg(shownFolder(folder)))
      .addButton(QStringLiteral("trustFolder"), tr("&Trust Folder"),
                 thenHome([this, folder] { trustFolder(folder); }))
      .addButton(QStringLiteral("trustKeepRestricted"), tr("&Keep It Restricted"),
                 thenHome([this, folder] { tellProblem(parts_.trust->keepRestricted(folder)); }))
      .addButton(QStringLiteral("trustManage"), tr("&Manage…"), [this, folder] {
        if (parts_.manage) parts_.manage(folder);
      });
}

void StartGate::dropQuestions() {
  told_.clear();
  if (box_) box_->close();
  parts_.notices->remove(QLatin1String(kTrustNotice));
  for (const QString& id : std::exchange(asked_, {})) parts_.notices->remove(id);
}

}  // namespace waferpair::gui
