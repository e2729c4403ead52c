// SPDX-License-Identifier: GPL-3.0-or-later
// A model on trial: a waferd and a session of its own, so that the present ones stay untouched
// until it has shown that it serves. UI thread only.
#pragma once

#include <QObject>
#include <memory>

#include "editor/text/result.h"
#include "gui/client/runtime_process.h"
#include "gui/client/server_events.h"

namespace waferpair::gui {

class RuntimeClient;

class ModelTrial : public QObject {
  Q_OBJECT
 public:
  // `command` names the model to be tried.
  explicit ModelTrial(const RuntimeCommand& command, QObject* parent = nullptr);
  // Ends what was not taken.
  ~ModelTrial() override;

  void start();
  QString model() const { return model_; }
  // The model as its server tells of it while it is loaded: its name, the share that is there.
  const HostedModel& told() const { return told_; }

  // Take what served after passed(), for RuntimeServer::replace(). The trial is over.
  std::unique_ptr<RuntimeProcess> takeProcess();
  std::unique_ptr<RuntimeClient> takeClient();

  // Ends its server and deletes this when that has left. No signal follows.
  void end();

 Q_SIGNALS:
  void progressed();
  // One of the two is sent, once.
  void passed(const waferpair::gui::ServerStatus& status);
  void failed(const waferpair::editor::Error& problem);

 private:
  void finish();

  QString model_;
  HostedModel told_;
  std::unique_ptr<RuntimeProcess> process_;
  std::unique_ptr<RuntimeClient> client_;
};

}  // namespace waferpair::gui
