// SPDX-License-Identifier: GPL-3.0-or-later
// The model server's life as one window sees it: the waferd that all share and this window's
// session with it, started, restarted, replaced by one that serves another model; and the state of
// it in words. UI thread only; every call returns at once.
#pragma once

#include <QObject>
#include <memory>

#include "editor/text/result.h"
#include "gui/client/runtime_host.h"
#include "gui/client/server_events.h"

namespace waferpair::gui {

class RuntimeClient;

// "Loading 43 %: Tiny", as the model's file names it; "Loading model tiny.gguf" as long as neither
// a share nor that name is known.
QString loadingText(const QString& file, const HostedModel& told);

class RuntimeServer : public QObject {
  Q_OBJECT
 public:
  enum class State {
    kStopped,
    kStarting,    // waferd is being started
    kLoading,     // it runs; the model is being read and placed on the wafer
    kReady,       // suggestions may be had
    kRestarting,  // it died or the connection broke; problem() says what happened
    kFailed,      // given up or never possible; problem() says why, restart() tries again
  };
  Q_ENUM(State)

  // With a waferd of its own.
  explicit RuntimeServer(RuntimeCommand command, QObject* parent = nullptr);
  explicit RuntimeServer(std::shared_ptr<RuntimeHost> host, QObject* parent = nullptr);
  // Ends waferd if nobody else uses it.
  ~RuntimeServer() override;

  // As RuntimeHost's.
  bool setAdapters(const QStringList& adapters) { return host_->setAdapters(adapters); }

  // Starts waferd, or joins the one that runs.
  void start();
  // Ends it for all.
  void stop();
  // Ends waferd and starts it afresh, also after it had given up.
  void restart();
  // Makes `process` the server, the model of which is ready; the one before ends. Another client
  // follows, see clientChanged(). Other windows go on with it, too.
  void replace(std::unique_ptr<RuntimeProcess> process, std::unique_ptr<RuntimeClient> client,
               const ServerStatus& status);

  // Says whether a model beside the first is being loaded, of which it may die: the first one then
  // comes back at once.
  void setLoadsAnother(bool loads);

  // The command that starts it, with the model that it serves or is to serve.
  const RuntimeCommand& command() const { return host_->command(); }
  State state() const { return state_; }
  // The state for the status bar, as loadingText() where it loads. Never empty.
  QString stateText() const;
  // The reason why it cannot be asked anything now; empty when it can.
  QString unavailable() const { return state_ == State::kReady ? QString() : stateText(); }
  // The problem that led to kRestarting or kFailed; empty in other states.
  const editor::Error& problem() const { return problem_; }
  // 0 while it does not run.
  qint64 processId() const { return host_->processId(); }
  // Never null.
  RuntimeClient* client() const { return client_.get(); }
  // The status that the server told last.
  const ServerStatus& status() const { return status_; }

 Q_SIGNALS:
  void stateChanged();
  // Sent when it says that its model is ready: at first, and whenever what it tells of has changed.
  // state() follows only then, so that who looks at it finds what was told.
  void loaded(const waferpair::gui::ServerStatus& status);
  // The same once state() has followed.
  void ready(const waferpair::gui::ServerStatus& status);
  // Sent when client() is another one. The one before is still there, and closed after this.
  void clientChanged();
  // Sent when waferd has ended by itself, before the state follows.
  void died(const waferpair::editor::Error& problem);

 private:
  void setState(State state, editor::Error problem = {});
  void wireHost();
  void wireClient();
  void onStatus(const ServerStatus& status);

  std::shared_ptr<RuntimeHost> host_;
  State state_ = State::kStopped;
  editor::Error problem_;
  ServerStatus status_;
  std::unique_ptr<RuntimeClient> client_;
};

}  // namespace waferpair::gui
