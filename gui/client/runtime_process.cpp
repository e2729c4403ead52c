// SPDX-License-Identifier: GPL-3.0-or-later
#include "gui/client/runtime_process.h"

#include <sys/resource.h>

#include <QCoreApplication>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLoggingCategory>
#include <utility>

#include "gui/client/model_adapters.h"

namespace waferpair::gui {
namespace {

Q_LOGGING_CATEGORY(processLog, "waferpair.runtime.process", QtWarningMsg)

// A waferd that served this long was healthy; its end starts a new record of failures.
constexpr qint64 kHealthyMs = 30'000;
constexpr int kListenMs = 60'000;
constexpr int kNiceness = 5;
constexpr int kPoliteMs = 2'000;
constexpr int kGoodbyeMs = 1'000;
// Its only line is short; more without a line end is not waferd.
constexpr qsizetype kMaxLine = 64 * 1024;
constexpr qsizetype kKeptErrors = 4 * 1024;

// The last thing a program said before it died is most often the reason.
QString lastLine(const QByteArray& text) {
  const QList<QByteArray> lines = text.trimmed().split('\n');
  return QString::fromUtf8(lines.isEmpty() ? QByteArray() : lines.last().trimmed());
}

}  // namespace

RuntimeProcess::RuntimeProcess(RuntimeCommand command, Restarts restarts, QObject* parent)
    : QObject(parent), command_(std::move(command)), restarts_(restarts) {
  for (QTimer* timer : {&retry_, &listenDeadline_, &killDeadline_}) timer->setSingleShot(true);
  connect(&retry_, &QTimer::timeout, this, &RuntimeProcess::launch);
  connect(&killDeadline_, &QTimer::timeout, this, [this] { process_.kill(); });
  connect(&listenDeadline_, &QTimer::timeout, this, [this] {
    reported_ = {tr("The model server did not start to listen within %1 s.").arg(kListenMs / 1000),
                 tr("Restart the model, or choose a smaller one.")};
    process_.kill();
  });
  // Where cores are few, the window's keys go before the model's tokens.
  process_.setChildProcessModifier([] { ::setpriority(PRIO_PROCESS, 0, kNiceness); });
  connect(&process_, &QProcess::readyReadStandardOutput, this, &RuntimeProcess::readOutput);
  connect(&process_, &QProcess::readyReadStandardError, this, &RuntimeProcess::readErrors);
  connect(&process_, &QProcess::finished, this, &RuntimeProcess::onFinished);
  connect(&process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    // Every other error is followed by finished().
    if (error != QProcess::FailedToStart) return;
    onFailure({tr("The model server %1 could not be started: %2.")
                   .arg(command_.program, process_.errorString()),
               tr("Install waferd beside the program, or name it in the settings.")},
              false);
  });
}

RuntimeProcess::~RuntimeProcess() {
  process_.disconnect(this);
  if (!isRunning()) return;
  insistOnLeaving();
  if (process_.waitForFinished(kGoodbyeMs)) return;
  process_.kill();
  process_.waitForFinished(kGoodbyeMs);
}

void RuntimeProcess::start() {
  quickFailures_ = 0;
  if (isRunning()) {
    if (wish_ == Wish::kStop) wish_ = Wish::kRestart;  // it is just leaving
    return;
  }
  wish_ = Wish::kRun;
  launch();
}

void RuntimeProcess::restart() {
  quickFailures_ = 0;
  if (!isRunning()) {
    start();
    return;
  }
  wish_ = Wish::kRestart;
  insistOnLeaving();
}

void RuntimeProcess::abandon(const editor::Error& problem) {
  if (wish_ != Wish::kRun || !isRunning()) return;
  reported_ = problem;
  process_.kill();
}

void RuntimeProcess::stop() {
  wish_ = Wish::kStop;
  retry_.stop();
  if (isRunning())
    insistOnLeaving();
  else
    Q_EMIT stopped();
}

// waferd leaves when its standard input ends or on SIGTERM; SIGKILL is for one that hangs.
void RuntimeProcess::insistOnLeaving() {
  listenDeadline_.stop();
  process_.closeWriteChannel();
  process_.terminate();
  killDeadline_.start(kPoliteMs);
}

void RuntimeProcess::launch() {
  retry_.stop();
  output_.clear();
  lastErrors_.clear();
  reported_ = {};
  listeningSince_.invalidate();
  Q_EMIT starting();
  listenDeadline_.start(kListenMs);
  QStringList arguments = {QStringLiteral("--model"), command_.model,
                           QStringLiteral("--parent-pid"),
                           QString::number(QCoreApplication::applicationPid())};
  for (const QString& adapter : adapterArguments(command_.adapters, command_.model))
    arguments << QStringLiteral("--adapter") << adapter;
  if (!command_.sessionCache.isEmpty())
    arguments << QStringLiteral("--session-cache") << command_.sessionCache;
  if (command_.reproducible) arguments << QStringLiteral("--reproducible");
  process_.start(command_.program, arguments);
}

void RuntimeProcess::readErrors() {
  const QByteArray text = process_.readAllStandardError();
  qCDebug(processLog).noquote() << text;
  lastErrors_ = (lastErrors_ + text).right(kKeptErrors);
}

void RuntimeProcess::readOutput() {
  output_ += process_.readAllStandardOutput();
  for (qsizetype end; (end = output_.indexOf('\n')) >= 0; output_.remove(0, end + 1))
    takeLine(output_.left(end));
  if (output_.size() > kMaxLine) output_.clear();
}

void RuntimeProcess::takeLine(const QByteArray& line) {
  const QJsonObject object = QJsonDocument::fromJson(line).object();
  const QString event = object.value(u"event").toString();
  if (event == u"listening") {
    const int port = object.value(u"port").toInt();
    const QString tokenFile = object.value(u"token_file").toString();
    if (port <= 0 || port > 65535 || tokenFile.isEmpty()) {
      qCWarning(processLog).noquote() << "not a usable listening line:" << line;
      return;
    }
    listenDeadline_.stop();
    listeningSince_.start();
    if (wish_ == Wish::kRun)
      Q_EMIT listening({static_cast<quint16>(port), tokenFile, process_.processId()});
  } else {
    qCDebug(processLog).noquote() << "unknown line:" << line;
  }
}

void RuntimeProcess::onFinished(int exitCode, QProcess::ExitStatus status) {
  listenDeadline_.stop();
  killDeadline_.stop();
  if (wish_ == Wish::kStop) {
    Q_EMIT stopped();
    return;
  }
  if (wish_ == Wish::kRestart) {
    wish_ = Wish::kRun;
    launch();
    return;
  }
  const bool served = listeningSince_.isValid();
  if (served && listeningSince_.elapsed() >= kHealthyMs) quickFailures_ = 0;

  readOutput();
  readErrors();
  editor::Error problem = reported_;
  const QString lastWords = lastLine(lastErrors_);
  if (problem.what.isEmpty() && status == QProcess::CrashExit)
    problem.what = tr("The model server stopped unexpectedly (signal %1).").arg(exitCode);
  else if (problem.what.isEmpty())
    problem.what = lastWords.isEmpty()
                       ? tr("The model server ended with exit code %1.").arg(exitCode)
                       : lastWords;
  if (problem.remedy.isEmpty() && reported_.what.isEmpty() && status == QProcess::NormalExit)
    problem.remedy = tr("Choose another model, or restart it.");
  // A waferd that leaves by itself before it listens has refused (a broken model file, say); it
  // would refuse again. One that was killed or had served may do better.
  onFailure(problem, served || status == QProcess::CrashExit);
}

void RuntimeProcess::onFailure(const editor::Error& problem, bool retryable) {
  listenDeadline_.stop();
  const bool excused = std::exchange(excused_, false);
  const bool again = retryable && restarts_ == Restarts::kAfterCrash &&
                     (excused || quickFailures_ < pausesMs_.size());
  if (again) {
    const int pause = excused ? 0 : pausesMs_[quickFailures_++];
    retry_.start(pause);
    Q_EMIT died(problem, pause);
    return;
  }
  editor::Error last = problem;
  if (retryable && restarts_ == Restarts::kAfterCrash) {
    last.what += QLatin1Char(' ') + tr("It was started again %n time(s).", nullptr,
                                       static_cast<int>(pausesMs_.size()));
    last.remedy = tr("Restart the model by hand, or choose another one.");
  }
  wish_ = Wish::kStop;
  Q_EMIT died(last, -1);
}

}  // namespace waferpair::gui
