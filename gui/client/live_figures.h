// SPDX-License-Identifier: GPL-3.0-or-later
// The figures in sight, from all that tells of them: the server's status, completions that ended,
// telemetry in between. UI thread only.
#pragma once

#include <QElapsedTimer>
#include <QObject>

#include "gui/client/runtime_figures.h"
#include "runtime/protocol/telemetry.h"

namespace waferpair::gui {

struct ServerStatus;

class LiveFigures : public QObject {
  Q_OBJECT
 public:
  using QObject::QObject;

  const RuntimeFigures& now() const { return now_; }

  // A model that is ready. Figures of another one are dropped.
  void follow(const ServerStatus& status);
  // Sets whose wafers the wafer figures are of: the shadow's, or with nothing those of the model
  // that runs.
  void setShadow(const std::optional<ShadowFacts>& shadow);
  // Adds the figures of a completion. They stand for a while: telemetry of its last token or two
  // does not take their place.
  void add(const RuntimeFigures& measured);
  void add(const protocol::TelemetryFrame& frame);

 Q_SIGNALS:
  void changed();

 private:
  void merge(const RuntimeFigures& measured);
  void set(const RuntimeFigures& figures);

  RuntimeFigures now_;
  std::optional<ShadowFacts> shadow_;
  QElapsedTimer age_;  // since a rate was last taken
};

}  // namespace waferpair::gui
