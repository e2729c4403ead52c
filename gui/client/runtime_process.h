// SPDX-License-Identifier: GPL-3.0-or-later
// Keeps one waferd running: starts it, reads where it listens, starts it again after a crash with
// growing pauses, gives up after repeated quick failures. UI thread only; nothing here blocks
// except the destructor (at most kGoodbyeMs, and only when waferd does not leave by itself).
#pragma once

#include <QElapsedTimer>
#include <QList>
#include <QObject>
#include <QProcess>
#include <QString>
#include <QTimer>

#include "editor/text/result.h"
#include "gui/client/runtime_figures.h"

namespace waferpair::gui {

// The address of a waferd and the file with its token.
struct RuntimeEndpoint {
  quint16 port = 0;
  QString tokenFile;
  qint64 pid = 0;
};

struct RuntimeCommand {
  QString program;  // waferd
  QString model;    // GGUF file
  // File that keeps what was computed from one start to the next; empty: none.
  QString sessionCache = {};
  bool reproducible = false;  // waferd --reproducible
  // The adapters of all models (model_adapters.h); those of this one are added to it.
  QStringList adapters = {};
};

class RuntimeProcess : public QObject {
  Q_OBJECT
 public:
  enum class Restarts {
    kAfterCrash,
    kNever,  // one try: any end is reported with retryMs -1
  };

  explicit RuntimeProcess(RuntimeCommand command, Restarts restarts = Restarts::kAfterCrash,
                          QObject* parent = nullptr);
  ~RuntimeProcess() override;

  const RuntimeCommand& command() const { return command_; }
  qint64 processId() const { return process_.processId(); }
  bool isRunning() const { return process_.state() != QProcess::NotRunning; }
  void setRestarts(Restarts restarts) { restarts_ = restarts; }
  // With true, its end is laid to something that will not be done again: it is started again at
  // once, and that does not count as a failure.
  void setExcused(bool excused) { excused_ = excused; }
  // Sets the pauses before each start after a quick failure; with one more failure than there are
  // pauses, it is given up. By default the first restart is at once: a single crash should cost no
  // suggestion.
  void setPausesMs(const QList<int>& pauses) { pausesMs_ = pauses; }

  // Starts with a clean record of failures. Does nothing while it runs.
  void start();
  // Ends what runs (if anything), then starts with a clean record.
  void restart();
  // Ends a waferd that runs but does not serve, as if it had crashed of `problem`.
  void abandon(const editor::Error& problem);
  // Asks waferd to leave, later insists. No signal follows but stopped().
  void stop();

 Q_SIGNALS:
  void starting();
  void listening(const waferpair::gui::RuntimeEndpoint& endpoint);
  // Sent when it ended, or could not be started. It is started again in retryMs; -1: not again.
  void died(const waferpair::editor::Error& problem, int retryMs);
  void stopped();

 private:
  enum class Wish { kRun, kStop, kRestart };

  void launch();
  void readOutput();
  void readErrors();
  void takeLine(const QByteArray& line);
  void onFinished(int exitCode, QProcess::ExitStatus status);
  void onFailure(const editor::Error& problem, bool retryable);
  void insistOnLeaving();

  RuntimeCommand command_;
  Restarts restarts_;
  Wish wish_ = Wish::kStop;
  QProcess process_;
  QTimer retry_{this};           // until the next start
  QTimer listenDeadline_{this};  // from start to "listening"
  QTimer killDeadline_{this};    // from stop() to SIGKILL
  QElapsedTimer listeningSince_;
  QByteArray output_;       // an unfinished line of its standard output
  QByteArray lastErrors_;   // the end of its standard error
  editor::Error reported_;  // what waferd itself said was wrong
  QList<int> pausesMs_ = {0, 1000, 2000, 5000};
  qsizetype quickFailures_ = 0;
  bool excused_ = false;
};

}  // namespace waferpair::gui
