// SPDX-License-Identifier: GPL-3.0-or-later
// The waferd of this program. All windows share it, each over a session of its own (RuntimeServer),
// so that a model is in memory once; it ends with the last of them. UI thread only; every call
// returns at once.
#pragma once

#include <QObject>
#include <QSet>
#include <memory>
#include <optional>

#include "editor/text/result.h"
#include "gui/client/runtime_process.h"

namespace waferpair::gui {

class RuntimeHost : public QObject {
  Q_OBJECT
 public:
  explicit RuntimeHost(RuntimeCommand command, QObject* parent = nullptr);
  // Ends waferd.
  ~RuntimeHost() override;

  // The command that starts it, with the model that it serves or is to serve.
  const RuntimeCommand& command() const { return command_; }
  bool isRunning() const { return process_ && process_->isRunning(); }
  // 0 while it does not run.
  qint64 processId() const { return process_ ? process_->processId() : 0; }
  // Where it listens; nothing until it does.
  const std::optional<RuntimeEndpoint>& endpoint() const { return endpoint_; }

  // The adapters of all models, from the next start on. False where they were set before, by this
  // or another window.
  bool setAdapters(const QStringList& adapters);

  // Does nothing while it runs.
  void start();
  void stop();
  // Ends it and starts it afresh, also after it had given up.
  void restart();
  // Ends one that runs but does not serve.
  void abandon(const editor::Error& problem);
  // Makes `process`, which listens at `endpoint`, the one that all use; the one before ends. `by`
  // has a session with it already.
  void replace(std::unique_ptr<RuntimeProcess> process, const RuntimeEndpoint& endpoint,
               const QObject* by);
  // Says whether `who` has it load a model beside the first, of which it may die: the first one
  // comes back at once then.
  void setLoadsAnother(const QObject* who, bool loads);

 Q_SIGNALS:
  void starting();
  void listening(const waferpair::gui::RuntimeEndpoint& endpoint);
  // As RuntimeProcess::died().
  void died(const waferpair::editor::Error& problem, int retryMs);
  // Sent before it is stopped, or stopped to be started afresh.
  void stopping();
  void restarting();
  // Another process serves from now on, at endpoint().
  void replaced(const QObject* by);

 private:
  void wire();
  void excuse();

  RuntimeCommand command_;
  std::unique_ptr<RuntimeProcess> process_;  // null until start()
  std::optional<RuntimeEndpoint> endpoint_;
  QSet<const QObject*> loaders_;
};

}  // namespace waferpair::gui
