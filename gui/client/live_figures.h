// SPDX-License-Identifier: GPL-3.0-or-later
// The figures in sight, from all that tells of them: the server's status, completions that ended,
// telemetry in between. They are of one completion, the last that has a rate: none of an earlier
// one stays beside them. Each model of the server has figures of its own, which never mix; those in
// sight are of the model whose wafer is shown, or else of the first one, which suggests. UI thread
// only.
#pragma once

#include <QElapsedTimer>
#include <QHash>
#include <QObject>
#include <QString>
#include <QTimer>

#include "gui/client/runtime_figures.h"
#include "runtime/protocol/telemetry.h"

namespace waferpair::gui {

struct ServerStatus;

class LiveFigures : public QObject {
  Q_OBJECT
 public:
  explicit LiveFigures(QObject* parent = nullptr);

  const RuntimeFigures& now() const { return now_; }

  // The first model can be asked. Where it is another one than before, all figures are dropped.
  void follow(const ServerStatus& status);
  // Sets whose wafers the first model's wafer figures are of: the shadow's, or with nothing its
  // own.
  void setShadow(const std::optional<ShadowFacts>& shadow);
  // Frames give figures, which is so at first. When a frame comes depends on the clock, so a
  // program whose runs must show the same takes figures of ended completions alone.
  void setTakesFrames(bool on) { takesFrames_ = on; }
  // Frames are of this layout's model from now on, and its figures are in sight.
  void show(const protocol::WaferLayout& layout);
  // There is no layout: the first model's figures are in sight.
  void showFirst();
  // Adds the figures of a completion by the first model, all in place of those before.
  void add(const RuntimeFigures& measured);
  // Frames come faster than figures can be read: of those that do the last is taken in the end.
  void add(const protocol::TelemetryFrame& frame);

 Q_SIGNALS:
  void changed();

 private:
  struct Known {
    RuntimeFigures figures;
    QElapsedTimer age;  // since a rate was last taken
  };

  static void replace(const RuntimeFigures& measured, RuntimeFigures& figures);
  void take(const protocol::TelemetryFrame& frame);
  void present();

  QString first_;              // the names of the first model
  QString shown_;              // and of the one whose figures are in sight
  QHash<QString, Known> all_;  // by the model's name
  RuntimeFigures now_;         // those in sight
  std::optional<ShadowFacts> shadow_;
  bool takesFrames_ = true;
  std::optional<protocol::TelemetryFrame> waiting_;  // of the model in sight
  QTimer soon_{this};                                // until it is taken
};

}  // namespace waferpair::gui
